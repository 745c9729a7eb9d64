package tagger

import (
	"math"
	"strings"
)

// The share of right names on pages of products, lists and forums, by logistic regression over the 215 names of
// testdata/names.tsv. Its features are:
//
//   - the log odds that the model gives;
//   - whether the name is a person's in one word, since products are named like people;
//   - whether its line has fewer than shortLine words, where authors and makers are.
//
// docs/names.md says how good that is on other pages.
const (
	itemBias   = -0.66
	itemOdds   = 1.29
	itemPerson = -1.50 // of a person in one word
	itemShort  = 1.32  // in a short line
	shortLine  = 8     // words

	// The model's confidence has steps of .01, of which 0 and 1 have no odds.
	leastConfidence, mostConfidence = 0.02, 0.98
)

// onItems is the confidence of a name on such a page, in steps of .01 like the model's.
func onItems(text string, m Mention) float64 {
	c := min(max(m.Confidence, leastConfidence), mostConfidence)
	odds := itemBias + itemOdds*math.Log(c/(1-c))
	if m.Type == Person && !strings.ContainsAny(text[m.Start:m.End], " \t\u00a0") {
		odds += itemPerson
	}
	if isShort(text, m.Start, m.End) {
		odds += itemShort
	}
	return math.Round(100/(1+math.Exp(-odds))) / 100
}

// isShort reports whether the line around text[start:end] has fewer than shortLine words. The search is bounded, as a
// line may be as long as the text.
func isShort(text string, start, end int) bool {
	const reach = 512 // bytes on each side: eight words of the tagger's language are shorter
	from, to := max(0, start-reach), min(len(text), end+reach)
	before, after := text[from:start], text[end:to]
	i, j := strings.LastIndexByte(before, '\n'), strings.IndexByte(after, '\n')
	if i < 0 && from > 0 || j < 0 && to < len(text) {
		return false
	}
	if i >= 0 {
		from += i + 1
	}
	if j >= 0 {
		to = end + j
	}
	return len(strings.Fields(text[from:to])) < shortLine
}
