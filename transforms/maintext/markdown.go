package maintext

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Markdown returns the blocks of r, a result of Extract, as CommonMark with GitHub's tables: headings, lists, quotes,
// code with its white space, tables by rows, and within lines bold type, code and links. A result without blocks gives
// its text.
func Markdown(r Result) string {
	if r.Page == nil {
		return r.Text
	}
	m := markdown{p: r.Page, room: len(r.Text)*4 + 1<<10, item: -1, list: -1, plain: -1}
	for k := 0; k < len(r.Blocks) && len(m.out) < m.room; {
		if n := m.table(r.Blocks[k:]); n > 0 {
			k += n
			continue
		}
		m.block(r.Blocks[k])
		k++
	}
	return strings.TrimRight(string(m.out), "\n")
}

// markdown writes blocks.
type markdown struct {
	p     *page.Page
	out   []byte
	room  int   // bytes after which no block is begun
	item  int32 // the list item written last
	list  int32 // and its list
	plain int32 // a table that is written as lines
}

// block writes one block with what its place asks for: quote marks, a bullet, a heading's signs, a fence.
func (m *markdown) block(i int32) {
	b := &m.p.Blocks[i]
	quotes, depth, item := m.place(b.Node)
	list := int32(-1)
	if item >= 0 {
		list = m.p.Nodes[item].Parent
	}
	if len(m.out) > 0 && (item == m.item || !m.within(list, m.list) && !m.within(m.list, list)) {
		m.out = append(m.out, strings.TrimRight(strings.Repeat("> ", quotes), " ")...)
		m.out = append(m.out, '\n')
	}
	prefix := strings.Repeat("> ", quotes) + strings.Repeat("  ", max(0, depth-1))
	next := prefix
	if item >= 0 {
		mark := m.mark(item)
		if next += strings.Repeat(" ", len(mark)); item != m.item {
			prefix += mark
		} else {
			prefix = next
		}
	}
	m.item, m.list = item, list
	if b.Flags&page.InPre != 0 {
		m.fence(b, prefix, next)
		return
	}
	m.out = append(m.out, prefix...)
	if b.Flags&page.InHeading != 0 {
		m.out = append(m.out, "######"[:m.level(b.Node)]...)
		m.out = append(m.out, ' ')
	}
	m.inline(b)
	m.out = append(m.out, '\n')
}

// within tells whether list a is list b or stands in it.
func (m *markdown) within(a, b int32) bool { return b >= 0 && a >= b && a < m.p.Nodes[b].End }

// table writes the rows of a table with which blocks begins, and returns how many blocks these are; 0 if it is none.
func (m *markdown) table(blocks []int32) int {
	first := cellOf(m.p, &m.p.Blocks[blocks[0]])
	if first.table < 0 || first.table == m.plain {
		return 0
	}
	n, columns, rows := 0, 0, map[int32]bool{}
	for ; n < len(blocks); n++ {
		c := cellOf(m.p, &m.p.Blocks[blocks[n]])
		if c.table != first.table {
			break
		}
		rows[c.row] = true
		if columns = max(columns, m.column(c)+1); columns > maxColumns {
			break
		}
	}
	if columns < 2 || len(rows) < 2 || columns > maxColumns {
		m.plain = first.table
		return 0
	}
	if len(m.out) > 0 {
		m.out = append(m.out, '\n')
	}
	m.item, m.list = -1, -1
	m.rows(blocks[:n], columns)
	return n
}

// maxColumns bounds a table: every row has all of its cells, be they empty.
const maxColumns = 64

// rows writes the rows of a table, the first as its head.
func (m *markdown) rows(blocks []int32, columns int) {
	last, at := cell{-1, -1, -1}, 0
	end := func() {
		m.out = append(m.out, strings.Repeat(" |", columns-at)...)
		m.out = append(m.out, '\n')
	}
	head := true
	for _, i := range blocks {
		b := &m.p.Blocks[i]
		c := cellOf(m.p, b)
		if c.row != last.row && last.row >= 0 {
			end()
			if head {
				m.out = append(append(m.out, '|'), strings.Repeat(" --- |", columns)...)
				m.out = append(m.out, '\n')
				head = false
			}
		}
		if c.row != last.row {
			m.out = append(m.out, '|')
			at = 0
		}
		if c.cell == last.cell {
			m.out = m.out[:len(m.out)-2] // another block of the same cell
		} else {
			m.out = append(m.out, strings.Repeat(" |", max(0, m.column(c)-at))...)
			at = m.column(c) + 1
		}
		m.out = append(m.out, ' ')
		start := len(m.out)
		m.inline(b)
		for k := start; k < len(m.out); k++ {
			if m.out[k] == '\n' {
				m.out[k] = ' '
			}
		}
		m.out = append(m.out, " |"...)
		last = c
	}
	end()
}

// column is the place of a cell in its row.
func (m *markdown) column(c cell) int {
	n := 0
	for i := c.row + 1; i < c.cell && n <= maxColumns; i = m.p.Nodes[i].End {
		if t := m.p.Nodes[i].Tag; t == page.TagTd || t == page.TagTh {
			n++
		}
	}
	return n
}

