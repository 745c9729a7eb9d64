package archive

import (
	"io"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
)

// recordReader reads archives of records with heads.
type recordReader struct {
	in       Input
	g        grammar
	o        Options
	src      io.ReaderAt
	format   Format
	records  *record.Reader
	counts   schemas.Counts
	tally    tally
	segments int  // that were told
	changed  bool // the whole is known to be other than it was written: see packedReader
	// At most one: it is returned before the next one can be held.
	held *held
	next *schemas.Capture // that was read after the one that was held, or nil
}

// held is a capture of a part of a record, until it is known whether the record stands after it once more, whole.
type held struct {
	capture *schemas.Capture
	nextID  string // of the first record after it
	records int    // skipped ones
}

func newRecordReader(src io.ReaderAt, in Input, f Format, o Options) (*recordReader, error) {
	r := &recordReader{in: in, src: src, format: f, g: f.grammar(), o: o}
	// OnDoubt comes after the captures of a member, when its checksum is read; Doubtful is asked before,
	// by what an earlier reading has found.
	ro := record.Options{
		MaxBlock: o.MaxBlock(), MaxHead: o.MaxHead, OnQuirk: r.countQuirk, OnDoubt: r.doubt,
		Doubtful: func(member int64) bool { return r.o.Suspects.has(r.in.Name, member) },
		Others:   otherGrammars(f),
	}
	if o.Marks != nil && f.Compression == member.Gzip {
		ro.Marks = o.Marks(in, src)
	}
	var err error
	r.records, err = record.NewReader(src, member.Range{Start: in.Start, End: in.End, Size: in.Size}, f.Compression, r.g,
		ro)
	return r, err
}

// Next is that of Reader. A held capture is returned after the rejects and segments up to the next capture.
func (r *recordReader) Next() (Item, error) {
	for {
		// Items read while another was held go first.
		item, err := Item{Capture: r.next}, error(nil)
		if r.next = nil; item.Capture == nil {
			item, err = r.read()
		}
		switch c := item.Capture; {
		// The next capture, or the end, decides about the one that is held.
		case r.held != nil && (c != nil || err != nil):
			r.next = c
			return r.release(err)
		// Only a capture that is cut and has an id can be followed by itself, whole.
		case err != nil || c == nil || c.RecordID == "" || !c.HasFlag(schemas.FlagPartial):
			return item, err
		default:
			c.Body = slices.Clone(c.Body) // it may be borrowed
			r.held = &held{capture: c}
		}
	}
}

// release tells the capture that was held. end is why reading has ended, nil when it has not.
func (r *recordReader) release(end error) (Item, error) {
	h := r.held
	r.held = nil
	// The range ended right after it: the record that decides is in the next range.
	if h.records == 0 && end == io.EOF {
		var err error
		if h.nextID, err = r.nextRangeID(); err != nil {
			return Item{}, err
		}
	}
	// A crawler that was interrupted writes the record again: the same id, right after the piece.
	if h.nextID == h.capture.RecordID {
		h.capture.AddFlag(schemas.FlagSuperseded)
		r.countFlags([]schemas.Flag{schemas.FlagSuperseded})
	}
	return Item{Capture: h.capture}, nil
}

// read reads to the next item.
func (r *recordReader) read() (Item, error) {
	for {
		rec, loss, err := r.records.Step()
		r.g = r.records.Grammar().(grammar) // all that it was given are
		if err != nil {
			return Item{}, err
		}
		if loss != nil {
			return r.lost(loss), nil
		}
		if h := r.held; h != nil {
			if h.records++; h.records == 1 {
				h.nextID = r.g.ID(rec)
			}
		}
		if item := r.item(rec); item != (Item{}) {
			return item, nil
		}
	}
}

// nextRangeID returns the ID of the record with which the next range begins, "" when there is none.
func (r *recordReader) nextRangeID() (string, error) {
	if r.in.End >= r.in.Size {
		return "", nil
	}
	// One byte long: a reader reads the whole of a member that begins in its range.
	rng := member.Range{Start: r.in.End, End: r.in.End + 1, Size: r.in.Size}
	next, err := record.NewReader(r.src, rng, r.format.Compression, r.format.grammar(),
		record.Options{Others: otherGrammars(r.format)})
	if err != nil {
		return "", err
	}
	defer next.Close()
	rec, err := next.Next()
	if err != nil {
		return "", ignoreEOF(err)
	}
	return next.Grammar().(grammar).ID(rec), nil
}

