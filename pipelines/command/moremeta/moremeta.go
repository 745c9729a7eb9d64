// Package moremeta is the command that migrates META files of PageStores from their old columns, hash and URL. The
// new form, which bayes-swarm has had since revision 367, adds id, kind and language, as its program swarm_moremeta
// does.
//
// A day is a unit of package batch: one function reads it, looks up its pages, renames and writes. The last step
// writes the reports of all days to one file. See docs/moremeta.md.
package moremeta

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/langid"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Verb is the command.
var Verb = cli.Verb{
	Name: "moremeta", Brief: "bring old META files of PageStores to their new form",
	Flags: func(set *flag.FlagSet) *cli.Flags { return newFlags(set, new(config)).Flags },
	Do:    moremeta,
}

// config is the command line. Options travel to the workers. Stores and the report are local.
type config struct {
	options Options
	inputs  []string // stores that --input names
	stores  []string
	runner  string
}

// moremeta is the command. It returns the exit code and an error to show.
func moremeta(ctx context.Context, args []string) (code int, err error) {
	c, err := parse(args)
	if err != nil {
		return cli.ExitUsage, err
	}
	// Finding days first lets a wrong name change nothing.
	days, err := findDays(c.stores)
	if err != nil {
		return cli.ExitUsage, err
	}
	// The summary is made from the report, so there always is one.
	if c.options.Report == "" {
		dir, remove, err := folder.Scratch("moremeta")
		if err != nil {
			return cli.ExitFailed, err
		}
		defer func() { err = errors.Join(err, remove()) }()
		c.options.Report = filepath.Join(dir, "report.jsonl")
	}
	if err := migrateAll(ctx, c, days); err != nil {
		return cli.ExitFailed, err
	}
	// The graph returns nothing, so the report comes back through its file.
	t, err := readReport(c.options.Report)
	if err != nil {
		return cli.ExitFailed, err
	}
	if err := t.print(os.Stdout, c.options.DryRun); err != nil {
		return cli.ExitFailed, err
	}
	return t.exitCode(), nil
}

// migrateAll runs the pipeline. Failed days are in the report and are not an error.
func migrateAll(ctx context.Context, c config, days []string) (err error) {
	tasks, release, err := claimDays(days, c.options.DryRun)
	defer func() { err = errors.Join(err, release()) }()
	if err != nil {
		return err
	}
	c.options.First = tasks[0] // findDays returns at least one
	list, err := batch.Inline(tasks)
	if err != nil {
		return err
	}
	// The total in bytes is unknown, so progress counts pages.
	progress := cli.StartProgress(&cli.Live, 0)
	defer progress.Stop()
	return batch.Submission{Command: "moremeta", Runner: c.runner}.Do(ctx, migrating, c.options, list, batch.Listing{})
}

