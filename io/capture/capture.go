// Package capture reads the captures of an archive file, whatever its format: it tells the format by content, offers
// the one [Reader] that all formats are read with, and the places where a file can be split.
//
//	f, _ := os.Open("a.warc.gz")
//	format, err := capture.Detect(f, size)
//	r, err := capture.NewReader(f, capture.Input{Name: "a.warc.gz", Size: size, End: size}, format, capture.Options{})
//	for {
//		c, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		fmt.Println(c.URL, c.Status, len(c.Body))
//	}
package capture

import (
	"cmp"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/member"
	"github.com/gleaner-web/gleaner/io/payload"
	"github.com/gleaner-web/gleaner/io/record"
	"github.com/gleaner-web/gleaner/schemas"
)

// Version is the version of what reading makes of archives; it changes when the same file gives other captures.
const Version = "2"

// Input is the range of a file to read.
type Input struct {
	Name       string // as the user named it
	Size       int64  // of the file, bytes
	Start, End int64  // the records that start in [Start, End); 0 and Size, or starts that Starts gave
}

// Options of a Reader; the zero value takes the defaults.
type Options struct {
	MaxBody  int64                // bytes of a decoded body; 32 MiB
	MaxHead  int                  // bytes of a record's head; 1 MiB
	MaxRatio int64                // decoded bytes a stored byte of a body, above 1 MiB; 1000
	OnReject func(schemas.Reject) // called for each loss, in file order; may be nil
	// HeadOnly leaves bodies out, which is faster by far: Capture.Body is nil, and the flags and quirks of decoding a
	// body and of checking digests are not there. Everything else is as without it.
	HeadOnly bool
	// OnSegment takes the segments of logical records, in file order, to be joined when all are known (io/segment). A
	// segment that it takes, by returning true, is no capture. Of the others, as of all when it is nil, the first of
	// a logical record is a capture with the flag segment, and continuations are counted.
	OnSegment func(schemas.Segment) bool
}

// MaxBlock is how many bytes of a record's block are kept for a body of MaxBody: an HTTP head is some kilobytes.
func (o Options) MaxBlock() int64 { return cmp.Or(o.MaxBody, 32<<20) + 1<<20 }

// Reader reads captures in the order of the file. It is not safe for concurrent use.
type Reader struct {
	in      Input
	g       grammar
	o       Options
	src     io.ReaderAt
	format  Format
	records *record.Reader
	counts  schemas.Counts
	ahead   *result // what was read to see what follows a partial record
}

// result is what one reading gave.
type result struct {
	capture *schemas.Capture
	records int    // that were gone over
	firstID string // of the first of them
	err     error
}

// NewReader returns a reader of the captures in the input's range of src, which is in the given format.
func NewReader(src io.ReaderAt, in Input, f Format, o Options) (*Reader, error) {
	r := &Reader{in: in, src: src, format: f, g: f.grammar(), o: o}
	ro := record.Options{MaxBlock: o.MaxBlock(), MaxHead: o.MaxHead, OnLoss: r.lost, OnQuirk: r.countQuirk}
	var err error
	r.records, err = record.NewReader(src, member.Range{Start: in.Start, End: in.End, Size: in.Size}, f.Compression, r.g, ro)
	return r, err
}

// Next returns the next capture, which is the caller's to keep, or io.EOF. Records that are no captures are counted
// on the way. Another error is the file's own, and final.
func (r *Reader) Next() (*schemas.Capture, error) {
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
func (r *Reader) read() *result {
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
func (r *Reader) idBehind() (string, error) {
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
func (r *Reader) capture(rec *record.Record) *schemas.Capture {
	r.counts.Records++
	schemas.Count(&r.counts.ByType, r.g.Type(rec), 1)
	if r.segment(rec) {
		r.countQuirks(rec.Quirks)
		return nil
	}
	c, quirks := r.g.Capture(rec, r.in.Name, payload.Options{MaxBody: r.o.MaxBody, MaxRatio: r.o.MaxRatio, HeadOnly: r.o.HeadOnly})
	r.countQuirks(rec.Quirks)
	r.countQuirks(quirks)
	if c == nil {
		r.countFlags(rec.Flags)
		return nil
	}
	r.counts.Captures++
	r.counts.BodyBytes += int64(len(c.Body))
	r.countFlags(c.Flags)
	return c
}

// All returns the captures and, last, the error that ended reading, if it was not the end.
func (r *Reader) All() iter.Seq2[*schemas.Capture, error] {
	return func(yield func(*schemas.Capture, error) bool) {
		for {
			c, err := r.Next()
			if err == io.EOF || !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// Counts returns what was seen so far; after io.EOF, BytesRead is the length of the range.
func (r *Reader) Counts() schemas.Counts {
	s := r.records.Stats()
	c := r.counts
	c.BytesRead, c.BytesLost = s.Delivered+s.Structure+s.Lost, s.Lost
	return c
}

// Arrived returns, after io.EOF, the first start at or behind the range's end that reading came to, or the file's size:
// where the next range must start.
func (r *Reader) Arrived() int64 { return r.records.Arrived() }

// Close frees the reader's memory; it does not close the source.
func (r *Reader) Close() { r.records.Close() }

func (r *Reader) countQuirks(quirks []string) {
	for _, q := range quirks {
		r.countQuirk(q)
	}
}

func (r *Reader) countQuirk(name string) { schemas.Count(&r.counts.ByQuirk, name, 1) }

func (r *Reader) countFlags(flags []schemas.Flag) {
	for _, f := range flags {
		schemas.Count(&r.counts.ByFlag, string(f), 1)
	}
}

// lost turns a loss into a reject.
func (r *Reader) lost(l record.Loss) {
	r.counts.Rejects++
	schemas.Count(&r.counts.ByReject, string(l.Kind), 1)
	if r.o.OnReject == nil {
		return
	}
	r.o.OnReject(schemas.Reject{
		File: r.in.Name, Offset: l.From, Length: l.To - l.From, Lost: l.Bytes, Stage: "read", Kind: l.Kind, Message: l.Why,
	})
}
