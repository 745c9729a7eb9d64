package pagemeta

import (
	"math"
	"slices"
	"strings"
)

// signs are properties of a candidate for the title, a bit each.
type signs uint32

const (
	signRuled     signs = 1 << iota // the order of sources chooses it
	signHeading                     // an <h1> of the page itself has it
	signOnly                        // and the page has no other <h1>
	signFirst                       // the first heading other than the site's name has it
	signShown                       // any heading has it
	signBoxed                       // a heading of a box beside the text has it
	signClass                       // a heading in an article, whose class calls it a title
	signHeadline                    // headline in JSON-LD
	signName                        // name in JSON-LD
	signGraph                       // og:title
	signItem                        // microdata
	signMeta                        // other <meta>
	signTitle                       // <title> without the site's name
	signTwice                       // two or more sources have it
	signBegins                      // <title> begins with it, and continues after a separator
	signEnds                        // <title> ends with it
	signSite                        // it is a name of the site
	signParted                      // it has a separator
	signWord                        // it is one word
	signUnlike                      // shares at most a fifth of its words with any declared title
	signFront                       // declared, on the site's front page
	signFrontSite                   // a name of the site, on its front page
	signPath                        // shares a fourth of its words with the URL
	signPathOnly                    // likewise, for the only <h1>, which is unlike the declared titles
	signHolds                       // contains a title that two sources declare, and more
	signRaw                         // as declared, before the site's name is removed
	lastSign      = iota
)

// candidate is a text that may be the page's title.
type candidate struct {
	answer
	key     string // its letters, by which candidates are compared
	signs   signs
	sources int // number of declaredTitles that have it
	at      int // index of the heading that shows it, or -1
}

// ballot holds all candidates of a page; equal ones are merged.
type ballot struct {
	*finder
	all []candidate
}

// candidates returns the texts that may be the page's title: headings, declared titles with and without the site's
// name, and parts of <title>. Parameter ruled is the choice by the order of sources.
func (f *finder) candidates(ruled answer) []candidate {
	b := ballot{finder: f, all: make([]candidate, 0, 16)}
	b.add(ruled.source, ruled.values[0], signRuled)
	for i, a := range f.titled {
		if c := b.add(a.source, a.values[0], f.titledSigns[i]); c != nil {
			c.sources++
		}
	}
	b.addRaw(fromOpenGraph, f.meta("og:title"))
	b.addRaw(fromJSONLD, f.main.Strings("headline"))
	b.addHeadings()
	b.addParts()
	path := f.pathWords()
	for i := range b.all {
		b.judge(&b.all[i], path)
	}
	b.dropLabelled()
	sure := f.headed && slices.ContainsFunc(b.all, func(c candidate) bool {
		return c.signs&signRuled != 0 && c.sources > 0 && c.key == letters(f.heading.text)
	})
	return slices.DeleteFunc(b.all, func(c candidate) bool { return c.signs&signRuled == 0 && !c.stands(sure) })
}

// dropLabelled drops candidates that are a label and a title that two sources declare, such as "Thread: …". A <title>
// that begins with the title counts as one of the two.
func (b *ballot) dropLabelled() {
	b.all = slices.DeleteFunc(b.all, func(c candidate) bool {
		label, rest, ok := strings.Cut(c.values[0], ": ")
		key := letters(rest)
		return ok && !strings.Contains(label, " ") && c.sources == 0 &&
			slices.ContainsFunc(b.all, func(o candidate) bool {
				return o.key == key && (o.sources > 1 || o.sources > 0 && o.signs&signBegins != 0)
			})
	})
}

// stands reports whether a candidate may replace the choice of the rules. A text of one source alone may not, nor a
// lesser heading of one word. The site's name is a title on the front page only. If the rules' choice is both declared
// and shown, neither a part of it nor an unrelated heading replaces it.
func (c *candidate) stands(sure bool) bool {
	is := func(s signs) bool { return c.signs&s != 0 }
	switch {
	case !is(signShown | signTwice | signBegins | signEnds | signPath), is(signSite) && !is(signFrontSite):
		return false
	case c.sources == 0 && is(signWord) && !is(signHeading):
		return false
	}
	return !sure || c.sources > 0 || !is(signBegins|signEnds|signUnlike) || is(signPath)
}

// add adds a candidate, or a sign to the equal one. It returns nil for texts without letters.
func (b *ballot) add(source, text string, s signs) *candidate {
	key := letters(text)
	if key == "" {
		return nil
	}
	i := slices.IndexFunc(b.all, func(c candidate) bool { return c.key == key })
	if i < 0 {
		i = len(b.all)
		b.all = append(b.all, candidate{answer: answer{source: source, values: []string{text}}, key: key, at: -1})
	}
	b.all[i].signs |= s
	return &b.all[i]
}

// addRaw adds the first value as declared.
func (b *ballot) addRaw(source string, values []string) {
	if len(values) > 0 {
		if all := b.texts(values[:1]); len(all) > 0 {
			b.add(source, all[0], signRaw)
		}
	}
}

