package page

import (
	"embed"
	"errors"
	"fmt"
	"html/template"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/look"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

//go:embed html/*.html
var templates embed.FS

// ErrNoPage is data that has no page.
var ErrNoPage = errors.New("page: no page for this data")

// A template that does not parse stops the program when it starts, not when a page is asked for.
// all are the templates: one for each kind of data, and those that frame them.
var all = template.Must(look.Parts().Funcs(funcs()).ParseFS(templates, "html/*.html"))

// Login is the data of the page to log in.
type Login struct {
	Error string // what was wrong with the last try; "" for none
	Name  string // that was tried
	Next  string // path to go to behind it
}

// content is what a template gets.
// The Frame is embedded, so that templates name what is around the page without a prefix.
type content struct {
	view.Frame
	Data  any
	Title string
	Here  string // the entry of the navigation that is this page
}

// kind says how data is shown.
type kind struct{ template, title, here string }

// kindOf finds the template of data by its type.
// By type, so that a view that changes its answer cannot get the page of another.
func kindOf(data any) (kind, bool) {
	switch d := data.(type) {
	case *view.Overview:
		return kind{"overview", d.Collection, "overview"}, true
	case *view.Search:
		return kind{"search", strings.TrimSpace(d.Request.Query + " Search"), "search"}, true
	case *view.Resource:
		// A page without a title gets the server's name alone from its template.
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
	case Login:
		return kind{"login", "Log in", ""}, true
	case *view.Collections:
		return kind{"collections", "Collections", ""}, true
	case *view.Error:
		return kind{"error", d.Title, ""}, true
	}
	return kind{}, false
}

// Render makes the page of data, which is what a view has returned, a *view.Error, or a Login; ErrNoPage for
// anything else.
func Render(f view.Frame, data any) (string, error) {
	// A view without a template is a mistake of ours, which tests see.
	k, known := kindOf(data)
	if !known {
		return "", fmt.Errorf("%w: %T", ErrNoPage, data)
	}
	// The search box keeps what was searched for.
	if s, is := data.(*view.Search); is {
		f.Query = s.Request.Query
	}
	var b strings.Builder
	if err := all.ExecuteTemplate(&b, k.template, content{f, data, k.title, k.here}); err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	return b.String(), nil
}
