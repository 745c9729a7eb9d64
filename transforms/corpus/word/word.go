package word

import (
	"strings"
	"unicode/utf8"
)

// Version is the version of the words. Counts of different versions differ.
const Version = "2"

// maxChunk bounds the length of a chunk whose ends are split. Otherwise a line of a million signs would be a million
// words.
const maxChunk = 4096

// Append appends the words of text in order, and returns the extended slice. Words share memory with text.
func Append(words []string, text string) []string {
	for at := 0; at < len(text); {
		// Most texts are nearly all letters, numbers, and a sign after one of them.
		if end, sign := simple(text, at); end > at {
			if words = append(words, text[at:end-sign]); sign > 0 {
				words = append(words, text[end-sign:end])
			}
			at = end
			continue
		}
		r, size := decode(text[at:])
		if classOf(r)&space != 0 {
			at += size
			continue
		}
		end := chunkEnd(text, at)
		from := len(words)
		words = rejoin(split(words, text[at:end]), from, text[at:end])
		at = end
	}
	return words
}

// simple returns the end of the chunk that begins at a position, and the length of the sign at its end. It handles
// chunks that split would divide into a word and a sign, or leave as one word. For all other chunks, including those
// of a list, end equals at.
func simple(text string, at int) (end, sign int) {
	end = at
	for end < len(text) && classes[text[end]]&(lower|upper) != 0 {
		end++
	}
	if end == at {
		for end < len(text) && classes[text[end]]&digit != 0 {
			end++
		}
		if end < len(text) && classes[text[end]]&space == 0 {
			return at, 0
		}
		return end, 0
	}
	if end == len(text) || classes[text[end]]&space != 0 {
		if special(text[at:end]) != nil {
			return at, 0
		}
		return end, 0
	}
	// A single letter may be a part of an emoticon, and a dot after capitals one of an abbreviation.
	c := text[end]
	ends := c == ',' || c == ':' || c == ';' || c == '!' || c == '?' || c == '.' && classes[text[end-1]]&lower != 0
	if !ends || end-at < 2 || end+1 < len(text) && classes[text[end+1]]&space == 0 ||
		special(text[at:end]) != nil || special(text[at:end+1]) != nil {
		return at, 0
	}
	return end + 1, 1
}

// rejoin joins two signs of a chunk that are a known pair, such as "):". They were divided because of other signs
// around them.
func rejoin(words []string, from int, chunk string) []string {
	to, at := from, 0
	for i := from; i < len(words); i++ {
		size := len(words[i])
		// Only signs of one byte are checked, since the list has no longer ones.
		if size == 1 && i+1 < len(words) && len(words[i+1]) == 1 && len(special(chunk[at:at+2])) == 1 {
			size, i = 2, i+1
		}
		words[to] = chunk[at : at+size]
		to, at = to+1, at+size
	}
	return words[:to]
}

// chunkEnd returns the end of the chunk that begins at i.
func chunkEnd(text string, i int) int {
	for i < len(text) {
		r, size := decode(text[i:])
		if classOf(r)&space != 0 {
			break
		}
		i += size
	}
	return i
}

func decode(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

// split appends the words of a chunk. Signs at its beginning are appended at once; those at its end are kept, since
// they come in reverse.
func split(words []string, s string) []string {
	var store [16]string
	ends := store[:0]
	for s != "" && len(s) <= maxChunk {
		if parts := special(s); parts != nil {
			words, s = appendParts(words, s, parts), ""
			break
		}
		n, m := prefixLen(s), 0
		if n > 0 {
			words, s = append(words, s[:n]), s[n:]
			if s == "" || special(s) != nil {
				continue
			}
		}
		if m = suffixLen(s); m > 0 {
			ends, s = append(ends, s[len(s)-m:]), s[:len(s)-m]
		}
		if n == 0 && m == 0 {
			break
		}
	}
	if s != "" {
		words = inner(words, s)
	}
	for i := len(ends) - 1; i >= 0; i-- {
		words = append(words, ends[i])
	}
	return words
}

// prefixLen returns the length of the sign at the beginning of s, or 0.
func prefixLen(s string) int {
	r, size := decode(s)
	switch {
	case classOf(r)&prefix != 0:
		return size
	case r == '+':
		// +49 is one word; a plus sign before a word is a separate one.
		if len(s) > 1 && classes[s[1]]&digit != 0 {
			return 0
		}
		return 1
	case r == '.':
		return dots(s)
	}
	if r != 'U' && r != 'C' && r != 'A' {
		return 0
	}
	for _, p := range [...]string{"US$", "C$", "A$"} {
		if strings.HasPrefix(s, p) {
			return len(p)
		}
	}
	return 0
}

// dots returns the length of the run of dots at the beginning of s if it has two or more.
func dots(s string) int {
	n := 0
	for n < len(s) && s[n] == '.' {
		n++
	}
	if n < 2 {
		return 0
	}
	return n
}

// suffixLen returns the length of the sign or ending at the end of s, or 0.
func suffixLen(s string) int {
	r, size := utf8.DecodeLastRuneInString(s)
	rest := s[:len(s)-size]
	switch {
	case r == 's' || r == 'S':
		// This is the possessive, with either apostrophe.
		for _, a := range [...]string{"'", "’"} {
			if strings.HasSuffix(rest, a) {
				return len(a) + 1
			}
		}
	case r == '.':
		return dotLen(s, rest)
	case classOf(r)&suffix != 0:
		return size
	case r == '+' || classOf(r)&money != 0:
		if endsWith(rest, digit) {
			return size
		}
	}
	return unitLen(s)
}

// dotLen returns the length of the dots at the end of s if they are not part of a word. A single dot is separate after
// a lower-case letter, a digit or a sign, and after two capitals ("USA."). After one capital it belongs to the word
// ("J.").
func dotLen(s, rest string) int {
	n := 1
	for n < len(s) && s[len(s)-1-n] == '.' {
		n++
	}
	if n > 1 {
		return n
	}
	r, size := utf8.DecodeLastRuneInString(rest)
	if rest == "" {
		return 0
	}
	c := classOf(r)
	if c&(lower|digit|quote|sign) != 0 || strings.ContainsRune("%²-+|", r) {
		return 1
	}
	if c&upper != 0 && endsWith(rest[:len(rest)-size], upper) {
		return 1
	}
	return 0
}

func endsWith(s string, c class) bool {
	if s == "" {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return classOf(r)&c != 0
}

// units are units that may come directly after a number. They are separate words.
var units = func() map[string]bool {
	m := map[string]bool{}
	for _, u := range strings.Fields("km km² km³ m m² m³ dm dm² dm³ cm cm² cm³ mm mm² mm³ ha µm nm yd in ft kg g mg " +
		"µg t lb oz " +
		"m/s km/h kmh mph hPa Pa mbar mb MB kb KB gb GB tb TB T G M K %") {
		m[u] = true
	}
	return m
}()

// unitLen returns the length of the unit at the end of s if a digit comes before it.
func unitLen(s string) int {
	// All text after the last digit must be one unit.
	for n := 1; n <= 5 && n < len(s); n++ {
		if c := s[len(s)-1-n]; classes[c]&digit != 0 {
			if units[s[len(s)-n:]] {
				return n
			}
			return 0
		}
	}
	return 0
}
