package segment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// Reader reads the records of plans. It is not safe for concurrent use.
type Reader struct {
	store    *blob.Store
	o        archive.Options
	plans    []Plan // not yet begun
	maxBlock int64
	counts   schemas.Counts

	// The remaining items of the current plan.
	left    []Left
	used    int // number of used segments
	capture *schemas.Capture

	// The open file, and the last read position in it, from which the next record is found.
	file    blob.Object
	source  meter
	records *record.Reader
	last    schemas.Segment
	spent   map[string]int64 // by file, bytes read in search of records; see budget
}

// NewReader returns a reader of the plans' records, which are in files in s. Of the options it uses the limits.
func NewReader(s *blob.Store, plans []Plan, o archive.Options) *Reader {
	// spent lives as long as the reader, so that the budget of a file covers all of its records.
	return &Reader{store: s, o: o, plans: plans, maxBlock: o.MaxBlock(), spent: map[string]int64{}}
}

// Counts returns the counters so far. They do not include records and bytes read, which the search for segments
// counted.
func (r *Reader) Counts() schemas.Counts { return r.counts }

// Close closes the open file.
func (r *Reader) Close() {
	if r.records != nil {
		r.records.Close()
	}
	if r.file != nil {
		r.file.Close()
	}
	r.records, r.file = nil, nil
}

// Next returns the next item, or io.EOF. For each plan it returns the unused segments as rejects, and then the capture
// of the others. There is no capture if the first segment is missing, or if its type is not a capture. An error of a
// file is final.
func (r *Reader) Next(ctx context.Context) (archive.Item, error) {
	for {
		switch {
		// Rejects come first, then the capture, then the next plan.
		case len(r.left) > 0:
			l := r.left[0]
			r.left = r.left[1:]
			return r.reject(l), nil
		case r.capture != nil:
			c := r.capture
			r.capture = nil
			return archive.Item{Capture: c}, nil
		case len(r.plans) == 0:
			return archive.Item{}, io.EOF
		}
		p := r.plans[0]
		r.plans = r.plans[1:]
		// It only sets the fields that the next iterations test.
		if err := r.read(ctx, p); err != nil {
			return archive.Item{}, err
		}
	}
}

// All returns the items and, last, the error that ended reading, except io.EOF.
func (r *Reader) All(ctx context.Context) iter.Seq2[archive.Item, error] {
	return func(yield func(archive.Item, error) bool) {
		defer r.Close()
		dump.All(func() (archive.Item, error) { return r.Next(ctx) })(yield)
	}
}

// read reads the segments of p.
func (r *Reader) read(ctx context.Context, p Plan) error {
	var joined record.Record
	for i, s := range p.Parts {
		err := r.add(ctx, &joined, s)
		// The record is no longer at its place: the parts before it still make one.
		if errors.Is(err, errGone) {
			why := fmt.Sprintf("segment %d of a record whose segment %d could not be read again", s.Number, s.Number)
			p.end(i, why)
			break
		}
		if err != nil {
			return fmt.Errorf("%s: segment at byte %d: %w", s.File, s.Offset, err)
		}
	}
	r.left, r.used = p.Left, len(p.Parts)
	if len(p.Parts) > 0 {
		// The flags of the plan mark the record as incomplete.
		flag(&joined, p.Flags...)
		r.capture = r.join(&joined, p.Parts[0].File)
	}
	return nil
}

// join makes the capture of a joined record.
func (r *Reader) join(rec *record.Record, file string) *schemas.Capture {
	c, quirks := warc.Grammar{}.Capture(rec, file, payload.Options{MaxBody: r.o.MaxBody, MaxRatio: r.o.MaxRatio})
	for _, q := range quirks {
		schemas.Count(&r.counts.ByQuirk, q, 1)
	}
	// A type that is not a capture was counted when its segments were found.
	if c == nil {
		return nil
	}
	r.counts.Capture(c)
	return c
}

// add adds the block of segment s to the joined record, and its head if it is the first.
func (r *Reader) add(ctx context.Context, joined *record.Record, s schemas.Segment) error {
	// The block has reached its limit, or the previous part was cut. Sizes are still counted.
	if joined.Size > int64(len(joined.Block)) || joined.Size >= r.maxBlock { // nothing of it would be kept
		joined.Size += s.Size
		flag(joined, s.Flags...)
		return nil
	}
	rec, err := r.find(ctx, s)
	if err != nil {
		return err
	}
	if s.Number == 1 {
		begin(joined, rec)
		// A later segment may say that the whole record was cut, which belongs into the joined head.
	} else if v := rec.Head.Get(truncated); v != nil {
		joined.Head.Fields = append(joined.Head.Fields, record.Field{Name: []byte(truncated), Value: bytes.Clone(v)})
	}
	flag(joined, rec.Flags...)
	if slices.Contains(s.Flags, schemas.FlagUnverified) { // only a read of the whole member can detect this
		flag(joined, schemas.FlagUnverified)
	}
	flag(joined, checkBlock(rec)...)
	// Never more than the largest block, as for a record in one piece.
	room := r.maxBlock - int64(len(joined.Block))
	joined.Block = append(joined.Block, rec.Block[:min(room, int64(len(rec.Block)))]...)
	joined.Size += rec.Size
	return nil
}

// truncated is the field of the last segment if the whole record was cut (section 5.13 of WARC/1.1).
const truncated = "WARC-Truncated"

