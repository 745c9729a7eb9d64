package pagemeta

import (
	"slices"
	"strings"
	"unicode"
)

// titleHeading is the heading that shows the page's title: the one that is most like a declared title. Where none is
// like one, it is the first <h1> that is not the site's name.
func (f *finder) titleHeading() (heading, bool) {
	best, most := -1, 0.0
	for i, h := range f.heads {
		if f.isSiteName(h.text) || f.endsTitle(h.text) {
			continue
		}
		if best < 0 && h.first {
			best = i
		}
		for _, c := range f.declaredTitles() {
			for _, v := range c.values {
				if l := likeness(h.text, v); l > most && (h.first || l >= minLikeness) {
					best, most = i, l
				}
			}
		}
	}
	if best < 0 {
		return heading{}, false
	}
	h := f.heads[best]
	h.likeness = most
	return h, true
}

// endsTitle tells whether a heading is what the page's <title> has behind its separator: the name of a book or of a
// section, above the page's own title.
func (f *finder) endsTitle(h string) bool {
	rest, ok := strings.CutSuffix(f.p.Title(), h)
	rest = strings.TrimRight(rest, " ")
	return ok && rest != "" && strings.HasSuffix(strings.TrimRight(rest, separators), " ")
}

// minLikeness is how much an <h2> must be like a declared title to be the page's.
const minLikeness = 0.5

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