// item counts rec and returns its capture, or the segment that it is, or nothing.
func (r *recordReader) item(rec *record.Record) Item {
	r.counts.Records++
	schemas.Count(&r.counts.ByType, r.g.Type(rec), 1)
	if s := r.segment(rec); s != nil {
		// A segment is a record of its member, and no capture yet.
		r.tally.note(rec.Offset, nil)
		r.countQuirks(rec.Quirks)
		return Item{Segment: s}
	}
	c, quirks := r.g.Capture(rec, r.in.Name, payload.Options{
		MaxBody: r.o.MaxBody, MaxRatio: r.o.MaxRatio,
		HeadOnly: r.o.HeadOnly, Borrow: r.o.Borrow, Copy: r.o.Copy && !r.o.HeadOnly,
	})
	r.countQuirks(rec.Quirks)
	r.countQuirks(quirks)
	// A capture that the crawler itself has cut is odd in these ways without any damage.
	if c != nil && !r.vouched(rec, c) && (r.changed || c.Truncated == "" && inDoubt(c, quirks)) {
		c.AddFlag(schemas.FlagUnverified)
	}
	// A matching digest shows that the length was right, whatever follows.
	if c != nil && !digested(rec, c) && rec.MaySpanRecords() {
		c.AddFlag(schemas.FlagLength)
	}
	r.tally.note(rec.Offset, c)
	if c == nil {
		r.countFlags(rec.Flags)
		return r.other(rec)
	}
	if g, ok := r.g.(copier); ok && r.o.Copy {
		c.RecordFields = g.Fields(&rec.Head)
	}
	r.counts.Capture(c)
	return Item{Capture: c}
}

// copier is a grammar whose records can be copied.
type copier interface {
	// Fields returns the fields of a capture's record that the capture has no other place for.
	Fields(h *record.Head) []schemas.Field
	// Record returns a record that is not a capture. It owns its bytes.
	Record(rec *record.Record) *schemas.Record
}

// other returns rec, which is not a capture, where a copy is wanted.
func (r *recordReader) other(rec *record.Record) Item {
	if !r.o.Copy {
		return Item{}
	}
	s := &schemas.Record{Type: r.g.Type(rec)}
	if g, ok := r.g.(copier); ok {
		s = g.Record(rec)
	}
	s.File = r.in.Name
	return Item{Record: s}
}

// inDoubt reports whether a body is not what its head says, or is text with a hole in it. The archive may be damaged
// there, or was written so.
func inDoubt(c *schemas.Capture, quirks []string) bool {
	decoded := slices.Contains(quirks, httpmsg.QuirkDecodedBody) // or it no longer shows that it is coded
	return c.HasFlag(schemas.FlagPayload) || c.HasFlag(schemas.FlagChunked) || c.HasFlag(schemas.FlagEncoding) ||
		decoded && payload.IsNoText(c) || payload.HasHole(c)
}

// vouched reports whether a checksum or digest confirms the bytes of a capture's record. Every gzip member has a
// checksum.
func (r *recordReader) vouched(rec *record.Record, c *schemas.Capture) bool {
	return r.records.Kind() == member.Gzip || digested(rec, c)
}

// digested reports whether a digest matches.
func digested(rec *record.Record, c *schemas.Capture) bool {
	matches := func(field string, mismatch schemas.Flag) bool {
		// There is one, it was computed, and it is the same. FlagUnchecked says that it was not: its algorithm is
		// not known, or the payload is cut.
		return rec.Head.Get(field) != nil && !c.HasFlag(mismatch) && !c.HasFlag(schemas.FlagUnchecked)
	}
	return matches("WARC-Block-Digest", schemas.FlagBlock) ||
		c.RecordType != schemas.TypeRevisit && matches("WARC-Payload-Digest", schemas.FlagPayload)
}

// Counts returns the counts so far; after io.EOF, BytesRead is the length of the range.
func (r *recordReader) Counts() schemas.Counts {
	s := r.records.Stats()
	c := r.counts
	// Every byte of the range is one of these three.
	c.BytesRead, c.BytesLost = s.Delivered+s.Structure+s.Lost, s.Lost
	return c
}

// NextStart returns, after io.EOF, the start of the next range. It is the first start at or after the range's end, or
// the file's size.
func (r *recordReader) NextStart() int64 { return r.records.NextStart() }

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
func (r *recordReader) lost(l *record.Loss) Item {
	r.counts.Rejects++
	schemas.Count(&r.counts.ByReject, string(l.Kind), 1)
	return Item{Reject: &schemas.Reject{
		File: r.in.Name, Offset: l.From, Length: l.To - l.From, Lost: l.Bytes, Stage: "read", Kind: l.Kind, Message: l.Why,
	}}
}
