package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// titleHeading returns the heading that shows the page's title. It is the one most like a declared title, or else the
// first <h1> that is not the site's name. An <h1> wins over other headings.
func (f *finder) titleHeading() (heading, bool) {
	var best, first *heading
	for i := range f.heads {
		h := &f.heads[i]
		// The site's name and the end of <title> are headings of the site, not of the page.
		if f.isSiteName(h.text) || f.endsTitle(h.text) {
			continue
		}
		// A heading like the site's name counts only if a title is the same.
		if h.likeness = f.declaredLikeness(wordSet(h.text)); h.likeness < 0.9 && f.isSite(h.text) {
			continue
		}
		if first == nil && h.first {
			first = h
		}
		// Not enough alike, or an <h2> after an <h1> was found.
		if h.likeness < f.minLikeness(h) || best != nil && best.first && !h.first {
			continue
		}
		if best == nil || h.likeness > best.likeness {
			best = h
		}
	}
	if best != nil {
		return *best, true
	}
	// No heading is like a title: a block that has it wins over an unlike <h1>.
	if h, ok := f.titleBlock(); ok {
		return h, ok
	}
	if first != nil {
		return *first, true
	}
	return f.postTitle()
}

// postTitle returns the only lesser heading whose class in an article calls it a title, or else the only one with one
// of both signs. It is for pages that declare only the site's name. With several, each may be that of a post in a
// list.
func (f *finder) postTitle() (heading, bool) {
	if len(f.titled) > 0 || f.isFrontPage() {
		return heading{}, false
	}
	var of [3][]heading // by number of signs
	for _, h := range f.heads {
		if !h.first && !f.isSiteName(h.text) {
			n := titleSigns(f.p, &h)
			of[n] = append(of[n], h)
		}
	}
	for n := 2; n > 0; n-- {
		if len(of[n]) > 0 {
			return of[n][0], len(of[n]) == 1
		}
	}
	return heading{}, false
}

// minLikeness is how much a heading must be like a declared title to be the page's. For <h1>, 0.2 was the best of 0.1
// to 0.7. For others, 0.85 was better than 0.5 and 0.7, which took headings of sections and boxes. On a front page the
// declared title is the site's, and the <h1> often a slogan. Higher values lose titles that were shortened for search
// engines.
func (f *finder) minLikeness(h *heading) float64 {
	switch {
	case !h.first:
		return 0.85
	case f.isFrontPage():
		return 0.5
	}
	return 0.2
}

// declaredLikeness is the likeness of a text to the most similar declared title.
func (f *finder) declaredLikeness(words []string) float64 {
	most := 0.0
	for _, title := range f.titleWords {
		most = max(most, likeness(words, title))
	}
	return most
}

// titleBlock is the first text block that is a declared title, on a page without a heading for it.
func (f *finder) titleBlock() (heading, bool) {
	for _, a := range f.titled {
		for _, v := range a.values {
			if h, ok := f.blocks.with(f.p, v); ok {
				return h, true
			}
		}
	}
	return heading{}, false
}

// endsTitle reports whether a heading is the end of <title>: the name of a book or section, above the page's own
// title. It follows a separator with a space before, or the part before it is another heading.
func (f *finder) endsTitle(h string) bool {
	rest, ok := strings.CutSuffix(f.docTitle, h)
	rest = strings.TrimRight(rest, " ")
	return ok && rest != "" && (strings.HasSuffix(strings.TrimRight(rest, separators), " ") || f.isHeading(rest))
}

// isHeading reports whether a heading is exactly text.
func (f *finder) isHeading(text string) bool {
	key := letters(text)
	return slices.ContainsFunc(f.heads, func(h heading) bool { return h.key == key })
}

// likeness is the share of common words in two sets (Jaccard). Sets are small (maxLikenessWords), so comparing each
// pair costs less than making maps.
func likeness(a, b []string) float64 {
	common := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			common++
		}
	}
	all := len(a) + len(b) - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}

const maxLikenessWords = 64

// wordSet are the different words of s, in lower case.
func wordSet(s string) []string {
	low := strings.ToLower(s)
	all := make([]string, 0, 16)
	start := -1
	for i, r := range low {
		switch inWord := r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= utf8.RuneSelf && !notInWord(r); {
		case inWord && start < 0:
			start = i
		case !inWord && start >= 0:
			all, start = appendNew(all, low[start:i]), -1
		}
	}
	if start >= 0 {
		all = appendNew(all, low[start:])
	}
	return all
}

// appendNew appends a word if it is new and there is room.
func appendNew(all []string, w string) []string {
	if len(all) >= maxLikenessWords || slices.Contains(all, w) {
		return all
	}
	return append(all, w)
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
