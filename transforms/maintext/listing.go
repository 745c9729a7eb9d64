package maintext

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// listing writes the preformatted text at the start of blocks and returns how many blocks it wrote, 0 if there is none.
// Highlighters make an element of each line, so one <pre> may have several blocks.
func (m *markdown) listing(blocks []int32) int {
	b := &m.p.Blocks[blocks[0]]
	if b.Flags&page.InPre == 0 || m.notes.isLabel(m.p, b) {
		return 0
	}
	text := bytes.Clone(m.p.Text[b.Start:b.End])
	pre, n := preOf(m.p, int(blocks[0])), 1
	for ; pre >= 0 && n < len(blocks) && preOf(m.p, int(blocks[n])) == pre; n++ {
		last, b := &m.p.Blocks[blocks[n-1]], &m.p.Blocks[blocks[n]]
		text = append(text, m.emptyLines(last.Node, b.Node)...)
		text = append(append(text, '\n'), m.p.Text[b.Start:b.End]...)
	}
	prefix, next := m.begin(b.Node)
	m.fence(text, m.language(b.Node), prefix, next)
	return n
}

// maxEmptyLines bounds the empty lines between two of a listing.
const maxEmptyLines = 100

// emptyLines returns a line end for each element without text between two lines of a listing, which are siblings.
func (m *markdown) emptyLines(last, next int32) (lines []byte) {
	if m.p.Nodes[last].Parent != m.p.Nodes[next].Parent {
		return nil
	}
	for i := m.p.Nodes[last].End; i < next && len(lines) < maxEmptyLines; i = m.p.Nodes[i].End {
		if m.p.Nodes[i].Tag == m.p.Nodes[last].Tag {
			lines = append(lines, '\n')
		}
	}
	return lines
}

// fence writes preformatted text between fences longer than any run of backticks in it. Above 64 backticks the fence
// may end early.
func (m *markdown) fence(text []byte, language, prefix, next string) {
	fence := "```"
	for bytes.Contains(text, []byte(fence)) && len(fence) < 64 {
		fence += "`"
	}
	m.out = append(append(append(append(m.out, prefix...), fence...), language...), '\n')
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		m.out = append(append(append(m.out, next...), line...), '\n')
	}
	m.out = append(append(append(m.out, next...), fence...), '\n')
}
