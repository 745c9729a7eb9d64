package maintext

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	maxAlt    = 500 // bytes of an alternative text
	maxSpacer = 2   // pixels: pictures this narrow or low are not content
	maxBeside = 3   // elements between a block and the element that a picture shares with it
)

// inLine are the elements that do not divide a line.
var inLine = map[page.Tag]bool{
	page.TagA: true, page.TagSpan: true, page.TagB: true, page.TagStrong: true, page.TagEm: true, page.TagI: true,
	page.TagPicture: true, page.TagSup: true, page.TagSub: true, page.TagFont: true, page.TagAbbr: true,
	page.TagU: true, page.TagSmall: true, page.TagCode: true, page.TagCite: true, page.TagBig: true, page.TagIns: true,
}

// isInLine reports whether only elements within a line are between picture i and block.
func (m *markdown) isInLine(i, block int32) bool {
	return m.holderOf(i) == block
}

// holderOf is the nearest element around node i that is not within a line.
func (m *markdown) holderOf(i int32) int32 {
	for i = m.p.Nodes[i].Parent; i > 0 && inLine[m.p.Nodes[i].Tag]; i = m.p.Nodes[i].Parent {
	}
	return i
}

// reach returns the nodes of the line of block i, with those before and after its text that are within the line.
func (m *markdown) reach(i int32) (start, end int32) {
	b := &m.p.Blocks[i]
	first, last := b.Node+1, m.p.Nodes[b.Node].End
	if i > 0 {
		first = max(first, m.p.Blocks[i-1].Last)
	}
	if int(i)+1 < len(m.p.Blocks) {
		last = min(last, m.p.Blocks[i+1].First)
	}
	start, end = b.First, b.Last
	for start > first && staysInLine(m.p.Nodes[start-1].Tag) {
		start--
	}
	for end < last && staysInLine(m.p.Nodes[end].Tag) {
		end++
	}
	return start, end
}

func staysInLine(t page.Tag) bool {
	return inLine[t] || t == page.TagText || t == page.TagImg || t == page.TagBr || t == page.TagSource
}

// pictures writes the pictures between two kept blocks that stand on lines of their own; -1 is the beginning or end.
// Between blocks that follow each other all are content. Others must be beside a kept block.
func (m *markdown) pictures(last, next int32) {
	start, end := int32(0), int32(len(m.p.Nodes))
	if last >= 0 {
		_, start = m.reach(last)
	}
	if next >= 0 {
		end, _ = m.reach(next)
	}
	if last >= 0 && next >= 0 && m.follows(last, next) {
		m.standing(start, end, last, next)
		return
	}
	// Further away nothing is beside a kept block.
	middle := end
	if last >= 0 {
		if int(last)+1 < len(m.p.Blocks) {
			middle = min(end, m.p.Blocks[last+1].First)
		}
		m.standing(start, middle, last, -1)
		start = middle
	}
	if next > 0 {
		m.standing(max(start, m.p.Blocks[next-1].Last), end, -1, next)
	} else if next == 0 {
		m.standing(start, end, -1, next)
	}
}

// follows reports whether only hidden blocks and captions are between two blocks.
func (m *markdown) follows(last, next int32) bool {
	const far = 8
	if next-last > far {
		return false
	}
	for i := last + 1; i < next; i++ {
		if m.p.Blocks[i].Flags&(unseen|page.InFigure) == 0 {
			return false
		}
	}
	return next > last
}

func (m *markdown) standing(start, end, last, next int32) {
	holder := int32(-1)
	for i := start; i < end; i++ {
		n := &m.p.Nodes[i]
		if n.Tag != page.TagImg || shows(m.p, i) || !m.isPicture(i) {
			continue
		}
		if both := last >= 0 && next >= 0; !both && !m.isBeside(i, last) && !m.isBeside(i, next) {
			continue
		}
		if m.full() {
			return
		}
		// Pictures of one element are on one line.
		if h := m.holderOf(i); h != holder {
			holder = h
			prefix, _ := m.begin(h)
			m.out = append(m.out, prefix...)
		} else {
			m.out[len(m.out)-1] = ' '
		}
		w := line{markdown: m, block: &page.Block{Node: holder}, start: len(m.out), link: -1}
		w.picture(i)
		w.closeLink()
		m.out = append(m.out, '\n')
	}
}

// isBeside reports whether picture i is beside a block. The outermost element around the picture without text is then
// in an element around the block, and near it.
func (m *markdown) isBeside(i, block int32) bool {
	if block < 0 {
		return false
	}
	for m.p.Nodes[i].Parent > 0 {
		i = m.p.Nodes[i].Parent
		if n := &m.p.Nodes[i]; n.TextStart < n.TextEnd {
			break
		}
	}
	up := m.p.Blocks[block].Node
	for range maxBeside {
		if up == i {
			return m.p.Nodes[i].Tag != page.TagBody
		}
		if up = m.p.Nodes[up].Parent; up < 0 {
			break
		}
	}
	return false
}

// notShown are the flags of elements that hide pictures, or have pictures that are not content.
const notShown = page.InSkipped | page.InHidden | page.InInvisible | page.InButton | page.InNav | page.LikeShare |
	page.InForeign

// isPicture reports whether img i is a picture with a URL that is shown, and not a spacer.
func (m *markdown) isPicture(i int32) bool {
	if m.p.Nodes[i].Flags&notShown != 0 {
		return false
	}
	for _, name := range []string{"width", "height"} {
		if n, ok := m.integer(i, name); ok && n >= 0 && n <= maxSpacer {
			return false
		}
	}
	return m.source(i) != ""
}

// source is the URL of picture i: that which scripts load late, or src.
func (m *markdown) source(i int32) string {
	for _, name := range []string{"data-src", "data-lazy-src", "data-original", "src"} {
		v, ok := m.p.Attr(int(i), name)
		if v = strings.TrimSpace(v); !ok || v == "" || strings.HasPrefix(v, "data:") {
			continue
		}
		if u := m.p.Resolve(v); strings.HasPrefix(u, "http:") || strings.HasPrefix(u, "https:") {
			return u
		}
	}
	return ""
}

// image writes picture i.
func (m *markdown) image(i int32) {
	alt, _ := m.p.Attr(int(i), "alt")
	m.out = append(m.out, "!["...)
	for _, c := range bytes.Join(bytes.Fields([]byte(strings.ToValidUTF8(alt[:min(len(alt), maxAlt)], ""))), []byte(" ")) {
		if bytes.IndexByte([]byte("\\`*_[]<|$"), c) >= 0 {
			m.out = append(m.out, '\\')
		}
		m.out = append(m.out, c)
	}
	m.out = append(m.out, "]("...)
	m.url(m.source(i))
	m.out = append(m.out, ')')
}
