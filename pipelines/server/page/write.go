package page

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

//go:embed html/*.html
var templates embed.FS

// ErrNoPage is the error for data that has no page.
var ErrNoPage = errors.New("page: no page for this data")

// all returns the templates: one for each kind of data, and those that surround them. They are parsed for the first
// page, since most commands show none, and embedded, so each test sees a mistake in them.
var all = sync.OnceValue(func() *template.Template {
	return template.Must(look.Parts().Funcs(funcs()).ParseFS(templates, "html/*.html"))
})

// Login is the data of the page to log in.
type Login struct {
	Error string // mistake in the last try; "" if there is none
	Name  string // name that was tried
	Next  string // path to go to next
}

// content is the input of a template.
type content struct {
	view.Frame
	Data  any
	Title string
	Here  string // this page's entry in the navigation
}

// kind defines how data is shown.
type kind struct{ template, title, here string }

// kindOf finds the template of data by its type.
func kindOf(data any) (kind, bool) {
	// A switch is used instead of a method of the data: package view knows nothing of pages, and the compiler finds
	// misspelt types.
	switch d := data.(type) {
	case *view.Overview:
		return kind{"overview", cmp.Or(d.Title, d.Collection), "overview"}, true
	case *view.Search:
		return kind{"search", searchTitle(d), "search"}, true
	case *view.Resource:
		// Pages of captures are found by searching, so that entry of the navigation is highlighted.
		return kind{"resource", d.Shown.Title, "search"}, true
	case *view.Replayed:
		return kind{"replayed", "Replay", "search"}, true
	case *view.Values:
		return kind{"values", d.Title, "search"}, true
	case *view.Across:
		return kind{"across", strings.TrimSpace(d.Request.Query + " Search in all collections"), ""}, true
	case *view.Trends:
		return kind{"trends", "Trends", "trends"}, true
	case *view.Images:
		return kind{"images", "Images", "images"}, true
	case *view.LinkList:
		return kind{"links", "Links", "graph"}, true
	case *view.Take:
		return kind{"take", "Take away", "take"}, true
	case *view.SQL:
		return kind{"sql", "SQL", "sql"}, true
	case *view.HostGraph:
		return kind{"graph", "Link graph", "graph"}, true
	}
	return kindOfList(data)
}

// kindOfList is kindOf for hosts, entities, sources, archives and the server's own pages.
func kindOfList(data any) (kind, bool) {
	switch d := data.(type) {
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
	// This one is a value, as only this package makes it. Data of views are pointers, as views return them.
	case Login:
		return kind{"login", "Log in", ""}, true
	case *view.SavedList:
		return kind{"saved", "Saved searches", ""}, true
	case *view.Account:
		return kind{"account", "Account", ""}, true
	case *view.Collections:
		return kind{"collections", "Collections", ""}, true
	case *view.Help:
		return kind{"queries", "How to search", ""}, true
	case *view.Error:
		return kind{"error", d.Title, ""}, true
	}
	return kindOfWork(data)
}

// kindOfWork is kindOf for the pages about archives, runs and jobs. A type that is added to the views and not here
// becomes ErrNoPage, and a 500.
func kindOfWork(data any) (kind, bool) {
	switch d := data.(type) {
	case *view.Datasets:
		return kind{"datasets", "Datasets", "datasets"}, true
	case *view.Archives:
		return kind{"archives", "Archives", "archives"}, true
	case *view.Runs:
		return kind{"runs", "Runs", "archives"}, true
	case *view.RunOne:
		return kind{"run", fmt.Sprintf("Run %d", d.Number), "archives"}, true
	case *view.Jobs:
		return kind{"jobs", "Jobs", "jobs"}, true
	case *view.JobOne:
		return kind{"job", fmt.Sprintf("Job %d", d.Number), "jobs"}, true
	case *view.Form:
		return kind{"form", "New job", "jobs"}, true
	}
	return kind{}, false
}

// searchTitle begins with the name of the page, and has the filters of a search without words.
func searchTitle(s *view.Search) string {
	words := []string{}
	if s.Request.Query != "" {
		words = append(words, s.Request.Query)
	}
	for _, f := range s.Filters {
		words = append(words, f.Label)
	}
	if len(words) == 0 {
		return "Search"
	}
	return "Search: " + strings.Join(words, ", ")
}

// Render makes the page of data: the result of a view, a *view.Error, or a Login. It returns ErrNoPage for anything
// else.
func Render(f view.Frame, data any) (string, error) {
	k, known := kindOf(data)
	if !known {
		return "", fmt.Errorf("%w: %T", ErrNoPage, data)
	}
	// The search field at the top of each page shows the current query, also if it cannot be read.
	switch d := data.(type) {
	case *view.Search:
		f.Query = d.Request.Query
	case *view.Trends:
		f.Query = d.Request.Query
	case *view.HostGraph:
		f.Query = d.Request.Query
	case *view.Error:
		if d.Param == "query" {
			f.Query = d.Value
		}
	}
	// The page is written to memory and not to the client: see Write.
	var b strings.Builder
	if err := all().ExecuteTemplate(&b, k.template, content{f, data, k.title, k.here}); err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	return b.String(), nil
}
