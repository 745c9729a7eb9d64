package archive

import (
	"io"

	"github.com/gleaner-web/gleaner/io/archive/member"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
)

// recordReader reads archives of records with heads.
type recordReader struct {
	in      Input
	g       grammar
	o       Options
	src     io.ReaderAt
	format  Format
	records *record.Reader
	counts  schemas.Counts
	ahead   *result // what was read to see what follows a partial record
	tally   tally
}

// result is what one reading gave.
type result struct {
	capture *schemas.Capture
	records int    // that were gone over
	firstID string // of the first of them
	err     error
}

func newRecordReader(src io.ReaderAt, in Input, f Format, o Options) (*recordReader, error) {
	r := &recordReader{in: in, src: src, format: f, g: f.grammar(), o: o}
	ro := record.Options{
		MaxBlock: o.MaxBlock(), MaxHead: o.MaxHead, OnLoss: r.lost, OnQuirk: r.countQuirk, OnDoubt: r.doubt,
		Doubtful: func(member int64) bool { return r.o.Doubts.has(r.in.Name, member) },
	}
	var err error
	r.records, err = record.NewReader(src, member.Range{Start: in.Start, End: in.End, Size: in.Size}, f.Compression, r.g, ro)
	return r, err
}

// Next returns the next capture, which is the caller's to keep, or io.EOF. Records that are no captures are counted
// on the way. Another error is the file's own, and final.
func (r *recordReader) Next() (*schemas.Capture, error) {
	now := r.ahead
	if r.ahead = nil; now == nil {
		now = r.read()
	}
	if now.err != nil {
		return nil, now.err
	}
	if c := now.capture; c.RecordID != "" && c.HasFlag(schemas.FlagPartial) {
		r.ahead = r.read()
		next := r.ahead.firstID
		if r.ahead.records == 0 && r.ahead.err == io.EOF {
			var err error
			if next, err = r.idBehind(); err != nil {
				return nil, err
			}
		}
		if next == c.RecordID {
			c.AddFlag(schemas.FlagSuperseded)
			r.countFlags([]schemas.Flag{schemas.FlagSuperseded})
		}
	}
	return now.capture, nil
}

// read reads to the next capture.
func (r *recordReader) read() *result {
	var res result
	for res.capture == nil {
		rec, err := r.records.Next()
		if err != nil {
			res.err = err
			break
		}
		if res.records++; res.records == 1 {
			res.firstID = r.g.ID(rec)
		}
		res.capture = r.capture(rec)
	}
	return &res
}

// idBehind returns the ID of the record with which the next range begins, "" when there is none.
func (r *recordReader) idBehind() (string, error) {
	if r.in.End >= r.in.Size {
		return "", nil
	}
	rng := member.Range{Start: r.in.End, End: r.in.End + 1, Size: r.in.Size}
	next, err := record.NewReader(r.src, rng, r.format.Compression, r.g, record.Options{})
	if err != nil {
		return "", err
	}
	defer next.Close()
	rec, err := next.Next()
	if err != nil {
		return "", ignoreEOF(err)
	}
	return r.g.ID(rec), nil
}

// capture counts rec and returns its capture, nil when it is none.
func (r *recordReader) capture(rec *record.Record) *schemas.Capture {
	r.counts.Records++
	schemas.Count(&r.counts.ByType, r.g.Type(rec), 1)
	if r.segment(rec) {
		r.tally.note(rec.Offset, nil)
		r.countQuirks(rec.Quirks)
		return nil
	}
	c, quirks := r.g.Capture(rec, r.in.Name, payload.Options{MaxBody: r.o.MaxBody, MaxRatio: r.o.MaxRatio, HeadOnly: r.o.HeadOnly})
	r.countQuirks(rec.Quirks)
	r.countQuirks(quirks)
	if c != nil && c.Truncated == "" && !r.vouched(rec, c) && inDoubt(c) {
		c.AddFlag(schemas.FlagUnverified)
	}
	r.tally.note(rec.Offset, c)
	if c == nil {
		r.countFlags(rec.Flags)
		return nil
	}
	r.counts.Capture(c)
	return c
}

// inDoubt tells whether a body is not what its head says, or is text with a hole in it. The archive may be damaged there,
// or was written so.
func inDoubt(c *schemas.Capture) bool {
	return c.HasFlag(schemas.FlagPayload) || c.HasFlag(schemas.FlagChunked) || c.HasFlag(schemas.FlagEncoding) ||
		payload.HasHole(c)
}

// vouched tells whether something says that the bytes of a capture's record are those that were written: the checksum of
// its member, which every gzip member has, or a digest.
func (r *recordReader) vouched(rec *record.Record, c *schemas.Capture) bool {
	if r.records.Kind() == member.Gzip {
		return true
	}
	matches := func(field string, mismatch schemas.Flag) bool {
		return rec.Head.Get(field) != nil && !c.HasFlag(mismatch) && !c.HasFlag(schemas.FlagUnchecked)
	}
	return matches("WARC-Block-Digest", schemas.FlagBlock) ||
		c.RecordType != schemas.TypeRevisit && matches("WARC-Payload-Digest", schemas.FlagPayload)
}

// Counts returns what was seen so far; after io.EOF, BytesRead is the length of the range.
func (r *recordReader) Counts() schemas.Counts {
	s := r.records.Stats()
	c := r.counts
	c.BytesRead, c.BytesLost = s.Delivered+s.Structure+s.Lost, s.Lost
	return c
}

// Arrived returns, after io.EOF, the first start at or behind the range's end that reading came to, or the file's size:
// where the next range must start.
func (r *recordReader) Arrived() int64 { return r.records.Arrived() }

// Close frees the reader's memory; it does not close the source.
func (r *recordReader) Close() { r.records.Close() }

func (r *recordReader) countQuirks(quirks []string) {
	for _, q := range quirks {
		r.countQuirk(q)
	}
}

func (r *recordReader) countQuirk(name string) { schemas.Count(&r.counts.ByQuirk, name, 1) }

func (r *recordReader) countFlags(flags []schemas.Flag) {
	for _, f := range flags {
		schemas.Count(&r.counts.ByFlag, string(f), 1)
	}
}

// lost turns a loss into a reject.
func (r *recordReader) lost(l record.Loss) {
	r.counts.Rejects++
	schemas.Count(&r.counts.ByReject, string(l.Kind), 1)
	if r.o.OnReject == nil {
		return
	}
	r.o.OnReject(schemas.Reject{
		File: r.in.Name, Offset: l.From, Length: l.To - l.From, Lost: l.Bytes, Stage: "read", Kind: l.Kind, Message: l.Why,
	})
}
