package page

import (
	"embed"
	"errors"
	"fmt"
	"html/template"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

//go:embed html/*.html
var templates embed.FS

// ErrNoPage is data that has no page.
var ErrNoPage = errors.New("page: no page for this data")

// all are the templates: one for each kind of data, and those that frame them.
// They are embedded, so that a mistake in one of them is seen as soon as anything starts, and in each
// test.
var all = template.Must(look.Parts().Funcs(funcs()).ParseFS(templates, "html/*.html"))

// Login is the data of the page to log in.
type Login struct {
	Error string // what was wrong with the last try; "" for none
	Name  string // that was tried
	Next  string // path to go to after it
}

// content is what a template gets.
type content struct {
	view.Frame
	Data  any
	Title string
	Here  string // the entry of the navigation that is this page
}

// kind says how data is shown.
type kind struct{ template, title, here string }

// kindOf finds the template of data by its type.
func kindOf(data any) (kind, bool) {
	// A switch and no method of the data: package view knows nothing of pages, and the compiler sees
	// misspelt types.
	switch d := data.(type) {
	case *view.Overview:
		return kind{"overview", d.Collection, "overview"}, true
	case *view.Search:
		return kind{"search", strings.TrimSpace(d.Request.Query + " Search"), "search"}, true
	case *view.Resource:
		// Pages of captures are reached by searching, so that entry of the navigation is marked.
		return kind{"resource", d.Shown.Title, "search"}, true
	case *view.Hosts:
		return kind{"hosts", "Hosts", "hosts"}, true
	case *view.Host:
		return kind{"host", d.Host, "hosts"}, true
	case *view.Entities:
		return kind{"entities", "Entities", "entities"}, true
	case *view.Sources:
		return kind{"sources", "Sources", "sources"}, true
	case *view.SourceOne:
		return kind{"source", d.SourceRow.Title, "sources"}, true
	case *view.Datasets:
		return kind{"datasets", "Datasets", "datasets"}, true
	case *view.Runs:
		return kind{"runs", "Runs", "runs"}, true
	case *view.RunOne:
		return kind{"run", fmt.Sprintf("Run %d", d.Number), "runs"}, true
	case *view.Jobs:
		return kind{"jobs", "Jobs", "jobs"}, true
	case *view.JobOne:
		return kind{"job", fmt.Sprintf("Job %d", d.Number), "jobs"}, true
	case *view.Form:
		return kind{"form", "New job", "jobs"}, true
	// By value, as only this package makes it; those of views are pointers, as views return them.
	case Login:
		return kind{"login", "Log in", ""}, true
	case *view.Account:
		return kind{"account", "Account", ""}, true
	case *view.Collections:
		return kind{"collections", "Collections", ""}, true
	case *view.Error:
		return kind{"error", d.Title, ""}, true
	}
	// A type that is added to the views and not here is ErrNoPage, and a 500.
	return kind{}, false
}

// Render makes the page of data, which is what a view has returned, a *view.Error, or a Login; ErrNoPage for
// anything else.
func Render(f view.Frame, data any) (string, error) {
	k, known := kindOf(data)
	if !known {
		return "", fmt.Errorf("%w: %T", ErrNoPage, data)
	}
	if s, is := data.(*view.Search); is {
		// The field at the head of each page shows what was searched for.
		f.Query = s.Request.Query
	}
	// Into memory and not to the client: see Write.
	var b strings.Builder
	if err := all.ExecuteTemplate(&b, k.template, content{f, data, k.title, k.here}); err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	return b.String(), nil
}
