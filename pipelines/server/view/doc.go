// Package view makes the content of the server. It has one function for each page and REST resource, which takes a
// struct of parameters and returns a struct of plain data. It knows neither HTML nor HTTP: package page writes the
// data as pages, package api as JSON. So the API has everything that pages can show.
//
// It has no store and no query language of its own. It queries collections through package contentdb, and the Source
// DB through sourcedb. It also reads manifests and reports of commands.
//
//	s, err := views.Search(ctx, view.SearchRequest{Query: "harbour", Lang: "en"})
//	for _, h := range s.Hits { … }
//
// Times are RFC 3339 in UTC, sizes are in bytes, shares are from 0 to 1. Unknown values are absent or "". An error
// that the user is responsible for is an *Error, which contains a remedy.
package view
