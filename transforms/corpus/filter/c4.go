package filter

import (
	"regexp"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/corpus/word"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

const c4Paper = `Raffel et al., "Exploring the limits of transfer learning with a unified text-to-text ` +
	`transformer", JMLR 21 (2020), 2.2`

// c4 is the filter of the Colossal Clean Crawled Corpus. It removes lines, and refuses pages with few sentences left.
var c4 = Filter{
	Name: "c4", Source: c4Paper + "; lines about cookies and long words by its program, c4_utils.py",
	Does: "takes out lines without a full stop, short ones and those about cookies or JavaScript; refuses lorem ipsum, " +
		"curly brackets and what has few sentences left",
	Constants: []Constant{
		{"terminal_punctuation", 1, "1 to take lines out that do not end a sentence; FineWeb has 0"},
		{"min_line_words", 3, "words between white space"},
		{"max_word_length", 1000, "code points of the longest word of a line"},
		{"min_sentences", 5, "of the lines that are left"},
		{"curly_brackets", 1, "1 to refuse texts with a curly bracket"},
	},
	make: func(s Settings) (Judge, error) {
		c := &cleaner{numbers: s.Numbers}
		return c.judge, nil
	},
	edit: func(s Settings) editor {
		c := &cleaner{numbers: s.Numbers}
		return editor{
			line: func(_ *Page, line string) (left string, stays bool) {
				left, stays, _ = c.line(strings.TrimSpace(line)) // the judge has refused the page if there is a reason
				return left, stays
			},
			markdown: func(_ *Page, text string) string { return markedCitations().ReplaceAllString(text, "") },
		}
	},
}

// cleaner keeps its memory between pages.
type cleaner struct {
	numbers map[string]float64
	words   []string
}

// citations are marks of Wikipedia.
var citations = pattern.Lazy(`\[\d*\]|\[edit\]|\[citation needed\]`)

// markedCitations are the same in Markdown: escaped, and perhaps a link.
var markedCitations = func() func() *regexp.Regexp {
	const mark, link = `\\\[(?:\d*|edit|citation needed)\\\]`, `\]\([^()\s]*\)`
	return pattern.Lazy(`<sup>\[` + mark + link + `</sup>|\[<sup>` + mark + `</sup>` + link + `|\[` + mark + link +
		`|<sup>` + mark + `</sup>|` + mark)
}()

var policies = []string{"terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use " +
	"cookies"}

func (c *cleaner) judge(p *Page) (why string) {
	var kept strings.Builder
	sentences := 0
	eachLine(p.Text, func(line string) bool {
		line = strings.TrimSpace(line)
		var keep bool
		if line, keep, why = c.line(line); why != "" || !keep {
			return why == ""
		}
		c.words = word.Append(c.words[:0], line)
		// A line that citations have left empty counts as one, as in the peer.
		sentences += max(1, word.Sentences(c.words))
		if kept.Len() > 0 {
			kept.WriteByte('\n')
		}
		kept.WriteString(line)
		return true
	})
	if why != "" {
		return why
	}
	if float64(sentences) < c.numbers["min_sentences"] {
		return "few_sentences"
	}
	p.SetText(strings.TrimSpace(kept.String()))
	return ""
}

// line returns the rest of a line, whether it stays, and why it refuses the page, if it does.
func (c *cleaner) line(line string) (left string, keep bool, why string) {
	count := 0
	for w := range strings.FieldsSeq(line) {
		if count++; float64(len(w)) > c.numbers["max_word_length"] && float64(runes(w)) > c.numbers["max_word_length"] {
			return "", false, ""
		}
	}
	if strings.IndexByte(line, '[') >= 0 {
		line = citations().ReplaceAllString(line, "")
	}
	if c.numbers["terminal_punctuation"] != 0 && !endsSentence(line) || float64(count) < c.numbers["min_line_words"] {
		return "", false, ""
	}
	folded := strings.ToLower(line)
	switch {
	case strings.Contains(folded, "lorem ipsum"):
		return "", false, "lorem_ipsum"
	case strings.Contains(folded, "javascript"):
		return "", false, ""
	case c.numbers["curly_brackets"] != 0 && strings.Contains(line, "{"):
		return "", false, "curly_bracket"
	}
	for _, phrase := range policies {
		if strings.Contains(folded, phrase) {
			return "", false, ""
		}
	}
	return line, true, ""
}

func endsSentence(line string) bool {
	return line != "" && strings.IndexByte(`.?!"'`, line[len(line)-1]) >= 0 && !strings.HasSuffix(line, "...")
}
