package quality

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bulletMarks begin the line of a list. ASCII marks count only before a space, since "-5" and "*note" are not lists.
const bulletMarks = "•‣◦⁃∙●○■□▪▫▶►◆◇➢➤"

// A scanner counts a text, line by line. It reads each character once, and hashes words and lines at the same time, so
// it copies nothing of the text.
type scanner struct {
	words, characters, wordCharacters int
	alphabetic                        int // words with a letter
	single                            int // words of one character in an unspaced script
	symbols                           int // hash signs and ellipses
	lines, bullets, ellipses          int
	repeated, repeatedCharacters      int // lines seen before, and their characters

	// The tables are by hash alone, without the words: two with the same 64 bits would be counted as one.
	seen     table // lines
	bigrams  table
	trigrams table
	recent   [2]gram // the last two words, for n-grams

	stop     stopWords // those of the language
	stopSeen uint64
	current  word
	dots     int
	lineHash uint64
}

// A word is one word during reading and after it.
type word struct {
	hash    uint64 // of its letters, digits and marks, in lower case; 0 without any
	length  int    // characters
	letters bool
	beside  bool // whether it follows a character of an unspaced script
}

// gram holds the data of a word for n-grams.
type gram struct {
	hash   uint64
	mixed  uint64 // of hash
	length int
}

// reset prepares the scanner for a text. It reuses the tables' memory. Their sizes are estimated from the text's
// length: sixteen bytes for a line, four for a word.
func (s *scanner) reset(text, language string) {
	*s = scanner{seen: s.seen, bigrams: s.bigrams, trigrams: s.trigrams, stop: spacedStopWords[language]}
	s.seen.reset(len(text) / 16)
	s.bigrams.reset(len(text) / 4)
	s.trigrams.reset(len(text) / 4)
}

// line counts one line.
func (s *scanner) line(line string) {
	// White space at the ends does not belong to a line, and empty lines do not count.
	line = strings.TrimSpace(line)
	if line == "" {
		return
	}
	before := s.characters
	s.lineHash = 0
	s.runes(line)
	// The end of a line ends a word and a run of dots. N-grams continue, since they consist of words, whatever their
	// lines.
	s.endWord(false)
	s.dots = 0
	s.lines++
	if isBullet(line) {
		s.bullets++
	}
	if strings.HasSuffix(line, "...") || strings.HasSuffix(line, "…") {
		s.ellipses++
	}
	// A line that does not fit into the table counts as new: add is 0 then.
	if n := s.characters - before; s.seen.add(mix(s.lineHash), n) > 1 {
		s.repeated++
		s.repeatedCharacters += n
	}
}

// runes reads the characters of a line.
func (s *scanner) runes(line string) {
	for i := 0; i < len(line); {
		if n := s.ascii(line[i:]); n > 0 {
			i += n
			continue
		}
		if line[i] == ' ' { // most of the others
			s.endWord(false)
			s.dots = 0
			i++
			continue
		}
		// Invalid bytes become U+FFFD, one at a time, and count as characters.
		r, size := utf8.DecodeRuneInString(line[i:])
		i += size
		// Other ASCII white space is usually at the ends of lines; here it would be a part of a word.
		if r == '\t' || r >= utf8.RuneSelf && unicode.IsSpace(r) {
			s.endWord(false)
			s.dots = 0
			continue
		}
		s.characters++
		s.lineHash = step(s.lineHash, r)
		s.symbol(r)
		// With the comparison first, most texts need no look-up in the tables of scripts.
		if r >= 0x0E00 && unspaced(r) {
			s.endWord(true)
			s.take(word{hash: step(0, r), length: 1, letters: true})
			s.single++
			// This is for the next word, which has not been read yet.
			s.current.beside = true
			continue
		}
		s.extend(r)
	}
}

// ascii reads the ASCII letters and digits at the start of text, which most of a text is, and returns their number.
func (s *scanner) ascii(text string) int {
	// The state is in local variables, which the compiler keeps in registers, and written back once.
	w, lineHash := s.current, s.lineHash
	n := 0
	for n < len(text) {
		c := text[n]
		lower := c | 0x20
		if letter := 'a' <= lower && lower <= 'z'; letter {
			w.letters = true
		} else if c < '0' || c > '9' {
			break
		}
		w.hash = step(w.hash, rune(lower)) // digits have the bit already
		lineHash = step(lineHash, rune(c))
		n++
	}
	if n > 0 {
		w.length += n
		s.current, s.lineHash, s.dots = w, lineHash, 0
		s.characters += n
	}
	return n
}

