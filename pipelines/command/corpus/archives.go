package corpus

import (
	"context"
	"fmt"
	"os"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/langid"
)

// unitBytes and the limits are the defaults of ingest, so that ingest may continue with the collection.
const (
	unitBytes = 64 << 20
	maxBody   = 32 << 20
	maxHead   = 1 << 20
	maxRatio  = 1000
)

// ingest reads archives into the collection, with the columns that a corpus needs. It keeps existing units, so
// repeating it costs nothing. It reports whether something of the archives was lost.
func (c config) ingest(ctx context.Context) (damaged bool, err error) {
	// The main HTML is more than half of a collection, and a corpus of plain text does not use it.
	without := []string{"main_html"}
	if c.options.Corpus.Text == corpora.TextMarkdown {
		without = nil
	}
	extract := []string{"mime", "text", "language", "metadata", "quality"}
	if c.options.Corpus.Recipe.HasRights() {
		extract = append(extract, "rights")
	}
	r := plan.Request{
		Recipe: recipe.Recipe{
			Formats: []string{holdings.FormatJSONL}, Compression: "zstd", Without: without,
			Extract:  extract,
			Accuracy: langid.Default, MaxBody: maxBody, MaxHead: maxHead, MaxRatio: maxRatio,
		},
		Machine: recipe.Machine{
			Output: c.options.Sources[0], Workers: cli.Workers(c.options.Workers), Remote: c.options.Remote,
		},
		Inputs: blob.Shown(c.archives), Stdin: os.Stdin, Runner: c.runner, UnitSize: unitBytes, Keep: plan.Keeping{Add: true},
		Counters: &cli.Live, Progress: func(n *cli.Counters, bytes int64) func() { return cli.StartProgress(n, bytes).Stop },
	}
	if err := r.Check(); err != nil {
		return false, err
	}
	r.LimitMemory()
	p, err := plan.Make(ctx, r)
	if err != nil {
		return false, err
	}
	m, err := job.Run(ctx, p)
	if err != nil {
		return false, fmt.Errorf("ingest: %w", err)
	}
	lost := m.Totals.BytesLost + m.Totals.ByReject[string(schemas.KindUnreadable)]
	return lost > 0 || m.Totals.HasDamage(), nil
}
