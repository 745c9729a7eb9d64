package pagemeta

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Only this file walks the page's nodes. The rest of the package works with headings and the pieces of text around
// one.

// heading is an <h1>, <h2> or <h3>, or a block that is the page's title. Dates and by-lines are sought around it.
type heading struct {
	text     string
	key      string  // its letters
	first    bool    // <h1>
	likeness float64 // to a declared title
	node     int
}

// piece is a text that belongs to one element. Pieces are smaller than blocks: a by-line's "By", its name and its date
// are three.
type piece struct {
	text  string
	when  string // its date for machines, as in <time datetime>
	hints hints  // names of the elements around it
	block int    // pieces of one block are on one line
	far   int    // number of blocks between it and the title
}

const (
	maxHeadings     = 8    // on a page with more they have other uses
	maxHeadingBytes = 1024 // a longer one is not a title
	maxAhead        = 12   // pieces read before the title
	maxAfter        = 60   // and after it
	maxProse        = 1500 // bytes of running text after the title, after which no by-line is expected
	longPiece       = 160  // bytes; a longer piece is running text
	hintLevels      = 3    // how many elements around a text give hints
)

// survey holds the findings of one pass over the nodes, for all callers.
type survey struct {
	heads []heading // of the first three levels, <h1> first
	links []int32   // <link> elements with rel=canonical, shortlink or shorturl
	roots []int32   // <html>, <body>, <main> and <article>
}

// maxRoots bounds the elements of a page that may give its date.
const maxRoots = 8

// maxSurveyLinks bounds the links; only the first sound one counts.
const maxSurveyLinks = 16

func newSurvey(p *page.Page) survey {
	var s survey
	var others []heading
	for i := range p.Nodes {
		n := &p.Nodes[i]
		switch {
		case n.Tag == page.TagLink:
			if rel, ok := p.RawAttr(i, "rel"); ok && len(s.links) < maxSurveyLinks && isPageRel(rel) {
				s.links = append(s.links, int32(i))
			}
		case n.Tag == page.TagHTML, n.Tag == page.TagBody, n.Tag == page.TagMain, n.Tag == page.TagArticle:
			if len(s.roots) < maxRoots {
				s.roots = append(s.roots, int32(i))
			}
		// Other tags, and hidden headings.
		case n.Tag < page.TagH1 || n.Tag > page.TagH3 || n.Flags&page.InSkipped != 0:
		case n.Tag == page.TagH1 && len(s.heads) < maxHeadings:
			s.heads = appendHeading(s.heads, p, i)
		case n.Tag != page.TagH1 && len(others) < maxHeadings:
			others = appendHeading(others, p, i)
		}
	}
	s.heads = append(s.heads, others...)
	return s
}

// isPageRel reports whether a rel names the page itself. shortlink and shorturl both contain "short".
func isPageRel(rel []byte) bool {
	rel = lower(rel)
	return bytes.Contains(rel, []byte("canonical")) || bytes.Contains(rel, []byte("short"))
}

// lower is bytes.ToLower without a copy of text that is lower already, as nearly all names in pages are.
func lower(s []byte) []byte {
	for _, c := range s {
		if c >= utf8.RuneSelf || isUpper(c) {
			return bytes.ToLower(s)
		}
	}
	return s
}

// appendHeading adds the heading in one line, without "¶" and "#", which link to the heading itself.
func appendHeading(all []heading, p *page.Page, node int) []heading {
	raw := string(cut(p.NodeText(node), maxHeadingBytes))
	// A date in the heading is not part of the title.
	for i := node + 1; i < int(p.Nodes[node].End); i++ {
		if p.Nodes[i].Tag == page.TagTime {
			raw = strings.Replace(raw, string(p.NodeText(i)), " ", 1)
		}
	}
	text := strings.Join(strings.Fields(raw), " ")
	if text = strings.TrimRight(text, "¶# "); text == "" {
		return all
	}
	first := p.Nodes[node].Tag == page.TagH1 && !boxed(p, node)
	return append(all, heading{text: text, key: letters(text), first: first, node: node})
}

// linksToRoot reports whether a heading consists of a link to the site's front page: its logo.
func linksToRoot(p *page.Page, h *heading, host string) bool {
	for i := h.node + 1; i < int(p.Nodes[h.node].End); i++ {
		if p.Nodes[i].Tag != page.TagA {
			continue
		}
		href, _ := p.RawAttr(i, "href")
		link := strings.TrimSpace(string(href))
		return (link == "/" || pageKey(link) == host) && alike(string(p.NodeText(i)), h.text)
	}
	return false
}

