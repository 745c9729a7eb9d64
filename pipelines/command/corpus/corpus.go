// Package corpus is the command that makes training corpora from collections. It filters by published rules, removes
// duplicates, and writes the columns and files that training tools read.
//
// It has the flags and the graph; io/derived/corpora does the work. See docs/corpora.md.
package corpus

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

	"github.com/gleaner-web/gleaner/pipelines/job/recipe"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/child/plug"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/batch/graphs"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/tokenfile"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/rights"

	// The buckets that collections are read from and the corpus is written to.
	"github.com/gleaner-web/gleaner/io/collection/claim"
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "corpus", Brief: "make a corpus for training: filtered, without duplicates",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)).Flags },
	Do:    corpus,
	Subs: []cli.Verb{{
		Name: "stats", Brief: "say what a finished corpus holds", Do: stats,
		Flags: func(set *flag.FlagSet) *cli.Flags { return newStatsFlags(set, new(string)) },
	}, {
		Name: "merge", Brief: "join the parts that --shard has made", Do: merge,
		Flags: func(set *flag.FlagSet) *cli.Flags { return newMergeFlags(set, new(string)) },
	}},
}

func corpus(ctx context.Context, args []string) (code int, err error) {
	began := time.Now()
	defer plug.CloseAll()
	defer tokenfile.Close()
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	store := blob.New(c.options.Remote)
	defer func() { _ = store.Close() }() // all writes have ended
	done := cli.ExitDone
	if len(c.archives) > 0 && !c.planOnly {
		damaged, err := c.ingest(ctx)
		if err != nil {
			return cli.ExitFailed, err
		}
		if damaged {
			done = cli.ExitLosses
		}
	}
	// Before the output is opened, so that a wrong name leaves no empty folder.
	units, err := c.plan(ctx, store)
	if err != nil {
		return cli.ExitFailed, err
	}
	if run.DryRun() {
		return cli.ExitDone, c.show(ctx, units)
	}
	files, err := c.readRights(ctx, store, units)
	if err != nil {
		return cli.ExitFailed, err
	}
	s := c.options.steps(ctx, store)
	defer func() { _ = s.Out.Close() }() // as above
	if c.options.Corpus.AgainstMade, err = s.EarlierKey(ctx); err != nil {
		return cli.ExitFailed, err
	}
	s.Options.AgainstMade = c.options.Corpus.AgainstMade
	if c.planOnly {
		return cli.ExitDone, printPlan(os.Stdout, s, units)
	}
	code, err = c.run(ctx, s, units, files, began)
	if err == nil && code == cli.ExitDone {
		code = done
	}
	return code, err
}

