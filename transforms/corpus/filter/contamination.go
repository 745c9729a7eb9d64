package filter

import (
	"errors"
	"strings"
	"unicode"
)

// contamination refuses texts that contain passages of benchmarks, since a model would memorise them.
var contamination = Filter{
	Name: "contamination",
	Does: "refuses texts that share a sequence of words with a text of the list, such as the questions of a benchmark",
	Source: `Brown et al., "Language models are few-shot learners", 2020, arXiv 2005.14165, appendix C: 13 words, ` +
		`without ` +
		"case and punctuation",
	Constants: []Constant{{"ngram", 13, "words in a row; shorter texts of the list are taken whole"}},
	Lists:     []string{"texts"},
	make: func(s Settings) (Judge, error) {
		if len(s.Lists["texts"]) == 0 {
			return nil, errors.New("name texts, one a line")
		}
		n := int(s.Numbers["ngram"])
		if n < 1 || n > 100 {
			return nil, errors.New("ngram is 1 to 100")
		}
		known := map[string]struct{}{}
		var short []string
		for _, text := range s.Lists["texts"] {
			words := plainWords(text)
			if len(words) > 0 && len(words) < n {
				short = append(short, " "+strings.Join(words, " ")+" ")
			}
			for i := 0; i+n <= len(words); i++ {
				known[strings.Join(words[i:i+n], " ")] = struct{}{}
			}
		}
		return func(p *Page) string {
			if shares(plainWords(p.Text), n, known, short) {
				return "benchmark"
			}
			return ""
		}, nil
	},
}

func shares(words []string, n int, known map[string]struct{}, short []string) bool {
	for i := 0; i+n <= len(words) && len(known) > 0; i++ {
		if _, ok := known[strings.Join(words[i:i+n], " ")]; ok {
			return true
		}
	}
	if len(short) == 0 {
		return false
	}
	whole := " " + strings.Join(words, " ") + " "
	for _, s := range short {
		if strings.Contains(whole, s) {
			return true
		}
	}
	return false
}

// plainWords returns the runs of letters and digits, in lower case.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
