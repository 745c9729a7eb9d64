package langid

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

const (
	// A segment ends with the line in which it reaches minSegment letters: fewer say too little about a language (at
	// 40 letters lingua's low accuracy mode is right on 84 of 100 NTREX samples, at 80 on 94).
	minSegment = 60
	// otherShare is the share of letters from which on another script is that of a segment in which there are more Latin
	// letters.
	otherShare = 0.3
	// maxSegment cuts long lines, so that a text without line feeds is sampled in more than one place.
	maxSegment = 400
)

// A segment is a stretch of text that is taken to be in one language.
type segment struct {
	start, end int // bytes
	letters    int
	script     script // of most of its letters
	kana       bool   // whether more than one in twelve letters of its script is kana
}

// bytes returns how long the segment is.
func (s *segment) bytes() int { return s.end - s.start }

// split cuts text into segments: groups of lines of one script, and pieces of long lines. Lines without a letter are in
// none.
func split(text string) []segment {
	// A segment grows line by line until it has minSegment letters; then open is emptied, and the next line begins
	// another.
	var segments []segment
	var open counter // of the last segment, as long as it may grow
	for start := 0; start < len(text); {
		var line counter
		end := line.measure(text, start)
		if n := len(segments); open.letters > 0 && line.letters > 0 && open.script() == line.script() {
			open.add(&line)
			segments[n-1] = open.segment(segments[n-1].start, end)
		} else if line.letters > 0 {
			open = line
			segments = append(segments, open.segment(start, end))
		}
		if open.letters >= minSegment {
			open = counter{}
		}
		start = end
	}
	return segments
}

// A counter counts letters by script.
type counter struct {
	scripts       [scripts]int
	letters, kana int
}

// measure counts the line that begins at start, or as much of it as makes a segment, and returns where that ends.
func (c *counter) measure(text string, start int) int {
	for i := start; i < len(text); {
		// Eight at a time, unless the line may have to be cut among them.
		if text[i] < utf8.RuneSelf && text[i] != '\n' && i+8 <= len(text) && c.letters <= maxSegment-8 {
			size, letters := asciiPart(text[i : i+8])
			i += size
			c.scripts[latin] += letters
			c.letters += letters
			continue
		}
		r, size := decode(text[i:])
		i += size
		s := scriptOf(r)
		// Digits, blanks and punctuation are in no script. A line may be cut at some of them, never within a word.
		if s == unknown {
			if r == '\n' || c.letters >= maxSegment && isBreak(r) {
				return i
			}
			continue
		}
		c.scripts[s]++
		c.letters++
		if s == cjk && isKana(r) {
			c.kana++
		}
	}
	return len(text)
}

// asciiPart returns how many of eight bytes are before the first that is a line feed or is not ASCII, and how many
// letters from A to Z these are: most pages are read by it.
func asciiPart(eight string) (size, letters int) {
	const ones, highs = 0x0101_0101_0101_0101, 0x8080_8080_8080_8080
	// The compiler drops the eight checks of bounds below for this one.
	_ = eight[7]
	word := uint64(eight[0]) | uint64(eight[1])<<8 | uint64(eight[2])<<16 | uint64(eight[3])<<24 |
		uint64(eight[4])<<32 | uint64(eight[5])<<40 | uint64(eight[6])<<48 | uint64(eight[7])<<56
	// The highest bit of each byte says what holds of it; no sum of seven bits and less than 0x81 carries to the next
	// byte.
	// A byte that is a line feed is 0 here, and 0 + 0x7F alone leaves the highest bit unset.
	low := word &^ highs
	// The bit makes letters small; other characters that it makes letters of do not exist in ASCII beside A to Z.
	notFeed := (low ^ '\n'*ones) + 0x7F*ones
	small := low | 0x20*ones
	isLetter := (small + (0x80-'a')*ones) &^ (small + (0x80-'z'-1)*ones) & highs
	stop := (word | ^notFeed) & highs
	if stop == 0 {
		return 8, bits.OnesCount64(isLetter)
	}
	// The lowest byte is the first of the text: zeros below the first stop are bytes before it.
	before := bits.TrailingZeros64(stop) &^ 7
	return before / 8, bits.OnesCount64(isLetter & (1<<before - 1))
}

// decode is utf8.DecodeRuneInString, quick for letters of two bytes.
func decode(text string) (rune, int) {
	if b := text[0]; b < utf8.RuneSelf {
		return rune(b), 1
	} else if 0xC2 <= b && b < 0xE0 && len(text) > 1 && text[1]&0xC0 == 0x80 {
		return rune(b&0x1F)<<6 | rune(text[1]&0x3F), 2
	}
	return utf8.DecodeRuneInString(text)
}

// add counts what other counted.
func (c *counter) add(other *counter) {
	c.letters += other.letters
	c.kana += other.kana
	for i, n := range other.scripts {
		c.scripts[i] += n
	}
}

// script returns the script of most letters; or, where these are Latin, the other one that has otherShare of them:
// names of people and products are in Latin letters in any text, and take more letters there than words do.
func (c *counter) script() script {
	// Of two with the same number the earlier script counts.
	best, other := latin, latin+1
	for i := latin; i < scripts; i++ {
		if c.scripts[i] > c.scripts[best] {
			best = i
		}
		if i > latin && c.scripts[i] > c.scripts[other] {
			other = i
		}
	}
	if best == latin && c.letters > 0 && float64(c.scripts[other]) >= otherShare*float64(c.letters) {
		return other
	}
	return best
}

// segment returns what was counted as a segment from start to end. Japanese prose is about half kana, while a Chinese
// text has one here and there, as a decoration or in a name.
func (c *counter) segment(start, end int) segment {
	return segment{
		start: start, end: end, letters: c.letters, script: c.script(), kana: c.kana*12 > c.scripts[cjk],
	}
}

// isBreak reports whether a text may be cut after r.
func isBreak(r rune) bool {
	return r == ' ' || r == '\t' || r >= utf8.RuneSelf && (unicode.IsSpace(r) || unicode.IsPunct(r))
}
