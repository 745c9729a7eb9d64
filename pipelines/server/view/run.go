package view

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// These limit the content of a page; the collection's files have everything. Only reports of very many processes are
// larger than this.
const (
	maxUnits  = 200
	maxReport = 64 << 20 // bytes of a report that are read
)

// Runs lists the runs of a collection, the newest first.
func (v *Views) Runs(ctx context.Context, r RunsRequest) (*Runs, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := v.NeedWhole(ctx, c.Name()); err != nil {
		return nil, err
	}
	list := &Runs{Answer: answer(c)}
	if list.Runs, err = runRows(c, now); err != nil {
		return nil, changed(err)
	}
	list.Took = v.since(start)
	return list, nil
}

// Run describes one run.
func (v *Views) Run(ctx context.Context, r RunRequest) (*RunOne, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := v.NeedWhole(ctx, c.Name()); err != nil {
		return nil, err
	}
	runs, err := keptRuns(c, now)
	if err != nil {
		return nil, changed(err)
	}
	for i, k := range runs {
		if k.Number == r.Number {
			one := &RunOne{Answer: answer(c), RunRow: runRow(c.Name(), k)}
			one.fill(c, k, i == len(runs)-1)
			one.Took = v.since(start)
			return one, nil
		}
	}
	return nil, notFound("There is no such run", "GET /api/v1/runs lists them.")
}

// keptRuns returns the runs that were kept, the oldest first. A collection of an earlier version has none: what its
// manifest has is one run.
func keptRuns(c *shelf.Collection, now *shelf.Snapshot) ([]holdings.KeptRun, error) {
	list, err := holdings.ReadRuns(c.Folder())
	if err != nil || len(list) > 0 {
		return list, err
	}
	m := now.Manifest
	one := holdings.KeptRun{
		Number: 1, Command: "ingest", Units: len(m.Units), Archives: holdings.Archives(m.Units), Added: m.Totals,
		After: m.Totals.Captures, Options: m.Options, Versions: m.Versions,
	}
	// The report may be missing, for example after a merge. Then times are missing.
	if rep, err := readReport(c); err == nil {
		one.Command, one.Runner = cmp.Or(rep.Command, one.Command), rep.Runner
		one.Started = rep.Started.UTC().Format(time.RFC3339)
		one.Seconds, one.CPUSeconds, one.PeakMemory = rep.Seconds, rep.CPUSeconds, rep.PeakMemory
	}
	// Without the file, the page shows no command.
	if a, err := holdings.ReadLastRun(c.Folder()); err == nil {
		one.Asked = a.Command()
	}
	return []holdings.KeptRun{one}, nil
}

// runRows returns the runs as rows, the newest first.
func runRows(c *shelf.Collection, now *shelf.Snapshot) ([]RunRow, error) {
	runs, err := keptRuns(c, now)
	list := make([]RunRow, 0, len(runs))
	for _, k := range slices.Backward(runs) {
		list = append(list, runRow(c.Name(), k))
	}
	return list, err
}

// runRow returns the list entry of a run. Its counts are those of what it read.
func runRow(collection string, k holdings.KeptRun) RunRow {
	t := k.Added
	row := RunRow{
		Number: k.Number, Command: k.Command, Started: k.Started, Seconds: float64(k.Seconds), Archives: k.Archives,
		Captures: t.Captures, Rejects: t.Rejects, Lost: t.BytesLost, Read: t.BytesRead, State: "done", Release: k.Release,
		Before: k.Before, After: k.After, Replaced: k.Replaced(), Link: page(collection, "runs/"+strconv.Itoa(k.Number), nil),
	}
	// Rejects alone are not losses: only damaged bytes, files and captures are.
	if t.BytesLost > 0 || t.ByReject[string(schemas.KindUnreadable)] > 0 || t.HasDamage() {
		row.State = "losses"
	}
	return row
}

