package sources

import (
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// unitRow is a part as it travels from the worker that read the unit, with what that took.
type unitRow struct {
	sourcedb.Part
	Measures report.Measures `json:"measures"`
}

// runReport is what a run measured itself, as ingest has it: report.json in the folder of the Source DB. Its counts are
// those of this run, and are in the place of those of the report.
type runReport struct {
	*report.Report
	Counts runCounts `json:"counts"`
	// Mended are files of the generation before that were damaged, and were made again.
	Mended []string `json:"mended,omitempty"`
}

// runCounts are of the units that a run read, and of the Source DB that it left.
type runCounts struct {
	Feeds     int64            `json:"feeds"`     // rows of feeds
	Documents int64            `json:"documents"` // rows of documents
	Rejects   int64            `json:"rejects"`
	BytesLost int64            `json:"bytes_lost"`
	ByReject  map[string]int64 `json:"by_reject,omitempty"`
	Sources   int64            `json:"sources"` // of the Source DB
	Verdicts  map[string]int64 `json:"verdicts"`
}

// saveReport writes the report of a run.
func saveReport(out folder.Folder, o Options, rows []unitRow, m sourcedb.Manifest, mended []string) error {
	for _, name := range mended {
		slog.Warn("damaged, and made anew: nothing was lost", "file", name)
	}
	r := runReport{Report: report.New(o.Run, o.Merged+len(rows)), Mended: mended}
	r.Units.Before = o.Merged
	for i, row := range rows {
		// Numbered as they came: a unit of several collections has no number of its own.
		r.Add(report.Row{UnitResult: schemas.UnitResult{Unit: schemas.Unit{ID: i}}, Measures: &row.Measures})
		r.Counts.Feeds += row.Feeds
		r.Counts.Documents += row.Docs
		if row.Loss == nil {
			continue
		}
		r.Counts.Rejects += row.Loss.Count
		r.Counts.BytesLost += row.Loss.BytesLost
		for kind, n := range row.Loss.ByReject {
			schemas.Count(&r.Counts.ByReject, kind, n)
		}
	}
	r.Counts.Sources, r.Counts.Verdicts = m.Counts.Standing(), m.Counts.Verdicts
	r.End(time.Now())
	return sourcedb.SaveReport(out, r)
}