// titleSigns counts signs that a heading is a title: it is in an article, and its class calls it a title.
func titleSigns(p *page.Page, h *heading) (n int) {
	if boxed(p, h.node) {
		return 0
	}
	if p.Nodes[h.node].Flags&page.InArticle != 0 {
		n++
	}
	if class, _ := p.RawAttr(h.node, "class"); bytes.Contains(lower(class), []byte("title")) {
		n++
	}
	return n
}

// boxed reports whether a heading is in a box beside the text, a menu or a dialog, which templates also write as <h1>.
// It may still be the page's title, if it is as much like a declared one as an <h2> must be.
func boxed(p *page.Page, node int) bool {
	return p.Nodes[node].Flags&(page.InAside|page.InNav|page.InFooter|page.InDialog) != 0
}

// alike compares without case, white space, punctuation and the kinds of quotes and dashes.
func alike(a, b string) bool { return letters(a) == letters(b) }

// around returns the pieces of text before and after a heading, the nearest block first.
func around(p *page.Page, h heading) (ahead, behind []piece) {
	w := walk{p: p, title: h.text, around: p.Nodes[h.node].Flags, limit: maxAfter, pieces: make([]piece, 0, maxAhead)}
	end := p.Nodes[h.node].End
	w.start = w.blockAt(h.node)
	// A dozen pieces above the title are enough for a by-line over it.
	for b := w.start - 1; b >= 0 && len(w.pieces) < maxAhead; b-- {
		w.block(b)
	}
	ahead, w.pieces, w.prose = w.pieces, make([]piece, 0, maxAfter), 0
	if holdsTime(p, h.node) {
		w.block(w.start) // the date is part of the heading
	}
	// Prose ends the search: there the article has begun.
	for b := w.blockAt(int(end)); b < len(p.Blocks) && len(w.pieces) < maxAfter && w.prose < maxProse; b++ {
		w.block(b)
	}
	return ahead, w.pieces
}

func holdsTime(p *page.Page, node int) bool {
	for i := node + 1; i < int(p.Nodes[node].End); i++ {
		if p.Nodes[i].Tag == page.TagTime {
			return true
		}
	}
	return false
}

// walk gathers pieces. cache holds the hints of elements' names, as several pieces have the same parents. Node 0 is
// the page itself, which is never looked up.
type walk struct {
	p      *page.Page
	around page.Flags // of the heading
	pieces []piece
	limit  int // of pieces
	prose  int
	start  int // block of the heading
	title  string
	cache  [64]struct {
		node  int32
		hints hints
	}
}

// blockAt is the index of the first block that begins at or after a node. Blocks are in the order of their first
// nodes.
func (w *walk) blockAt(node int) int {
	return sort.Search(len(w.p.Blocks), func(i int) bool { return int(w.p.Blocks[i].First) >= node })
}

// elsewhere are flags of parts outside the article, unless the title is in one too.
const (
	elsewhere   = inElsewhere | page.LikeComment | page.LikeRelated | page.LikeNav | page.LikePopup | page.LikePromo
	inElsewhere = page.InNav | page.InFooter | page.InForm | page.InHidden | page.InDialog
)

func (w *walk) block(b int) {
	block := &w.p.Blocks[b]
	if n := int(block.End - block.Start); n > longPiece {
		w.prose += n
	}
	for i := block.First; i < block.Last && len(w.pieces) < w.limit; i++ {
		n := &w.p.Nodes[i]
		if n.Tag != page.TagText || n.Flags&page.InSkipped != 0 || n.TextStart == n.TextEnd || w.apart(n) {
			continue
		}
		// Twice a long piece is more than any reader of pieces needs.
		text := strings.TrimSpace(string(cut(w.p.Text[n.TextStart:n.TextEnd], 2*longPiece)))
		if text == "" || text == w.title {
			// The title itself is often repeated in a breadcrumb.
			continue
		}
		// The distance is the same in both directions.
		pc := piece{text: text, block: b, far: max(b-w.start, w.start-b)}
		e := n.Parent
		// Only the nearest elements: outer names are of sections.
		for level := 0; level < hintLevels && e > 0 && w.p.Nodes[e].Tag != page.TagBody; level++ {
			h := w.hintsOf(e)
			pc.hints |= h
			// A date for machines is on the element itself or its parent.
			if level < 2 && pc.when == "" {
				pc.when = w.moment(e, h)
			}
			e = w.p.Nodes[e].Parent
		}
		w.pieces = append(w.pieces, pc)
	}
}

