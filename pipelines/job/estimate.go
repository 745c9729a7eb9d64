package job

import (
	"context"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"
)

// How much --plan samples: pieces spread evenly over all bytes, so that the cost is bounded for any number of files.
// A piece of 1 MiB holds some tens of pages, and twelve pieces find the mean of most shelves within a tenth.
const (
	samplePieces = 12
	samplePiece  = 1 << 20
)

// estimate is what a run is expected to take.
type estimate struct {
	captures int64
	// Seconds of the planning machine; other machines may be faster or slower.
	cpu     float64 // seconds of one core
	output  int64   // size of shards and index in bytes
	sampled int64   // size of the sample in bytes
}

// makeEstimate reads and enriches a sample as the run would, into a temporary folder. It always runs in this process
// and sends nothing to sinks.
func makeEstimate(ctx context.Context, p *plan.Plan) (e estimate, err error) {
	pieces := piecesOf(p)
	if len(pieces) == 0 {
		return guess(p), nil
	}
	// The scratch folder keeps the plan from writing to the real output.
	dir, remove, err := folder.Scratch("plan")
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	o, err := jobOf(p)
	if err != nil {
		return e, err
	}
	// Two units, because the sample is read in two passes. A sample cannot show what the first pass of
	// --site_templates costs.
	o.Output, o.Units, o.SiteTemplates, o.Elsewhere = dir, 2, false, false
	o.Sinks = sinks.Sinks{}
	defer unit.Begin(o, &cli.Counters{}, p.Request.Log, nil)()
	f := o.Folder(ctx)
	defer func() { err = errors.Join(err, f.Close()) }()
	out, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		return e, err
	}
	defer out.Close()
	// The first pass reads one piece and also loads the models; the second reads all pieces. The difference is the
	// cost of loading, which is paid once.
	before := report.CPU()
	first, err := unit.Sample(ctx, o, pieces[:1], 0)
	if err != nil {
		return e, err
	}
	between := report.CPU()
	all, err := unit.Sample(ctx, o, pieces, 1)
	if err != nil || all.Bytes == 0 {
		return guess(p), err
	}
	perByte := (report.CPU() - between).Seconds() / float64(all.Bytes)
	once := max(0, (between-before).Seconds()-perByte*float64(first.Bytes))
	// Index lines name archives relative to the folder that holds them all, but the sample writes their whole names.
	if o.HasIndex() {
		all.Output -= all.Captures * sharedPath(p)
	}
	// The 0.5 rounds to the nearest integer.
	share := float64(p.Bytes) / float64(all.Bytes)
	return estimate{
		captures: int64(float64(all.Captures)*share + 0.5),
		cpu:      once + perByte*float64(p.Bytes),
		output:   int64(float64(all.Output)*share + 0.5),
		sampled:  all.Bytes,
	}, nil
}

// piecesOf returns the pieces to sample. It returns none for indexes, whose lines may point anywhere, and for topics,
// whose sizes in bytes are unknown.
func piecesOf(p *plan.Plan) []work.Piece {
	for _, u := range p.Units {
		for _, in := range u.Inputs {
			if standing.ClassOf(in) != standing.Archives {
				return nil
			}
		}
	}
	return work.Pieces(p.Units, samplePieces, samplePiece)
}

// sharedPath returns the length of the path that the index leaves out of archive names.
func sharedPath(p *plan.Plan) int64 {
	units := make([]schemas.UnitResult, len(p.Units))
	for i, u := range p.Units {
		units[i].Unit = u
	}
	return int64(len(holdings.ArchiveDir(units)))
}

// guess estimates by the averages of other archives, for indexes, topics and plans without a sample.
func guess(p *plan.Plan) estimate {
	perMiB := secondsPerMiB
	if p.Request.IndexOnly() {
		perMiB = secondsPerMiBOfHead
	}
	var messages int64 // each of which is a capture
	for _, u := range p.Own() {
		messages += u.Messages()
	}
	bytes := p.Bytes + messages*bytesPerCapture
	return estimate{captures: max(bytes/bytesPerCapture, 1), cpu: float64(bytes) / (1 << 20) * perMiB}
}

// line describes the estimate. It gives no time for Dataflow, which depends on the number of machines.
func (e estimate) line(c plan.Request) string {
	how := fmt.Sprintf("roughly %s captures", cli.FormatCount(e.captures))
	if c.Runner != run.Dataflow {
		how += " and " + duration(e.cpu/float64(max(c.Workers, 1)))
	}
	if e.sampled == 0 {
		return how + ", for pages as they are crawled"
	}
	how += fmt.Sprintf(", output %s, by a sample of %s", cli.FormatBytes(e.output), cli.FormatBytes(e.sampled))
	if c.SiteTemplates {
		how += "; the first pass of --site_templates comes on top"
	}
	return how
}

// Averages for plans without a sample, from docs/benchmarks.md ("Against a peer", 2026-11-22: 13.4 s of CPU with all
// extractors for 1,497 pages in 63.8 MiB). Indexing alone takes little more than decompression.
const (
	bytesPerCapture     = 43 << 10
	secondsPerMiB       = 0.21
	secondsPerMiBOfHead = 0.016
)