// symbol counts hash signs and ellipses. Three dots or more are one ellipsis.
func (s *scanner) symbol(r rune) {
	if r != '.' {
		// Any character but a dot ends an ellipsis. For letters and digits, ascii does that.
		s.dots = 0
	}
	switch r {
	case '#', '…':
		s.symbols++
	case '.':
		if s.dots++; s.dots == 3 {
			s.symbols++
		}
	}
}

// extend adds r to the word being read.
func (s *scanner) extend(r rune) {
	w := &s.current
	w.length++
	// Punctuation counts for the length, but not in comparisons: "word," equals "word".
	lower, isLetter, counts := fold(r)
	if counts {
		w.hash = step(w.hash, lower)
	}
	w.letters = w.letters || isLetter
}

// endWord takes the word being read, if any. Punctuation on either side of a character that is a word itself is not a
// word.
func (s *scanner) endWord(besideNext bool) {
	// The next word starts empty in any case.
	w := s.current
	s.current = word{}
	if w.length == 0 || w.hash == 0 && (w.beside || besideNext) {
		return
	}
	s.take(w)
}

// take counts a whole word.
func (s *scanner) take(w word) {
	s.words++
	s.wordCharacters += w.length
	if w.letters {
		s.alphabetic++
	}
	// A dash or an ellipsis alone is a word for the paper's counts, but not for n-grams and stop words.
	if w.hash == 0 {
		return
	}
	s.stopSeen |= s.stop.bit(w.hash)
	// The rotations make the hash depend on the order. Each hash is mixed before, as those of short words have few
	// bits.
	first, second := s.recent[0], s.recent[1]
	if second.hash != 0 {
		s.bigrams.add(mix(second.mixed^bits.RotateLeft64(w.hash, 21)), second.length+w.length)
	}
	if first.hash != 0 {
		key := mix(first.mixed ^ bits.RotateLeft64(second.hash, 21) ^ bits.RotateLeft64(w.hash, 42))
		s.trigrams.add(key, first.length+second.length+w.length)
	}
	s.recent[0], s.recent[1] = second, gram{w.hash, mix(w.hash), w.length}
}

// stopWords returns the number of different stop words of the language in the text. Words of unspaced scripts cannot
// be found as words, so they are searched in the text.
func (s *scanner) stopWords(text, language string) int {
	n := bits.OnesCount64(s.stopSeen)
	for _, w := range unspacedStopWords[language] {
		if strings.Contains(text, w) {
			n++
		}
	}
	return n
}

// isBullet reports whether a non-empty line begins like the item of a list.
func isBullet(line string) bool {
	r, size := utf8.DecodeRuneInString(line)
	if strings.ContainsRune(bulletMarks, r) {
		return true
	}
	// The space distinguishes a bullet from a sign or a mark of a word.
	return strings.ContainsRune("-*–", r) && size < len(line) && line[size] == ' '
}

// fold returns r in lower case, whether it is a letter, and whether it counts in comparisons of words. ASCII is
// decided first, without the Unicode tables.
func fold(r rune) (lower rune, isLetter, counts bool) {
	switch {
	case 'a' <= r && r <= 'z':
		return r, true, true
	case 'A' <= r && r <= 'Z':
		return r + ('a' - 'A'), true, true
	case r < utf8.RuneSelf:
		return r, false, '0' <= r && r <= '9'
	case unicode.IsLetter(r):
		return unicode.ToLower(r), true, true
	}
	return r, false, unicode.IsMark(r) || unicode.IsNumber(r)
}

// unspaced reports whether r belongs to a script without spaces between words. For Thai and Lao these are the letters
// and marks (a vowel may be above its letter), but not the digits and signs.
func unspaced(r rune) bool {
	switch {
	case r < 0x0F00: // Thai, Lao
		return r >= 0x0E00 && (unicode.IsLetter(r) || unicode.IsMark(r))
	case r < 0x1000:
		return false
	case r < 0x10A0, 0x1780 <= r && r < 0x17D4: // Burmese; Khmer
		return true
	}
	return r >= 0x3040 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// step adds r to the hash h of a word or a line. The hash must be mixed before use as a key.
func step(h uint64, r rune) uint64 { return (bits.RotateLeft64(h, 5) ^ uint64(r)) * 0x9E3779B97F4A7C15 }

// mix is the finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014). A word with hash 0, which means "no word",
// is as unlikely as any 64-bit collision. No single code point has it.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
