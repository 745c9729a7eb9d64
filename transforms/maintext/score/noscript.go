package score

import "github.com/gleaner-web/gleaner/transforms/page"

// Pages that scripts fill may hold their text for those without scripts in <noscript>, and framesets for those without
// frames in <noframes>; the content of both is not markup to a browser that has them. It is looked at when a page shows
// fewer words than this, or none in paragraphs.
const fewWords = 100

// fewestProse is how many words in paragraphs it must have on a page that shows menus and boxes beside it, and none of
// them there: notices that ask for scripts have less.
const fewestProse = 60

// Noscript returns the page that the <noscript> and <noframes> elements of p hold, if p shows next to no text and they
// hold more; nil if not.
func Noscript(p *page.Page) *page.Page {
	shown, prose := words(p)
	// The page shows its text itself.
	if shown >= fewWords && prose > 0 {
		return nil
	}
	// Raw, since the content is text to the parser that knows scripts.
	var src []byte
	// Framesets are rare, and have no other text.
	frames := false
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Tag != page.TagText || n.Parent < 0 {
			continue
		}
		// All of them, in their order: Discourse divides a thread among several.
		if t := p.Nodes[n.Parent].Tag; t == page.TagNoscript || t == page.TagNoframes {
			src = append(src, p.Raw(i)...)
			frames = frames || t == page.TagNoframes
		}
	}
	if len(src) == 0 {
		return nil
	}
	// Parsed without scripts, as markup.
	inner := page.Parse(src, page.Options{URL: p.URL, NoScripting: true})
	// Most hold a picture that counts visitors, or a sentence that asks for scripts. A frameset shows nothing itself.
	held, paragraphs := words(inner)
	switch {
	case shown == 0 && frames, shown < fewWords && held > max(2*shown, fewWords/2),
		shown >= fewWords && paragraphs >= fewestProse:
		return inner
	}
	return nil
}

// proseWords is how many words make a block a paragraph.
const proseWords = 20

// words is how many words the page shows, and how many of them in paragraphs that are no list of links.
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