func (b *ballot) addHeadings() {
	first, tops := -1, 0
	for i := range b.heads {
		h := &b.heads[i]
		if h.first {
			tops++
		}
		if (first < 0 || h.node < b.heads[first].node) && !b.isSiteName(h.text) {
			first = i
		}
	}
	for i := range b.heads {
		h := &b.heads[i]
		if rest, ok := strings.CutSuffix(b.docTitle, h.text); ok && b.isHeading(strings.TrimSpace(rest)) {
			continue // after the title, it is the name of the site or section
		}
		s := signShown
		if h.first {
			s |= signHeading
			if tops == 1 {
				s |= signOnly
			}
		}
		if i == first {
			s |= signFirst
		}
		if boxed(b.p, h.node) {
			s |= signBoxed
		} else if titleSigns(b.p, h) > 1 {
			s |= signClass
		}
		if c := b.add(fromH1, h.text, s); c != nil && c.at < 0 {
			c.at = i
		}
	}
}

// addParts adds the beginnings and endings of <title>.
func (b *ballot) addParts() {
	for _, c := range titleCuts(b.docTitle) {
		if !c.weak {
			b.addPart(c.left, signBegins, c.loose)
			b.addPart(c.right, signEnds, c.loose)
		}
	}
}

// fewestPartWords is how many words make a part of <title> a candidate by itself.
const fewestPartWords = 4

// addPart adds a part of <title>, or only the sign to an equal candidate. A loose separator does not add a
// candidate.
func (b *ballot) addPart(text string, s signs, loose bool) {
	known := func() bool {
		key := letters(text)
		return slices.ContainsFunc(b.all, func(c candidate) bool { return c.key == key })
	}
	words := titleWords(text)
	whole := !loose && words >= fewestPartWords && !hasSeparator(text)
	if whole && strings.Contains(text, atSign) {
		text = b.cutName(text) // Title @ Site :: Portal
	}
	if whole || words >= fewestTitleWords && known() {
		b.add(fromTitle, text, s)
	}
}

// judge adds the signs of a candidate's own text. path are the words of the URL.
func (b *ballot) judge(c *candidate, path []string) {
	text := c.values[0]
	words := wordSet(text)
	c.signs |= when(c.sources > 1, signTwice) | when(slices.Contains(b.siteKeys, c.key), signSite) |
		when(c.signs&signShown == 0 && hasSeparator(text), signParted) |
		when(titleWords(text) < 2, signWord) |
		when(len(path) >= fewestPathWords && likeness(words, path) > 0.25, signPath) |
		when(b.declaredLikeness(words) <= 0.2, signUnlike) |
		when(slices.ContainsFunc(b.all, func(o candidate) bool { return o.sources > 1 && holds(c.key, o.key) }), signHolds)
	if b.isFrontPage() {
		c.signs |= when(c.sources > 0, signFront) | when(c.signs&signSite != 0, signFrontSite)
	}
	const pathOnly = signPath | signUnlike | signOnly
	c.signs |= when(c.signs&pathOnly == pathOnly, signPathOnly)
}

func when(is bool, s signs) signs {
	if is {
		return s
	}
	return 0
}

// holds reports whether a text contains the letters of a title and more.
func holds(key, title string) bool {
	return len(title) > minTitleBytes && len(key) > len(title) && strings.Contains(key, title)
}

// fewestPathWords is how many words a part of a path needs to describe the page.
const fewestPathWords = 3

// pathWords are the words of the part of the URL's path with the most hyphens.
func (f *finder) pathWords() []string {
	_, path, _ := strings.Cut(f.key, "/")
	longest, most := "", -1
	for part := range strings.SplitSeq(path, "/") {
		if n := strings.Count(part, "-") + strings.Count(part, "_"); n >= most {
			longest, most = part, n
		}
	}
	return wordSet(longest)
}

// titleWeights are the weights of the signs, in order and in tenths of a logit. They come from a conditional logit
// over the candidates of those benchmark pages on which the rules are not sure. TestTitle_weights trains them again,
// and measures them on other hosts.
var titleWeights = [lastSign]int{
	2, 23, 9, 2, -18, -6, 10, 8, -13, 3, -1, 3, 3, 1, 8, -7, 3, -18, 11, -18, 2, 3, 13, 3, -10, 4,
}

func (s signs) score() (sum int) {
	for i, w := range titleWeights {
		if s>>i&1 != 0 {
			sum += w
		}
	}
	return sum
}

// elected returns the candidate with the highest score, the first of equals, and the margin to the next.
func elected(all []candidate) (c *candidate, margin int) {
	best, next := math.MinInt32, math.MinInt32
	for i := range all {
		switch score := all[i].signs.score(); {
		case c == nil || score > best:
			c, best, next = &all[i], score, best
		case score > next:
			next = score
		}
	}
	return c, best - next
}
