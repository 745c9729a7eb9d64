// Package sources is the command that makes the Source DB from the feeds in collections. It tells which are alive and
// real, how often they publish, and when to visit them again.
//
// A unit of a collection is one element, so that rows and documents never cross a shuffle:
//
//	Create(units) → Reshuffle → Read (feeds and documents of a unit → two sorted runs) → rows → GroupByKey → Merge
//
// Merge is one call, which merges the runs with the previous generation as streams. See docs/sources.md.
package sources

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/sink/postgres"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/batch/graphs"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"

	// The buckets that collections are read from and the Source DB is written to.
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "sources", Brief: "tell which feeds are real, how often they publish, and when to come",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)).Flags },
	Do:    sources,
}

type config struct {
	options     Options
	named       []string // --collection
	collections []string
	runner      string
	crawling    crawling
	planOnly    bool
	delay, asOf string           // of options, as they are on the command line
	reports     []string         // --report
	page        bool             // write report.html
	job         batch.Submission // set once the Source DB is open

	// Exports beside the Source DB, or "".
	opml, frontier, cover, sqlite, datastreamer string
	postgres                                    postgres.Config
	hbase                                       string
}

func sources(ctx context.Context, args []string) (int, error) {
	began := time.Now()
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	store := blob.New(c.options.Remote)
	defer func() { _ = store.Close() }() // all writes have ended
	var tasks []task
	// A crawl may begin with only a list of feeds.
	if !c.crawling.on {
		// Before the Source DB is opened, so that a wrong name leaves no empty folder.
		if tasks, err = plan(ctx, store, c.collections); err != nil {
			return cli.ExitUsage, err
		}
	}
	out := folder.Open(ctx, c.options.Output, store)
	defer func() { _ = out.Close() }() // as above
	// Plans come before open, which takes the lock and writes a marker.
	if c.crawling.planOnly {
		_, err := c.crawl(ctx, store, out)
		return cli.ExitDone, err
	}
	if c.planOnly {
		return cli.ExitDone, printPlan(os.Stdout, out, tasks)
	}
	if run.DryRun() {
		return cli.ExitDone, c.show(ctx, out, tasks)
	}
	db, err := c.open(ctx, out)
	if err != nil {
		return cli.ExitFailed, cli.OutputError(err, sourcedb.ErrForeign)
	}
	var units unitCounts
	if c.crawling.on {
		err = c.crawlAndSay(ctx, store, out)
	} else {
		units, err = c.updateOrMend(ctx, db, tasks)
	}
	// The lock is released before the exports, which read one generation and may take long.
	if err = errors.Join(err, db.Close()); err != nil {
		return cli.ExitFailed, err
	}
	// Another process may have merged, so the manifest is read again.
	m, err := sourcedb.ReadManifest(out)
	if err == nil {
		err = c.export(ctx, out, m)
	}
	if err == nil && c.page {
		err = savePage(ctx, out, m)
	}
	if err == nil {
		err = summary(os.Stdout, m, units, time.Since(began))
	}
	if err == nil && m.Counts.Lost() {
		return cli.ExitLosses, nil
	}
	return cli.ExitDone, err
}

// open opens and locks the Source DB until all is merged: a concurrent run would drop what this one adds.
func (c *config) open(ctx context.Context, out folder.Folder) (*sourcedb.DB, error) {
	db, err := sourcedb.Open(out)
	if err != nil {
		return nil, err
	}
	c.options.Generation, err = db.Begin(func(note []byte) error { return run.JobEnded(ctx, note, false) })
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	c.job = batch.Submission{
		Command: "sources", Output: c.options.Output, Runner: c.runner, Folder: out, Leave: db.Leave,
	}
	c.options.Run = report.Run{Command: "sources", Runner: c.runner, Started: time.Now().UTC()}
	return db, nil
}

// unitCounts count units of the named collections.
type unitCounts struct{ read, merged int }

// updateOrMend is update, repeated after damage that can be repaired. It makes damaged parts of a killed run again.
// If states or pages are damaged and all collections are named, it makes the whole Source DB again.
func (c config) updateOrMend(ctx context.Context, db *sourcedb.DB, tasks []task) (unitCounts, error) {
	n, err := c.update(ctx, db, tasks)
	if err == nil || ctx.Err() != nil {
		return n, err
	}
	dropped, bad := db.DropDamagedParts()
	if bad != nil {
		return n, errors.Join(err, bad)
	}
	for _, name := range dropped {
		slog.Warn("damaged file made again; nothing was lost", "file", name)
	}
	if len(dropped) > 0 {
		if n, err = c.update(ctx, db, tasks); err == nil {
			return n, nil
		}
	}
	if c.options.Damaged, bad = db.Damaged(); bad != nil || len(c.options.Damaged) == 0 {
		return n, errors.Join(err, bad)
	}
	var units [][]schemas.Shard
	for _, t := range tasks {
		units = append(units, t.Shards)
	}
	m := db.Manifest()
	if lacks := m.Lacks(units); lacks > 0 {
		return n, fmt.Errorf("%w: %d of its %d units are in no collection named here; "+
			"name all collections to make it again", err, lacks, len(m.Parts))
	}
	c.options.Merged = 0
	return unitCounts{read: len(tasks)}, c.run(ctx, tasks)
}

