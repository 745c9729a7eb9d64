package langid

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

const (
	// A segment ends with the line in which it reaches minSegment letters. Fewer show too little: at 40 letters
	// lingua's low accuracy mode is right for 84 of 100 NTREX samples, at 80 for 94.
	minSegment = 60
	// otherShare is the share of letters from which on another script wins in a segment with more Latin letters.
	otherShare = 0.3
	// maxSegment cuts long lines, so that a text without line feeds is sampled in more than one place.
	maxSegment = 400
)

// A segment is a part of a text treated as being in one language.
type segment struct {
	start, end int // bytes
	letters    int
	script     script // of most of its letters
	kana       bool   // more than one in twelve letters of its script is kana
}

// bytes returns the length of the segment.
func (s *segment) bytes() int { return s.end - s.start }

// split cuts text into segments: groups of lines in one script, and pieces of long lines. Lines without a letter are
// left out.
func split(text string) []segment {
	// A segment grows line by line until it has minSegment letters. Then open is emptied, and the next line begins
	// another segment.
	var segments []segment
	var open counter // counts of the last segment while it may grow
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

// measure counts the letters of the line at start, up to the size of a segment, and returns the end.
func (c *counter) measure(text string, start int) int {
	for i := start; i < len(text); {
		// Eight bytes are read at a time, unless the line may have to be cut among them.
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
		// Digits, blanks and punctuation have no script. A line may be cut at some of them, never within a word.
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

// asciiPart returns how many of eight bytes come before the first line feed or non-ASCII byte. It also returns how
// many of these are letters A to Z. It handles most of the text of most pages.
func asciiPart(eight string) (size, letters int) {
	const ones, highs = 0x0101_0101_0101_0101, 0x8080_8080_8080_8080
	// With this check the compiler drops the eight bounds checks below.
	_ = eight[7]
	word := uint64(eight[0]) | uint64(eight[1])<<8 | uint64(eight[2])<<16 | uint64(eight[3])<<24 |
		uint64(eight[4])<<32 | uint64(eight[5])<<40 | uint64(eight[6])<<48 | uint64(eight[7])<<56
	// The highest bit of each byte holds a result. A sum of seven bits and less than 0x81 never carries to the next
	// byte. A line feed is 0 here, and 0 + 0x7F alone leaves the highest bit unset.
	low := word &^ highs
	// The bit makes letters small; in ASCII it turns no other character into a letter.
	notFeed := (low ^ '\n'*ones) + 0x7F*ones
	small := low | 0x20*ones
	isLetter := (small + (0x80-'a')*ones) &^ (small + (0x80-'z'-1)*ones) & highs
	stop := (word | ^notFeed) & highs
	if stop == 0 {
		return 8, bits.OnesCount64(isLetter)
	}
	// The lowest byte is the first of the text, so zeros below the first stop are bytes before it.
	before := bits.TrailingZeros64(stop) &^ 7
	return before / 8, bits.OnesCount64(isLetter & (1<<before - 1))
}

// decode is utf8.DecodeRuneInString, but fast for letters of two bytes.
func decode(text string) (rune, int) {
	if b := text[0]; b < utf8.RuneSelf {
		return rune(b), 1
	} else if 0xC2 <= b && b < 0xE0 && len(text) > 1 && text[1]&0xC0 == 0x80 {
		return rune(b&0x1F)<<6 | rune(text[1]&0x3F), 2
	}
	return utf8.DecodeRuneInString(text)
}

// add adds the counts of other.
func (c *counter) add(other *counter) {
	c.letters += other.letters
	c.kana += other.kana
	for i, n := range other.scripts {
		c.scripts[i] += n
	}
}

// script returns the script of most letters. If they are Latin, it returns another script with at least otherShare of
// them. Names of people and products are in Latin letters in any text, and have more letters than words of other
// scripts.
func (c *counter) script() script {
	// Of two with the same number the earlier script wins.
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

// segment returns the counts as a segment from start to end. Japanese prose is about half kana. A Chinese text has
// only a few, as decoration or in a name.
func (c *counter) segment(start, end int) segment {
	return segment{
		start: start, end: end, letters: c.letters, script: c.script(), kana: c.kana*12 > c.scripts[cjk],
	}
}

// isBreak reports whether a text may be cut after r.
func isBreak(r rune) bool {
	return r == ' ' || r == '\t' || r >= utf8.RuneSelf && (unicode.IsSpace(r) || unicode.IsPunct(r))
}