// run makes the corpus, or a part of it, in its folder.
func (c *config) run(
	ctx context.Context, s *corpora.Steps, units []element, files []rights.File, began time.Time,
) (code int, err error) {
	lock, err := corpora.Marker.Claim(s.Out)
	if err != nil {
		return cli.ExitFailed, cli.OutputError(err, corpora.ErrForeign)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := lock.Begin(func(note []byte) error { return run.JobEnded(ctx, note, c.fresh) }); err != nil {
		return cli.ExitFailed, cli.OutputError(err, corpora.ErrForeign)
	}
	c.options.Generation = lock.Generation()
	if files != nil {
		if err := s.WriteRights(files); err != nil {
			return cli.ExitFailed, err
		}
	}
	if c.options.PartOnly {
		return cli.ExitDone, c.signPart(ctx, s, lock, units)
	}
	m, err := c.make(ctx, s, lock, units)
	if err != nil {
		return cli.ExitFailed, err
	}
	// With the times, which an earlier version did not write.
	if timed, err := s.ReadTimed(); err == nil {
		m.Funnel = timed.Funnel
	}
	if err := summary(os.Stdout, m, time.Since(began)); err != nil {
		return cli.ExitFailed, err
	}
	sayEmpty(m)
	return cli.ExitDone, nil
}

// make runs the pipeline, unless the folder already holds its result.
func (c config) make(
	ctx context.Context, s *corpora.Steps, lock *claim.Claimed, units []element,
) (m corpora.Manifest, err error) {
	m, err = s.ReadManifest()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	request := s.Request(keys(s, units))
	switch {
	case err == nil && m.Request == request:
		return m, s.Sweep(m)
	case err == nil && !c.fresh:
		return m, cli.Usagef("--output=%s holds a corpus that was made of other documents or with other options: name "+
			"another folder, or replace it with --fresh", c.options.Output)
	}
	// A manifest means a complete corpus, so it is removed before any shard.
	if err == nil {
		if err := s.Out.Remove(corpora.ManifestFile); err != nil {
			return m, err
		}
	}
	p, scope := beam.NewPipelineWithRoot()
	if err := Build(scope, c.options, units); err != nil {
		return m, err
	}
	progress := cli.StartProgress(&cli.Live, 0) // the total is unknown
	job := batch.Submission{
		Command: "corpus", Output: c.options.Output, Runner: c.runner, Folder: s.Out, Leave: lock.Leave,
	}
	err = graphs.Submit(ctx, job, p)
	progress.Stop()
	if err != nil {
		return m, err
	}
	return s.ReadManifest()
}

// show prints the job and changes nothing.
func (c config) show(ctx context.Context, units []element) error {
	p, scope := beam.NewPipelineWithRoot()
	if err := Build(scope, c.options, units); err != nil {
		return err
	}
	return graphs.Run(ctx, p, c.runner)
}

func keys(s *corpora.Steps, units []element) (list []string) {
	if s.Options.Paragraphs > 0 {
		var lines []string
		for _, u := range units {
			lines = append(lines, s.LinesKey(holdings.Part{Shards: u.Shards}))
		}
		s.Shared = s.CommonKey(lines)
	}
	for _, u := range units {
		list = append(list, s.UnitKey(holdings.Part{Shards: u.Shards}))
	}
	// Collections may share a unit.
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// plan lists the units of the collections.
func (c *config) plan(ctx context.Context, store *blob.Store) (units []element, err error) {
	var manifests []schemas.Manifest
	for _, name := range c.options.Sources {
		f := folder.Open(ctx, name, store)
		m, err := holdings.ReadManifest(f)
		if err = errors.Join(err, f.Close()); errors.Is(err, fs.ErrNotExist) {
			return nil, cli.Usagef("%s: not a collection, or one of which no run has finished: run ingest first", name)
		} else if err != nil {
			return nil, err
		}
		manifests = append(manifests, m)
		for _, u := range m.Units {
			if len(u.Shards) > 0 {
				units = append(units, element{Collection: name, Shards: u.Shards})
			}
		}
	}
	if err := c.readColumns(manifests); err != nil {
		return nil, err
	}
	needs := c.options.Corpus.Needs()
	for i, name := range c.options.Sources {
		if err := checkNeeds(name, manifests[i], needs); err != nil {
			return nil, err
		}
	}
	return units, nil
}

// checkNeeds refuses a collection that lacks a column which a filter needs. If a part of its units has the column, it
// warns. It refuses there too if the filter blocks values, as opt-outs: pages with unknown ones would be taken.
func checkNeeds(name string, m schemas.Manifest, needs []filter.Need) error {
	for _, n := range needs {
		lack, err := recipe.Lacks(m, n.Column, n.Where)
		if err != nil {
			return err
		}
		switch {
		case lack.Why == "":
		case lack.All:
			return cli.Usagef("%s: the corpus needs %s for %s, %s of ingest", name, n.Column, n.Filter, lack.Why)
		case lack.Units > 0 && (n.Blocks || n.Column == "rights"):
			return cli.Usagef("%s: the corpus needs %s for %s, and %d of %d units were made without it: ingest their "+
				"archives with it", name, n.Column, n.Filter, lack.Units, len(m.Units))
		case lack.Units > 0:
			slog.Warn(name+": a part of the units was made without a column that the corpus needs: documents of these "+
				"units lack it", "column", n.Column, "for", n.Filter, "units", lack.Units, "of", len(m.Units))
		}
	}
	return nil
}

// sayEmpty says why a corpus has no documents.
func sayEmpty(m corpora.Manifest) {
	switch {
	case m.Counts.Kept > 0:
	case m.Counts.Documents == 0:
		slog.Warn("the corpus is empty: no document of the collections has text")
	default:
		slog.Warn("the corpus is empty: every document was refused, for the reasons above", "documents", m.Counts.Documents)
	}
}

// printPlan describes the work of a run and changes nothing.
func printPlan(w io.Writer, s *corpora.Steps, units []element) error {
	var size int64
	for _, u := range units {
		for _, shard := range (holdings.Part{Shards: u.Shards}).DocumentShards() {
			size += shard.Bytes
		}
	}
	state := "to be made"
	if m, err := s.ReadManifest(); err == nil {
		state = "made before, with other documents or options: --fresh replaces it"
		if m.Request == s.Request(keys(s, units)) {
			state = "made before: nothing is to be done"
		}
	}
	var filters []string
	for _, step := range s.Options.Recipe {
		filters = append(filters, step.Name)
	}
	return cli.Answer(w, cli.AnswerPlan, struct {
		Units   int      `json:"units"`
		Bytes   int64    `json:"bytes"` // of documents
		Filters []string `json:"filters"`
		Dedup   []string `json:"dedup"`
		State   string   `json:"state"`
	}{len(units), size, filters, s.Options.Dedup, state},
		fmt.Sprintf("Units        %s, %s of documents\nFilters      %s\nDuplicates   %s\nCorpus       %s\n",
			cli.FormatCount(int64(len(units))), cli.FormatBytes(size), cmp.Or(strings.Join(filters, ", "), "none"),
			cmp.Or(strings.Join(s.Options.Dedup, ", "), "are kept"), state))
}

// summary writes the contents of the corpus for people or as JSON.
func summary(w io.Writer, m corpora.Manifest, elapsed time.Duration) error {
	var b strings.Builder
	row := func(name, value string) { fmt.Fprintf(&b, "%-12s %s\n", name, value) }
	kept, all := cli.FormatCount(m.Counts.Kept), cli.FormatCount(m.Counts.Documents)
	row("Documents", fmt.Sprintf("%s of %s with text", kept, all))
	row("Text", cli.FormatBytes(m.Counts.Bytes))
	if m.Options.Paragraphs > 0 {
		row("Paragraphs", cli.FormatCount(m.Counts.Paragraphs)+" taken out, since many hosts have them")
	}
	row("Files", cli.FormatCount(int64(len(m.Files))))
	row("Time", elapsed.Round(time.Second).String())
	writeFunnel(&b, m.Funnel)
	refused := map[string]int64{}
	if len(m.Counts.Reasons) > 0 {
		b.WriteString("\nRefused\n")
	}
	for _, name := range slices.SortedFunc(maps.Keys(m.Counts.Reasons), func(x, y string) int {
		return cmp.Or(cmp.Compare(m.Counts.Reasons[y].Documents, m.Counts.Reasons[x].Documents), cmp.Compare(x, y))
	}) {
		refused[name] = m.Counts.Reasons[name].Documents
		fmt.Fprintf(&b, "  %-32s %10s\n", name, cli.FormatCount(refused[name]))
	}
	return cli.Answer(w, cli.AnswerSummary, summaryRecord{
		m.Counts.Documents, m.Counts.Kept, m.Counts.Bytes, m.Counts.Paragraphs, len(m.Files), refused, elapsed.Seconds(),
		m.Funnel,
	}, b.String())
}

type summaryRecord struct {
	Documents  int64            `json:"documents"` // with text
	Kept       int64            `json:"kept"`
	Bytes      int64            `json:"bytes"` // of kept texts, UTF-8
	Paragraphs int64            `json:"paragraphs,omitempty"`
	Files      int              `json:"files"`
	Refused    map[string]int64 `json:"refused"` // documents by reason
	Seconds    float64          `json:"seconds"`
	Funnel     []filter.Passage `json:"funnel"`
}
