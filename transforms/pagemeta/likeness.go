package pagemeta

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// titleHeading is the heading that shows the page's title: the one that is most like a declared title. Where none is
// like one, it is the first <h1> that is not the site's name. An <h1> goes before others, however alike they are.
func (f *finder) titleHeading() (heading, bool) {
	var best, first *heading
	for i := range f.heads {
		h := &f.heads[i]
		// The site's name and the title's ending are headings of the site, not of the page.
		if f.isSiteName(h.text) || f.endsTitle(h.text) {
			continue
		}
		// A heading that is like the site's name is only believed if a title says the same.
		if h.likeness = f.declaredLikeness(wordSet(h.text)); h.likeness < 0.9 && f.isSite(h.text) {
			continue
		}
		if first == nil && h.first {
			first = h
		}
		// Not enough alike, or an <h2> where an <h1> was found.
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
	// No heading is like a title: a block that says it goes before an unlike <h1>.
	if h, ok := f.titleBlock(); ok {
		return h, ok
	}
	if first != nil {
		return *first, true
	}
	return f.postTitle()
}

// postTitle is the only lesser heading that an article calls its title, or else the only one of an article or so
// called, on a page that declares nothing but what the site is called. Of several each may be that of a post in a list.
func (f *finder) postTitle() (heading, bool) {
	if len(f.titled) > 0 || f.isFrontPage() {
		return heading{}, false
	}
	var of [3][]heading // by how much says that it is a title
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

// minLikeness is how much a heading must be like a declared title to be the page's. 0.2 was the best of 0.1 to 0.7
// for <h1>; for others 0.85 was better than 0.5 and 0.7, which took the headings of sections and boxes.
// On a site's first page, what is declared is the site's own title, and the <h1> often a slogan. With more, real
// titles are lost that were shortened for search engines.
func (f *finder) minLikeness(h *heading) float64 {
	switch {
	case !h.first:
		return 0.85
	case f.isFrontPage():
		return 0.5
	}
	return 0.2
}

// declaredLikeness is how much a text is like the declared title that is most like it.
func (f *finder) declaredLikeness(words []string) float64 {
	most := 0.0
	for _, title := range f.titleWords {
		most = max(most, likeness(words, title))
	}
	return most
}

// titleBlock is the first block of text that says a declared title, on a page that has no heading for it.
func (f *finder) titleBlock() (heading, bool) {
	// Titles in the order of trust.
	for _, a := range f.titled {
		for _, v := range a.values {
			if h, ok := blockWith(f.p, v); ok {
				return h, true
			}
		}
	}
	return heading{}, false
}

// endsTitle reports whether a heading is what the page's <title> has after its separator: the name of a book or of a
// section, above the page's own title. A separator with a space before it, and something in front of that; or
// no separator, and what is in front is another heading.
func (f *finder) endsTitle(h string) bool {
	rest, ok := strings.CutSuffix(f.docTitle, h)
	rest = strings.TrimRight(rest, " ")
	return ok && rest != "" && (strings.HasSuffix(strings.TrimRight(rest, separators), " ") || f.isHeading(rest))
}

// isHeading reports whether a heading says text and nothing else.
func (f *finder) isHeading(text string) bool {
	key := letters(text)
	return slices.ContainsFunc(f.heads, func(h heading) bool { return h.key == key })
}

// likeness is the share of the words of two sets that they have in common (Jaccard). Sets are small
// (maxLikenessWords), so comparing each with each costs less than making maps.
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

// maxLikenessWords bounds the words that are compared.
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

// appendNew appends a word that is not there yet, if there are not too many.
func appendNew(all []string, w string) []string {
	if len(all) >= maxLikenessWords || slices.Contains(all, w) {
		return all
	}
	return append(all, w)
}

// notInWord tells what divides words.
func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
