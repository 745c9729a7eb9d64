// Package department knows the names of newspaper departments in fifty languages.
//
// A newspaper has most of the departments, and a trade magazine or a blog one or two. This shows in the navigation of
// its pages and in their paths. The package does not decide whether a site is a newspaper: that takes many pages, see
// package source.
//
//	department.Of("Política")        // {Politics}
//	department.Of("Crime & Weather") // {Crime, Weather}
package department

import (
	"bytes"
	_ "embed"
	"iter"
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Department is a department of a newspaper.
type Department uint8

// The departments. Their numbers never change: they are in the encoded states of package source.
const (
	Politics Department = iota
	World
	Nation
	Local
	Society
	Opinion
	Economy
	Sport
	Culture
	Science
	Crime
	Game    // one kind of sport: tennis, football
	Latest  // the newest of all departments
	Weather // with other daily information: traffic
	Count   // number of departments
)

var departmentNames = [Count]string{
	"politics", "world", "nation", "local", "society", "opinion", "economy", "sport", "culture", "science", "crime",
	"game", "latest", "weather",
}

func (d Department) String() string { return departmentNames[d] }

// Set is a set of departments, one bit each.
type Set uint16

const (
	core   Set = 1<<Politics | 1<<World | 1<<Nation | 1<<Local | 1<<Society | 1<<Crime
	topics Set = core | 1<<Opinion | 1<<Economy | 1<<Sport | 1<<Culture | 1<<Science
)

// Has reports whether d is in the set.
func (s Set) Has(d Department) bool { return s&(1<<d) != 0 }

// All yields the departments of the set, in order.
func (s Set) All() iter.Seq[Department] {
	return func(yield func(Department) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(Department(bits.TrailingZeros16(uint16(s)))) {
				return
			}
		}
	}
}

// Topics counts the departments that are subjects, and among them those of general news, which magazines do not have.
func (s Set) Topics() (all, general int) {
	if s.Has(Game) {
		s |= 1 << Sport
	}
	return bits.OnesCount16(uint16(s & topics)), bits.OnesCount16(uint16(s & core))
}

//go:embed names.txt
var namesText string

// names returns the names of departments in the form of plain, for folders in the paths of pages and for links. The map
// is made once and read-only afterwards, so it is safe for concurrent use.
var names = sync.OnceValue(func() map[string]Department {
	names, at := map[string]Department{}, Department(0)
	for _, word := range strings.Fields(namesText) {
		if head, ok := strings.CutSuffix(word, ":"); ok {
			for at = 0; at.String() != head; at++ {
			}
			continue
		}
		names[string(plain(nil, word))] = at
	}
	return names
})

// maxName is the maximum length of a text that names departments, in bytes: Indian scripts take three for each letter.
const maxName = 64

// Of returns the departments that a text names, such as that of a link or a folder of a path. It may be none, one, or
// several ("Arts & Culture", "Nation/World"). In paths a hyphen replaces a space. Words after a name, such as "news",
// are ignored.
func Of(text string) (found Set) {
	if text == "" || len(text) > maxName {
		return 0
	}
	// This is on the stack, since it is called for each link of a page.
	var room [2 * maxName]byte
	rest := plain(room[:0], text)
	for len(rest) > 0 {
		name, after := cutJoined(rest)
		found |= ofName(bytes.Trim(name, "-"))
		rest = after
	}
	return found
}

// ofName returns the department with that name.
func ofName(name []byte) Set {
	d, ok := named(name)
	for i := 0; i < len(suffixes) && !ok && mayEndSuffix(name); i++ {
		if rest, found := bytes.CutSuffix(name, suffixes[i]); found {
			d, ok = named(bytes.TrimRight(rest, "-"))
		}
	}
	if !ok {
		return 0
	}
	return 1 << d
}

// named returns the department with exactly that name.
func named(name []byte) (d Department, ok bool) {
	if at := slotOf(name); starts()[at/64]>>(at%64)&1 != 0 {
		d, ok = names()[string(name)]
	}
	return d, ok
}

