package moremeta

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// By reflection: an element is a day and takes seconds.
func init() {
	beam.RegisterDoFn(&dayFn{})
	beam.RegisterDoFn(&reportFn{})
}

// Options of the pipeline.
// They travel to the workers as JSON, so all fields are exported.
type Options struct {
	Pages  string // file of the table of pages, or ""
	Detect bool   // ask the contents of pages that the table lacks
	DryRun bool
	Strict bool
	Report string // file to write the reports to
}

// Build makes the graph that migrates days and writes a report.
func Build(s beam.Scope, o Options, days []string) error {
	s = s.Scope("moremeta.Build")
	// An empty list would make a graph that does nothing and writes no report.
	if len(days) == 0 {
		return errors.New("moremeta: no days")
	}
	// Reshuffle keeps a runner from fusing the days with their list, which would do them all on one worker.
	rows := beam.ParDo(s.Scope("Migrate"), &dayFn{Options: o}, beam.Reshuffle(s, beam.CreateList(s, days)))
	// The report is one file, and is written when the last day is done.
	grouped := beam.GroupByKey(s, beam.AddFixedKey(s, rows))
	beam.ParDo0(s.Scope("Report"), &reportFn{Path: o.Report}, grouped)
	return nil
}

// dayFn migrates a day an element.
// Fields with a small letter are made by Setup and are not sent.
type dayFn struct {
	Options Options

	pages    pagestore.Table
	detector *detector
}

// Setup reads the table, once a worker.
// The table is in memory, once a worker.
func (f *dayFn) Setup() (err error) {
	if f.pages, err = readPages(f.Options.Pages); err != nil {
		return err
	}
	// The detector has models, so it is made only when it is needed.
	if f.Options.Detect {
		f.detector, err = newDetector()
	}
	return err
}

// readPages reads the table, where there is one.
// An empty name is a run without a table.
func readPages(name string) (t pagestore.Table, err error) {
	if name == "" {
		return nil, nil
	}
	// A nil table has no page.
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return pagestore.ReadTable(f)
}

// ProcessElement migrates a day. A day that fails is reported, and the others go on; it can be migrated again.
// An interrupt waits for the day that is under way: a day half done is one that the next run has to mend.
func (f *dayFn) ProcessElement(ctx context.Context, day string, emit func([]byte)) error {
	defer cli.Hold()()
	if err := ctx.Err(); err != nil {
		return err
	}
	// The page is asked for only where a line lacks something.
	o := pagestore.Options{Strict: f.Options.Strict, Page: func(e pagestore.Entry) (pagestore.Page, bool,
		error,
	) {
		return f.page(day, e)
	}}
	report, err := pagestore.MigrateDay(day, o, f.Options.DryRun)
	if err != nil {
		// The error is text in the report, since the runner would end everything for an error.
		report.Error = err.Error()
	}
	cli.Live.Captures.Add(int64(report.Pages.Lines + report.Items.Lines))
	row, err := json.Marshal(report)
	if err != nil {
		return err
	}
	emit(row)
	return nil
}

// page asks the table, and then the contents.
// What it says of a page decides the id, kind and language of its line.
func (f *dayFn) page(day string, e pagestore.Entry) (pagestore.Page, bool, error) {
	// The table comes first: people made it, and the detector only guesses.
	if p, ok := f.pages[e.URL]; ok || f.detector == nil {
		return p, ok, nil
	}
	return f.detector.page(day, e)
}

// reportFn writes all reports to one file, in the order of the days.
// They fit in memory: a report is of what was odd in a day, and not of all its pages.
type reportFn struct{ Path string }

// ProcessElement writes the file.
func (f *reportFn) ProcessElement(_ int, rows func(*[]byte) bool) (err error) {
	var reports []pagestore.Report
	// A runner may decode each row into the same slice: Unmarshal copies what it keeps.
	for row := []byte(nil); rows(&row); {
		var r pagestore.Report
		if err := json.Unmarshal(row, &r); err != nil {
			return err
		}
		reports = append(reports, r)
	}
	// Sorted, so that the same store gives the same file however days were spread.
	slices.SortFunc(reports, func(a, b pagestore.Report) int { return strings.Compare(a.Day, b.Day) })
	// It appears under its name when it is whole, and not before.
	sink, err := shape.OpenFolder(filepath.Dir(f.Path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sink.Close()) }()
	out, err := sink.Create(filepath.Base(f.Path))
	if err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	// URLs have ampersands, which people want to read.
	lines.SetEscapeHTML(false)
	for _, r := range reports {
		if err := lines.Encode(r); err != nil {
			out.Abort()
			return fmt.Errorf("moremeta: %s: %w", f.Path, err)
		}
	}
	return out.Close()
}
