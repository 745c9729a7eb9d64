package page

import (
	"unicode"
	"unicode/utf8"
)

// The class of a byte: single bits on top, and below them counts that are summed over a run of bytes, each in a field.
// One addition per byte sums four counts at once. A field has 12 bits and a run at most 2,047 bytes, so no field
// overflows. The sum destroys the single bits, which are read before.
const (
	stopByte   uint64 = 1 << 63 // neither visible ASCII nor a space
	spaceByte  uint64 = 1 << 62
	letterByte uint64 = 1 << 59 // or a digit: part of a word

	// Shifts the bit of a space to that of a letter, so that a space clears the letter bit.
	spaceToLetter = 3 // bits

	maxRun = 1<<11 - 1 // bytes of a run, so that no field overflows; the last has 11 bits below letterByte
	field  = 12        // bits
	spaces = 0 * field
	upper  = 1 * field
	digits = 2 * field
	puncts = 3 * field
	signs  = 4 * field // that formulae begin with
)

var classes = byteClasses()

func byteClasses() (c [256]uint64) {
	for i := range c {
		switch b := byte(i); {
		case b == ' ':
			// Spaces are counted, to be subtracted from the characters.
			c[i] = spaceByte | 1<<spaces
		// References, bytes beyond ASCII, controls and other white space need a closer look.
		case b == '&' || b >= 0x80 || b < ' ' || b == 0x7F:
			c[i] = stopByte
		case b >= 'a' && b <= 'z':
			c[i] = letterByte
		case b >= 'A' && b <= 'Z':
			c[i] = letterByte | 1<<upper
		case b >= '0' && b <= '9':
			c[i] = letterByte | 1<<digits
		case b == '.' || b == ',' || b == ';' || b == ':' || b == '!' || b == '?':
			c[i] = 1 << puncts
		case b == '\\' || b == '$':
			c[i] = 1 << signs
		}
	}
	return c
}

// visible writes text as it is shown: white space collapsed, unless keep is set for preformatted text. The limit
// maxRun bounds the runs, so that the sums do not overflow.
func (w *writer) visible(s []byte, keep, literal bool) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isSpace(c):
			w.word = false
			if keep {
				w.verbatim(c, s, i)
			} else {
				w.space = max(w.space, gapOf(rune(c)))
			}
			i++
		case classes[c]&stopByte != 0:
			i += w.special(s[i:], literal)
		// Preformatted text keeps each space, so runs end at them.
		case keep:
			i += w.run(s[i:min(len(s), i+maxRun)], stopByte|spaceByte)
		default:
			i += w.run(s[i:min(len(s), i+maxRun)], stopByte)
		}
	}
}

// verbatim notes the white space s[i] = c of preformatted text, with CR LF as one. It is written only if a character
// follows, so a block does not end in white space.
func (w *writer) verbatim(c byte, s []byte, i int) {
	// The line feed that comes next stands for both.
	if c == '\r' {
		if i+1 < len(s) && s[i+1] == '\n' {
			return
		}
		c = '\n'
	}
	if c != '\n' || !w.empty() || len(w.kept) > 0 { // the first line is often empty
		w.kept = append(w.kept, c)
	}
}

// run writes the ASCII characters at the start of s, with single spaces between, and returns their number. It stops at
// a byte of the classes stop. Most text goes through here, so its loop has no branch except for its end.
func (w *writer) run(s []byte, stop uint64) int {
	// White space before them.
	w.due()
	var sum, last, word, words uint64
	// The state of the last run: an element can begin within a word.
	if w.word {
		word = letterByte
	}
	n := 0
	for ; n < len(s); n++ {
		k := classes[s[n]]
		// The bit of a space, if the last byte was also a space, shifts into stopByte's place.
		if (k|(k&last)<<1)&stop != 0 { // two spaces in a row are a stopByte
			break
		}
		last = k
		sum += k
		// One more word if a letter follows a byte outside a word.
		words += (k &^ word & letterByte) / letterByte
		// A word lasts from a letter to a space. Signs do not end it: "don't" and "e-mail" are one word.
		word = (word | k) &^ (k >> spaceToLetter) & letterByte
	}
	w.word = word != 0
	w.count(sum)
	// sum's lowest field is the number of spaces.
	w.block.Chars += int32(n) - int32(sum&maxRun)
	w.block.Words += int32(words)
	seen := s[:n]
	// A space at the end is held back, as more white space may follow.
	if last == spaceByte|1<<spaces {
		seen, w.space = s[:n-1], aBlank
	}
	w.last = rune(seen[len(seen)-1])
	w.p.Text = append(w.p.Text, seen...)
	return n
}

