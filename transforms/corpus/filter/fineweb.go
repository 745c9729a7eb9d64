package filter

import (
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/corpus/word"
)

// fineweb has the filters that FineWeb's authors found by comparing good crawls with bad ones.
var fineweb = Filter{
	Name: "fineweb",
	Source: `Penedo et al., "The FineWeb datasets: decanting the web for the finest text data at scale", 2024, ` +
		`arXiv 2406.17557, 3.5; constants are those of the code by which the dataset was made, datatrove's ` +
		`FineWebQualityFilter, which differ from the paper's where that is said`,
	Does: "refuses lists: few lines that end a sentence, mostly short lines, repeated lines, few words a line",
	Constants: []Constant{
		{"min_line_punctuation", 0.12, "share of lines that end with a mark that ends sentences"},
		{"max_short_lines", 0.67, "share of lines that are short"},
		{"short_line", 30, "code points of a short line"},
		{"max_repeated_characters", 0.01, "share of code points in lines that repeat an earlier one; the paper says 0.1"},
		{"max_line_feeds", 0.3, "line feeds a word; not in the paper"},
	},
	make: func(s Settings) (Judge, error) {
		n, seen := s.Numbers, map[string]struct{}{}
		return func(p *Page) string { return judgeLines(p, n, seen) }, nil
	},
}

var terminal = func() map[rune]bool {
	m := map[rune]bool{}
	for _, r := range word.Terminals {
		m[r] = true
	}
	return m
}()

func judgeLines(p *Page, n map[string]float64, seen map[string]struct{}) string {
	clear(seen)
	var lines, ended, short, repeated float64
	for line := range strings.SplitSeq(p.Text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		if r, _ := utf8.DecodeLastRuneInString(line); terminal[r] {
			ended++
		}
		size := float64(runes(line))
		if size <= n["short_line"] {
			short++
		}
		if _, ok := seen[line]; ok {
			repeated += size
		}
		seen[line] = struct{}{}
	}
	feeds := float64(strings.Count(p.Text, "\n"))
	switch all := float64(p.Size()) - feeds; {
	case lines == 0:
		return "empty"
	case ended/lines < n["min_line_punctuation"]:
		return "line_punctuation"
	case short/lines > n["max_short_lines"]:
		return "short_lines"
	case repeated/all > n["max_repeated_characters"]:
		return "repeated_lines"
	case feeds/float64(max(len(p.Words()), 1)) > n["max_line_feeds"]:
		return "list"
	}
	return ""
}
