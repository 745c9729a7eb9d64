package archive

import (
	"bytes"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// search looks for the first record of any format in any compression.
func search(src io.ReaderAt, limit int64) (found Format, err error) {
	// The first record of all wins: each search goes only as far as the best so far.
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
	plain, ok, err := searchPlain(src, best, false)
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

// searchInside returns the format of the first record inside the first member of an archive. If all is one member, the
// first head of the archive may be damaged.
func searchInside(src io.ReaderAt, limit int64, kind member.Kind) (f Format, ok bool, err error) {
	r, err := member.NewReader(src, member.Range{End: limit, Size: limit}, kind, member.Options{IsHead: anyHead})
	if err != nil {
		return f, false, err
	}
	if _, err := r.Next(); err != nil {
		return f, false, ignoreEOF(err)
	}
	b := readSome(r, make([]byte, 0, maxInside))
	f, ok, err = searchPlain(bytes.NewReader(b), int64(len(b)), true)
	f.Compression = kind
	return f, ok, err
}

// maxInside limits the decoded bytes in which searchInside looks for a record.
const maxInside = 8 << 20

// searchPlain returns the format of the first head that stands uncompressed before limit and leads to another one.
// Pages show heads, of either format: so the first one of all counts only when none does so in the same window. With
// mustLead it never counts.
func searchPlain(src io.ReaderAt, limit int64, mustLead bool) (f Format, ok bool, err error) {
	const window = 1 << 20
	// Windows overlap by a head, so that none is cut at their border.
	for at := int64(0); at < limit; at += window - headSize {
		b, err := readAt(src, at, int(min(window, limit-at)))
		if err != nil {
			return f, false, fmt.Errorf("reading at byte %d: %w", at, err)
		}
		first, led := len(b), len(b)
		for _, known := range recordFormats {
			found := Format{known.name, member.Plain}
			looks := maxLooks
			for i := known.records.Index(b, 0); i >= 0 && i < led && looks > 0; i = known.records.Index(b, i+1) {
				if !known.records.Match(b[i:min(len(b), i+headSize)], true) {
					continue
				}
				if looks--; leads(src, known.records, at+int64(i), b[i:]) {
					led, first, f, ok = i, 0, found, true
				} else if i < first && !mustLead {
					first, f, ok = i, found, true
				}
			}
		}
		if ok || len(b) < window {
			break
		}
	}
	return f, ok, nil
}

const (
	headSize = 4 << 10 // bytes of a head that are looked at
	maxLooks = 256     // heads of a format in a window, after which one more may have to be read
)

// leads reports whether the record at off, which begins with b, ends as its head says, before another head.
func leads(src io.ReaderAt, g record.Grammar, off int64, b []byte) bool {
	var h record.Head
	size := g.Parse(&h, bytes.Clone(b[:min(len(b), headSize)]), true) // which may change it
	if h.Length < 0 {
		return false
	}
	next, err := readAt(src, off+int64(size)+h.Length, headSize)
	return err == nil && isHead(g, true)(next)
}
