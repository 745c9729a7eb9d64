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

func init() {
	beam.RegisterDoFn(&dayFn{})
	beam.RegisterDoFn(&reportFn{})
}

// Options of the pipeline.
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
	if len(days) == 0 {
		return errors.New("moremeta: no days")
	}
	rows := beam.ParDo(s.Scope("Migrate"), &dayFn{Options: o}, beam.Reshuffle(s, beam.CreateList(s, days)))
	grouped := beam.GroupByKey(s, beam.AddFixedKey(s, rows))
	beam.ParDo0(s.Scope("Report"), &reportFn{Path: o.Report}, grouped)
	return nil
}

// dayFn migrates a day an element.
type dayFn struct {
	Options Options

	pages    pagestore.Table
	detector *detector
}

// Setup reads the table, once a worker.
func (f *dayFn) Setup() (err error) {
	if f.pages, err = readPages(f.Options.Pages); err != nil {
		return err
	}
	if f.Options.Detect {
		f.detector, err = newDetector()
	}
	return err
}

// readPages reads the table, where there is one.
func readPages(name string) (t pagestore.Table, err error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return pagestore.ReadTable(f)
}

// ProcessElement migrates a day. A day that fails is reported, and the others go on; it can be migrated again.
func (f *dayFn) ProcessElement(ctx context.Context, day string, emit func([]byte)) error {
	defer cli.Hold()()
	if err := ctx.Err(); err != nil {
		return err
	}
	o := pagestore.Options{Strict: f.Options.Strict, Page: func(e pagestore.Entry) (pagestore.Page, bool,
		error,
	) {
		return f.page(day, e)
	}}
	report, err := pagestore.MigrateDay(day, o, f.Options.DryRun)
	if err != nil {
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
func (f *dayFn) page(day string, e pagestore.Entry) (pagestore.Page, bool, error) {
	if p, ok := f.pages[e.URL]; ok || f.detector == nil {
		return p, ok, nil
	}
	return f.detector.page(day, e)
}

// reportFn writes all reports to one file, in the order of the days.
type reportFn struct{ Path string }

// ProcessElement writes the file.
func (f *reportFn) ProcessElement(_ int, rows func(*[]byte) bool) (err error) {
	var reports []pagestore.Report
	for row := []byte(nil); rows(&row); {
		var r pagestore.Report
		if err := json.Unmarshal(row, &r); err != nil {
			return err
		}
		reports = append(reports, r)
	}
	slices.SortFunc(reports, func(a, b pagestore.Report) int { return strings.Compare(a.Day, b.Day) })
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
	lines.SetEscapeHTML(false)
	for _, r := range reports {
		if err := lines.Encode(r); err != nil {
			out.Abort()
			return fmt.Errorf("moremeta: %s: %w", f.Path, err)
		}
	}
	return out.Close()
}
