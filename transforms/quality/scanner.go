package quality

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bulletMarks begin the line of a list; the ASCII ones only before a space, since "-5" and "*note" are no lists.
const bulletMarks = "•‣◦⁃∙●○■□▪▫▶►◆◇➢➤"

// A scanner counts a text, line by line. It looks at each character once, and hashes words and lines while it reads
// them, so that nothing of the text is copied.
type scanner struct {
	words, characters, wordCharacters int
	alphabetic                        int // words with a letter
	single                            int // words that are one character of an unspaced script
	symbols                           int // hash signs and ellipses
	lines, bullets, ellipses          int
	repeated, repeatedCharacters      int // lines seen before, and their characters

	// The tables are by hash alone, without the words themselves: two that share all 64 bits would be
	// counted as one.
	seen     table // lines
	bigrams  table
	trigrams table
	recent   [2]gram // the words before, for n-grams

	stop     stopWords // the language's
	stopSeen uint64
	current  word
	dots     int
	lineHash uint64
}

// A word is one word while it is read and after.
type word struct {
	hash    uint64 // of its letters, digits and marks, in lower case; 0 without any
	length  int    // characters
	letters bool
	beside  bool // whether it follows a character of an unspaced script
}

// gram is what n-grams need of a word.
type gram struct {
	hash   uint64
	length int
}

// reset makes the scanner ready for a text. The tables' memory is used again. Their sizes are guesses from the text's
// length: a line of sixteen bytes, a word of four.
func (s *scanner) reset(text, language string) {
	*s = scanner{seen: s.seen, bigrams: s.bigrams, trigrams: s.trigrams, stop: spacedStopWords[language]}
	s.seen.reset(len(text) / 16)
	s.bigrams.reset(len(text) / 4)
	s.trigrams.reset(len(text) / 4)
}

// line counts one line.
func (s *scanner) line(line string) {
	// White space at the ends is no part of a line, nor are empty lines any.
	line = strings.TrimSpace(line)
	if line == "" {
		return
	}
	before := s.characters
	s.lineHash = 0
	s.runes(line)
	// A line's end is a word's end, and dots do not go on in the next line. N-grams do: they are of
	// words, whatever lines these are in.
	s.endWord(false)
	s.dots = 0
	s.lines++
	if isBullet(line) {
		s.bullets++
	}
	if strings.HasSuffix(line, "...") || strings.HasSuffix(line, "…") {
		s.ellipses++
	}
	// A line that found no place in the table counts as new: add is 0 then.
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
		// Bytes that are not UTF-8 come out as U+FFFD, one at a time, and count as characters.
		r, size := utf8.DecodeRuneInString(line[i:])
		i += size
		// Other white space of ASCII than these two is at a line's ends as a rule; here it would be a
		// part of a word.
		if r == ' ' || r == '\t' || r >= utf8.RuneSelf && unicode.IsSpace(r) {
			s.endWord(false)
			s.dots = 0
			continue
		}
		s.characters++
		s.lineHash = step(s.lineHash, r)
		s.symbol(r)
		// The comparison first: it spares most texts the look into the tables of scripts.
		if r >= 0x0E00 && unspaced(r) {
			s.endWord(true)
			s.take(word{hash: step(0, r), length: 1, letters: true})
			s.single++
			// For the word that comes next, of which nothing is read yet.
			s.current.beside = true
			continue
		}
		s.extend(r)
	}
}

// ascii reads the ASCII letters and digits at the start of text, which most of a text is, and returns how many.
func (s *scanner) ascii(text string) int {
	// The state is held in variables of the loop, which the compiler keeps in registers, and written
	// back once.
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

// symbol counts hash signs and ellipses; three dots are one ellipsis, and so are more.
func (s *scanner) symbol(r rune) {
	if r != '.' {
		// Whatever is not a dot ends an ellipsis; letters and digits do so in ascii.
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

// extend adds r to the word that is being read.
func (s *scanner) extend(r rune) {
	w := &s.current
	w.length++
	// Punctuation has a length, but no part in comparisons: "word," is the word.
	lower, isLetter, counts := fold(r)
	if counts {
		w.hash = step(w.hash, lower)
	}
	w.letters = w.letters || isLetter
}

// endWord takes the word that is being read, if one is. Punctuation beside a character that is a word of its own, on
// either side, is no word.
func (s *scanner) endWord(besideNext bool) {
	// The next word begins from nothing, whatever becomes of this one.
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
	// A dash or an ellipsis that stands alone is a word to the paper's counts, and none to n-grams
	// and stop words.
	if w.hash == 0 {
		return
	}
	s.stopSeen |= s.stop.bit(w.hash)
	// The rotations make the order count. Each hash is mixed before, as those of short words have few
	// bits.
	first, second := s.recent[0], s.recent[1]
	if second.hash != 0 {
		s.bigrams.add(mix(mix(second.hash)^bits.RotateLeft64(w.hash, 21)), second.length+w.length)
	}
	if first.hash != 0 {
		key := mix(mix(first.hash) ^ bits.RotateLeft64(second.hash, 21) ^ bits.RotateLeft64(w.hash, 42))
		s.trigrams.add(key, first.length+second.length+w.length)
	}
	s.recent[0], s.recent[1] = second, gram{w.hash, w.length}
}

// stopWords returns how many different stop words of the language the text has. Words of unspaced scripts cannot be
// found as words, and are looked for in the text itself.
func (s *scanner) stopWords(text, language string) int {
	n := bits.OnesCount64(s.stopSeen)
	for _, w := range unspacedStopWords[language] {
		if strings.Contains(text, w) {
			n++
		}
	}
	return n
}

// isBullet reports whether a line, which is not empty, begins like the item of a list.
func isBullet(line string) bool {
	r, size := utf8.DecodeRuneInString(line)
	if strings.ContainsRune(bulletMarks, r) {
		return true
	}
	// The space makes the difference between a bullet and a sign or a word's mark.
	return strings.ContainsRune("-*–", r) && size < len(line) && line[size] == ' '
}

// fold returns r in lower case, whether it is a letter, and whether it counts in comparisons of words. ASCII is
// decided first, without the tables of Unicode.
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

// unspaced reports whether r belongs to a script that is written without spaces between words. Of Thai and Lao the
// letters and marks belong to it (a vowel may stand on its letter), not the digits and signs.
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

// step adds r to the hash h of a word or a line. Such a hash is not a key for a table before it is mixed.
func step(h uint64, r rune) uint64 { return (bits.RotateLeft64(h, 5) ^ uint64(r)) * 0x9E3779B97F4A7C15 }

// mix is the finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014). That a word gets the 0 which stands for "no
// word" is as unlikely as any collision of 64 bits, and no single code point does.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
