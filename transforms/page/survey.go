package page

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// survey tells whether the tree builder can be given src as it is. It cannot where the tree would be larger than the
// limits allow, or building it would take more than linear time:
//
//   - tokens: each makes a node or two;
//   - attributes: of one tag, and of all;
//   - formatting elements that a block's end closes: each is built again in every block that follows, so that n tags
//     make n²/4 nodes;
//   - <html> and <body> tags after the first: their attributes are added to the first one's, each time through a map
//     of all of them;
//   - text that is raw in HTML and markup in SVG, or the reverse, which this survey does not tell apart.
type survey struct {
	model
	o       Options
	scan    scanner
	tokens  int
	attrs   int // of all tags
	roots   int // <html>, <body>
	loose   int // formatting elements that were closed by something else than their end tag
	rebuilt int // how often these would be built again
	foreign int // open <svg> and <math>
	unclear bool
}

func harmless(src []byte, o Options) bool {
	s := survey{o: o, scan: scanner{src: src}}
	for s.scan.next() {
		if s.token(); s.exceeded() {
			return false
		}
	}
	return s.scan.tok.nAttrs <= o.MaxAttributes // of a tag that the source's end cuts, which is no token
}

func (s *survey) exceeded() bool {
	return s.tokens > s.o.MaxNodes || s.attrs > attrsANode*s.o.MaxNodes || s.rebuilt > s.o.MaxNodes ||
		s.roots > maxRoots || s.unclear
}

func (s *survey) token() {
	s.tokens++
	t := &s.scan.tok
	switch t.kind {
	case startToken:
		s.start(t)
	case endToken:
		s.end(t)
	case rawToken:
		s.unclear = s.foreign > 0 && t.nesting && !isCDATA(s.scan.src[t.all.start:t.all.end])
	case commentToken:
		s.unclear = s.foreign > 0 && bytes.HasPrefix(s.scan.src[t.all.start:], []byte("<![CDATA["))
	}
}

// isCDATA tells whether text is one CDATA section: it ends at the same place raw and as markup of SVG.
func isCDATA(text []byte) bool {
	text = bytes.TrimSpace(text)
	end := bytes.Index(text, []byte("]]>"))
	return bytes.HasPrefix(text, []byte("<![CDATA[")) && end == len(text)-len("]]>")
}

func (s *survey) start(t *token) {
	s.attrs += t.nAttrs
	if t.nAttrs > s.o.MaxAttributes {
		s.unclear = true
	}
	c := classes[t.atom]
	height, counts := s.closedBy(t.atom, c)
	if !counts {
		return
	}
	if s.fall(height); c&(void|formatting|phrasing) == 0 {
		s.rebuilt += s.loose
	}
	switch t.atom {
	case atom.Svg, atom.Math:
		s.foreign++
	case atom.Html, atom.Body:
		s.roots++
		return
	case atom.Head:
		return
	}
	if c&void == 0 && !(t.closed && s.foreign > 0) {
		s.stack = append(s.stack, open{atom: t.atom, class: c})
	}
}

func (s *survey) end(t *token) {
	c := classes[t.atom]
	i := s.find(t.atom, c, "")
	if c&formatting != 0 {
		s.endFormatting(i)
		return
	}
	s.rebuilt += s.loose
	if i < 0 {
		return
	}
	if (t.atom == atom.Svg || t.atom == atom.Math) && s.drawn(i+1) {
		s.foreign--
	}
	s.fall(i)
}

// drawn tells whether the stack holds nothing from height on but elements of SVG's own, so that an end tag below
// them counts: from HTML within SVG it would not.
func (s *survey) drawn(height int) bool {
	for _, e := range s.stack[height:] {
		if e.atom != 0 {
			return false
		}
	}
	return true
}

// endFormatting closes the formatting element at i of the stack. Where a block stands above, the block stays open
// (the adoption agency algorithm).
func (s *survey) endFormatting(i int) {
	if i < 0 {
		s.loose = max(0, s.loose-1)
		return
	}
	for _, e := range s.stack[i+1:] {
		if e.class&(formatting|phrasing) == 0 {
			s.stack = append(s.stack[:i], s.stack[i+1:]...)
			return
		}
	}
	s.fall(i + 1)
	s.stack = s.stack[:i]
}

// fall lets the stack fall to height and counts the formatting elements that this closes. A marker that goes takes
// those above it out of the builder's list.
func (s *survey) fall(height int) {
	for _, e := range s.stack[height:] {
		if e.class&marker != 0 {
			break
		}
		if e.class&formatting != 0 && s.loose < maxSeek {
			s.loose++
		}
	}
	s.stack = s.stack[:height]
}
