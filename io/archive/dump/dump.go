// Package dump reads and writes archives that are not sequences of records with heads, like WARC and ARC: files that
// are one capture each, and files with one capture on each line. A format says what a line or a file means ([Lines],
// [Whole]); finding and bounding lines, decompression, damage, positions and accounts are here, once for all of them.
// What it writes, a format gives to a [Sink].
//
// Formats are told apart and opened by package archive, which has the table of all of them.
//
//	in := dump.Input{Name: "pages.jsonl", Size: size, End: size}
//	r, err := dump.NewLineReader(file, in, ache.JSON{}, dump.Options{})
//	for {
//		item, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		if item.Capture != nil {
//			fmt.Println(item.Capture.URL, len(item.Capture.Body))
//		}
//	}
package dump

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// Lines is a format of one capture a line, such as JSON lines. Its values are stateless.
type Lines interface {
	// Match reports whether a file begins with a line of this format. head is its first bytes, decompressed: at most
	// 64 KiB, which may end within the line.
	Match(path string, head []byte) bool
	// Capture reads a line, which is without its end and is used again after the call, and returns the quirks met. A
	// nil capture is a line that holds none; an error is why the line cannot be read.
	Capture(line []byte, o payload.Options) (*schemas.Capture, []string, error)
}

// Framed is a format of Lines whose records may also stand otherwise than one a line. A file of such is not split.
type Framed interface {
	Lines
	// Frames returns what finds the records in r, whose first bytes head are; nil when they are lines. Records longer
	// than limit are an error of kind ErrLimit.
	Frames(r io.Reader, head []byte, limit int) Frames
}

// Frames finds the records of a file.
type Frames interface {
	// Next returns the next record, or line, until the next call. Errors are final, except for [lines.ErrTooLong].
	Next() ([]byte, error)
	// Span is where the record stands that Next returned last: offsets in the stream.
	Span() (start, end int64)
	// Open reports whether the stream ended within that record, as far as can be seen.
	Open() bool
}

// Whole is a format in which a file is one capture. Its values are stateless.
type Whole interface {
	// Match is that of Lines.
	Match(path string, head []byte) bool
	// Capture reads a file. A nil capture is a file that holds none, such as one that describes others; an error is why
	// the file cannot be read.
	Capture(f File, o payload.Options) (*schemas.Capture, []string, error)
}

// Listing is a Whole format of which some files hold no capture, but list others, in parts that can be wrong one by
// one.
type Listing interface {
	Whole
	// Parts reads a file of which Capture made neither a capture nor an error, and yields faults and anomalies of its
	// parts, in their order. It is a sequence because there may be millions.
	Parts(f File) iter.Seq[Part]
}

// Part is a fault or an anomaly of a part of a file.
type Part struct {
	Reject *schemas.Reject // where it is, how long, and why it cannot be read, or what it says that does not hold
	Quirk  string          // or else its anomaly
}

// File is what a format that is Whole reads.
type File struct {
	Path  string // as the user named it
	Bytes []byte // the content, with zlib undone
	Cut   bool   // there is more of it than the reader's limit
	// ReadFile reads another file of the same store by its path, such as one that says what the files of its folder
	// are: at most MaxNeighbor bytes. One that is not there is fs.ErrNotExist.
	ReadFile func(path string) ([]byte, error)
	// Exists reports whether the store has a file; nil when nobody can tell.
	Exists func(path string) (bool, error)

	kept *Kept
}

// MaxNeighbor limits the size for ReadFile; larger files are of kind ErrLimit.
const MaxNeighbor = 64 << 20

// Kept has the results of the last two neighbors, because the files of a folder need the same ones again and again. The
// zero value keeps nothing yet. It is not safe for concurrent use.
type Kept [2]struct {
	path  string
	value any
}

// Made returns what make makes of the neighbor of f called path, or has made of it for another file. T must be the same
// for all that ask for the path.
func Made[T any](f File, path string, make func([]byte) T) (T, error) {
	for i, k := range f.kept {
		if v, ok := k.value.(T); ok && k.path == path {
			// The one found becomes the first, so that the one asked for less is replaced next. f is a copy, but
			// kept points to what all files share.
			f.kept[0], f.kept[i] = k, f.kept[0]
			return v, nil
		}
	}
	b, err := f.ReadFile(path)
	if err != nil {
		var none T
		return none, err
	}
	v := make(b)
	// Stored by path, whatever T is: the doc comment's rule makes the type assertion above safe.
	f.kept[1] = f.kept[0]
	f.kept[0].path, f.kept[0].value = path, v
	return v, nil
}

