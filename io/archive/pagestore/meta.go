package pagestore

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Line is a line of a META file.
type Line struct {
	MD5      string // lower-case hexadecimal: the name of the page's folder
	URL      string // without surrounding blanks
	ID       string // of the page in the crawler's database; an item has that of its feed
	Kind     string // one of the Kind constants
	Language string // ISO 639-1; an item has that of its feed
}

// Enriched reports whether the line has all five columns.
func (l Line) Enriched() bool { return l.Kind != "" }

// String writes the line, without its end.
func (l Line) String() string {
	if !l.Enriched() {
		return l.MD5 + " " + l.URL
	}
	return strings.Join([]string{l.MD5, l.URL, l.ID, l.Kind, l.Language}, " ")
}

// Sound reports whether the hash is that of the URL.
func (l Line) Sound() bool { return l.MD5 == Hash(l.URL) }

// Errors of lines.
var (
	ErrColumns = errors.New("neither two nor five columns")
	ErrHash    = errors.New("the first column is no MD5")
	ErrNoURL   = errors.New("a hash without a URL")
)

var kinds = []string{KindURL, KindFile, KindRSS, KindItem}

// ParseLine parses a line. Because a URL may contain blanks, the hash decides whether the rest is a URL, or a URL and
// three columns. If it matches neither, the line has five columns if the fourth is a kind.
func ParseLine(line string) (Line, error) {
	// Ruby's strip removes blanks; columns are separated by one space.
	hash, rest, _ := strings.Cut(strings.Trim(line, blanks), " ")
	if !isHash(hash) {
		return Line{}, ErrHash
	}
	short := Line{MD5: hash, URL: strip(rest)}
	if short.URL == "" {
		return short, ErrNoURL
	}
	long, ok := short.columns()
	switch {
	// The reading with columns wins if its URL has the hash, or if neither has and its kind is known.
	case ok && (long.Sound() || !short.Sound() && slices.Contains(kinds, long.Kind)):
		return long, nil
	// Without blanks there are no columns.
	case short.Sound() || !strings.ContainsAny(short.URL, blanks):
		return short, nil
	}
	return short, ErrColumns
}

// columns splits off three columns from the end of the URL, which may contain blanks itself.
func (l Line) columns() (Line, bool) {
	for _, column := range []*string{&l.Language, &l.Kind, &l.ID} {
		i := strings.LastIndexAny(l.URL, blanks)
		if i < 0 {
			return l, false
		}
		*column, l.URL = l.URL[i+1:], strip(l.URL[:i])
	}
	return l, true
}

// Entry is a line with its position in a META file.
type Entry struct {
	Line
	Offset, Length int64 // bytes, with the line's end
	// Joined means that the URL was on the line below the hash: old programs hashed URLs with a line end and wrote it.
	Joined bool
}

// Entries yields the lines of a META file in order. Invalid lines are yielded with an error and their position. It
// makes no list, because a META file may have a hundred thousand lines.
func Entries(meta []byte) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for at := skipBlank(meta, 0); at < len(meta); {
			e, err := entryAt(meta, at)
			if !yield(e, err) {
				return
			}
			// An entry has at least one byte, so this advances.
			at = skipBlank(meta, int(e.Offset+e.Length))
		}
	}
}

// entryAt returns the entry whose line begins at this offset.
func entryAt(meta []byte, at int) (Entry, error) {
	first := lineAt(meta, at)
	e := Entry{Offset: int64(at), Length: int64(len(first))}
	line, err := ParseLine(string(first))
	// Only if the hash is alone and the next line has no hash.
	if next := skipBlank(meta, at+len(first)); errors.Is(err, ErrNoURL) && isURL(lineAt(meta, next)) {
		second := lineAt(meta, next)
		line, err = ParseLine(line.MD5 + " " + string(second))
		// The entry includes both lines and blank lines between them.
		e.Joined, e.Length = true, int64(next+len(second)-at)
	}
	if e.Line = line; err != nil {
		return e, fmt.Errorf("pagestore: line at byte %d: %w", e.Offset, err)
	}
	return e, nil
}

// lineAt returns the line that begins at this offset, with its end.
func lineAt(meta []byte, at int) []byte {
	if i := bytes.IndexByte(meta[at:], '\n'); i >= 0 {
		return meta[at : at+i+1]
	}
	return meta[at:]
}

// skipBlank returns the offset after blanks and blank lines.
func skipBlank(meta []byte, at int) int {
	return len(meta) - len(bytes.TrimLeft(meta[at:], blanks))
}

// isURL reports whether a line can be the second part of an entry: it is not blank and does not begin with a hash.
func isURL(line []byte) bool {
	first, _, _ := bytes.Cut(bytes.Trim(line, blanks), []byte(" "))
	return len(first) > 0 && !isHash(string(first))
}

// index finds the lines of a META file by hash. It keeps offsets, because lines would take several times the file's
// size.
type index struct {
	meta []byte
	last map[[md5.Size]byte]int64 // offsets of the last line of each hash
}

// newIndex indexes the lines of meta, which it keeps.
func newIndex(meta []byte) *index {
	x := &index{meta: meta, last: map[[md5.Size]byte]int64{}}
	for e, err := range Entries(meta) {
		if err == nil {
			// The last line counts, like the contents on disk.
			x.last[key(e.MD5)] = e.Offset
		}
	}
	return x
}

// key returns a hash in binary form.
func key(hash string) (k [md5.Size]byte) {
	_, _ = hex.Decode(k[:], []byte(hash)) // isHash was true
	return k
}

// find returns the last line of a hash.
func (x *index) find(hash string) (Line, bool) {
	at, ok := x.last[key(hash)]
	if !ok {
		return Line{}, false
	}
	e, err := entryAt(x.meta, int(at))
	return e.Line, err == nil
}
