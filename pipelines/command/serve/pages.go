package serve

import (
	"fmt"
	"html"
	"net/http"

	"github.com/gleaner-web/gleaner/pipelines/server"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// newPages makes the pages.
func newPages(v *view.Views) server.Pages { return plain{v} }

// plain stands in for the pages until they are there.
type plain struct{ v *view.Views }

// ServeHTTP names the API.
func (p plain) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>Gleaner</title><p>The API is at <a href="/openapi.json">/openapi.json</a>.`)
}

// Error is an error as a page.
func (p plain) Error(w http.ResponseWriter, _ *http.Request, status int, err error) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><title>Error</title><p>%s`, html.EscapeString(err.Error()))
}