// update adds the units that the Source DB has not seen. If nothing is new, no pipeline runs.
func (c config) update(ctx context.Context, db *sourcedb.DB, tasks []task) (unitCounts, error) {
	fresh := unseen(db.Manifest(), tasks)
	n := unitCounts{read: len(fresh), merged: len(tasks) - len(fresh)}
	c.options.Merged = n.merged
	o := sourcedb.Options{AsOf: c.options.AsOf, Policy: c.options.Policy}
	if current, err := db.IsCurrent(o); err != nil {
		return n, err
	} else if current && len(fresh) == 0 {
		// This removes the files of a killed run.
		_, err := db.Update(ctx, nil, o)
		return n, err
	}
	return n, c.run(ctx, fresh)
}

// unseen returns the units that a generation has not merged, from any collection.
func unseen(m sourcedb.Manifest, tasks []task) (fresh []task) {
	for _, t := range tasks {
		if !m.Has(sourcedb.PartKey(t.Shards)) {
			fresh = append(fresh, t)
		}
	}
	return fresh
}

// show prints the job and changes nothing.
func (c config) show(ctx context.Context, out folder.Folder, tasks []task) error {
	m, err := sourcedb.ReadManifest(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	if err := Build(s, c.options, unseen(m, tasks)); err != nil {
		return err
	}
	return graphs.Run(ctx, p, c.runner)
}

// run runs the pipeline. This process holds the lock, whichever process merges.
func (c config) run(ctx context.Context, tasks []task) error {
	p, s := beam.NewPipelineWithRoot()
	if err := Build(s, c.options, tasks); err != nil {
		return err
	}
	// 0, because the total in bytes is unknown.
	progress := cli.StartProgress(&cli.Live, 0)
	defer progress.Stop()
	return graphs.Submit(ctx, c.job, p)
}

// plan lists the units of the collections.
func plan(ctx context.Context, store *blob.Store, names []string) (tasks []task, err error) {
	for _, name := range names {
		f := folder.Open(ctx, name, store)
		m, err := holdings.ReadManifest(f)
		if err = errors.Join(err, f.Close()); errors.Is(err, fs.ErrNotExist) {
			return nil, cli.Usagef("%s: not a collection, or one of which no run has finished: run ingest first", name)
		} else if err != nil {
			return nil, err
		}
		feeds := false
		for _, u := range m.Units {
			for _, s := range u.Shards {
				feeds = feeds || strings.HasPrefix(s.Name, "feeds-")
			}
			if extract, known := extractOf(m, u); known && slices.Contains(extract, "feeds") {
				if err := checkExtracted(name, extract); err != nil {
					return nil, err
				}
			}
			tasks = append(tasks, task{Collection: name, Shards: u.Shards})
		}
		// An empty collection is fine. Without feeds, pages would have no source.
		if !feeds && len(m.Units) > 0 {
			return nil, cli.Usagef("%s: has no feeds: ingest its archives with all that is extracted by default, or with "+
				"--extract=%s", name, neededBy)
		}
		if n := lacking(m); n > 0 {
			slog.Warn(name+": the sources are of a part of it, since some units were made without feeds: ingest their "+
				"archives with --extract="+neededBy, "units", n, "of", len(m.Units))
		}
	}
	return tasks, nil
}

func summary(w io.Writer, m sourcedb.Manifest, units unitCounts, elapsed time.Duration) error {
	var b strings.Builder
	c := m.Counts
	row := func(name, value string) { fmt.Fprintf(&b, "%-12s %s\n", name, value) }
	// The summary of a crawl has the units already.
	if units != (unitCounts{}) {
		row("Units", fmt.Sprintf("%s read, %s merged before", cli.FormatCount(int64(units.read)),
			cli.FormatCount(int64(units.merged))))
	}
	row("Sources", fmt.Sprintf("%s, and %s other feeds of them", cli.FormatCount(c.Standing()),
		cli.FormatCount(c.Twins)))
	for _, v := range []string{source.Valid, source.Rejected, source.Undecided} {
		row("  "+v, cli.FormatCount(c.Verdicts[v]))
	}
	row("Items", cli.FormatCount(c.Items))
	row("Pages", fmt.Sprintf("%s captured, canonical URLs too, %s of a source", cli.FormatCount(c.Pages),
		cli.FormatCount(c.Linked)))
	row("Rejects", rejected(c))
	row("As of", orNone(m.AsOf))
	row("Time", elapsed.Round(time.Second).String())
	table(&b, "Classes", c.Classes)
	table(&b, "Health", c.States)
	table(&b, "Reasons", c.Reasons)
	table(&b, "Rejects", c.ByReject)
	return cli.Answer(w, cli.AnswerSummary, struct {
		UnitsRead   int             `json:"units_read"`
		UnitsMerged int             `json:"units_merged"` // by earlier runs
		Counts      sourcedb.Counts `json:"counts"`
		AsOf        string          `json:"as_of"`
		Seconds     float64         `json:"seconds"`
	}{units.read, units.merged, c, m.AsOf, elapsed.Seconds()}, b.String())
}

// rejected says how much of the collections could not be read.
func rejected(c sourcedb.Counts) string {
	if c.Rejects == 0 {
		return "0"
	}
	return fmt.Sprintf("%s, at most %s lost: see rejects-*.jsonl.zst", cli.FormatCount(c.Rejects),
		cli.FormatBytes(c.BytesLost))
}

// table prints numbers by name, from the greatest.
func table(b *strings.Builder, title string, rows map[string]int64) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, name := range slices.SortedFunc(maps.Keys(rows), func(x, y string) int {
		return cmp.Or(cmp.Compare(rows[y], rows[x]), cmp.Compare(x, y))
	}) {
		fmt.Fprintf(b, "  %-20s %10s\n", name, cli.FormatCount(rows[name]))
	}
}
