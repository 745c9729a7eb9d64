package main

import (
	"slices"
	"strings"
	"unicode"
)

func sortByID(s []sample) {
	slices.SortFunc(s, func(a, b sample) int { return strings.Compare(a.ID, b.ID) })
}

// tokens returns the words of text in lower case. In scripts without spaces between words, each character is a word.
func tokens(text string) []string {
	var words []string
	start := -1
	end := func(i int) {
		if start >= 0 {
			words = append(words, text[start:i])
			start = -1
		}
	}
	text = strings.ToLower(text)
	for i, r := range text {
		switch {
		case dense(r):
			end(i)
			words = append(words, string(r))
		case r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(text))
	return words
}

// dense reports whether r's script has no spaces between words.
func dense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// grams counts the runs of n words. A text of fewer words is one run.
func grams(words []string, n int) map[string]int {
	count := map[string]int{}
	for i := 0; i == 0 || i+n <= len(words); i++ {
		count[strings.Join(words[i:min(i+n, len(words))], " ")]++
	}
	return count
}

// overlap returns the F1 of the runs of n words that two texts share: 1 for words, or 4 as in scrapinghub's
// benchmark.
func overlap(got, want []string, n int) float64 {
	if len(got) == 0 || len(want) == 0 {
		if len(got) == len(want) {
			return 1
		}
		return 0
	}
	a, b := grams(got, n), grams(want, n)
	both, all := 0, 0
	for k, n := range a {
		both += min(n, b[k])
		all += n
	}
	for _, n := range b {
		all += n
	}
	return 2 * float64(both) / float64(all)
}

// snippets counts a page's wanted and unwanted snippets in a text, as trafilatura's evaluation does.
type snippets struct{ tp, fn, fp int }

func (c *snippets) add(s *sample, text string) {
	text = strings.Join(strings.Fields(text), " ")
	for _, w := range s.With {
		if strings.Contains(text, strings.Join(strings.Fields(w), " ")) {
			c.tp++
		} else {
			c.fn++
		}
	}
	for _, w := range s.Without {
		if strings.Contains(text, strings.Join(strings.Fields(w), " ")) {
			c.fp++
		}
	}
}

func (c snippets) f1() float64 { return 2 * float64(c.tp) / float64(max(1, 2*c.tp+c.fp+c.fn)) }
