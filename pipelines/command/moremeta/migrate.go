package moremeta

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/archive/shape"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// migrating is the kind of the work, and its name in metrics.
const migrating = "moremeta"

func init() { batch.Register[Options](migrating) }

// Options of the pipeline.
// They travel to the workers as JSON, so all fields are exported.
type Options struct {
	Pages  string // file of the table of pages, or ""
	Detect bool   // ask the contents of pages that the table lacks
	DryRun bool
	Strict bool
	Report string // file to write the reports to
	First  task   // the first of all days: who has it may write the report
}

// task is a day to be migrated. Its generation is that of the run: a worker changes the day while the run has it.
type task struct {
	Day        string
	Generation collection.Generation
}

// Folder is nil: days are few, so that their names travel in the graph.
func (o Options) Folder(context.Context) folder.Folder { return nil }

// Open reads the table of pages, which is in memory once a worker.
func (o Options) Open() (batch.Worker, error) {
	m := &migrator{o: o}
	var err error
	if m.pages, err = readPages(o.Pages); err != nil {
		return nil, err
	}
	// The detector has models, so it is made only when it is needed.
	if o.Detect {
		m.detector, err = pagestore.NewDetector()
	}
	return m, err
}

// migrator migrates days.
type migrator struct {
	o        Options
	pages    pagestore.Table
	detector *pagestore.Detector // nil without --detect
}

// AtOnce is one: a day is renaming, which more at a time would not make faster.
func (m *migrator) AtOnce() int { return 1 }

// Close has nothing to close.
func (m *migrator) Close() error { return nil }

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

// Do migrates a day. A day that fails is reported, and the others go on; it can be migrated again. An interrupt waits
// for the day that is under way: a day half done is one that the next run has to mend.
func (m *migrator) Do(ctx context.Context, element []byte) (any, error) {
	var t task
	if err := cmp.Or(json.Unmarshal(element, &t), ctx.Err()); err != nil {
		return nil, err
	}
	// The page is asked for only where a line lacks something.
	o := pagestore.Options{Strict: m.o.Strict, Page: func(e pagestore.Entry) (pagestore.Page, bool, error) {
		return m.page(t.Day, e)
	}}
	var report pagestore.Report
	// All of it under the generation: another run would read, in the middle, what is about to change.
	err := t.while(func() (err error) {
		report, err = pagestore.MigrateDay(t.Day, o, m.o.DryRun)
		return err
	})
	if errors.Is(err, collection.ErrSuperseded) {
		return nil, err
	}
	if err != nil {
		// The error is text in the report, since the runner would end everything for an error.
		report.Day, report.Error = t.Day, err.Error()
	}
	cli.Live.Captures.Add(int64(report.Pages.Lines + report.Items.Lines))
	return report, nil
}

// page asks the table, and then the contents.
// What it says of a page decides the id, kind and language of its line.
func (m *migrator) page(day string, e pagestore.Entry) (pagestore.Page, bool, error) {
	// The table comes first: people made it, and the detector only guesses.
	if p, ok := m.pages[e.URL]; ok || m.detector == nil {
		return p, ok, nil
	}
	return detected(m.detector, day, e)
}

// Finish writes all reports to one file, in the order of the days.
// They fit in memory: a report is of what was odd in a day, and not of all its pages.
func (o Options) Finish(_ context.Context, rows *batch.Rows) (err error) {
	reports, err := batch.Decode[pagestore.Report](rows)
	if err != nil {
		return err
	}
	return o.First.while(func() error { return o.write(reports) })
}

// write writes the reports.
func (o Options) write(reports []pagestore.Report) (err error) {
	// Sorted, so that the same store gives the same file however days were spread.
	slices.SortFunc(reports, func(a, b pagestore.Report) int { return strings.Compare(a.Day, b.Day) })
	// It appears under its name when it is whole, and not before.
	sink, err := shape.OpenFolder(filepath.Dir(o.Report))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sink.Close()) }()
	out, err := sink.Create(filepath.Base(o.Report))
	if err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	// URLs have ampersands, which people want to read.
	lines.SetEscapeHTML(false)
	for _, r := range reports {
		if err := lines.Encode(r); err != nil {
			out.Abort()
			return fmt.Errorf("moremeta: %s: %w", o.Report, err)
		}
	}
	return out.Close()
}
