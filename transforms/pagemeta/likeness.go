package pagemeta

import (
	"slices"
	"strings"
	"unicode"
)

// minLikeness was chosen on the tuning half of the benchmark: 0.5 gave 106 of 139 titles, 0.6 107, 0.7 108, 0.8 106,
// and no rule 102.
const minLikeness = 0.7

// shownTitle is the <h1> that is most like a declared title; "" when none is much like one, or when it is the first
// declared title itself.
func (f *finder) shownTitle(declared []candidate) string {
	best, most := "", minLikeness
	preferred := ""
	for _, c := range declared {
		if len(c.values) == 0 {
			continue
		}
		if preferred == "" {
			preferred = letters(c.values[0])
		}
		for _, h := range f.texts(f.h1) {
			if l := likeness(h, c.values[0]); (l > most || best == "" && l == most) && !f.isSite(h) {
				best, most = h, l
			}
		}
	}
	if letters(best) == preferred {
		return ""
	}
	return best
}

// likeness is the share of two texts' words that they have in common (Jaccard).
func likeness(a, b string) float64 {
	wa, wb := wordSet(a), wordSet(b)
	common := 0
	for _, w := range wa {
		if slices.Contains(wb, w) {
			common++
		}
	}
	all := len(wa) + len(wb) - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}

// maxLikenessWords bounds the words that are compared.
const maxLikenessWords = 64

// wordSet are the different words of s, in lower case.
func wordSet(s string) []string {
	var all []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), notInWord) {
		if len(all) >= maxLikenessWords {
			break
		}
		if !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
