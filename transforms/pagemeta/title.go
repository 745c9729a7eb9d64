package pagemeta

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// title is the title that the page shows, as declared ones may be written for search engines. It is sure if two
// declared titles and the heading agree. Otherwise the candidate with the best signs counts, and a heading that shows
// it becomes the page's.
func (f *finder) title() answer {
	a := f.ruledTitle()
	if len(a.values) == 0 || a.confidence > 0 {
		return a
	}
	c, margin := elected(f.candidates(a))
	if c == nil {
		return a // a title without letters
	}
	if c.at >= 0 && !boxed(f.p, f.heads[c.at].node) {
		f.heading, f.headed = f.heads[c.at], true
	}
	c.confidence = titleMargins[min(margin/marginStep, len(titleMargins)-1)]
	return c.answer
}

// Confidences are the shares of right titles in the benchmark. TestExtract_benchmark also says how well they hold on
// other hosts. Titles are compared without case, white space and punctuation: a title with the site's name after it is
// wrong.
const (
	twoTitles  = 0.94 // two declared titles and the heading agree
	manyTitles = 0.99 // more declared titles do
)

// titleMargins are the shares of right elected titles, by the margin to the next candidate in steps of half a logit.
var titleMargins = [...]float64{0.47, 0.55, 0.62, 0.65, 0.72, 0.82}

const marginStep = 5

// ruledTitle is the title by the order of sources, with a confidence if it is sure. A heading like a declared title
// comes first. Any other <h1> comes last, because on one page in four it is a slogan or the site's name.
func (f *finder) ruledTitle() answer {
	h, ok := f.heading, f.headed
	// A heading like a declared title is the title that readers see.
	if ok && h.likeness >= f.minLikeness(&h) {
		// The best declared title is the same: keep its form.
		if len(f.titled) > 0 && alike(f.titled[0].values[0], h.text) {
			return f.sure(f.titled[0])
		}
		return answer{source: fromH1, values: []string{f.withoutSite(h.text)}}
	}
	if len(f.titled) > 0 {
		return f.titled[0]
	}
	// An <h1> unlike any declared title.
	if ok {
		return answer{source: fromH1, values: []string{h.text}}
	}
	return answer{source: fromTitle, values: f.texts([]string{f.docTitle})}
}

// sure returns a visible title with its confidence, if several sources declare it and it does not contain the site's
// name.
func (f *finder) sure(a answer) answer {
	same := 0
	for _, t := range f.titled {
		if alike(t.values[0], a.values[0]) {
			same++
		}
	}
	switch {
	case hasSeparator(a.values[0]), same < 2:
	case same == 2:
		a.confidence = twoTitles
	default:
		a.confidence = manyTitles
	}
	return a
}

// noTitles are what editors and templates write where no title was given, and words for any first page.
var noTitles = func() map[string]bool {
	all := map[string]bool{}
	for t := range strings.SplitSeq("untitled|untitled document|untitled page|document|new page|new page 1|page title|"+
		"no title|title|index|home|homepage|home page|react app|vite app|unbenanntes dokument|unbenannt|startseite|"+
		"sans titre|document sans titre|documento sin título|sin título|inicio|documento senza titolo|senza titolo|"+
		"documento sem título|sem título|naamloos document|namnlöst dokument|dokument bez tytułu|bez tytułu|bez názvu|"+
		"без названия|безымянный документ|главная|главная страница|"+
		"無題|無題ドキュメント|ホーム|无标题|无标题文档|無標題文件|首页|首頁|"+
		"제목 없음", "|") {
		all[t] = true
	}
	return all
}()

// titles removes the site's name from titles. If nothing is left, it was not a title, except on the front page.
func (f *finder) titles(values []string) []string {
	var all []string
	for _, t := range f.texts(values) {
		// The site's name alone is a title only on its front page.
		t = f.withoutSite(t)
		if (!f.isSiteName(t) || f.isFrontPage()) && !noTitles[strings.ToLower(t)] {
			all = append(all, t)
		}
	}
	return all
}

// withoutSite removes the site's name from the start or end of a title, if a separator sets it off. The name is a
// declared one, that of the host, or the text besides an <h1>. Headings never hold the site's name, so this comes
// before titles are compared with them.
func (f *finder) withoutSite(title string) string {
	title = withoutOuterMarks(title)
	// A title that begins with the page's own <h1>, or consists of two headings, needs no guess.
	for _, h := range f.heads {
		rest, ok := strings.CutPrefix(title, h.text)
		if ok && (h.first && setOff(rest) || strings.HasPrefix(rest, " ") && f.isHeading(rest)) {
			return h.text
		}
	}
	for range 2 { // Title | Section | Site
		shorter := f.cutName(title)
		if shorter == title {
			break
		}
		title = shorter
	}
	if shown := f.shownPart(title); shown != title || f.isFrontPage() || f.isShown(title) {
		return shown
	}
	return cutUndeclared(title)
}

