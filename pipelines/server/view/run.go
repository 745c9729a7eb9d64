package view

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// Runs lists the runs of a collection. A folder keeps the results of all runs together and the report of the last one.
// So there is one row, which describes both.
func (v *Views) Runs(ctx context.Context, r RunsRequest) (*Runs, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	list := &Runs{Answer: answer(c), Runs: []RunRow{}}
	// The list has at most one row. It remains a list so that runs can be distinguished later.
	if row, ok := runRow(c, now); ok {
		list.Runs = append(list.Runs, row)
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
	row, ok := runRow(c, now)
	// There is one run, so only its number is valid.
	if !ok || r.Number != row.Number {
		return nil, notFound("There is no such run", "GET /api/v1/runs lists them.")
	}
	one := &RunOne{Answer: answer(c), RunRow: row, UnitCount: len(now.Manifest.Units)}
	if err := one.fill(ctx, c, now); err != nil {
		return nil, changed(err)
	}
	one.Took = v.since(start)
	return one, nil
}

// runRow returns the list entry of the run.
func runRow(c *shelf.Collection, now *shelf.Snapshot) (RunRow, bool) {
	t := now.Manifest.Totals
	row := RunRow{
		Number: 1, Command: "ingest", Archives: archivesOf(now.Manifest.Units), Captures: t.Captures, Rejects: t.Rejects,
		Lost: t.BytesLost, Read: t.BytesRead, State: "done", Link: page(c.Name(), "runs/1", nil),
	}
	// Rejects alone are not losses: only damaged bytes, files and captures are.
	if t.BytesLost > 0 || t.ByReject[string(schemas.KindUnreadable)] > 0 || t.HasDamage() {
		row.State = "losses"
	}
	// The report may be missing, for example after a merge. Then times are missing.
	if rep, err := readReport(c); err == nil {
		row.Command = cmp.Or(rep.Command, row.Command)
		row.Started, row.Seconds = rep.Started.UTC().Format(time.RFC3339), float64(rep.Seconds)
	}
	return row, true
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

func (o *RunOne) fill(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot) error {
	t := now.Manifest.Totals
	o.Records, o.FeedRows = t.Records, t.Feeds
	// Rejects cannot be searched for.
	o.Kinds = counts(t.ByReject, same, func(string) string { return "" })
	every := SearchRequest{Collection: c.Name(), Fold: "none"}
	o.Flags = flagValues(t, whole(c, now), every)
	// Quirks are not flags, and no search finds them.
	o.Quirks = counts(t.ByQuirk, func(n string) string { return cmp.Or(quirkTexts[n], n) },
		func(string) string { return "" })
	// These options and versions determine the result: with the same archives it has the same bytes.
	o.Options, o.Versions = indented(now.Manifest.Options), indented(now.Manifest.Versions)
	// Without the file, the page shows no command.
	if a, err := holdings.ReadLastRun(c.Folder()); err == nil {
		o.Again = a.Command()
	}
	// A run is divided into units; after a kill, unfinished ones are repeated.
	o.Units = []UnitRow{}
	// A collection of a large crawl has thousands of units.
	for _, u := range now.Manifest.Units[:min(maxUnits, len(now.Manifest.Units))] {
		o.Units = append(o.Units, UnitRow{
			ID: u.ID, Archives: int(archivesOf([]schemas.UnitResult{u})), Read: u.Counts.BytesRead, Records: u.Counts.Records,
			Captures: u.Counts.Captures, Rejects: u.Counts.Rejects,
		})
	}
	// The report is read a second time: the file is small, and so nothing is passed between the two functions.
	o.measured(c, every)
	var err error
	o.Rejected, err = rejectsOf(ctx, c, now)
	return err
}

// flagValues returns the flags of captures, and how many records of all types have each. Without a census only the latter
// is known, and no search finds as many.
func flagValues(t schemas.Counts, all *census, every SearchRequest) []Value {
	list := counts(t.ByFlag, func(n string) string { return cmp.Or(flagTexts[schemas.Flag(n)], n) },
		func(string) string { return "" })
	for i := range list {
		f := &list[i]
		if f.Records = f.Count; all == nil {
			continue
		}
		if f.Count = all.flags[f.Value]; f.Count > 0 {
			f.Link = every.with("flag", f.Value).link()
		}
	}
	return list
}

// measured adds the measurements of the report, if there is one.
func (o *RunOne) measured(c *shelf.Collection, every SearchRequest) {
	o.Extractors, o.Slowest = []Cost{}, []Slow{}
	rep, err := readReport(c)
	if err != nil {
		return // times are unknown, and the page says so
	}
	// This is a separate field, as a run may well have taken 0 seconds.
	o.Measured, o.Runner = true, rep.Runner
	o.CPUSeconds, o.PeakMemory = float64(rep.CPUSeconds), rep.PeakMemory
	// A run that did nothing took no time.
	if rep.Seconds > 0 {
		o.PerSecond = float64(rep.Counts.Captures) / float64(rep.Seconds)
	}
	// The report's order is used, which is the order of their time.
	for _, x := range rep.Extractors {
		o.Extractors = append(o.Extractors, Cost{x.Name, float64(x.Seconds), float64(x.CPUSeconds), float64(x.Share)})
	}
	// The link is to the address, as the report does not know the version.
	for _, s := range rep.Slowest {
		o.Slowest = append(o.Slowest, Slow{
			URL: s.URL, File: s.File, Offset: s.Offset, Bytes: s.Bytes, Seconds: float64(s.Seconds), Extractor: s.Extractor,
			Link: page(every.Collection, "resource", ResourceRequest{URL: s.URL}),
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
