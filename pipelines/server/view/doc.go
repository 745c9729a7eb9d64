// Package view makes what the server shows: one function for each page and REST resource, from a struct of parameters
// to a struct of plain data. It knows neither HTML nor HTTP: package page writes its data as pages, package api as
// JSON, so whatever a page can show is in the API.
//
// It has no store and no query language of its own: it asks collections through package contentdb, the Source DB
// through sourcedb, and reads the manifests and reports that commands left.
//
//	s, err := views.Search(ctx, view.SearchRequest{Query: "harbour", Lang: "en"})
//	for _, h := range s.Hits { … }
//
// Times are RFC 3339 in UTC, sizes bytes, shares 0 to 1. What is not known is absent or "". An error that is the
// asker's is an *Error, which says what to do.
package view