// fewestTitleWords is how many words the part of a title before a separator needs to be taken for all of it: sections
// have fewer. A part after it needs one more, since that is mostly the name of a book or section.
const fewestTitleWords = 2

// shownPart returns the part of a title, split at separators, that the page shows as a heading or block. The rest is
// the name of the site or a section. The longest beginning counts, or else the longest ending that is a heading. A
// title that is shown whole stays.
func (f *finder) shownPart(title string) string {
	cuts := titleCuts(title)
	// On the front page the site's name is the title.
	if len(cuts) == 0 || f.isFrontPage() || f.isShown(title) {
		return title
	}
	for _, c := range cuts {
		enough := !c.weak && titleWords(c.right) >= fewestTitleWords
		if enough && !f.isHeading(c.left) && f.isMainAfter(c.right, cuts[0].left) {
			return c.right
		}
	}
	// From the longest beginning on: a title may contain a separator.
	for _, c := range slices.Backward(cuts) {
		if !c.weak && titleWords(c.left) >= fewestTitleWords && f.isShown(c.left) {
			return c.left
		}
	}
	for _, c := range cuts {
		if !c.weak && titleWords(c.right) > fewestTitleWords && f.isHeading(c.right) {
			return c.right
		}
	}
	return title
}

// isShown reports whether the page has a heading or block that is exactly text.
func (f *finder) isShown(text string) bool {
	if f.isHeading(text) {
		return true
	}
	_, ok := f.blocks.with(f.p, text)
	return ok
}

// isMainAfter reports whether the page has an <h1> of a text, and a block of another text before it. A site's name is
// such a block at the top of a page, while a title follows an <h1> with the name.
func (f *finder) isMainAfter(text, name string) bool {
	key := letters(text)
	i := slices.IndexFunc(f.heads, func(h heading) bool { return h.first && h.key == key })
	if i < 0 {
		return false
	}
	block, shown := f.blocks.with(f.p, name)
	return shown && block.node < f.heads[i].node
}

// setOff reports whether the rest after a title begins with spaces and a separator.
func setOff(rest string) bool {
	trimmed := strings.TrimLeft(rest, " ")
	return trimmed != rest && trimmed != "" && strings.ContainsRune(separators, []rune(trimmed)[0])
}

// maxTitleWords bounds the search for separators; no title is longer.
const maxTitleWords = 64

// maxSiteWords bounds a site's name that only the host confirms.
const maxSiteWords = 4

// isSite reports whether a name is the site's: a declared one, its host's, or one whose first word begins its host.
// VCA Animal Hospitals is at vcahospitals.com. The host counts for short names only, since any title may begin with a
// word of it.
func (f *finder) isSite(name string) bool {
	if f.isSiteName(name) {
		return true
	}
	words := strings.Fields(name)
	if len(words) == 0 {
		return false
	}
	// Three letters at least: "The" would fit too many hosts.
	head := letters(words[0])
	return len(words) <= maxSiteWords && len(head) >= 3 && strings.HasPrefix(f.hostLabel, head)
}

func (f *finder) isSiteName(name string) bool {
	key := letters(name)
	return key != "" && slices.Contains(f.siteKeys, key)
}

// letters are a name's letters and digits, in lower case.
func letters(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return string(b) + manyLetters(s[i:])
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c >= 'a' && c <= 'z' || isDigit(c) {
			b = append(b, c)
		}
	}
	return string(b)
}

// manyLetters is letters for a text beyond ASCII.
func manyLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// findSite collects possible names of the site: declared ones, its account on Twitter and its host.
func (f *finder) findSite() {
	// One letter says nothing.
	add := func(name string) {
		if key := letters(name); len(key) > 1 {
			f.siteKeys = append(f.siteKeys, key)
		}
	}
	var declared string
	for _, s := range publisher {
		for _, v := range s.ask(f) {
			declared = cmp.Or(declared, v)
			if v == declared || !f.isPageTitle(v) {
				add(v)
			}
		}
	}
	for _, account := range f.meta("twitter:site") {
		add(account)
	}
	// The key has no "www".
	host, _, _ := strings.Cut(f.key, "/")
	add(host)
	// Labels such as "co" and "com" are too short.
	for label := range strings.SplitSeq(host, ".") {
		if len(label) > 3 {
			add(label)
		}
		if len(label) >= len(f.hostLabel) { // of two, the site's own comes last
			f.hostLabel = letters(label)
		}
	}
}

// isPageTitle reports whether a name is the page's title. Some templates declare it as the application's name.
func (f *finder) isPageTitle(name string) bool {
	return titleWords(name) > maxSiteWords && !f.isFrontPage() &&
		(name == f.docTitle || slices.Contains(f.meta("og:title"), name))
}

// findLogo adds the text of an <h1> that links to the site's front page to the site's names.
func (f *finder) findLogo(host string) {
	for i := range f.heads {
		if h := &f.heads[i]; h.first && host != "" && linksToRoot(f.p, h, host) {
			f.siteKeys = append(f.siteKeys, h.key)
		}
	}
}