// starts has a bit for the length and the first two bytes of each name. Most other texts have none.
var starts = sync.OnceValue(func() *[slots / 64]uint64 {
	var bits [slots / 64]uint64
	for name := range names() {
		at := slotOf([]byte(name))
		bits[at/64] |= 1 << (at % 64)
	}
	return &bits
})

const slots = 1 << 14

func slotOf(name []byte) uint {
	if len(name) < 2 {
		return 0
	}
	return (uint(name[0])<<9 ^ uint(name[1])<<5 ^ uint(len(name))) % slots
}

// mayEndSuffix reports whether a name may end with a suffix: most names do not, and need no comparison with each.
func mayEndSuffix(name []byte) bool {
	return len(name) > 0 && (name[len(name)-1] == 's' || name[len(name)-1] >= utf8.RuneSelf)
}

// suffixes are words that follow the name of a department and have no meaning of their own: "news", in Chinese also
// "channel".
var suffixes = [][]byte{
	[]byte("-news"), []byte("新闻"), []byte("新聞"), []byte("频道"), []byte("頻道"), []byte("ニュース"),
	[]byte("뉴스"),
}

// cutJoined cuts a plain text after the first of its joined names.
func cutJoined(text []byte) (name, after []byte) {
	for i, c := range text {
		if c == '/' {
			return text[:i], text[i+1:]
		}
		if c != '-' {
			continue
		}
		rest := text[i+1:]
		end := bytes.IndexByte(rest[:min(len(rest), len("and-"))], '-')
		if end < 0 {
			continue
		}
		switch string(rest[:end]) {
		case "and", "und", "et", "y", "e", "og", "och", "en", "i", "a", "и":
			return text[:i], rest[end+1:]
		}
	}
	return text, nil
}

// plain appends a text in lower case and without accents. It writes a hyphen between words, and a slash between joined
// names.
func plain(to []byte, text string) []byte {
	for _, r := range text {
		c := byte('-')
		switch {
		case r < 0x80:
			c = plainASCII[r]
		case unicode.IsLetter(r) || unicode.IsMark(r):
			if r < 0x300 || r > 0x36f { // others are accents on the letter before
				to = utf8.AppendRune(to, letter(r))
			}
			continue
		case r == '’':
			continue
		case r == '・' || r == '·':
			c = '/'
		}
		if c != 0 && (c != '-' || len(to) > 0 && to[len(to)-1] != '-') {
			to = append(to, c)
		}
	}
	return to
}

// plainASCII holds the result of plain for ASCII characters; 0 means nothing: "U.S." becomes "us".
var plainASCII = func() (table [0x80]byte) {
	for c := range table {
		switch r := rune(c); {
		case strings.ContainsRune("&/,|+:", r):
			table[c] = '/'
		case r == '.' || r == '\'':
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			table[c] = byte(unicode.ToLower(r))
		default:
			table[c] = '-'
		}
	}
	return table
}()

// letter returns the plain letter, in lower case, for one that may have an accent.
func letter(r rune) rune {
	switch {
	case firstLatin <= r && r <= lastCyrillic:
		return rune(letters()[r-firstLatin])
	case firstVietnamese <= r && r <= lastGreek:
		return rune(vietnamese()[r-firstVietnamese])
	}
	return r
}

// Letters with accents are in these two ranges of Unicode, together with plain Greek and Cyrillic ones.
const (
	firstLatin, lastCyrillic   = 0xc0, 0x52f
	firstVietnamese, lastGreek = 0x1e00, 0x1fff
)

var (
	letters    = plainLetters(firstLatin, lastCyrillic)
	vietnamese = plainLetters(firstVietnamese, lastGreek)
)

// plainLetters returns a function that returns the letters from first to last without accents. They are made once.
func plainLetters(first, last rune) func() []uint16 {
	return sync.OnceValue(func() []uint16 {
		table := make([]uint16, last-first+1)
		for i := range table {
			for _, r := range norm.NFD.String(string(first + rune(i))) {
				table[i] = uint16(unicode.ToLower(r))
				break
			}
		}
		return table
	})
}
