// Package dump reads and writes archives without record heads, unlike WARC and ARC: files of one capture each, and
// files with one capture a line. A format says what a line or a file means ([Lines], [Whole]). This package finds
// lines, decompresses, limits sizes, and handles damage, positions and counts for all of them. Formats write to a
// [Sink].
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

// Lines is a format with one capture a line, such as JSON lines. Its values are stateless.
type Lines interface {
	// Match reports whether a file begins with a line of this format. The argument head is its first bytes,
	// decompressed: at most 64 KiB, which may end within the line.
	Match(path string, head []byte) bool
	// Capture parses a line without its end and returns the capture and quirks. It keeps nothing of line. A nil capture
	// means that the line holds none; an error means that it cannot be read.
	Capture(line []byte, o payload.Options) (*schemas.Capture, []string, error)
}

// Framed is a format of Lines whose records need not be one a line. Files with such records are not split.
type Framed interface {
	Lines
	// Frames returns a finder of the records in r, whose first bytes are head, or nil if they are lines. A record
	// longer than limit is an error of kind ErrLimit.
	Frames(r io.Reader, head []byte, limit int) Frames
}

// Frames finds the records of a file.
type Frames interface {
	// Next returns the next record or line, valid until the next call. Errors are final, except for [lines.ErrTooLong].
	Next() ([]byte, error)
	// Span returns the position of the last record: offsets in the stream.
	Span() (start, end int64)
	// Open reports whether the stream appears to end within that record.
	Open() bool
}

// Whole is a format in which a file is one capture. Its values are stateless.
type Whole interface {
	// Match is as in Lines.
	Match(path string, head []byte) bool
	// Capture reads a file. A nil capture means that the file holds none, as one that describes others. An error means
	// that the file cannot be read.
	Capture(f File, o payload.Options) (*schemas.Capture, []string, error)
}

// Listing is a Whole format in which some files hold no capture but list others, in parts that may each be faulty.
type Listing interface {
	Whole
	// Parts yields the faults and quirks, in order, of a file for which Capture returned neither a capture nor an
	// error. There may be millions.
	Parts(f File) iter.Seq[Part]
}

// Part is a fault or a quirk of a part of a file.
type Part struct {
	Reject *schemas.Reject // the fault
	Quirk  string          // otherwise the quirk
}

// File is the input of a Whole format.
type File struct {
	Path  string // as the user named it
	Bytes []byte // content, after decompressing zlib
	Cut   bool   // the content exceeds the reader's limit
	// ReadFile reads another file of the same store by its path, at most MaxNeighbor bytes. A missing file is
	// fs.ErrNotExist.
	ReadFile func(path string) ([]byte, error)
	// Exists reports whether the store has a file. It may be nil.
	Exists func(path string) (bool, error)

	kept *Kept
}

// MaxNeighbor limits ReadFile; larger files are errors of kind ErrLimit.
const MaxNeighbor = 64 << 20

// Kept caches the results of the last two neighbors, which the files of a folder need again and again. The zero value
// is empty. It is not safe for concurrent use.
type Kept [2]struct {
	path  string
	value any
}

// Made returns the result of make for the neighbor of f at path, from the cache if possible. All callers for a path
// must use the same T.
func Made[T any](f File, path string, make func([]byte) T) (T, error) {
	for i, k := range f.kept {
		if v, ok := k.value.(T); ok && k.path == path {
			// The result moves to the front, so that the other is replaced next. f is a copy, but all files share kept.
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
	f.kept[1] = f.kept[0]
	f.kept[0].path, f.kept[0].value = path, v
	return v, nil
}

// Input is the range of a file to read.
type Input struct {
	Name       string // as the user named it
	Size       int64  // of the file, bytes
	Start, End int64  // reads what starts in [Start, End); archive.Starts gives valid starts; an End of 0 means Size
	// ReadFile reads other files for formats whose files belong together; see File. It may be nil.
	ReadFile func(path string) ([]byte, error)
	// Exists reports whether another file exists; see File. It may be nil.
	Exists func(path string) (bool, error)
	Kept   *Kept // cache for the files of a store; may be nil
}

// Options of a reader; the zero value takes the defaults.
type Options struct {
	MaxBody  int64  // bytes of a decoded body; 32 MiB
	MaxRatio int64  // decoded bytes a stored byte of a body, above 1 MiB; 1000
	HeadOnly bool   // omit bodies
	Doubtful bool   // the compressed stream is known to be damaged: captures are flagged unverified
	OnDoubt  func() // called when damage is found after captures without that flag; may be nil
}

func (o Options) maxBody() int64 { return cmp.Or(o.MaxBody, 32<<20) }

func (o Options) payload() payload.Options {
	return payload.Options{MaxBody: o.MaxBody, MaxRatio: o.MaxRatio, HeadOnly: o.HeadOnly}
}

// ErrLimit is the kind of errors for lines and files above a limit.
var ErrLimit = errors.New("over a limit")

// account keeps a reader's counts.
type account struct {
	in       Input
	o        Options
	counts   schemas.Counts
	rejected schemas.Reject // the last reject: see Item
}

// captured counts c, which may be nil, and its quirks. Records that are not captures count as read, too.
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

// doubt notes that the captures so far were from a damaged stream.
func (a *account) doubt() {
	if a.o.Doubtful {
		// All captures have the flag already.
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

// lost rejects bytes of the archive.
func (a *account) lost(r schemas.Reject) Item {
	r.File, r.Stage = a.in.Name, "read"
	// Limited to the file's size, because shares are estimates and may add up to more.
	r.Lost = max(0, min(r.Lost, a.in.Size-a.counts.BytesLost))
	a.counts.BytesLost += r.Lost
	a.counts.Rejects++
	schemas.Count(&a.counts.ByReject, string(r.Kind), 1)
	a.rejected = r
	return Item{Reject: &a.rejected}
}

// Counts returns the counts so far; after io.EOF, BytesRead is the length of the range.
func (a *account) Counts() schemas.Counts { return a.counts }

// kindOf returns the reject kind of a format's error.
func kindOf(err error) schemas.Kind {
	if errors.Is(err, ErrLimit) {
		return schemas.KindLimit
	}
	return schemas.KindGarbage
}

// source reads a part of a file. It keeps an error of reading the file, which must not be mistaken for damage.
type source struct {
	src     io.ReaderAt
	at, end int64
	err     error
}

func (s *source) Read(p []byte) (int, error) {
	if s.at >= s.end {
		return 0, io.EOF
	}
	n, err := s.src.ReadAt(p[:min(int64(len(p)), s.end-s.at)], s.at)
	s.at += int64(n)
	// With some bytes an error can wait: the next read returns it again.
	if n > 0 || err == nil {
		return n, nil
	}
	if err == io.EOF { // the file has become shorter
		return 0, io.ErrUnexpectedEOF
	}
	s.err = fmt.Errorf("reading at byte %d: %w", s.at, err)
	return 0, s.err
}
