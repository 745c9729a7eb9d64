package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/corpus/word"
	"github.com/gleaner-web/gleaner/transforms/quality"
)

const gopherPaper = `Rae et al., "Scaling language models: methods, analysis and insights from training Gopher", ` +
	`2021, arXiv 2112.11446`

// gopherQuality is the quality filter of the Gopher paper, section A1.1.
var gopherQuality = Filter{
	Name: "gopher_quality", Source: gopherPaper + ", A1.1",
	Does: "refuses what does not look like running text: too short, too many signs, bullets or ellipses, no stop words",
	Constants: []Constant{
		{"min_words", 50, "words that are not signs alone"},
		{"max_words", 100_000, "likewise"},
		{"min_word_length", 3, "mean code points of such words"},
		{"max_word_length", 10, "likewise"},
		{"max_symbols", 0.1, "hash signs a word, and ellipses a word"},
		{"max_bullet_lines", 0.9, "share of lines"},
		{"max_ellipsis_lines", 0.3, "share of lines"},
		{"min_alphabetic", 0.8, "share of words with a letter"},
		{"min_stop_words", 2, "different stop words of the language, where there is a list; the paper's list for English"},
	},
	make: func(s Settings) (Judge, error) {
		n := s.Numbers
		return func(p *Page) string { return judgeGopher(p, n) }, nil
	},
}

func judgeGopher(p *Page, n map[string]float64) string {
	words := p.Words()
	count, length, letters := countWords(words)
	mean := float64(length) / float64(max(count, 1))
	switch {
	case float64(count) < n["min_words"]:
		return "short"
	case float64(count) > n["max_words"]:
		return "long"
	// Parts of words are shorter.
	case mean < n["min_word_length"] && !p.unspaced():
		return "short_words"
	case mean > n["max_word_length"] && !p.unspaced():
		return "long_words"
	}
	all := float64(len(words))
	ellipses := strings.Count(p.Text, "...") + strings.Count(p.Text, "…")
	bullets, ends := shareOfLines(p.Text)
	switch {
	case float64(strings.Count(p.Text, "#"))/all > n["max_symbols"]:
		return "hash_signs"
	case float64(ellipses)/all > n["max_symbols"]:
		return "ellipses"
	case bullets > n["max_bullet_lines"]:
		return "bullets"
	case ends > n["max_ellipsis_lines"]:
		return "ellipsis_lines"
	case float64(letters)/all < n["min_alphabetic"]:
		return "not_alphabetic"
	}
	if stops := quality.StopWords(p.Doc.Language); stops != nil && !p.hasStops(stops, int(n["min_stop_words"])) {
		return "stop_words"
	}
	return ""
}

// countWords returns the number of words with more than signs, their length in code points, and the number of words
// with a letter.
func countWords(words []string) (count, length, letters int) {
	for _, w := range words {
		var has kind
		for i := range len(w) {
			has |= asciiKind[w[i]]
		}
		size := len(w)
		if has&kindWide != 0 {
			has, size = kindOf(w), runes(w)
		}
		if has&kindMore != 0 {
			count, length = count+1, length+size
		}
		if has&kindLetter != 0 {
			letters++
		}
	}
	return count, length, letters
}

// kindOf returns the kinds of the characters of a word.
func kindOf(w string) (has kind) {
	for _, r := range w {
		if !signs[r] {
			has |= kindMore
		}
		if unicode.IsLetter(r) {
			has |= kindLetter
		}
	}
	return has
}

// A kind is a set of kinds of characters.
type kind uint8

const (
	kindMore   kind = 1 << iota // not a sign
	kindLetter                  // usually not a sign, too
	kindWide                    // a byte of a character that is not ASCII
)

// asciiKind has the kinds of bytes.
var asciiKind = func() (t [256]kind) {
	for c := range t {
		if t[c] = kindWide; c < utf8.RuneSelf {
			t[c] = kindOf(string(rune(c)))
		}
	}
	return t
}()

// signs are the characters that do not make a word: those that FineWeb's filters do not count, and control characters.
var signs = func() map[rune]bool {
	m := map[rune]bool{}
	for _, r := range "!/—”:％１〈&(、━\\【#%「」，】；+^]~“《„';’{|∶´[=-`*．（–？！：$～«〉,><》)?）。…@_.\"}►»" + word.Terminals {
		m[r] = true
	}
	for r := range rune(0xa0) {
		if r < 0x20 || r >= 0x7f {
			m[r] = true
		}
	}
	delete(m, '\n')
	return m
}()

// shareOfLines returns the share of lines that begin with a bullet and of those that end with an ellipsis.
func shareOfLines(text string) (bullets, ellipses float64) {
	var all, begin, end float64
	eachLine(text, func(line string) bool {
		all++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "•") || strings.HasPrefix(line, "-") {
			begin++
		}
		if strings.HasSuffix(line, "...") || strings.HasSuffix(line, "…") {
			end++
		}
		return true
	})
	if all == 0 {
		return 0, 0
	}
	return begin / all, end / all
}

// hasStops reports whether there are at least least different stop words. Words are compared with case, as in the
// peer: "The" at the beginning of a sentence does not count. Where Words returns parts of words, the text is searched,
// as in package quality.
func (p *Page) hasStops(stops []string, least int) bool {
	var seen uint64 // a list has at most 64 words
	n := 0
	if p.unspaced() {
		for _, s := range stops {
			if strings.Contains(p.Text, s) {
				n++
			}
		}
		return n >= least
	}
	for _, w := range p.Words() {
		if n >= least {
			return true // most texts have enough in their first sentence
		}
		for i, s := range stops {
			if w == s && seen&(1<<i) == 0 {
				seen |= 1 << i
				n++
			}
		}
	}
	return n >= least
}