// findDays returns the days of all stores without duplicates: stores may overlap, as a year and the folder of all
// years.
func findDays(stores []string) ([]string, error) {
	var all []string
	for _, store := range stores {
		days, err := pagestore.Days(store)
		if err != nil {
			return nil, cli.Usagef("%v", err)
		}
		// A wrong folder is more likely than an empty store.
		if len(days) == 0 {
			return nil, cli.Usagef("%s: no folder of a day (2008/11/15) with a META file is there", store)
		}
		all = append(all, days...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// newFlags makes the flags on set. Parsing them fills c.
func newFlags(set *flag.FlagSet, c *config) *run.Flags {
	f := run.NewFlags(set, cli.Command{
		Name: "moremeta", Args: "store ...",
		Summary: "Bring the META files of PageStores to the form with id, kind and language.\n" +
			"A store is a local folder: of years, of one year, or of one day. Lines of two columns get the other three from a " +
			"table of pages (--pages), or from Gleaner's detection (--detect), or first one and then the other. " +
			"A URL that stands on a line of its own comes to its hash, and its page's folder gets the right name. Pages of " +
			"which nothing is known stay as they are, and are reported.\n" +
			"The old file is kept as META.old. Running it again changes nothing, or finishes an interrupted run.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or input, 3 done, and there are unknown or missing pages, lines that " +
			"cannot be read, or days that failed.",
		Examples: []string{
			"go run ./pipelines/moremeta --dry_run --pages=pages.csv pagestore/",
			"go run ./pipelines/moremeta --pages=pages.jsonl --detect --report=report.jsonl pagestore/",
			"go run ./pipelines/moremeta --pages=pages.csv --strict pagestore/2008",
		},
		// What --detect depends on.
		Versions: map[string]string{
			"charset": charset.Version, "langid": langid.Version, "maintext": maintext.Version,
			"mimetype": mimetype.Version, "page": page.Version,
		},
	})
	f.Add(c.pageSettings(), c.changeSettings())
	return f
}

// parse reads the command line and checks it.
func parse(args []string) (config, error) {
	var c config
	f := newFlags(flag.CommandLine, &c)
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	c.stores, c.runner = slices.Concat(f.Args(), c.inputs), f.Runner()
	return c, c.check()
}

// check finds mistakes on the command line before any file is renamed.
func (c config) check() error {
	if len(c.stores) == 0 {
		return cli.Usagef("no store is named")
	}
	// Without either, every page would be unknown.
	if c.options.Pages == "" && !c.options.Detect {
		return cli.Usagef("nothing is known of the pages: name a table with --pages, or ask for --detect")
	}
	// Workers elsewhere cannot write a report to this machine's temporary folder.
	if !run.Alone(c.runner) && c.options.Report == "" {
		return cli.Usagef("--runner=%s needs --report, a file that all workers reach", c.runner)
	}
	if blob.IsRemote(c.options.Report) {
		return cli.Usagef("--report=%s: name a local file", c.options.Report)
	}
	// Only the error is needed here: each worker reads the table again.
	if _, err := readPages(c.options.Pages); err != nil {
		return cli.Usagef("--pages: %v", err)
	}
	return cmp.Or(run.CheckRunner(c.runner), run.CheckWaits(), run.CheckEndpoint(c.runner),
		run.CheckReach(c.runner, c.stores...))
}

// total sums up all days, with samples of problems.
type total struct {
	days, changed                          int
	pages, items                           pagestore.Counts
	renamed, unknown, bad, missing, failed sample
}

// shown is how many rows of a list are printed; --report has all.
const shown = 10

// sample has the number of rows and the first ones.
type sample struct {
	n    int
	rows []string
}

// add counts all rows and keeps the first ones with their day.
func (s *sample) add(day string, rows ...string) {
	s.n += len(rows)
	for _, r := range rows[:min(len(rows), shown-len(s.rows))] {
		s.rows = append(s.rows, day+": "+r)
	}
}

// readReport sums up the lines of a report, one in memory at a time.
func readReport(name string) (t total, err error) {
	f, err := os.Open(name)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var r pagestore.Report
		// The decoder returns io.EOF unwrapped between values.
		if err := d.Decode(&r); err == io.EOF {
			return t, nil
		} else if err != nil {
			return t, fmt.Errorf("%s: %w", name, err)
		}
		t.add(r)
	}
}

func (t *total) add(r pagestore.Report) {
	t.days++
	t.changed += len(r.Changed)
	t.pages.Add(r.Pages)
	t.items.Add(r.Items)
	for _, n := range r.Renames {
		t.renamed.add(r.Day, n.From+" to "+n.To)
	}
	// In a conflict both folders exist; neither is overwritten.
	for _, n := range r.Conflicts {
		t.failed.add(r.Day, n.From+" is not renamed: "+n.To+" is there already")
	}
	t.unknown.add(r.Day, r.Unknown...)
	t.bad.add(r.Day, r.Bad...)
	t.missing.add(r.Day, r.Missing...)
	if r.Error != "" {
		t.failed.add(r.Day, r.Error)
	}
}

// exitCode returns ExitLosses if there were problems. Failed days count as such, because the others were done.
func (t total) exitCode() int {
	if t.unknown.n+t.bad.n+t.missing.n+t.failed.n > 0 {
		return cli.ExitLosses
	}
	return cli.ExitDone
}

// print writes the totals, including zeros: "nothing was changed" is an answer too.
func (t total) print(w io.Writer, dryRun bool) error {
	var b strings.Builder
	row := func(name string, n int) { fmt.Fprintf(&b, "%-14s %12s\n", name, cli.FormatCount(int64(n))) }
	if dryRun {
		b.WriteString("This would be done (--dry_run):\n")
	}
	row("Days", t.days)
	row("META files", t.changed)
	row("Pages, feeds", t.pages.Lines)
	row("  complete", t.pages.Kept)
	row("  enriched", t.pages.Enriched)
	row("  unknown", t.pages.Unknown)
	row("Items", t.items.Lines)
	row("  complete", t.items.Kept)
	row("  enriched", t.items.Enriched)
	row("Joined lines", t.pages.Joined+t.items.Joined)
	row("Dropped lines", t.pages.Dropped+t.items.Dropped)
	t.renamed.print(&b, "Renamed")
	t.unknown.print(&b, "Unknown pages")
	t.bad.print(&b, "Lines that cannot be read")
	t.missing.print(&b, "Pages that are not there")
	t.failed.print(&b, "Not done")
	return cli.Answer(w, cli.AnswerSummary, struct {
		DryRun  bool             `json:"dry_run"`
		Days    int              `json:"days"`
		Changed int              `json:"changed"` // META files
		Pages   pagestore.Counts `json:"pages"`
		Items   pagestore.Counts `json:"items"`
		Renamed int              `json:"renamed"`
		Unknown int              `json:"unknown"`
		Bad     int              `json:"bad"`
		Missing int              `json:"missing"`
		Failed  int              `json:"failed"`
	}{
		dryRun, t.days, t.changed, t.pages, t.items, t.renamed.n, t.unknown.n, t.bad.n, t.missing.n, t.failed.n,
	}, b.String())
}

// print prints the rows, quoted because they come from archives.
func (s sample) print(b *strings.Builder, title string) {
	if s.n == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s (%s)\n", title, cli.FormatCount(int64(s.n)))
	for _, r := range s.rows {
		// Without the outer quotes plain paths can be copied.
		fmt.Fprintf(b, "  %s\n", strings.Trim(fmt.Sprintf("%+q", r), `"`))
	}
	if s.n > len(s.rows) {
		b.WriteString("  …\n")
	}
}
