package archive

import (
	"cmp"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
)

// Version is the version of what reading makes of archives; it changes when the same file gives other captures.
const Version = "11"

// Input is the range of a file to read.
type Input = dump.Input

// Item is a capture, a reject or a segment.
type Item = dump.Item

// Options of a Reader; the zero value takes the defaults.
type Options struct {
	MaxBody  int64 // bytes of a decoded body; 32 MiB
	MaxHead  int   // bytes of a record's head; 1 MiB
	MaxRatio int64 // decoded bytes a stored byte of a body, above 1 MiB; 1000
	// HeadOnly leaves out payloads, which is much faster. Capture.Body is nil, and flags and quirks of decoding and of
	// checking digests are missing. Nothing else changes.
	HeadOnly bool
	// Borrow lets Capture.Body share memory that the next call of Next overwrites. It saves a copy.
	Borrow bool
	// Copy adds the data that only a copy of an archive needs. These are records that are not captures, as Item.Record,
	// and the fields and blocks of records, as Capture.RecordFields and Capture.Block.
	Copy bool
	// Only are the names of the formats that package work reads; files of others are rejected. Empty is all of them.
	Only []string
	// Suspects are the damaged members of an earlier reading; this one adds its own. It may be nil. Captures that were
	// delivered before their member's end was reached then have no flag for its damage. Counts and a reject have it.
	Suspects *Suspects
	// MaxSegments is the number of segments of logical records that are items, to be joined later (io/work/segment).
	// For the others, and for all if it is 0, the first segment of a record is a capture with the flag segment.
	// Continuations are counted. With a negative value they count as over the limit.
	MaxSegments int
	// Marks returns what collects the places in long gzip members of a range of a file, from which CaptureAt can read.
	// It may be nil, and may return nil.
	Marks func(in Input, src io.ReaderAt) Marks
}

// Marks collects such places.
type Marks = record.Marks

// MaxBlock returns the number of bytes of a record's block that are kept for a body of MaxBody: an HTTP head has some
// kilobytes.
func (o Options) MaxBlock() int64 { return cmp.Or(o.MaxBody, 32<<20) + 1<<20 }

// Reader reads captures in the order of the file. It is not safe for concurrent use.
type Reader struct{ reader }

// reader is what reads a format.
type reader interface {
	// Next returns the next item, or io.EOF. Items come in the order of the input. Only a capture of a partial record
	// comes after the following rejects and segments, because the next record decides about it. A reader holds one item
	// at a time, so that damage does not increase the cost. Records that are not captures are counted. Any other error
	// comes from the file, and is final.
	Next() (Item, error)
	// Counts returns the counts so far; after io.EOF, BytesRead is the length of the range.
	Counts() schemas.Counts
	// NextStart returns, after io.EOF, the start of the next range. It is the first start at or after the range's end,
	// or the file's size.
	NextStart() int64
	// Close frees the reader's memory; it does not close the source.
	Close()
}

// NewReader returns a reader of the captures in the input's range of src, which is in the given format.
func NewReader(src io.ReaderAt, in Input, f Format, o Options) (*Reader, error) {
	in.End = cmp.Or(in.End, in.Size)
	known := f.row()
	var r reader
	var err error
	switch {
	case known.lines != nil:
		r, err = dump.NewLineReader(src, in, known.lines, o.codec(in.Name))
	case known.whole != nil:
		r = dump.NewWholeReader(src, in, known.whole, o.codec(in.Name))
	case known.packed:
		r, err = newPackedReader(src, in, o)
	default:
		r, err = newRecordReader(src, in, f, o)
	}
	if err != nil {
		return nil, err
	}
	return &Reader{r}, nil
}

// codec are those options that hold for all formats.
func (o Options) codec(file string) dump.Options {
	return dump.Options{
		MaxBody: o.MaxBody, MaxRatio: o.MaxRatio, HeadOnly: o.HeadOnly,
		Doubtful: o.Suspects.has(file, 0), OnDoubt: func() { o.Suspects.add(file, 0) },
	}
}

// All returns the items and, last, the error that ended reading, if it was not the end.
func (r *Reader) All() iter.Seq2[Item, error] { return dump.All(r.Next) }

// Captures is All for those who want captures alone. Rejects are in Counts.
func (r *Reader) Captures() iter.Seq2[*schemas.Capture, error] { return dump.Captures(r.Next) }
