package view

import (
	"context"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/export"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// fromArchive adds the HTTP header, which only the archive has. A missing archive causes no error: everything else is
// known without it.
func (v *Views) fromArchive(ctx context.Context, now *shelf.Snapshot, res *Resource, d *schemas.Document) {
	if v.o.Store == nil {
		res.Place.Missing = "this server reads no archives"
		return
	}
	c, err := v.Exporter(now.DB).Capture(ctx, d)
	if err != nil {
		// Usually the file was moved; the page shows this beside the collection's data.
		res.Place.Missing = err.Error()
		return
	}
	// A capture without a status line has 0: it was not an HTTP response.
	if c.Status > 0 {
		res.Status = "HTTP " + statusLabel(number(int64(c.Status)))
	}
	for _, f := range c.Header {
		res.Headers = append(res.Headers, Header(f))
	}
}

// Exporter returns an exporter, which reads records from a collection's archives and writes captures.
func (v *Views) Exporter(db *contentdb.DB) export.Exporter {
	e := export.Exporter{DB: db, Store: v.o.Store}
	if v.o.Archives != "" {
		e.Archives = []string{v.o.Archives}
	}
	return e
}

// sourcesOf returns the sources that a page belongs to. It is not nil, so that the API answers [] and pages need no
// test.
func (v *Views) sourcesOf(ctx context.Context, d *schemas.Document) []SourceRow {
	list := []SourceRow{}
	if v.o.Sources == nil || v.NeedWhole(ctx) != nil {
		return list
	}
	// While the Source DB is being opened, the page of a capture is shown without sources.
	x, release, _ := v.o.Sources.Hold()
	if x == nil {
		return list
	}
	defer release()
	// Documents are not rewritten when the Source DB grows, so it is queried for each page.
	id, ok, err := x.SourceOf(ctx, d.URL)
	if err != nil || !ok {
		return list
	}
	if s, err := x.Get(ctx, id); err == nil {
		list = append(list, sourceRow(s.Source))
	}
	return list
}
