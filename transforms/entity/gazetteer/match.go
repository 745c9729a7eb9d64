package gazetteer

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// match is a name of the table in the text. flags are those of its entry (first name, surname).
type match struct {
	start, end int
	name       table.Name
	flags      uint8   // of the name in the table
	place      uint16  // the chosen candidate
	logit      float64 // log odds
}

func (m *match) isFirstName() bool { return m.flags&table.FirstName != 0 }

// finder looks for places in one text. matches are in order of the text and do not overlap.
type finder struct {
	text    string
	context Context
	mask    uint64 // of the language
	table   *table.Table
	matches []match
	named   map[string]int // countries with their number of mentions
}

func newFinder(text string, c Context) *finder {
	mask := cmp.Or(table.Bit(c.Language), table.Bit("en")) // texts too short to have a language are mostly in English
	return &finder{text: text, context: c, mask: mask, table: places(), named: map[string]int{}}
}

// scan finds the longest name at each word that may begin one, such as "New York City", and goes on after it.
func (f *finder) scan() {
	for i := 0; i < len(f.text) && len(f.matches) < maxMatches; {
		start, next := f.nextWord(i)
		if start < 0 {
			return
		}
		end := f.longest(start)
		// Only if the word itself is not a name: names may begin with that letter.
		if rest, ok := strings.CutPrefix(f.text[start:], "و"); ok && end == 0 { // Arabic writes "and" without a space
			end = f.longest(len(f.text) - len(rest))
		}
		if end > 0 {
			next = end
		}
		i = next
	}
}

// nextWord returns the next word from i on that may begin a name, or -1 at the end. It also returns where to continue
// if the word begins none. It begins with a capital, or any letter of a script without case.
func (f *finder) nextWord(i int) (start, next int) {
	// i may be after a match in the middle of a word, before a particle.
	inWord := i > 0 && !boundary(f.text, i)
	for i < len(f.text) {
		i, inWord = f.skip(i, inWord)
		if i == len(f.text) {
			break
		}
		if f.text[i] < utf8.RuneSelf {
			return i, i + 1
		}
		r, n := utf8.DecodeRuneInString(f.text[i:])
		letter := unicode.IsLetter(r)
		// Hangul has spaces, unlike the other scripts of Unspaced.
		hangul := 0xAC00 <= r && r < 0xD7B0
		// Within a run of Han characters, a name may begin anywhere.
		if letter && !unicode.IsLower(r) && (!inWord || table.Unspaced(r) && !hangul) {
			return i, i + n
		}
		inWord = (letter || unicode.IsMark(r) || unicode.IsDigit(r)) && (!table.Unspaced(r) || hangul)
		i += n
	}
	return -1, -1
}

// The classes of bytes. inWords are letters and digits, and the signs of handles, tags and identifiers: nothing begins
// after these.
const (
	inWords = 1 << iota
	capital
	notASCII
)

var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = notASCII
		case 'A' <= c && c <= 'Z':
			t[c] = capital | inWords
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '@' || c == '#':
			t[c] = inWords
		}
	}
	return t
}()

// skip returns the next place to look at, and whether it is within a word. It is a capital that begins a word, a byte
// beyond ASCII, or the end of the text. A word's end costs no branch.
func (f *finder) skip(i int, inWord bool) (int, bool) {
	before := uint8(0) // capital, if it may not begin a word
	if inWord {
		before = capital
	}
	text := f.text
	for ; i < len(text); i++ {
		class := classes[text[i]]
		if class&^before >= capital {
			break
		}
		before = class & inWords << 1
	}
	return i, before != 0
}

// boundary reports whether a word may begin at i: no letter of a script with spaces precedes.
func boundary(text string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '_' || table.Unspaced(r) &&
		(r < 0xAC00 || r >= 0xD7B0)
}

// longest notes the longest name that begins at start and returns its end, or 0. It follows the table's trie word by
// word as long as a longer name is possible.
func (f *finder) longest(start int) int {
	h, at := table.NewHash, start
	var found match
	for first := true; ; first = false {
		next, end, ok := table.Step(h, f.text, at, first)
		if !ok {
			break
		}
		// With 46 bits, one of some 270 million unknown words is found by chance.
		entry := f.table.Find(next.Sum())
		if entry.HasName() && f.endsName(start, end) {
			found = match{start: start, end: end, name: f.table.Name(entry), flags: entry.Flags}
		}
		// Most words end here, after one look-up.
		if entry.Flags&table.Continues == 0 {
			break
		}
		h, at = next, end
	}
	if found.end == 0 {
		return 0
	}
	// The last dot of "U.S." is not a joint, as no word follows it.
	if name := f.text[start:found.end]; len(name) > 2 && name[len(name)-2] == '.' &&
		strings.HasPrefix(f.text[found.end:], ".") {
		found.end++ // U.S.
	}
	f.matches = append(f.matches, found)
	return found.end
}

// isKatakana reports whether the rune at the start of text, as decode reads it, is katakana. Its words are foreign:
// one name must not be part of another.
func isKatakana(text string, decode func(string) (rune, int)) bool {
	r, _ := decode(text)
	return 0x30A1 <= r && r <= 0x30FA || r == 'ー'
}

// particles follow Korean nouns without a space. Longer ones come before their prefixes.
var particles = strings.Fields("에서 에는 에도 에게 으로 까지 부터 이나 에 은 는 이 가 을 를 과 와 의 로 도 만 시 인")

// endsName reports whether a name may end at end: the rest of a word does not follow, except a Korean particle.
func (f *finder) endsName(start, end int) bool {
	rest := f.text[end:]
	if isKatakana(f.text[:end], utf8.DecodeLastRuneInString) {
		return !isKatakana(rest, utf8.DecodeRuneInString) && !isKatakana(f.text[:start], utf8.DecodeLastRuneInString)
	}
	// Outside Korean, Step ends at words; only handles and identifiers go on.
	r, _ := utf8.DecodeRuneInString(rest)
	if r < 0xAC00 || r >= 0xD7B0 {
		return !strings.HasPrefix(rest, "@") && !strings.HasPrefix(rest, "_")
	}
	// A Hangul syllable after a Latin or Han name is not a particle of it.
	if last, _ := utf8.DecodeLastRuneInString(f.text[start:end]); last < 0xAC00 || last >= 0xD7B0 {
		return false
	}
	for _, p := range particles {
		if after, ok := strings.CutPrefix(rest, p); ok {
			next, _ := utf8.DecodeRuneInString(after)
			// The particle must end the word.
			return next < 0xAC00 || next >= 0xD7B0
		}
	}
	return false
}
