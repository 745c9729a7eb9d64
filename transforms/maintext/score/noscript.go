package score

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Pages that scripts fill may hold their text for those without scripts in <noscript>, whose content is not markup to a
// browser that has them. It is looked at when a page shows fewer words than this.
const fewWords = 100

// Noscript returns the page that the <noscript> elements of p hold, if p shows next to no text and they hold more; nil
// if not.
func Noscript(p *page.Page) *page.Page {
	shown := words(p)
	if shown >= fewWords || !bytes.Contains(p.Source, []byte("<noscript")) {
		return nil
	}
	// Raw, since the content of <noscript> is text to the parser that knows scripts.
	var src []byte
	for i := range p.Nodes {
		if n := &p.Nodes[i]; n.Tag == page.TagText && n.Parent >= 0 && p.Nodes[n.Parent].Tag == page.TagNoscript {
			src = append(src, p.Raw(i)...)
		}
	}
	// Parsed without scripts, as markup.
	inner := page.Parse(src, page.Options{URL: p.URL})
	// Most hold a picture that counts visitors, or a sentence that asks for scripts.
	if words(inner) <= max(2*shown, fewWords/2) {
		return nil
	}
	return inner
}

// words is how many words the page shows.
func words(p *page.Page) int {
	n := 0
	for i := range p.Blocks {
		n += int(p.Blocks[i].Words)
	}
	return n
}
