package sources

import (
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// unitRow is a part with its measures, as it travels from the worker.
type unitRow struct {
	sourcedb.Part
	Measures report.Measures `json:"measures"`
}

// runReport is report.json in the folder of the Source DB, like that of ingest. Its Counts replace those of the
// report.
type runReport struct {
	*report.Report
	Counts runCounts `json:"counts"`
	// Mended are damaged files of the earlier generation that were made again.
	Mended []string `json:"mended,omitempty"`
}

// runCounts are about the units that a run read and the resulting Source DB.
type runCounts struct {
	Feeds     int64            `json:"feeds"`     // rows of feeds
	Documents int64            `json:"documents"` // rows of documents
	Rejects   int64            `json:"rejects"`
	BytesLost int64            `json:"bytes_lost"`
	ByReject  map[string]int64 `json:"by_reject,omitempty"`
	Sources   int64            `json:"sources"` // of the Source DB
	Verdicts  map[string]int64 `json:"verdicts"`
}

func saveReport(out folder.Folder, o Options, rows []unitRow, m sourcedb.Manifest, mended []string) error {
	for _, name := range mended {
		slog.Warn("damaged file made again; nothing was lost", "file", name)
	}
	r := runReport{Report: report.New(o.Run, o.Merged+len(rows)), Mended: mended}
	r.Units.Before = o.Merged
	for i, row := range rows {
		// Units of several collections have no numbers of their own.
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