// apart reports whether a text is in a part of the page outside the article. Names of elements show that by single
// words, and an id of "__next" is not a link to the next page. So names do not count for an element that holds most of
// the page's text, nor for one within a line. Options.MaxDepth of the page bounds the depth.
func (w *walk) apart(n *page.Node) bool {
	// Elements around the title do not count.
	flags := n.Flags &^ w.around & elsewhere
	if n.Flags&page.InArticle != 0 {
		flags &^= page.InFooter // it names the article's author and date: HTML Living Standard, section 4.3.8
	}
	// Elements decide at once; names need the check below.
	if flags&inElsewhere != 0 || flags == 0 {
		return flags != 0
	}
	for e := n.Parent; e > 0; e = w.p.Nodes[e].Parent {
		if n := &w.p.Nodes[e]; n.Own&flags != 0 && n.Tag != page.TagSpan && int(n.TextEnd-n.TextStart) <= len(w.p.Text)/2 {
			return true
		}
	}
	return false
}

// hintsOf returns the hints of an element's names.
func (w *walk) hintsOf(e int32) hints {
	// Several elements share a slot; the newest stays.
	slot := &w.cache[int(e)%len(w.cache)]
	if slot.node != e {
		slot.node, slot.hints = e, w.readHints(int(e))
	}
	return slot.hints
}

// readHints reads the element's tag, and the words of four attributes.
func (w *walk) readHints(e int) hints {
	var h hints
	switch w.p.Nodes[e].Tag {
	case page.TagTime:
		h = hintDate
	case page.TagA:
		h = hintLink
	}
	for _, name := range [...]string{"class", "itemprop", "rel", "id"} {
		if v, ok := w.p.RawAttr(e, name); ok {
			h |= nameHints(v)
		}
	}
	return h
}

// moment is an element's date for machines. It reads attributes of dates, abbreviations and microformats.
func (w *walk) moment(e int32, h hints) string {
	tag := w.p.Nodes[e].Tag
	if h&hintDate == 0 && tag != page.TagAbbr && tag != page.TagSpan && tag != page.TagOther {
		return ""
	}
	for _, name := range [...]string{"datetime", "content", "title", "ts", "data-timestamp", "data-time", "data-date"} {
		// A title attribute without digits is a tooltip.
		if v, ok := w.p.RawAttr(int(e), name); ok && len(v) <= maxDateBytes && hasDigit(v) {
			return string(v)
		}
	}
	return ""
}

func hasDigit(v []byte) bool {
	return slices.ContainsFunc(v, isDigit)
}

// linked returns the absolute URL of the first <link> of a relation with a sound URL, as a list.
func (f *finder) linked(rel string) []string {
	for _, i := range f.links {
		if !f.hasRel(int(i), rel) {
			continue
		}
		href, _ := f.p.Attr(int(i), "href")
		if u := f.address(href); u != "" {
			return []string{u}
		}
	}
	return nil
}

const maxAnchors = 256

// anchors are the texts of the page's anchors of a relation: author or tag. The first call reads all anchors, for both
// relations.
func (f *finder) anchors(rel string) []string {
	if f.rels == nil {
		f.rels = map[string][]string{}
		for i := range f.p.Nodes {
			if n := &f.p.Nodes[i]; n.Tag == page.TagA && n.Flags&page.InSkipped == 0 {
				f.noteAnchor(i)
			}
		}
	}
	return f.rels[rel]
}

// noteAnchor keeps the text of an anchor of one of the two relations.
func (f *finder) noteAnchor(i int) {
	v, ok := f.p.RawAttr(i, "rel")
	if !ok {
		return
	}
	for w := range bytes.FieldsSeq(v) {
		rel := strings.ToLower(string(w))
		if rel != "author" && rel != "tag" || len(f.rels[rel]) >= maxAnchors || rel == "author" && f.isProfileAgain(i) {
			continue
		}
		f.rels[rel] = append(f.rels[rel], string(cut(f.p.NodeText(i), 4*f.o.MaxNameBytes)))
	}
}

// isProfileAgain reports whether an anchor of an author leads where one before it with a text leads, and so has no
// other name: "More posts". Blogger's "View my complete profile" may be the only one.
func (f *finder) isProfileAgain(i int) bool {
	href, _ := f.p.Attr(i, "href")
	if class, _ := f.p.Attr(i, "class"); class == "profile-link" && strings.Contains(href, "blogger.com/profile/") {
		return true
	}
	if slices.Contains(f.profiles, href) {
		return true
	}
	if href != "" && len(f.p.NodeText(i)) > 0 {
		f.profiles = append(f.profiles, href)
	}
	return false
}

// hasRel reports whether the rel of element i, a list of words in any case, contains a relation.
func (f *finder) hasRel(i int, rel string) bool {
	v, ok := f.p.RawAttr(i, "rel")
	if !ok || len(v) < len(rel) {
		return false
	}
	for w := range bytes.FieldsSeq(v) {
		if strings.EqualFold(string(w), rel) {
			return true
		}
	}
	return false
}
