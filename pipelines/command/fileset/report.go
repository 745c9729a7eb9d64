package fileset

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

// unitRow is a unit's row as it travels to the last step. Measures is nil if an earlier run did the unit.
type unitRow struct {
	filesets.Row
	Measures *report.Measures `json:"measures,omitempty"`
}

// runReport is the report of a run as in ingest, with requests for captures and the purposes of URLs for extractors.
// Its Counts replace those of the report.
type runReport struct {
	*report.Report
	Counts filesets.Counts `json:"counts"`
}

// rowsOf separates the rows for the manifest from the measures of the units.
func rowsOf(o Options, all []unitRow) ([]filesets.Row, *runReport) {
	r := &runReport{Report: report.New(o.Run, o.Units)}
	rows := make([]filesets.Row, 0, len(all))
	counted := map[int]bool{}
	for _, u := range all {
		rows = append(rows, u.Row)
		r.Add(report.Row{UnitResult: schemas.UnitResult{Unit: schemas.Unit{ID: u.Number}}, Measures: u.Measures})
		// Runners that repeat work return a unit twice.
		if u.Measures != nil && !counted[u.Number] {
			r.Counts.Add(u.Counts)
		}
		counted[u.Number] = true
	}
	return rows, r
}

// save writes the report. If the run had nothing to do, it keeps the earlier report.
func (r *runReport) save(f folder.Folder) error {
	if r.Units.Done == 0 && r.Units.Before > 0 {
		return nil
	}
	r.End(time.Now())
	return filesets.SaveReport(f, r)
}

// own is the time of a request without waiting for bytes: hashing, parsing and writing.
const own = "own"

// purposes are in the order of tally.spent.
var purposes = []string{string(core.Landing), string(core.API), string(core.File), string(core.Bundle), own}

// tally has the time that sources took for a request, and the bytes that they gave.
type tally struct {
	spent []time.Duration // by purpose
	bytes int64
}

// measured is a source with a tally, for one request in one goroutine.
type measured struct {
	core.Source
	t *tally
}

// Get measures the source's Get.
func (m measured) Get(ctx context.Context, url string, want core.Preference) (*core.Resource, error) {
	at := slices.Index(purposes, string(want.Purpose))
	began := time.Now()
	r, err := m.Source.Get(ctx, url, want)
	m.t.spent[at] += time.Since(began)
	if r != nil && r.Body != nil {
		r.Body = &measuredBody{r.Body, m.t, at}
	}
	return r, err
}

type measuredBody struct {
	io.ReadCloser
	t  *tally
	at int // in purposes
}

// Read measures the body's Read.
func (b *measuredBody) Read(p []byte) (int, error) {
	began := time.Now()
	n, err := b.ReadCloser.Read(p)
	b.t.spent[b.at] += time.Since(began)
	b.t.bytes += int64(n)
	return n, err
}

// ingest does and measures a request; at is its position for the report.
func ingest(
	ctx context.Context, r *schemas.FilesetRequest, source core.Source, o core.Options,
	to *report.Measures, at report.Slow,
) (out *core.Outcome, err error) {
	t := &tally{spent: make([]time.Duration, len(purposes))}
	if o.Existing != nil {
		o.Existing = measured{o.Existing, t}
	}
	began := time.Now()
	cpu := report.CPUTime(func() { out, err = core.Ingest(ctx, *r, measured{source, t}, o) })
	rest := time.Since(began)
	for _, d := range t.spent {
		rest -= d
	}
	t.spent[slices.Index(purposes, own)] = max(rest, 0)
	at.URL, at.Bytes = r.BaseURL, t.bytes
	to.Capture(at, purposes, report.Share(t.spent, cpu))
	return out, err
}
