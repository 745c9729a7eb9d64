package capture

import (
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/arc"
	"github.com/gleaner-web/gleaner/io/member"
	"github.com/gleaner-web/gleaner/io/payload"
	"github.com/gleaner-web/gleaner/io/record"
	"github.com/gleaner-web/gleaner/io/warc"
	"github.com/gleaner-web/gleaner/schemas"
)

// grammar is what a format has to know of its records.
type grammar interface {
	record.Grammar
	Type(rec *record.Record) string
	ID(rec *record.Record) string
	// Segment returns nil for a record that is whole, and when its segment fields are broken the quirk that says so.
	Segment(rec *record.Record) (*schemas.Segment, string)
	Capture(rec *record.Record, file string, o payload.Options) (*schemas.Capture, []string)
}

// formats is the table of the archive formats that are read; a new one is a line here.
var formats = []struct {
	name    string
	grammar grammar
}{
	{"warc", warc.Grammar{}},
	{"arc", arc.Grammar{}},
}

// Format is how a file is written.
type Format struct {
	Name        string // "warc" or "arc"
	Compression member.Kind
}

// String returns for instance "warc+gzip".
func (f Format) String() string { return f.Name + "+" + f.Compression.String() }

// ParseFormat reads what String wrote.
func ParseFormat(s string) (Format, error) {
	for _, known := range formats {
		for kind := member.Plain; kind <= member.LZ4; kind++ {
			if f := (Format{known.name, kind}); f.String() == s {
				return f, nil
			}
		}
	}
	return Format{}, fmt.Errorf("unknown archive format %q", s)
}

func (f Format) grammar() grammar {
	for _, known := range formats {
		if known.name == f.Name {
			return known.grammar
		}
	}
	return formats[0].grammar
}

// ErrUnsupported is returned for a file in which no record of a known format stands anywhere.
var ErrUnsupported = errors.New("no archive record of a known format found (WARC or ARC; plain, gzip, zstd or lz4)")

// maxSearch bounds how far into a file its first record is looked for, so that a large file of another kind is told
// from an archive at a bounded price.
const maxSearch = 256 << 20

// Detect tells a file's format by its content. A file whose beginning is damaged is searched for the first record in
// its first 256 MiB.
func Detect(src io.ReaderAt, size int64) (Format, error) {
	kind, err := member.Detect(src, size)
	if err != nil {
		return Format{}, err
	}
	limit := min(size, maxSearch)
	f, ok, err := formatAt(src, 0, limit, kind)
	if ok || err != nil {
		return f, err
	}
	return search(src, limit)
}

func readAt(src io.ReaderAt, off int64, n int) ([]byte, error) {
	b := make([]byte, n)
	k, err := src.ReadAt(b, off)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return b[:k], nil
}

// formatAt tells of which format the first record is that is reached from off on in members of the given kind.
func formatAt(src io.ReaderAt, off, limit int64, kind member.Kind) (f Format, ok bool, err error) {
	r, err := member.NewReader(src, member.Range{Start: off, End: limit, Size: limit}, kind, member.Options{IsHead: anyHead})
	if err != nil {
		return f, false, err
	}
	b := make([]byte, 0, 4096)
	for range maxEmpty {
		if _, err := r.Next(); err != nil {
			return f, false, ignoreEOF(err)
		}
		b = readSome(r, b[:0])
		if blank(b) {
			continue
		}
		for _, known := range formats {
			if isHead(known.grammar, false)(b) {
				return Format{known.name, kind}, true, nil
			}
		}
		break
	}
	return f, false, nil
}

// maxEmpty bounds the empty members that are looked behind.
const maxEmpty = 64

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func blank(b []byte) bool {
	for _, c := range b {
		if c != '\r' && c != '\n' && c != 0 {
			return false
		}
	}
	return true
}

// readSome reads from r until b is full or the member ends, in whatever way.
func readSome(r *member.Reader, b []byte) []byte {
	for err := error(nil); err == nil && len(b) < cap(b); {
		b, err = r.Append(b)
	}
	return b
}

// isHead tells whether bytes begin with a head of g, behind blank lines and a byte order mark.
func isHead(g record.Grammar, strict bool) func([]byte) bool {
	return func(b []byte) bool { return g.Match(record.SkipBlank(b), strict) }
}

// anyHead tells whether b begins with a head of any format, by strict evidence.
func anyHead(b []byte) bool {
	for _, f := range formats {
		if isHead(f.grammar, true)(b) {
			return true
		}
	}
	return false
}

// search looks for the first record of any format in any compression.
func search(src io.ReaderAt, limit int64) (found Format, err error) {
	best := limit
	for _, kind := range []member.Kind{member.Gzip, member.Zstd, member.LZ4} {
		q, err := member.Search(src, kind, 0, best, anyHead)
		if err != nil {
			return Format{}, err
		}
		if q == best {
			continue
		}
		f, ok, err := formatAt(src, q, limit, kind)
		if err != nil {
			return Format{}, err
		}
		if ok {
			best, found = q, f
		}
	}
	plain, ok, err := searchPlain(src, best)
	switch {
	case err != nil:
		return Format{}, err
	case ok:
		return plain, nil
	case best == limit:
		return Format{}, ErrUnsupported
	}
	return found, nil
}

// searchPlain returns the format of the first head that stands uncompressed before limit.
func searchPlain(src io.ReaderAt, limit int64) (f Format, ok bool, err error) {
	const window, overlap = 1 << 20, 4 << 10
	for at := int64(0); at < limit; at += window - overlap {
		b, err := readAt(src, at, int(min(window, limit-at)))
		if err != nil {
			return f, false, fmt.Errorf("reading at byte %d: %w", at, err)
		}
		best := len(b)
		for _, known := range formats {
			for i := known.grammar.Index(b, 0); i >= 0 && i < best; i = known.grammar.Index(b, i+1) {
				if known.grammar.Match(b[i:min(len(b), i+overlap)], true) {
					best, f, ok = i, Format{known.name, member.Plain}, true
				}
			}
		}
		if ok || len(b) < window {
			break
		}
	}
	return f, ok, nil
}
