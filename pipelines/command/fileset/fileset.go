// Package fileset is the command that finds published datasets. For each request it finds the landing page in
// archives, recognizes the platform, and verifies the dataset's files, as Sandcrawler's fileset ingest does.
//
// It runs two graphs. The first makes the index of the archives' captures if it does not exist:
//
//	Create(units of archives) → Reshuffle → Index (captures of a unit → sorted lines) → rows → GroupByKey → Merge
//
// The plan writes units of requests into the folder, which the second graph does:
//
//	Create(units of requests) → Reshuffle → Do (look up, verify, write, commit the unit) → rows → GroupByKey → Finish
//
// See docs/fileset.md.
package fileset

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"

	// The buckets that archives are read from and folders written to.
	_ "github.com/gleaner-web/gleaner/io/storage/buckets"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "fileset", Brief: "find the files of published datasets in archives, and check them",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)).Flags },
	Do:    do,
}

type config struct {
	options  Options
	requests []string
	named    []string // --archives
	archives []string
	base     string // the folder to which names in capture indexes are relative
	discover bool
	fresh    bool
	add      bool
	planOnly bool
	every    string // --watch
	watch    time.Duration
	runner   string
	format   string // another format for results, or ""
}

func do(ctx context.Context, args []string) (int, error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	if c.watch > 0 {
		return watch(ctx, c)
	}
	_, code, err := once(ctx, c)
	return code, err
}

func once(ctx context.Context, c config) (filesets.Manifest, int, error) {
	cli.Live.Reset()
	began := time.Now()
	m, err := execute(ctx, c)
	if errors.Is(err, errShown) {
		return m, cli.ExitDone, nil
	}
	if err == nil {
		err = summary(os.Stdout, m, time.Since(began))
	}
	if err != nil {
		return m, codeOf(err), err
	}
	return m, exitCode(m), nil
}

func codeOf(err error) int {
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		return cli.ExitUsage
	}
	return cli.ExitFailed
}

// exitCode returns ExitLosses if lines were not requests or archives are damaged. Problems of a dataset are a result.
func exitCode(m filesets.Manifest) int {
	if m.Totals.Rejects > 0 {
		return cli.ExitLosses
	}
	return cli.ExitDone
}

// errShown ends a run that only showed its plan.
var errShown = errors.New("shown")

// execute does the units that are not done and returns the manifest.
func execute(ctx context.Context, c config) (m filesets.Manifest, err error) {
	store := blob.New(c.options.Remote)
	defer func() { err = errors.Join(err, store.Close()) }()
	p, err := makePlan(ctx, store, &c)
	if err != nil {
		return m, err
	}
	f := folder.Open(ctx, c.options.Output, store)
	defer func() { err = errors.Join(err, f.Close()) }()
	if c.planOnly {
		return m, cmp.Or(p.print(ctx, os.Stdout, c, f), errShown)
	}
	c.options.Run = report.Run{Command: "fileset", Runner: c.runner, Started: time.Now().UTC()}
	if err := c.options.Servers.ask(ctx); err != nil {
		return m, err
	}
	jobEnded := func(note []byte) error { return run.JobEnded(ctx, note, c.fresh) }
	out, err := filesets.Open(f, c.fresh, jobEnded)
	if err != nil {
		return m, openError(err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	c.options.Generation = out.Generation()
	if err := c.options.Live.mend(c.options.Output); err != nil {
		return m, cli.OutputError(err)
	}
	if err := p.keep(c, f); err != nil {
		return m, err
	}
	if err := p.makeIndex(ctx, c, f); err != nil {
		return m, err
	}
	tasks, err := p.divide(ctx, store, &c, out, f)
	if err != nil {
		return m, err
	}
	if err := c.do(ctx, out, f, tasks); err != nil {
		return m, err
	}
	if m, err = filesets.ReadManifest(f); err == nil && c.format != "" {
		err = export(ctx, f, m, c.format)
	}
	return m, err
}

func (c config) do(ctx context.Context, out *filesets.Folder, f folder.Folder, tasks []task) error {
	todo, err := batch.List(f, tasks)
	if err != nil {
		return cli.OutputError(err)
	}
	progress := cli.StartProgress(&cli.Live, 0)
	defer progress.Stop()
	job := batch.Submission{
		Command: "fileset", Output: c.options.Output, Runner: c.runner, Folder: f, Leave: out.Leave,
	}
	return job.Do(ctx, requesting, c.options, todo, batch.Listing{})
}

// openError makes usage errors of errors about foreign folders.
func openError(err error) error {
	return cli.OutputError(err, filesets.ErrForeign, filesets.ErrOther)
}

// watch runs again and again. An interrupt between runs returns the exit code of the last run.
func watch(ctx context.Context, c config) (code int, err error) {
	for {
		var m filesets.Manifest
		m, code, err = once(ctx, c)
		if ctx.Err() != nil {
			return code, err
		}
		if err != nil {
			slog.Error(fmt.Sprintf("this run failed; the next one begins in %v", c.watch), "error", err)
		} else {
			slog.Info(fmt.Sprintf("done; the next run begins in %v", c.watch), "requests", m.Totals.Requests,
				"results", m.Totals.Results, "hits", m.Totals.Hits, "rejects", m.Totals.Rejects)
		}
		// The next run keeps the results and adds to them.
		c.fresh, c.add = false, true
		wait := time.NewTimer(c.watch)
		select {
		case <-ctx.Done():
			wait.Stop()
			return code, nil
		case <-wait.C:
		}
	}
}

func summary(w io.Writer, m filesets.Manifest, elapsed time.Duration) error {
	var b strings.Builder
	t := m.Totals
	row := func(name, value string) { fmt.Fprintf(&b, "%-14s %s\n", name, value) }
	row("Requests", cli.FormatCount(t.Requests))
	row("Results", fmt.Sprintf("%s, %s of them successes", cli.FormatCount(t.Results), cli.FormatCount(t.Hits)))
	row("Files", fmt.Sprintf("%s, %s of them verified (%s)", cli.FormatCount(t.Files), cli.FormatCount(t.Verified),
		cli.FormatBytes(t.Bytes)))
	row("Needs capture", cli.FormatCount(t.Missing))
	row("Rejects", cli.FormatCount(t.Rejects))
	row("Captures", fmt.Sprintf("%s in the index", cli.FormatCount(m.Captures.Lines)))
	row("Time", elapsed.Round(time.Second).String())
	if len(t.Statuses) > 0 {
		b.WriteString("\nStatuses\n")
	}
	for _, name := range t.StatusNames() {
		fmt.Fprintf(&b, "  %-24s %10s\n", name, cli.FormatCount(t.Statuses[name]))
	}
	return cli.Answer(w, cli.AnswerSummary, struct {
		Totals   filesets.Counts `json:"totals"`
		Captures int64           `json:"captures"` // in the index
		Seconds  float64         `json:"seconds"`
	}{t, m.Captures.Lines, elapsed.Seconds()}, b.String())
}
