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
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/member"
	"github.com/gleaner-web/gleaner/io/payload"
	"github.com/gleaner-web/gleaner/io/record"
	"github.com/gleaner-web/gleaner/schemas"
)

// Version is the version of what reading makes of archives; it changes when the same file gives other captures.
const Version = "1"

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
	// OnSegment takes the segments of logical records, in file order, to be joined when all are known (io/segment). A
	// segment that it takes, by returning true, is no capture. Of the others, as of all when it is nil, the first of
	// a logical record is a capture with the flag segment, and continuations are counted.
	OnSegment func(schemas.Segment) bool
}

// httpHead is the room beside the body that a block is kept with: an HTTP head is some kilobytes.
const httpHead = 1 << 20

// Reader reads captures in the order of the file. It is not safe for concurrent use.
type Reader struct {
	in      Input
	format  string
	g       grammar
	o       Options
	records *record.Reader
	counts  schemas.Counts
}

// NewReader returns a reader of the captures in the input's range of src, which is in the given format.
func NewReader(src io.ReaderAt, in Input, f Format, o Options) (*Reader, error) {
	r := &Reader{in: in, format: f.String(), g: f.grammar(), o: o}
	ro := record.Options{MaxHead: o.MaxHead, OnLoss: r.lost, OnQuirk: r.countQuirk}
	if o.MaxBody > 0 {
		ro.MaxBlock = o.MaxBody + httpHead
	}
	var err error
	r.records, err = record.NewReader(src, member.Range{Start: in.Start, End: in.End, Size: in.Size}, f.Compression, r.g, ro)
	return r, err
}

// Next returns the next capture, which is the caller's to keep, or io.EOF. Records that are no captures are counted
// on the way. Another error is the file's own, and final.
func (r *Reader) Next() (*schemas.Capture, error) {
	for {
		rec, err := r.records.Next()
		if err != nil {
			return nil, err
		}
		r.counts.Records++
		schemas.Count(&r.counts.ByType, r.g.Type(rec), 1)
		if r.segment(rec) {
			r.countQuirks(rec.Quirks)
			continue
		}
		c, quirks := r.g.Capture(rec, r.in.Name, payload.Options{MaxBody: r.o.MaxBody, MaxRatio: r.o.MaxRatio})
		r.countQuirks(rec.Quirks)
		r.countQuirks(quirks)
		if c == nil {
			r.countFlags(rec.Flags)
			continue
		}
		r.counts.Captures++
		r.counts.BodyBytes += int64(len(c.Body))
		r.countFlags(c.Flags)
		return c, nil
	}
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
