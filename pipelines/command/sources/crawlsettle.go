package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	feedcrawl "github.com/gleaner-web/gleaner/io/source/crawl"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job"
	jobplan "github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
	"github.com/gleaner-web/gleaner/transforms/langid"
)

// settle ingests the book's journals that the collection does not have, and updates the Source DB. It continues a
// killed ingest with the same files.
func (w *crawler) settle(ctx context.Context, book *feedcrawl.Book) error {
	names, err := w.shelf.Journals("")
	if err != nil {
		return err
	}
	// The collection itself knows what it has, whenever a process was killed.
	done, err := w.ingested(ctx)
	if err != nil {
		return err
	}
	var paths []string
	for _, name := range names {
		path := w.shelf.Path(name)
		// Journals after the book belong to the current round.
		if name <= last(book) && !done[absolute("", path)] {
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		if err := w.ingest(ctx, paths); err != nil {
			return err
		}
	}
	// A process may have been killed between ingest and update, so this runs even without new journals.
	tasks, err := w.fresh(ctx)
	if err != nil || len(tasks) == 0 {
		return err
	}
	return w.run(ctx, tasks)
}

// ingested returns the absolute names of local files that finished runs of the collection have read.
func (w *crawler) ingested(ctx context.Context) (done map[string]bool, err error) {
	f := folder.Open(ctx, w.collections[0], w.store)
	defer func() { err = errors.Join(err, f.Close()) }()
	m, err := holdings.ReadManifest(f)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	// The manifest has shards and the rows have inputs: the first shard of a unit connects them.
	finished := map[string]bool{}
	for _, u := range m.Units {
		for _, s := range u.Shards {
			finished[s.Name] = true
		}
	}
	rows, err := ledger.Rows(f)
	// Callers drop the map on an error.
	done = map[string]bool{}
	for _, r := range rows {
		// A unit without a manifest is of a killed run and is ingested again.
		if len(r.Shards) == 0 || !finished[r.Shards[0].Name] {
			continue
		}
		for _, in := range r.Inputs {
			// Names are relative to r.Dir, where ingest was started.
			done[absolute(r.Dir, schemas.PathOf(in.File))] = true
		}
	}
	return done, err
}

// absolute makes the name of a local file absolute. It is relative to dir, or to this process's folder if dir is
// empty.
func absolute(dir, name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	// Abs fails without a working folder; then names are compared as they are.
	if whole, err := filepath.Abs(name); err == nil {
		return whole
	}
	return filepath.Clean(name)
}

// fresh returns the units of the collection that the Source DB has not seen.
func (w *crawler) fresh(ctx context.Context) ([]task, error) {
	// The zero manifest has no parts, so all units are fresh.
	m, err := sourcedb.ReadManifest(w.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	in := folder.Open(ctx, w.collections[0], w.store)
	_, err = holdings.ReadManifest(in)
	// plan would return a usage error for a missing collection.
	if err = errors.Join(err, in.Close()); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nothing was fetched for it yet
	}
	tasks, err := plan(ctx, w.store, w.collections)
	if err != nil {
		return nil, err
	}
	return unseen(m, tasks), nil
}

// unitBytes is the default of ingest.
const unitBytes = 64 << 20

// ingest adds archives to the collection, with its own options.
func (w *crawler) ingest(ctx context.Context, paths []string) error {
	asked, err := w.recipe(ctx)
	if err != nil {
		return err
	}
	r := jobplan.Request{
		Recipe: asked, Machine: recipe.Machine{
			Output: w.collections[0], Workers: cli.Workers(w.options.Workers), Remote: w.options.Remote,
		},
		Inputs: blob.Shown(paths), Runner: w.runner, UnitSize: unitBytes,
		Keep:     jobplan.Keeping{Add: true, WithoutSources: true},
		Counters: &cli.Live, Progress: func(c *cli.Counters, bytes int64) func() { return cli.StartProgress(c, bytes).Stop },
	}
	if err := r.Check(); err != nil {
		return err
	}
	p, err := jobplan.Make(ctx, r)
	if err != nil {
		return err
	}
	_, err = job.Run(ctx, p)
	return err
}

// recipe returns the recipe of the last run into the collection, or the defaults of ingest. Documents of another one
// could not be compared.
func (w *crawler) recipe(ctx context.Context) (r recipe.Recipe, err error) {
	f := folder.Open(ctx, w.collections[0], w.store)
	note, err := holdings.ReadLastRun(f)
	switch err = errors.Join(err, f.Close()); {
	case errors.Is(err, fs.ErrNotExist):
		r, err = recipe.Recipe{
			Formats: []string{holdings.FormatJSONL}, Compression: "zstd", Extract: enrich.Defaults(),
			Accuracy: langid.Default, MaxBody: 32 << 20, MaxHead: 1 << 20, MaxRatio: 1000,
		}, nil
	case err == nil:
		r, err = recipe.Noted(note.Options)
	}
	// A limit is about the archives of one command, and the crawl does not know the database of the sources.
	r.Limit, r.SourcesMade = 0, ""
	// Checked before fetching: the Source DB would learn nothing from the round.
	if err == nil {
		err = checkExtracted(w.collections[0], r.Extract)
	}
	return r, err
}

// stdout is a variable for tests.
var stdout io.Writer = os.Stdout

func crawlSummary(w io.Writer, n feedcrawl.Counts) error {
	var b strings.Builder
	row := func(name, value string) { fmt.Fprintf(&b, "%-12s %s\n", name, value) }
	row("Requests", fmt.Sprintf("%s, %s", cli.FormatCount(n.Requests), cli.FormatBytes(n.Bytes)))
	row("Visits", fmt.Sprintf("%s of feeds, %s unchanged", cli.FormatCount(n.Visits+n.Unchanged),
		cli.FormatCount(n.Unchanged)))
	row("New items", cli.FormatCount(n.Items))
	// Fetched pages include answers with errors, which archives keep too.
	row("New pages", fmt.Sprintf("%s fetched, %s given up, %s left", cli.FormatCount(n.Pages), cli.FormatCount(n.GivenUp),
		cli.FormatCount(n.Left)))
	if n.Elsewhere > 0 {
		row("  elsewhere", cli.FormatCount(n.Elsewhere)+" items lead to other sites, and are not fetched")
	}
	if n.Forbidden > 0 {
		row("  forbidden", cli.FormatCount(n.Forbidden)+" by robots.txt")
	}
	if n.Moved+n.Gone > 0 {
		row("Feeds", fmt.Sprintf("%s moved, %s gone", cli.FormatCount(n.Moved), cli.FormatCount(n.Gone)))
	}
	// A spent budget is not a failure: the rest is in the book.
	if n.Stopped != "" {
		row("Stopped", "the budget of "+n.Stopped+" is spent; run the same command again to go on")
	}
	if n.Failures["private"] > 0 {
		row("Private", cli.FormatCount(n.Failures["private"])+" requests would have gone to hosts in private networks: "+
			"--private_hosts allows them")
	}
	if n.Requests == 0 {
		next := "none: all feeds that are known are rejected, gone, or of other classes than --classes names"
		if !n.Next.IsZero() {
			next = n.Next.UTC().Format(time.RFC3339) + ": nothing is due before"
		}
		row("Next visit", next)
	}
	if n.Resting > 0 {
		row("Resting", fmt.Sprintf("%s hosts, the first until %s; run the same command again then",
			cli.FormatCount(n.Resting), n.Next.UTC().Format(time.RFC3339)))
	}
	table(&b, "Failures", n.Failures)
	b.WriteByte('\n')
	return cli.Answer(w, "crawl", n, b.String())
}
