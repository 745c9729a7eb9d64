package maintext

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Markdown returns the blocks of r, a result of Extract, as CommonMark with GitHub's tables: headings, lists, quotes,
// code with its white space, tables by rows, and within lines bold type, code and links. A result without blocks gives
// its text. Every function bounds its work by depth and width, because tables and lists of a hostile page have any.
func Markdown(r Result) string {
	if r.Page == nil {
		return r.Text
	}
	// Four times the text leaves room for marks and links; what is beyond is cut at a block.
	m := markdown{p: r.Page, grids: grids{p: r.Page}, room: len(r.Text)*4 + 1<<10, item: -1, list: -1, plain: -1}
	// Tables take several blocks at once.
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

// markdown writes blocks. It goes once over the kept blocks; item, list and plain remember what the last block was
// in.
type markdown struct {
	p       *page.Page
	grids   grids
	out     []byte
	room    int                // bytes after which no block is begun
	item    int32              // the list item written last
	list    int32              // and its list
	items   []int32            // in which the last block stands, the outermost first
	numbers map[int32]numbered // by list
	plain   int32              // a table that is written as lines
	formula int                // of the page's, the next
}

// block writes one block with what its place asks for: quote marks, a bullet, a heading's signs, a fence. The place
// decides the prefix of the first line and that of further lines.
func (m *markdown) block(i int32) {
	b := &m.p.Blocks[i]
	// Where the block stands decides all that is in front of its lines.
	quotes, lists, items := m.place(b.Node)
	item, list := int32(-1), int32(-1)
	if len(items) > 0 {
		item = items[len(items)-1]
		list = m.p.Nodes[item].Parent
	}
	// An empty line between blocks, but not between the items of a list, nor around a list inside of
	// one.
	apart := !m.within(list, m.list) && !m.within(m.list, list)
	if len(m.out) > 0 && (item < 0 && m.item < 0 || slices.Contains(m.items, item) || apart) {
		// Quotes go on through the empty line, without a space at its end.
		m.out = append(m.out, strings.TrimRight(strings.Repeat("> ", quotes), " ")...)
		m.out = append(m.out, '\n')
	}
	prefix := strings.Repeat("> ", quotes) + strings.Repeat("  ", max(0, lists-max(1, len(items))))
	next := prefix
	// What is in an item is indented by the width of its mark, which is written once.
	for _, it := range items {
		mark := m.mark(it)
		space := strings.Repeat(" ", len(mark))
		next += space
		if slices.Contains(m.items, it) {
			mark = space
		}
		prefix += mark
	}
	m.item, m.list, m.items = item, list, items
	// Inline marks mean nothing in code.
	if b.Flags&page.InPre != 0 {
		m.fence(b, prefix, next)
		return
	}
	m.out = append(m.out, prefix...)
	if b.Flags&page.InHeading != 0 {
		// Slicing six signs by the level makes the heading.
		m.out = append(m.out, "######"[:m.level(b.Node)]...)
		m.out = append(m.out, ' ')
	}
	m.inline(b)
	m.out = append(m.out, '\n')
}

// within reports whether list a is list b or is in it.
func (m *markdown) within(a, b int32) bool { return b >= 0 && a >= b && a < m.p.Nodes[b].End }

// table writes the rows of a table with which blocks begins, and returns how many blocks these are; 0 if it is none.
func (m *markdown) table(blocks []int32) int {
	// A table that was found to be none is not tried again for each of its blocks.
	first := cellOf(m.p, &m.p.Blocks[blocks[0]])
	if first.table < 0 || first.table == m.plain {
		return 0
	}
	// The same layout as in plain text, so that both have one answer.
	l := m.grids.layout(blocks)
	// One column or one row is not a table, but a page laid out by one.
	if l.shown == 0 {
		m.plain = first.table
		return 0
	}
	if len(m.out) > 0 {
		m.out = append(m.out, '\n')
	}
	// What follows begins again.
	m.item, m.list, m.items = -1, -1, nil
	m.rows(blocks[:l.blocks], &l)
	return l.blocks
}

// rows writes the rows of a table, the first as its head.
func (m *markdown) rows(blocks []int32, l *layout) {
	// at is the column that comes next in the row at hand.
	last, at, columns := cell{-1, -1, -1}, 0, l.columns()
	end := func() {
		m.out = append(m.out, strings.Repeat(" |", columns-at)...)
		m.out = append(m.out, '\n')
	}
	head := true
	for _, i := range blocks {
		b := &m.p.Blocks[i]
		c := cellOf(m.p, b)
		// The row before is filled up and ended.
		if c.row != last.row && last.row >= 0 {
			end()
			// GitHub's tables must have a head: the first row serves.
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
		// The cell was closed by " |", which is taken back.
		if c.cell == last.cell {
			m.out = m.out[:len(m.out)-2] // another block of the same cell
		} else {
			// Columns without a kept block stay empty, so that the others keep their place.
			place := l.place(m.grids.of(c))
			m.out = append(m.out, strings.Repeat(" |", max(0, place-at))...)
			at = place + 1
		}
		m.out = append(m.out, ' ')
		start := len(m.out)
		m.inline(b)
		// A line end would end the row.
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

// maxNesting bounds how far around a block its place is sought, and so the white space that is written before it.
// Deeper blocks lose their outer quotes, nothing else.
const maxNesting = 64

// place tells in how many quotes and lists element n stands, and in which list items, the outermost first.
func (m *markdown) place(n int32) (quotes, lists int, items []int32) {
	for range maxNesting {
		if n < 0 {
			break
		}
		switch m.p.Nodes[n].Tag {
		case page.TagBlockquote:
			quotes++
		case page.TagUl, page.TagOl:
			lists++
		case page.TagLi:
			items = append(items, n)
		}
		n = m.p.Nodes[n].Parent
	}
	slices.Reverse(items)
	return quotes, lists, items
}

// level is the level of the heading in which element n stands. Blocks of a heading may be in elements within it.
func (m *markdown) level(n int32) int {
	for range maxNesting {
		if t := m.p.Nodes[n].Tag; t >= page.TagH1 && t <= page.TagH6 {
			return int(t-page.TagH1) + 1
		}
		if n = m.p.Nodes[n].Parent; n < 0 {
			break
		}
	}
	// The block's flags say heading, but none is near: the second level is a guess.
	return 2
}

// fence writes preformatted text between fences longer than any run of backticks in it. Fences get longer until the
// text has none of that length; 64 is a bound, after which the fence may end early.
func (m *markdown) fence(b *page.Block, prefix, next string) {
	text := m.p.Text[b.Start:b.End]
	fence := "```"
	for bytes.Contains(text, []byte(fence)) && len(fence) < 64 {
		fence += "`"
	}
	m.out = append(append(append(append(m.out, prefix...), fence...), m.language(b.Node)...), '\n')
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		m.out = append(append(append(m.out, next...), line...), '\n')
	}
	m.out = append(append(append(m.out, next...), fence...), '\n')
}

// inline writes a block's text with its bold type, code and links.
func (m *markdown) inline(b *page.Block) {
	// open is the mark that is open ("**" or "`"), link the anchor.
	open, small, link := "", "", int32(-1)
	closeMarks := func() {
		m.out = append(append(m.out, endOf[small]...), open...)
		open, small = "", ""
	}
	for i := b.First; i < b.Last; i++ {
		n := &m.p.Nodes[i]
		// Text that is not shown has an empty range.
		if !shows(n) {
			continue
		}
		text := m.p.Text[n.TextStart:n.TextEnd]
		// Marks are closed before a link begins or ends, so that they nest.
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
		// Bold text in a heading, or in a block that is bold as a whole, needs no mark.
		case n.Flags&page.InBold != 0 && b.Flags&(page.InHeading|page.InBold) == 0:
			mark = "**"
		}
		if mark != open {
			closeMarks()
			text = m.leading(text)
			if len(text) > 0 {
				// White space alone opens nothing.
				m.out = append(m.out, mark...)
				open = mark
			}
		}
		if tag := m.small(i, b); tag != small && open != "`" {
			m.out = append(m.out, endOf[small]...)
			text = m.leading(text)
			m.out = append(m.out, tag...)
			small = tag
		}
		m.escape(text, int(n.TextEnd), open == "`")
	}
	closeMarks()
	m.unlink(link)
}

// shows reports whether a node has a text of its own, and not that of nodes in it.
func shows(n *page.Node) bool {
	switch n.Tag {
	case page.TagText, page.TagImg, page.TagMath, page.TagScript:
		return n.TextStart < n.TextEnd
	}
	return false
}

// endOf closes raised and lowered text, of which Markdown has only HTML's.
var endOf = map[string]string{"<sup>": "</sup>", "<sub>": "</sub>"}

// small is the tag of the raised or lowered element around text i within block b; "" if there is none.
func (m *markdown) small(i int32, b *page.Block) string {
	for range maxNesting {
		if i = m.p.Nodes[i].Parent; i <= b.Node {
			break
		}
		switch m.p.Nodes[i].Tag {
		case page.TagSup:
			return "<sup>"
		case page.TagSub:
			return "<sub>"
		}
	}
	return ""
}

// leading writes the white space before text and returns the rest: marks must stand next to words. CommonMark takes
// "** bold**" for plain text.
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
	// The parent chain is bounded as elsewhere.
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
	// The address is resolved here, since Markdown has no base.
	href, _ := m.p.Attr(int(a), "href")
	m.out = append(m.out, "]("...)
	for _, c := range []byte(m.p.Resolve(href)) {
		// Brackets and spaces would end the address.
		if c == '(' || c == ')' || c == '<' || c == '>' || c == ' ' {
			m.out = append(m.out, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
			continue
		}
		m.out = append(m.out, c)
	}
	m.out = append(m.out, ')')
}

// escape writes text, which ends at end of the page's, so that none of it is taken for marks. Only signs that mean
// something in the middle of a line are escaped, and none in formulae.
func (m *markdown) escape(text []byte, end int, code bool) {
	at := end - len(text)
	for i, c := range text {
		for m.formula < len(m.p.Formulas) && int(m.p.Formulas[m.formula].End) <= at+i {
			m.formula++
		}
		tex := m.formula < len(m.p.Formulas) && int(m.p.Formulas[m.formula].Start) <= at+i
		switch {
		// A backtick in code would end it, and cannot be escaped there.
		case code && c == '`':
			c = '\''
		case !code && !tex && bytes.IndexByte([]byte("\\`*_[]<|"), c) >= 0:
			m.out = append(m.out, '\\')
		case tex && texSigns[c] != "":
			m.out = append(m.out, texSigns[c]...)
			continue
		}
		m.out = append(m.out, c)
	}
}

// texSigns are commands for signs that would end a cell, or begin markup or a link for callers that read Markdown
// without formulae: the TeX is the page's, and may be anything.
var texSigns = map[byte]string{'|': `\vert `, '<': `\lt `, '[': `\lbrack `, '`': "'"}
