package source

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// Hash is the hash of links, ids and page keys: XXH64, which never changes, since states keep it.
func Hash(s string) uint64 { return xxhash.Sum64String(s) }

// HashBytes is Hash of bytes.
func HashBytes(b []byte) uint64 { return xxhash.Sum64(b) }

// stopWords are words that do not distinguish titles, in the languages of most feeds. Only eight hashes of a title are
// kept.
var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields("the a an of to in and for on at is are with by from how your you it its de la le " +
		"les des du et der die das und ein el los un una en y que do da o os e il per") {
		words[w] = true
	}
	return words
}()

// Signature returns the eight smallest hashes of a title's words, ascending, 0 if there are fewer. They suffice to
// compare the titles of an item and a page, even if one is truncated or followed by the site's name. Letters of
// scripts without spaces are words.
func Signature(title string) (s [8]uint16) {
	var room [60]uint16
	hashes := room[:0]
	for w := range wordsOf(title) {
		if !stopWords[string(w)] {
			// 0 stands for no word, so the lowest bit is always set.
			hashes = append(hashes, uint16(HashBytes(w))|1)
		}
	}
	slices.Sort(hashes)
	// copy takes the first eight.
	copy(s[:], slices.Compact(hashes))
	return s
}

// wordsOf yields the words of a text in lower case, each valid until the next. It stops after 60 words.
func wordsOf(text string) func(func([]byte) bool) {
	const most = 60
	return func(yield func([]byte) bool) {
		n := 0
		word := make([]byte, 0, 64) // reused, since texts come by the million
		flush := func() bool {
			if len(word) == 0 {
				return true
			}
			n++
			more := n <= most && yield(word)
			word = word[:0]
			return more
		}
		for _, r := range text {
			switch {
			// The fast path: the tables of Unicode are slow.
			case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
				word = append(word, byte(r))
			case 'A' <= r && r <= 'Z':
				word = append(word, byte(r)|0x20)
			// Scripts without spaces: each letter is a word.
			case r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
				unicode.Khmer, unicode.Lao,
				unicode.Myanmar):
				if !flush() {
					return
				}
				word = utf8.AppendRune(word, r)
				if !flush() {
					return
				}
			case r > unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)):
				word = utf8.AppendRune(word, unicode.ToLower(r))
			default:
				if !flush() {
					return
				}
			}
		}
		flush()
	}
}

// Agreement is the share of the shorter signature's words that the longer one has too, 0 if one is empty.
//
// Both have the smallest hashes of their titles. So for titles of more than eight words, only words up to the smaller
// of the two largest hashes can be in both and count.
func Agreement(a, b [8]uint16) float64 {
	limit := uint16(0xffff)
	for _, s := range [][8]uint16{a, b} {
		// A signature that is not full has all words of its title, so it sets no limit.
		if last := s[len(s)-1]; last != 0 {
			limit = min(limit, last)
		}
	}
	x, y := upTo(a, limit), upTo(b, limit)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	both := 0
	for _, h := range x {
		if slices.Contains(y, h) {
			both++
		}
	}
	return float64(both) / float64(min(len(x), len(y)))
}

// upTo returns the hashes up to limit: these would be in both samples if their words were in both titles.
func upTo(s [8]uint16, limit uint16) (list []uint16) {
	for _, h := range s {
		if h != 0 && h <= limit {
			list = append(list, h)
		}
	}
	return list
}
