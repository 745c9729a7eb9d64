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
	URL      string // without blanks around it
	ID       string // of the page in the crawler's database; of an item, that of its feed
	Kind     string // one of the Kind constants
	Language string // ISO 639-1; of an item, that of its feed
}

// Enriched reports whether the line has all five columns, and not only the hash and the URL.
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

// kinds that a fourth column can be.
var kinds = []string{KindURL, KindFile, KindRSS, KindItem}

// ParseLine reads a line. A URL may have blanks in it, so that what follows the hash is the URL or the URL and three
// columns: whichever has the hash. When neither has, there are five columns when the last but one is a kind.
// This is the order of trust: the hash first, which chance does not give, and then the names of kinds.
func ParseLine(line string) (Line, error) {
	// Blanks of Ruby's strip, but columns are parted by one space.
	hash, rest, _ := strings.Cut(strings.Trim(line, blanks), " ")
	if !isHash(hash) {
		return Line{}, ErrHash
	}
	short := Line{MD5: hash, URL: strip(rest)}
	if short.URL == "" {
		return short, ErrNoURL
	}
	// Both readings of the line are made and then compared.
	long, ok := short.columns()
	switch {
	// long wins when its URL has the hash, or when neither has it and its kind is one of ours.
	case ok && (long.Sound() || !short.Sound() && slices.Contains(kinds, long.Kind)):
		return long, nil
	// Without blanks in it there is nothing that could be columns.
	case short.Sound() || !strings.ContainsAny(short.URL, blanks):
		return short, nil
	}
	return short, ErrColumns
}

// columns takes three columns from the end of a URL.
// From the right: language, kind and id have no blanks, and the URL may.
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

// Entry is a line with its place in a META file.
type Entry struct {
	Line
	Offset, Length int64 // bytes, with the line's end
	// Joined says that the URL stood on the line below the hash. Old programs hashed URLs with the line end that they
	// had got with them, and wrote it.
	Joined bool
}

// Entries yields the lines of a META file in order. Those that cannot be read are yielded with an error, and the place
// that they have.
// It reads by place and makes no list, as a META file may have a hundred thousand lines.
func Entries(meta []byte) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for at := skipBlank(meta, 0); at < len(meta); {
			e, err := entryAt(meta, at)
			if !yield(e, err) {
				return
			}
			// Always further, since an entry has at least one byte.
			at = skipBlank(meta, int(e.Offset+e.Length))
		}
	}
}

// entryAt is the entry whose line begins there.
func entryAt(meta []byte, at int) (Entry, error) {
	first := lineAt(meta, at)
	e := Entry{Offset: int64(at), Length: int64(len(first))}
	line, err := ParseLine(string(first))
	// Only where the hash stands alone, and what follows is not a line of its own.
	if next := skipBlank(meta, at+len(first)); errors.Is(err, ErrNoURL) && isURL(lineAt(meta, next)) {
		second := lineAt(meta, next)
		line, err = ParseLine(line.MD5 + " " + string(second))
		// Both lines belong to the entry, and the blank ones between them.
		e.Joined, e.Length = true, int64(next+len(second)-at)
	}
	if e.Line = line; err != nil {
		return e, fmt.Errorf("pagestore: line at byte %d: %w", e.Offset, err)
	}
	return e, nil
}

// lineAt is the line that begins there, with its end.
func lineAt(meta []byte, at int) []byte {
	if i := bytes.IndexByte(meta[at:], '\n'); i >= 0 {
		return meta[at : at+i+1]
	}
	return meta[at:]
}

// skipBlank is where what follows blanks and blank lines begins.
func skipBlank(meta []byte, at int) int {
	return len(meta) - len(bytes.TrimLeft(meta[at:], blanks))
}

// isURL reports whether a line can be the second part of one: it begins with no hash, and has something in it.
func isURL(line []byte) bool {
	first, _, _ := bytes.Cut(bytes.Trim(line, blanks), []byte(" "))
	return len(first) > 0 && !isHash(string(first))
}

// index finds the lines of a META file by their hashes.
// It keeps offsets and no lines: of a large file these would be several times its size.
type index struct {
	meta []byte
	last map[[md5.Size]byte]int64 // offsets of the last line of each hash
}

// newIndex indexes the lines of meta, which it keeps.
func newIndex(meta []byte) *index {
	x := &index{meta: meta, last: map[[md5.Size]byte]int64{}}
	for e, err := range Entries(meta) {
		if err == nil {
			// Later lines replace earlier ones, as the contents on the disk are the last ones, too.
			x.last[key(e.MD5)] = e.Offset
		}
	}
	return x
}

// key is a hash in little memory.
func key(hash string) (k [md5.Size]byte) {
	_, _ = hex.Decode(k[:], []byte(hash)) // isHash has held
	return k
}

// find returns the last line of a hash.
func (x *index) find(hash string) (Line, bool) {
	at, ok := x.last[key(hash)]
	if !ok {
		return Line{}, false
	}
	// Parsed again: that is quick, and the line has been read before without an error.
	e, err := entryAt(x.meta, int(at))
	return e.Line, err == nil
}
