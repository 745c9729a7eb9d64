package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// What --plan samples: pieces evenly over all bytes, so that their sum is bounded however many files there are. Those
// of a MiB hold some tens of pages each, and twelve of them tell the mean of most shelves within a tenth.
const (
	samplePieces  = 12
	samplePiece   = 1 << 20
	sampleSeconds = 30 // after which no further piece is begun
)

// estimate is what a run is expected to take.
type estimate struct {
	captures int64
	// Seconds are of the machine that plans, so that an estimate for others is only as good as they are alike.
	cpu     float64 // seconds of one core
	output  int64   // bytes of shards and index
	sampled int64   // bytes that it is made from
}

// estimate reads and enriches a sample as the run would, into a folder for temporary files.
// It runs in this process whatever the runner is, and sends nothing to sinks.
func (p *Plan) estimate(ctx context.Context, c Request) (e estimate, err error) {
	pieces := p.pieces()
	if len(pieces) == 0 {
		return p.guess(c), nil
	}
	// The real output is not touched: a plan writes nothing there.
	dir, remove, err := folder.Scratch("plan")
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	o, err := c.planned(p)
	if err != nil {
		// Two units, so that the sample can be read in two parts; no first pass, of which a sample tells nothing.
		return e, err
	}
	o.Output, o.Units, o.SiteTemplates, o.Elsewhere = dir, 2, false, false
	o.Sinks = sinks.Sinks{}
	_, end := begin(o, &cli.Counters{}, p.log)
	defer end()
	f := openOutput(ctx, o)
	defer func() { err = errors.Join(err, f.Close()) }()
	out, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		return e, err
	}
	// Two passes: the first over one piece, which also pays for loading, the second over all.
	defer out.Close()
	// Models are loaded once, by the first pages: how long that takes is recognised by reading some pages twice.
	before := report.CPU()
	first, err := sample(ctx, o, pieces[:1], 0)
	if err != nil {
		return e, err
	}
	// What the second pass takes a byte is the steady cost;
	// what the first took beyond that is the cost of beginning.
	between := report.CPU()
	all, err := sample(ctx, o, pieces, 1)
	if err != nil || all.bytes == 0 {
		return p.guess(c), err
	}
	perByte := (report.CPU() - between).Seconds() / float64(all.bytes)
	once := max(0, (between-before).Seconds()-perByte*float64(first.bytes))
	// The sample has the archives' whole names, and counts those once a line.
	if o.index() {
		all.output -= all.captures * p.sharedPath() // in the index names are relative to the folder that holds all
	}
	// Everything else grows with the bytes. The 0.5 rounds.
	share := float64(p.Bytes) / float64(all.bytes)
	return estimate{
		captures: int64(float64(all.captures)*share + 0.5),
		cpu:      once + perByte*float64(p.Bytes),
		output:   int64(float64(all.output)*share + 0.5),
		sampled:  all.bytes,
	}, nil
}

// pieces are the sample; none where indexes or topics are read, of which no piece is like all.
// Lines of an index point anywhere, and messages have no bytes that are known.
func (p *Plan) pieces() []work.Piece {
	for _, u := range p.Units {
		for _, in := range u.Inputs {
			if classOf(in) != classArchive {
				return nil
			}
		}
	}
	return work.Pieces(p.Units, samplePieces, samplePiece)
}

// sampled is what reading a sample gave.
type sampled struct {
	captures, bytes, output int64
}

// sample does the pieces as one unit with the given number.
// Its own writer is committed, because only then the sizes
// of shards are known; the folder is removed afterwards.
func sample(ctx context.Context, o Options, pieces []work.Piece, id int) (s sampled, err error) {
	e, err := newEngine(o)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	// A name of its own keeps the two samples from having one key.
	input := schemas.Unit{ID: id, Inputs: []schemas.Range{{File: fmt.Sprintf("sample %d", id)}}}
	w, err := collection.NewWriter(e.out, input, collection.Key(input, nil, nil), o.collection())
	if err != nil {
		return s, err
	}
	defer w.Abort()
	u := newUnitRun(e.session, w, 0)
	q := &queue{slots: e.pool.captures, live: e.live, work: e.document, write: u.write}
	defer q.abandon()
	begun := time.Now()
	for _, piece := range pieces {
		n, err := piece.Read(ctx, e.store, o.capture(), func(c *schemas.Capture) error {
			s.captures++
			if o.indexOnly() {
				return u.capture(c, urlkey.SURT(c.URL))
			}
			return q.capture(c)
		})
		// A piece that cannot be read tells nothing, and the run itself will say so.
		if _, bad := blob.Unreadable(err); err != nil && !bad {
			return s, err
		}
		// Bytes of all pieces count, also of one that was read only in part, and so the time bounds the sample.
		if s.bytes += n; time.Since(begun) > sampleSeconds*time.Second {
			break
		}
	}
	if err := q.drain(); err != nil {
		return s, err
	}
	result, err := w.Commit(u.counts, collection.Note{})
	if err != nil {
		return s, err
	}
	s.output, err = outputOf(e.out, o, result)
	return s, err
}

// outputOf is how many bytes a unit adds to the output: its shards, and lines of the index over all.
// Index lines count twice: a unit writes its own, and all of them stand in the one index as well.
func outputOf(f folder.Folder, o Options, r schemas.UnitResult) (n int64, err error) {
	for _, s := range r.Shards {
		n += s.Bytes
		if o.index() && strings.HasPrefix(s.Name, "captures-") {
			lines, err := indexBytes(f, s.Name)
			if err != nil {
				return 0, err
			}
			n += lines
		}
	}
	return n, nil
}

// indexBytes is how long the lines of a shard are that goes into the index.
// Units keep theirs compressed, and the index is plain text, so the length is that of what is unpacked.
func indexBytes(f folder.Folder, shard string) (n int64, err error) {
	in, err := f.Open(shard)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	z, err := gzip.NewReader(io.NewSectionReader(in, 0, in.Size()))
	if err != nil {
		return 0, err
	}
	return io.Copy(io.Discard, z)
}

// sharedPath is how long the path is that the index leaves out of the archives' names.
func (p *Plan) sharedPath() int64 {
	units := make([]schemas.UnitResult, len(p.Units))
	for i, u := range p.Units {
		units[i].Unit = u
	}
	return int64(len(holdings.ArchiveDir(units)))
}

// guess is an estimate by the means of other archives.
// It is for indexes and topics, and for plans without anything to sample.
func (p *Plan) guess(c Request) estimate {
	perMiB := secondsPerMiB
	if c.Options.indexOnly() {
		perMiB = secondsPerMiBOfHead
	}
	var messages int64 // each of which is a capture
	for _, u := range p.own() {
		messages += u.Messages()
	}
	bytes := p.Bytes + messages*bytesPerCapture
	return estimate{captures: max(bytes/bytesPerCapture, 1), cpu: float64(bytes) / (1 << 20) * perMiB}
}

// line says the estimate.
// Unknown things are left out of the line: on Dataflow the time depends on how many machines there will be.
func (e estimate) line(c Request) string {
	how := fmt.Sprintf("roughly %s captures", cli.FormatCount(e.captures))
	if c.Runner != run.Dataflow {
		how += " and " + duration(e.cpu/float64(max(c.Options.Workers, 1)))
	}
	if e.sampled == 0 {
		return how + ", for pages as they are crawled"
	}
	how += fmt.Sprintf(", output %s, by a sample of %s", cli.FormatBytes(e.output), cli.FormatBytes(e.sampled))
	if c.Options.SiteTemplates {
		how += "; the first pass of --site_templates comes on top"
	}
	return how
}
