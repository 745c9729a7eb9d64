package view

import (
	"context"

	command "github.com/gleaner-web/gleaner/pipelines/command/query"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// fromArchive adds what stands in the archive alone: the HTTP head. An archive that is not there is no error: all else
// is known without it.
func (v *Views) fromArchive(ctx context.Context, now *shelf.Snapshot, res *Resource, d *schemas.Document) {
	if v.o.Store == nil {
		res.Place.Missing = "this server reads no archives"
		return
	}
	e := command.Export{DB: now.DB, Store: v.o.Store, Archives: v.o.Archives}
	c, err := e.Capture(ctx, d)
	if err != nil {
		res.Place.Missing = err.Error()
		return
	}
	if c.Status > 0 {
		res.Status = "HTTP " + statusLabel(number(int64(c.Status)))
	}
	for _, f := range c.Header {
		res.Headers = append(res.Headers, Header(f))
	}
}

func (v *Views) sourcesOf(_ context.Context, _ *schemas.Document) []SourceRow { return []SourceRow{} }