// maxNesting bounds how far around a block its place is sought, and so the white space that is written before it.
const maxNesting = 64

// place tells in how many quotes and lists element n stands, and its nearest list item, or -1.
func (m *markdown) place(n int32) (quotes, depth int, item int32) {
	item = -1
	for range maxNesting {
		if n < 0 {
			break
		}
		switch m.p.Nodes[n].Tag {
		case page.TagBlockquote:
			quotes++
		case page.TagUl, page.TagOl:
			depth++
		case page.TagLi:
			if item < 0 {
				item = n
			}
		}
		n = m.p.Nodes[n].Parent
	}
	return quotes, depth, item
}

// mark is the bullet or the number of a list item.
func (m *markdown) mark(item int32) string {
	list := m.p.Nodes[item].Parent
	if list < 0 || m.p.Nodes[list].Tag != page.TagOl {
		return "- "
	}
	const furthest = 1000 // items that are counted
	n := 1
	for i := list + 1; i < item && n < furthest; i = m.p.Nodes[i].End {
		if m.p.Nodes[i].Tag == page.TagLi {
			n++
		}
	}
	return strconv.Itoa(n) + ". "
}

// level is the level of the heading in which element n stands.
func (m *markdown) level(n int32) int {
	for range maxNesting {
		if t := m.p.Nodes[n].Tag; t >= page.TagH1 && t <= page.TagH6 {
			return int(t-page.TagH1) + 1
		}
		if n = m.p.Nodes[n].Parent; n < 0 {
			break
		}
	}
	return 2
}

// fence writes preformatted text between fences longer than any run of backticks in it.
func (m *markdown) fence(b *page.Block, prefix, next string) {
	text := m.p.Text[b.Start:b.End]
	fence := "```"
	for bytes.Contains(text, []byte(fence)) && len(fence) < 64 {
		fence += "`"
	}
	m.out = append(append(append(m.out, prefix...), fence...), '\n')
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		m.out = append(append(append(m.out, next...), line...), '\n')
	}
	m.out = append(append(append(m.out, next...), fence...), '\n')
}

// inline writes a block's text with its bold type, code and links.
func (m *markdown) inline(b *page.Block) {
	open, link := "", int32(-1)
	closeMarks := func() {
		m.out = append(m.out, open...)
		open = ""
	}
	for i := b.First; i < b.Last; i++ {
		n := &m.p.Nodes[i]
		if n.Tag != page.TagText || n.TextStart == n.TextEnd {
			continue
		}
		text := m.p.Text[n.TextStart:n.TextEnd]
		if a := m.anchor(i, b); a != link {
			closeMarks()
			m.unlink(link)
			link = a
			text = m.leading(text)
			if link >= 0 {
				m.out = append(m.out, '[')
			}
		}
		mark := ""
		switch {
		case n.Flags&page.InCode != 0:
			mark = "`"
		case n.Flags&page.InBold != 0 && b.Flags&(page.InHeading|page.InBold) == 0:
			mark = "**"
		}
		if mark != open {
			closeMarks()
			text = m.leading(text)
			if len(text) > 0 {
				m.out = append(m.out, mark...)
				open = mark
			}
		}
		m.escape(text, open == "`")
	}
	closeMarks()
	m.unlink(link)
}

// leading writes the white space before text and returns the rest: marks must stand next to words.
func (m *markdown) leading(text []byte) []byte {
	rest := bytes.TrimLeft(text, " \n")
	if len(rest) < len(text) {
		m.out = append(m.out, ' ')
	}
	return rest
}

// anchor is the link with an address around text i within block b; -1 if there is none.
func (m *markdown) anchor(i int32, b *page.Block) int32 {
	if m.p.Nodes[i].Flags&page.InLink == 0 {
		return -1
	}
	for range maxNesting {
		if i = m.p.Nodes[i].Parent; i < 0 {
			break
		}
		if m.p.Nodes[i].Tag == page.TagA {
			return i
		}
	}
	return -1
}

// unlink ends the link a.
func (m *markdown) unlink(a int32) {
	if a < 0 {
		return
	}
	href, _ := m.p.Attr(int(a), "href")
	m.out = append(m.out, "]("...)
	for _, c := range []byte(m.p.Resolve(href)) {
		if c == '(' || c == ')' || c == '<' || c == '>' || c == ' ' {
			m.out = append(m.out, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
			continue
		}
		m.out = append(m.out, c)
	}
	m.out = append(m.out, ')')
}

// escape writes text so that none of it is taken for marks.
func (m *markdown) escape(text []byte, code bool) {
	for _, c := range text {
		switch {
		case code && c == '`':
			c = '\''
		case !code && bytes.IndexByte([]byte("\\`*_[]<|"), c) >= 0:
			m.out = append(m.out, '\\')
		}
		m.out = append(m.out, c)
	}
}