// readReport reads the measurements of the last run.
func readReport(c *shelf.Collection) (r report.Report, err error) {
	f, err := c.Folder().Open(holdings.ReportFile)
	if err != nil {
		return r, err
	}
	defer func() { _ = f.Close() }() // it is only read
	// The size is known before anything is read, so a large report costs nothing.
	if f.Size() > maxReport {
		return r, fmt.Errorf("a report of %d bytes", f.Size())
	}
	data, err := io.ReadAll(f)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	return r, err
}

// fill adds the details of a run. Only the last one has a report.
func (o *RunOne) fill(c *shelf.Collection, k holdings.KeptRun, last bool) {
	t := k.Added
	o.Records, o.FeedRows, o.Runner = t.Records, t.Feeds, k.Runner
	o.Kept, o.Units = k.Kept, k.Units
	o.CPUSeconds, o.PeakMemory, o.Measured = float64(k.CPUSeconds), k.PeakMemory, k.Started != ""
	// A run that did nothing took no time.
	if k.Seconds > 0 {
		o.PerSecond = float64(t.Captures) / float64(k.Seconds)
	}
	o.Kinds = counts(t.ByReject, same, func(string) string { return "" })
	// These count records of all types, and no search finds as many.
	o.Flags, o.Quirks = counts(t.ByFlag, flagLabel, func(string) string { return "" }), quirkValues(t)
	// These options and versions determine the result: with the same archives it has the same bytes.
	o.Options, o.Versions, o.Again = indented(k.Options), indented(k.Versions), k.Asked
	o.Extractors, o.Slowest = []Cost{}, []Slow{}
	o.Archived = page(c.Name(), "archives", nil)
	if last {
		o.measured(c)
	}
}

// quirkValues returns the quirks of archives. They are not flags, and no search finds them.
func quirkValues(t schemas.Counts) []Value {
	return counts(t.ByQuirk, func(n string) string { return cmp.Or(quirkTexts[n], n) }, func(string) string { return "" })
}

// unitRows returns the units of a collection: after a kill, unfinished ones are repeated.
func unitRows(m schemas.Manifest) []UnitRow {
	list := []UnitRow{}
	// A collection of a large crawl has thousands of units.
	for _, u := range m.Units[:min(maxUnits, len(m.Units))] {
		list = append(list, UnitRow{
			ID: u.ID, Archives: int(holdings.Archives([]schemas.UnitResult{u})), Read: u.Counts.BytesRead,
			Records: u.Counts.Records, Captures: u.Counts.Captures, Rejects: u.Counts.Rejects,
		})
	}
	return list
}

// flagValues returns the flags of captures, and how many records of all types have each.
func flagValues(t schemas.Counts, m *flagCounts, every SearchRequest) []Value {
	list := counts(t.ByFlag, flagLabel, func(string) string { return "" })
	for i := range list {
		f := &list[i]
		f.Records = f.Count
		if f.Count = m.flags[f.Value]; f.Count > 0 {
			f.Link = every.with("flag", f.Value).link()
		}
	}
	return list
}

// measured adds the measurements of the report, if there is one.
func (o *RunOne) measured(c *shelf.Collection) {
	rep, err := readReport(c)
	if err != nil {
		return // a takedown has removed it
	}
	// The report's order is used, which is the order of their time.
	for _, x := range rep.Extractors {
		o.Extractors = append(o.Extractors, Cost{x.Name, float64(x.Seconds), float64(x.CPUSeconds), float64(x.Share)})
	}
	// The link is to the URL, as the report does not know the version.
	for _, s := range rep.Slowest {
		o.Slowest = append(o.Slowest, Slow{
			URL: s.URL, File: s.File, Offset: s.Offset, Bytes: s.Bytes, Seconds: float64(s.Seconds), Extractor: s.Extractor,
			Link: page(c.Name(), "resource", ResourceRequest{URL: s.URL}),
		})
	}
}

func indented(v any) string {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return "" // it was read from JSON
	}
	return string(data)
}
