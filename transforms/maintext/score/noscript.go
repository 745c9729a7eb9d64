package score

import "github.com/gleaner-web/gleaner/transforms/page"

// Pages that scripts fill may hold text in <noscript>, and framesets in <noframes>, which browsers with scripts and
// frames do not parse as markup. Noscript reads them if a page shows fewer words than fewWords, or no paragraphs.
const fewWords = 100

// fewestProse is how many words in paragraphs they need on a page that shows menus and boxes but no paragraph. Notices
// that ask for scripts have fewer.
const fewestProse = 60

// Noscript returns the page in the <noscript> and <noframes> elements of p. It returns nil if p shows text itself, or
// they hold hardly more.
func Noscript(p *page.Page) *page.Page {
	shown, prose := words(p)
	if shown >= fewWords && prose > 0 {
		return nil
	}
	// Raw, since the parser with scripting takes the content for text.
	var src []byte
	frames := false
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Tag != page.TagText || n.Parent < 0 {
			continue
		}
		// All of them in order: Discourse divides a thread among several.
		if t := p.Nodes[n.Parent].Tag; t == page.TagNoscript || t == page.TagNoframes {
			src = append(src, p.Raw(i)...)
			frames = frames || t == page.TagNoframes
		}
	}
	if len(src) == 0 {
		return nil
	}
	inner := page.Parse(src, page.Options{URL: p.URL, Base: p.Base(), NoScripting: true})
	// Most hold a tracking pixel or a sentence that asks for scripts. A frameset shows nothing itself.
	held, paragraphs := words(inner)
	switch {
	case shown == 0 && frames, shown < fewWords && held > max(2*shown, fewWords/2),
		shown >= fewWords && paragraphs >= fewestProse:
		return inner
	}
	return nil
}

const proseWords = 20

// words counts the words that the page shows, and those in paragraphs that are not lists of links.
func words(p *page.Page) (all, prose int) {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		all += int(b.Words)
		if b.Words >= proseWords && b.LinkChars*3 < b.Chars && b.Flags&(page.InFooter|page.InHidden) == 0 {
			prose += int(b.Words)
		}
	}
	return all, prose
}
