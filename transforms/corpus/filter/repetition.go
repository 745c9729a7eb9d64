package filter

import (
	"fmt"
	"slices"
	"strings"
)

// gopherRepetition is the filter of repeated text in the Gopher paper, table A1.
var gopherRepetition = Filter{
	Name: "gopher_repetition", Source: gopherPaper + ", table A1",
	Does:      "refuses what repeats itself: lines, paragraphs, or sequences of words",
	Constants: repetitionConstants(),
	make: func(s Settings) (Judge, error) {
		r := &repetition{numbers: s.Numbers}
		for n := 2; n <= 10; n++ {
			r.limits[n] = s.Numbers[ngramName(n)]
			r.reasons[n] = ngramName(n)
		}
		return r.judge, nil
	},
}

func ngramName(n int) string {
	if n <= 4 {
		return fmt.Sprintf("top_%d_gram", n)
	}
	return fmt.Sprintf("repeated_%d_grams", n)
}

func repetitionConstants() []Constant {
	list := []Constant{
		{"repeated_lines", 0.30, "share of lines that are equal to an earlier one"},
		{"repeated_paragraphs", 0.30, "share of paragraphs, likewise"},
		{"repeated_line_characters", 0.20, "share of the text's code points in such lines"},
		{"repeated_paragraph_characters", 0.20, "likewise in paragraphs"},
	}
	for n, limit := range []float64{2: 0.20, 0.18, 0.16} {
		if n >= 2 {
			list = append(list, Constant{ngramName(n), limit, "share of code points in the most frequent sequence of so " +
				"many words"})
		}
	}
	for n, limit := range []float64{5: 0.15, 0.14, 0.13, 0.12, 0.11, 0.10} {
		if n >= 5 {
			list = append(list, Constant{ngramName(n), limit, "share of code points in repeated sequences of so many words"})
		}
	}
	return list
}

// repetition keeps the tables between pages.
type repetition struct {
	numbers map[string]float64
	limits  [11]float64
	reasons [11]string
	strings map[string]struct{}
	texts   []string   // the page's words
	words   []wordHash // and one for the end of the text
	count   int        // number of words
	grams   []uint64   // the hashes of the n-grams that begin at each word, see top
	again   []uint32   // positions of those that occur more than once
	slots   []uint32   // slots of the table for the n-grams that top counts
	table   gramTable
	sieve   sieve
}

// A wordHash holds the data of a word from which n-grams are made.
type wordHash struct {
	hash   uint64
	before uint64 // the hash of all text before the word, see join
	begins int    // bytes of the words before
}

func (r *repetition) judge(p *Page) string {
	all := float64(p.Size())
	if all == 0 {
		return "empty"
	}
	n := r.numbers
	// By the rule, most texts are one paragraph.
	if strings.Contains(p.Text, "\n\n") {
		share, characters := r.repeated(strings.TrimSpace(p.Text), 2)
		if share > n["repeated_paragraphs"] {
			return "repeated_paragraphs"
		}
		if characters/all > n["repeated_paragraph_characters"] {
			return "repeated_paragraph_characters"
		}
	}
	share, characters := r.repeated(p.Text, 1)
	if share > n["repeated_lines"] {
		return "repeated_lines"
	}
	if characters/all > n["repeated_line_characters"] {
		return "repeated_line_characters"
	}
	return r.judgeWords(p.Words(), all, p.partsOfWord())
}

// repeated returns the share of the parts of a text that repeat earlier ones, and their code points. Parts are divided
// by at least the given number of line feeds.
func (r *repetition) repeated(text string, feeds int) (share, characters float64) {
	if r.strings == nil {
		r.strings = map[string]struct{}{}
	}
	clear(r.strings)
	parts, copies := 0.0, 0.0
	for from := 0; from <= len(text); {
		end, next := nextBreak(text, from, feeds)
		part := text[from:end]
		from = next
		parts++
		if _, ok := r.strings[part]; ok {
			copies, characters = copies+1, characters+float64(runes(part))
			continue
		}
		r.strings[part] = struct{}{}
	}
	return copies / parts, characters
}

// nextBreak returns the next run of at least the given number of line feeds, and the start of the next part. At the
// end of the text there is no next part.
func nextBreak(text string, from, feeds int) (end, next int) {
	for at := from; ; {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text), len(text) + 1
		}
		end = at + i
		next = end
		for next < len(text) && text[next] == '\n' {
			next++
		}
		if next-end >= feeds {
			return end, next
		}
		at = next
	}
}

// judgeWords judges sequences of words, each of which has so many parts. The top n-grams are of parts.
func (r *repetition) judgeWords(words []string, all float64, parts int) string {
	r.hash(words)
	why := ""
	r.tops(least-1, func(n, length int) bool {
		if float64(length)/all > r.limits[n] {
			why = r.reasons[n]
		}
		return why == ""
	})
	if why != "" {
		return why
	}
	// Most texts repeat so little that no sequence needs counting.
	limit := slices.Min(r.limits[least:]) * all
	if float64(r.mayCover()) <= limit {
		return ""
	}
	if r.join(); float64(r.covered(parts*least)) <= limit {
		return ""
	}
	for n := least; n <= 10; n++ {
		if float64(r.copies(parts*n))/all > r.limits[n] {
			return r.reasons[n]
		}
	}
	return ""
}
