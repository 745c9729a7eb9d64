package convert

import (
	"context"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/source/sourceindex"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
)

// checkSources finds settings that conflict with a database of sources.
func (c *config) checkSources() error {
	o := &c.options
	switch {
	case o.Sources == "":
		return nil
	// In other formats the added fields would look like the crawler's.
	case c.table || len(o.To) != 1 || o.To[0].Format != "content":
		return cli.Usagef("--sources fills the source_* fields of Datastreamer's records: it goes with archives and " +
			"--to=content alone")
	case c.runner == run.Dataflow:
		return cli.Usagef("--sources=%s is out of reach for the workers of --runner=%s", o.Sources, c.runner)
	}
	made, err := sourceindex.GenerationOf(context.Background(), o.Sources)
	if err != nil {
		return cli.Usagef("--sources: %v", err)
	}
	o.SourcesMade = made
	return nil
}

// source adds what the database knows of a capture's source.
func (c *converter) source(ctx context.Context, page *schemas.Capture) error {
	if page == nil {
		return nil
	}
	s, err := c.sources.Of(ctx, page.URL)
	if s != nil {
		datastreamer.NoteSource(page, *s)
	}
	return err
}
