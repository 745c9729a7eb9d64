package job

import (
	"context"
	"iter"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// engine does units, without Beam, and is safe for concurrent use. Each function of the graph that Beam sets up has
// its own, so a process may have several; they share the session.
type engine struct {
	o         Job
	store     *blob.Store
	out       folder.Folder
	enrich    *enrich.Enricher
	documents *docsandbox.Reader // of payloads that are not HTML
	*session
	templates *templates // nil without --site_templates
	taken     takedown.List
	sinks     sink.Set
	chosen    *chosen
	sources   *sourceLookup // nil without --sources
}

// task is a unit to be done, as it travels to a worker.
type task struct {
	Unit   schemas.Unit
	Key    string
	Stamps map[string]string // of the inputs' files when they were planned
	Take   *int64            `json:",omitempty"` // how many captures to take: nil for all, 0 if the unit is not read
}

// reader reads a unit: files, indexes and topics have one each. Counts and Inputs are valid after the sequence has
// ended.
type reader interface {
	All(ctx context.Context) iter.Seq2[archive.Item, error]
	Captures(ctx context.Context) iter.Seq2[*schemas.Capture, error]
	Counts() schemas.Counts
	Inputs() []schemas.Range
}

// unitRun is the state of one unit while it is written.
type unitRun struct {
	*session
	w      *shard.Writer
	inputs []schemas.Range // as they have been read
	counts schemas.Counts  // of documents and of what enrichment rejected
	bytes  int64           // of the unit's bytes
	left   int64           // bytes not yet shown as progress
	shown  int64           // captures already shown as progress

	began    time.Time
	measures report.Measures
	at       schemas.Origin // the capture that was read last
	reading  *cli.Reading   // shows that position
	sinks    *sink.Delivery // beside the output
	taken    takedown.List
	take     *int64 // how many captures may be taken, or nil for all
	made     int64  // how many captures have been taken
}
