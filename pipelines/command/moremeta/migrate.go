package moremeta

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// migrating is the kind of work, and its name in metrics.
const migrating = "moremeta"

func init() { batch.Register[Options](migrating) }

// Options are the settings of a run. They travel to the workers as JSON, so all fields are exported.
type Options struct {
	Pages  string // file of the table of pages, or ""
	Detect bool   // detect pages that the table lacks
	DryRun bool
	Strict bool
	Report string // file for the reports
	First  task   // the first day: its generation guards the report
}

// task is a day to be migrated. A worker changes the day only while the run holds this generation.
type task struct {
	Day        string
	Generation claim.Generation
}

// Folder is nil: days are few, so their names travel in the graph.
func (o Options) Folder(context.Context) folder.Folder { return nil }

// Open reads the table of pages into memory, once per worker.
func (o Options) Open() (batch.Worker, error) {
	m := &migrator{o: o}
	var err error
	if m.pages, err = readPages(o.Pages); err != nil {
		return nil, err
	}
	// The detector loads models, so it is made only when needed.
	if o.Detect {
		m.detector, err = pagestore.NewDetector()
	}
	return m, err
}

type migrator struct {
	o        Options
	pages    pagestore.Table
	detector *pagestore.Detector // nil without --detect
}

// AtOnce is 1, because a day is mostly renames, which concurrency would not speed up.
func (m *migrator) AtOnce() int { return 1 }

// Close does nothing.
func (m *migrator) Close() error { return nil }

// readPages reads the table, or returns nil for an empty name.
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

// Do migrates a day. If it fails, the report says so and others continue; it can be migrated again. An interrupt
// waits for the current day, which would otherwise be half done.
func (m *migrator) Do(ctx context.Context, element []byte) (any, error) {
	var t task
	if err := cmp.Or(json.Unmarshal(element, &t), ctx.Err()); err != nil {
		return nil, err
	}
	// Page is called only for incomplete lines.
	o := pagestore.Options{Strict: m.o.Strict, Page: func(e pagestore.Entry) (pagestore.Page, bool, error) {
		return m.page(t.Day, e)
	}}
	var report pagestore.Report
	// The generation covers reading as well, since another run would read a half changed day.
	err := t.while(func() (err error) {
		report, err = pagestore.MigrateDay(t.Day, o, m.o.DryRun)
		return err
	})
	if errors.Is(err, claim.ErrSuperseded) {
		return nil, err
	}
	if err != nil {
		// An error returned here would end the whole run.
		report.Day, report.Error = t.Day, err.Error()
	}
	cli.Live.Captures.Add(int64(report.Pages.Lines + report.Items.Lines))
	return report, nil
}

// page returns the id, kind and language of a page, from the table or by detection.
func (m *migrator) page(day string, e pagestore.Entry) (pagestore.Page, bool, error) {
	// People made the table; the detector only guesses.
	if p, ok := m.pages[e.URL]; ok || m.detector == nil {
		return p, ok, nil
	}
	return detected(m.detector, day, e)
}

// Finish writes all reports to one file. They fit in memory, since they list only odd lines.
func (o Options) Finish(_ context.Context, rows *batch.Rows) (err error) {
	reports, err := batch.Decode[pagestore.Report](rows)
	if err != nil {
		return err
	}
	return o.First.while(func() error { return o.write(reports) })
}

func (o Options) write(reports []pagestore.Report) error {
	// The order must not depend on the workers.
	slices.SortFunc(reports, func(a, b pagestore.Report) int { return strings.Compare(a.Day, b.Day) })
	// The file appears under its name only when complete.
	out, err := dump.CreateFile(o.Report)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	// Keep the ampersands in URLs readable.
	lines.SetEscapeHTML(false)
	for _, r := range reports {
		if err := lines.Encode(r); err != nil {
			out.Abort()
			return fmt.Errorf("moremeta: %s: %w", o.Report, err)
		}
	}
	return out.Close()
}
