package langid

import (
	"unicode"
	"unicode/utf8"
)

const (
	// A segment ends with the line in which it reaches minSegment letters: fewer say too little about a language (at
	// 40 letters lingua's low accuracy mode is right on 84 of 100 NTREX samples, at 80 on 94).
	minSegment = 60
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
		if n := asciiLetters(text[i:]); n > 0 {
			c.scripts[latin] += n
			c.letters += n
			i += n
			continue
		}
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		s := scriptOf(r)
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

// asciiLetters returns how many letters from A to Z text begins with: most pages are read by it.
func asciiLetters(text string) int {
	for i := range len(text) {
		if b := text[i] | 0x20; b < 'a' || b > 'z' {
			return i
		}
	}
	return len(text)
}

// add counts what other counted.
func (c *counter) add(other *counter) {
	c.letters += other.letters
	c.kana += other.kana
	for i, n := range other.scripts {
		c.scripts[i] += n
	}
}

// script returns the script of most letters.
func (c *counter) script() script {
	best := latin
	for i := latin; i < scripts; i++ {
		if c.scripts[i] > c.scripts[best] {
			best = i
		}
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
