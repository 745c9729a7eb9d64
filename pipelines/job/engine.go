package job

import (
	"context"
	"iter"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// engine does units, without Beam. Its methods may be called by several goroutines at the same time.
// It is made once for each function of the graph that Beam sets up, of which
// a process may have several; what all of them share is in the session.
type engine struct {
	o         Options
	store     *blob.Store
	out       folder.Folder
	enrich    *enrich.Enricher
	documents *docsandbox.Reader // of what is not a page
	*session
	templates *templates // nil without --site_templates
	taken     collection.Takedowns
	sinks     sink.Set
	chosen    *chosen
	sources   *sourceLookup // nil without --sources
}

// task is a unit to be done, as it travels to the worker.
type task struct {
	Unit   schemas.Unit
	Key    string
	Stamps map[string]string // of the inputs' files when they were planned
	Take   *int64            `json:",omitempty"` // of how many captures something is made; nil for all, 0: it is not read
}

// reader is what reads a unit.
// Files, indexes and topics have one each. Counts and Inputs are right when the sequence has ended.
type reader interface {
	All(ctx context.Context) iter.Seq2[archive.Item, error]
	Captures(ctx context.Context) iter.Seq2[*schemas.Capture, error]
	Counts() schemas.Counts
	Inputs() []schemas.Range
}

// unitRun is what one unit has written so far.
type unitRun struct {
	*session
	w      *collection.Writer
	inputs []schemas.Range // as they were read
	counts schemas.Counts  // of documents and of what enrichment rejected
	bytes  int64           // of the unit
	left   int64           // of these, not yet shown as progress
	shown  int64           // captures that are

	began    time.Time
	measures report.Measures
	at       schemas.Origin // of the capture that was read last
	reading  *cli.Reading   // shows where that is
	sinks    *sink.Delivery // beside the output
	taken    collection.Takedowns
	take     *int64 // of how many captures something may be made; nil for all
	made     int64  // of how many something was
}