// count adds the counts of a run.
func (w *writer) count(sum uint64) {
	w.block.Upper += int32(sum >> upper & maxRun)
	w.block.Digits += int32(sum >> digits & maxRun)
	w.block.Punct += int32(sum >> puncts & maxRun)
	if sum>>signs&maxRun != 0 {
		w.signs = true
	}
}

// due writes the white space before the next character. A line break replaces a space.
func (w *writer) due() {
	switch {
	case len(w.kept) > 0:
		w.p.Text = append(w.p.Text, w.kept...)
		w.kept = w.kept[:0]
	// No white space before the first character of a block.
	case w.empty():
	case w.lines > 0:
		w.p.Text = append(w.p.Text, '\n')
	case w.space != noGap:
		w.p.Text = append(w.p.Text, ' ')
	}
	w.space, w.lines = noGap, 0
}

// special writes the character at the start of s, which is a reference or not ASCII, and returns its length. It takes
// at least one byte.
func (w *writer) special(s []byte, literal bool) int {
	switch c := s[0]; {
	case c == '&' && literal:
		w.char('&')
		return 1
	case c == '&':
		r, r2, n := charRef(s, false)
		if n == 0 {
			w.char('&')
			return 1
		}
		w.char(r)
		if r2 != 0 {
			w.char(r2)
		}
		return n
	case c < utf8.RuneSelf:
		return 1 // a control character
	}
	r, n := utf8.DecodeRune(s)
	w.char(r)
	return n
}

// char writes one character and counts it like run.
func (w *writer) char(r rune) {
	// These are invisible, and would divide words.
	if r == '\u00AD' || r == '\uFEFF' || r < ' ' && !isSpace(byte(r)) {
		return // a soft hyphen, a byte order mark
	}
	// White space beyond ASCII, with the no-break space, collapses with the rest.
	if unicode.IsSpace(r) {
		w.space, w.word = aSpace, false
		return
	}
	if w.space == endOfLine && wide(w.last) && wide(r) {
		w.space = noGap
	}
	w.due()
	w.p.Text = utf8.AppendRune(w.p.Text, r)
	w.last = r
	w.block.Chars++
	// A character from a reference, such as &amp; or &#65;.
	if r < utf8.RuneSelf {
		k := classes[r]
		w.count(k)
		if k&letterByte != 0 && !w.word {
			w.word = true
			w.block.Words++
		}
		return
	}
	// Scripts without spaces count parts of words.
	if d := density(r); d > 0 {
		w.dense += d
		w.word = false
		if w.dense >= 12 {
			w.block.Words++
			w.dense -= 12
		}
		return
	}
	switch {
	// CJK punctuation, full-width forms, Arabic and Devanagari signs, the ellipsis.
	case r >= 0x3000 && r < 0x3040 || r >= 0xFF01 && r < 0xFF10 || r == '؟' || r == '،' || r == '।' || r == '…':
		w.block.Punct++
	// Typographic signs, arrows, symbols: neither punctuation of sentences nor words.
	case r >= 0x2000 && r < 0x2C00 || r >= 0xA0 && r < 0xC0:
	case !w.word:
		w.word = true
		w.block.Words++
	}
}

// density is how many twelfths of a word a character counts in scripts without spaces between words, or 0 in others.
// Four characters of Thai make a word, two of Chinese.
func density(r rune) int {
	switch {
	case r < 0x0E00:
		return 0
	// r < 0x10A0 covers Thai to Myanmar; Georgian, after it, has spaces.
	case r < 0x1100: // Thai, Lao, Tibetan, Myanmar
		if r < 0x1000 || r < 0x10A0 {
			return 3
		}
		return 0
	case r >= 0x1780 && r < 0x1800: // Khmer
		return 3
	case r >= 0x3040 && r < 0xA000, r >= 0xF900 && r < 0xFB00, r >= 0x20000 && r < 0x32000: // Kana and Han
		return 6
	}
	return 0
}