// Input is the range of a file to read.
type Input struct {
	Name       string // as the user named it
	Size       int64  // of the file, bytes
	Start, End int64  // what starts in [Start, End) is read: starts that archive.Starts gave; an End of 0 is Size
	// ReadFile reads other files for formats in which files belong together; see File. It may be nil.
	ReadFile func(path string) ([]byte, error)
	// Exists tells for the same whether there is a file. It may be nil.
	Exists func(path string) (bool, error)
	Kept   *Kept // what the files of a store share, or nil
}

// Options of a reader; the zero value takes the defaults.
type Options struct {
	MaxBody  int64  // bytes of a decoded body; 32 MiB
	MaxRatio int64  // decoded bytes a stored byte of a body, above 1 MiB; 1000
	HeadOnly bool   // leave bodies out
	Doubtful bool   // the file's compressed stream is known to be damaged: captures are flagged unverified
	OnDoubt  func() // called when it turns out to be, after captures without that flag; may be nil
}

func (o Options) maxBody() int64 { return cmp.Or(o.MaxBody, 32<<20) }

func (o Options) payload() payload.Options {
	return payload.Options{MaxBody: o.MaxBody, MaxRatio: o.MaxRatio, HeadOnly: o.HeadOnly}
}

// ErrLimit is the kind of errors about lines and files above a limit.
var ErrLimit = errors.New("over a limit")

// account counts what a reader meets.
type account struct {
	in       Input
	o        Options
	counts   schemas.Counts
	rejected schemas.Reject // the last one: see Item
}

// captured counts c, which may be nil, and its anomalies. Records that are not captures count as read, too.
func (a *account) captured(c *schemas.Capture, quirks []string) {
	for _, q := range quirks {
		schemas.Count(&a.counts.ByQuirk, q, 1)
	}
	a.counts.Records++
	if c == nil {
		schemas.Count(&a.counts.ByType, "other", 1)
		return
	}
	schemas.Count(&a.counts.ByType, string(c.RecordType), 1)
	a.counts.Capture(c)
}

// doubt says that the captures so far were of a stream that is damaged.
func (a *account) doubt() {
	if a.o.Doubtful {
		// All captures had the flag from the start.
		return
	}
	if a.o.OnDoubt != nil {
		a.o.OnDoubt()
	}
	if a.counts.Captures > 0 {
		schemas.Count(&a.counts.ByFlag, string(schemas.FlagUnverified), a.counts.Captures)
	}
	a.counts.Damaged = a.counts.Captures
}

// lost rejects bytes of the archive. No more can be lost than was read.
func (a *account) lost(r schemas.Reject) Item {
	r.File, r.Stage = a.in.Name, "read"
	// Never more than the file has: shares are estimates, and their sum may be too large.
	r.Lost = max(0, min(r.Lost, a.in.Size-a.counts.BytesLost))
	a.counts.BytesLost += r.Lost
	a.counts.Rejects++
	schemas.Count(&a.counts.ByReject, string(r.Kind), 1)
	a.rejected = r
	return Item{Reject: &a.rejected}
}

// Counts returns the counts so far; after io.EOF, BytesRead is the length of the range.
func (a *account) Counts() schemas.Counts { return a.counts }

// kindOf names the fault of a line or file that its format does not read.
func kindOf(err error) schemas.Kind {
	if errors.Is(err, ErrLimit) {
		return schemas.KindLimit
	}
	return schemas.KindGarbage
}

// source reads a part of a file in order. It keeps the file's own error, so that it is not taken for damage.
type source struct {
	src     io.ReaderAt
	at, end int64
	err     error
}

// Read reads what follows.
func (s *source) Read(p []byte) (int, error) {
	if s.at >= s.end {
		return 0, io.EOF
	}
	// Never beyond the range's end, though the file may go on.
	n, err := s.src.ReadAt(p[:min(int64(len(p)), s.end-s.at)], s.at)
	s.at += int64(n)
	// With bytes in hand an error can wait: it comes again with the next read.
	if n > 0 || err == nil {
		return n, nil
	}
	if err == io.EOF { // the file is shorter than it was
		return 0, io.ErrUnexpectedEOF
	}
	s.err = fmt.Errorf("reading at byte %d: %w", s.at, err)
	return 0, s.err
}