// begin copies the head of rec, its first segment, into joined, because rec's memory is reused. It leaves out the
// digest of the block, which covers only the segment. The payload digest covers the whole.
func begin(joined, rec *record.Record) {
	joined.Offset, joined.Length, joined.Ordinal = rec.Offset, rec.Length, rec.Ordinal
	joined.Head.Line = bytes.Clone(rec.Head.Line)
	for _, f := range rec.Head.Fields {
		if !bytes.EqualFold(f.Name, []byte(blockDigest)) {
			joined.Head.Fields = append(joined.Head.Fields, record.Field{Name: bytes.Clone(f.Name), Value: bytes.Clone(f.Value)})
		}
	}
}

const blockDigest = "WARC-Block-Digest"

// checkBlock compares a segment's own digest with its block.
func checkBlock(rec *record.Record) []schemas.Flag {
	declared := rec.Head.Get(blockDigest)
	if declared == nil {
		return nil
	}
	d, err := digest.Parse(string(declared))
	// An unknown algorithm, or a cut block: nothing can be checked.
	if err != nil || rec.Size > int64(len(rec.Block)) {
		return []schemas.Flag{schemas.FlagUnchecked}
	}
	if !d.Matches(rec.Block) {
		return []schemas.Flag{schemas.FlagBlock}
	}
	return nil
}

// flag adds the flags that rec lacks.
func flag(rec *record.Record, flags ...schemas.Flag) {
	for _, f := range flags {
		if !slices.Contains(rec.Flags, f) {
			rec.Flags = append(rec.Flags, f)
		}
	}
}

// reject reports an unused segment. A duplicate loses nothing.
func (r *Reader) reject(l Left) archive.Item {
	lost := l.Length
	// Another segment with its number was used.
	if l.Number <= r.used {
		lost = 0
	}
	r.counts.Rejects++
	schemas.Count(&r.counts.ByReject, string(schemas.KindSegment), 1)
	r.counts.BytesLost += lost
	return archive.Item{Reject: &schemas.Reject{
		File: l.File, Offset: l.Offset, Length: l.Length, Lost: lost, Stage: "read",
		Kind: schemas.KindSegment, Message: l.Why, Record: l.OriginID,
	}}
}

// errGone means that a record is no longer at its place.
var errGone = errors.New("the record was not found again")

// find reads the record of s. It is valid until the next call.
func (r *Reader) find(ctx context.Context, s schemas.Segment) (*record.Record, error) {
	if err := r.seek(ctx, s); err != nil {
		return nil, err
	}
	defer r.charge(s)
	for {
		rec, err := r.records.Next()
		switch {
		case err == io.EOF:
			return nil, errGone
		// A record at another place: the file has changed since it was listed.
		case err != nil:
			return nil, err
		case rec.Offset != s.Offset:
			return nil, errGone
		}
		r.last = s
		r.last.Sequence = rec.Ordinal
		// Records of one member are read in order, since nothing leads to them directly.
		if rec.Ordinal < s.Sequence {
			continue
		}
		// The place is right, but this is not the earlier record.
		if again, _ := (warc.Grammar{}).Segment(rec); again == nil || again.OriginID != s.OriginID ||
			again.Number != s.Number {
			return nil, errGone
		}
		return rec, nil
	}
}

// seek opens the member that s begins in, unless it is open and s comes later in it.
func (r *Reader) seek(ctx context.Context, s schemas.Segment) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.file == nil || r.file.Name() != s.File {
		if err := r.open(ctx, s.File); err != nil {
			return err
		}
	}
	// It comes later in the open member: reading continues there.
	if r.records != nil && r.last.Offset == s.Offset && r.last.Sequence < s.Sequence {
		return nil
	}
	// Searches in this file have cost too much; the record counts as not found.
	if r.spent[s.File] > budget(r.file.Size()) {
		return errGone
	}
	format, err := archive.ParseFormat(s.Format)
	if err != nil {
		return err
	}
	if r.records != nil {
		r.records.Close()
	}
	// A range of one byte selects only the member that begins there.
	rng := member.Range{Start: s.Offset, End: s.Offset + 1, Size: r.file.Size()}
	o := record.Options{MaxBlock: r.maxBlock, MaxHead: r.o.MaxHead}
	r.records, err = record.NewReader(&r.source, rng, format.Compression, warc.Grammar{}, o)
	return err
}

func (r *Reader) open(ctx context.Context, name string) error {
	r.Close()
	f, err := r.store.Open(ctx, name)
	if err != nil {
		return err
	}
	// A new meter, because spent counts by file.
	r.file, r.source = f, meter{src: f}
	return nil
}

// budget limits the bytes of a file that are read to find segments after other records in their members. Each search
// may read the whole file, so a malicious file could keep a worker busy forever. Searches after damage have the same
// limit: sixteen times the file's size, and 64 MiB.
func budget(size int64) int64 { return 16*size + 64<<20 }

// charge adds the cost of finding s, unless it is the first record of its member, which is found at once.
func (r *Reader) charge(s schemas.Segment) {
	if s.Sequence > 0 {
		r.spent[s.File] += r.source.n
	}
	r.source.n = 0
}

// meter counts the read bytes.
type meter struct {
	src io.ReaderAt
	n   int64
}

// ReadAt reads from the source.
func (m *meter) ReadAt(p []byte, off int64) (int, error) {
	n, err := m.src.ReadAt(p, off)
	// Includes the bytes of a failed read.
	m.n += int64(n)
	return n, err
}
