package plan

import (
	"context"

	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// checkSources finds settings that conflict with a database of sources.
func (c *Request) checkSources() error {
	switch {
	case c.Sources == "":
		return nil
	case !c.HasRecords():
		return cli.Usagef("--sources fills the source_* fields of Datastreamer's records, and none are written: add " +
			"--format=content")
	case c.Runner == run.Dataflow:
		return cli.Usagef("--sources=%s is out of reach for the workers of --runner=%s", c.Sources, c.Runner)
	}
	return nil
}

// readSources reads the generation of the database of sources; each plan calls it again.
func (c *Request) readSources(ctx context.Context) (err error) {
	if c.Sources == "" {
		return nil
	}
	if c.SourcesMade, err = generationOf(ctx, c.Sources); err != nil {
		return cli.Usagef("--sources: %v", err)
	}
	return nil
}
