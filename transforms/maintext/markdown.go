package maintext

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Markdown returns the blocks of r as CommonMark with GitHub's tables: headings, lists, quotes, code, tables, and
// within lines bold type, code and links. For a result without blocks it returns the text. All work is bounded in
// depth and width, because a hostile page may have tables and lists of any size.
func Markdown(r Result) string {
	if r.Page == nil {
		return r.Text
	}
	// Four times the text leaves room for marks and links; more is dropped at a block.
	m := markdown{p: r.Page, grids: grids{p: r.Page}, room: len(r.Text)*4 + 1<<10, item: -1, list: -1, plain: -1}
	// Tables take several blocks at once.
	blocks := m.grids.footLast(r.Blocks)
	for k := 0; k < len(blocks) && len(m.out) < m.room; {
		if n := m.table(blocks[k:]); n > 0 {
			k += n
			continue
		}
		m.block(blocks[k])
		k++
	}
	return strings.TrimRight(string(m.out), "\n")
}

// markdown writes blocks in one pass; item, list and plain remember where the last block was.
type markdown struct {
	p       *page.Page
	grids   grids
	out     []byte
	room    int                // bytes after which no block begins
	item    int32              // list item written last
	list    int32              // its list
	items   []int32            // around the last block, outermost first
	numbers map[int32]numbered // by list
	plain   int32              // table that is written as lines
	formula int                // index of the next formula of the page
}

// block writes one block with its quote marks, bullet, heading's signs or fence. Its place decides the prefix of the
// first line and of further lines.
func (m *markdown) block(i int32) {
	b := &m.p.Blocks[i]
	quotes, lists, items := m.place(b.Node)
	item, list := int32(-1), int32(-1)
	if len(items) > 0 {
		item = items[len(items)-1]
		list = m.p.Nodes[item].Parent
	}
	// An empty line between blocks, but not between the items of a list, nor around a list inside another.
	apart := !m.within(list, m.list) && !m.within(m.list, list)
	if len(m.out) > 0 && (item < 0 && m.item < 0 || slices.Contains(m.items, item) || apart) {
		// Quotes go on through the empty line, without a space at its end.
		m.out = append(m.out, strings.TrimRight(strings.Repeat("> ", quotes), " ")...)
		m.out = append(m.out, '\n')
	}
	prefix := strings.Repeat("> ", quotes) + strings.Repeat("  ", max(0, lists-max(1, len(items))))
	next := prefix
	// An item's content is indented by the width of its mark, which is written once.
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
		m.out = append(m.out, "######"[:m.level(b.Node)]...)
		m.out = append(m.out, ' ')
	}
	start := len(m.out)
	m.inline(b)
	if b.Flags&page.InHeading == 0 {
		m.guard(start)
	}
	m.out = append(m.out, '\n')
}

// guard escapes marks at the beginnings of lines of m.out, from start on. They would make lists, headings, quotes,
// rules or code: "1986. A great season" is not an item.
func (m *markdown) guard(start int) {
	for at := start; at < len(m.out); {
		if i := blockMark(m.out[at:]); i >= 0 {
			m.out = slices.Insert(m.out, at+i, '\\')
		}
		end := bytes.IndexByte(m.out[at:], '\n')
		if end < 0 {
			return
		}
		at += end + 1
	}
}

// blockMark returns where to escape what a line begins with so that it is text, or -1.
func blockMark(line []byte) int {
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	rest := line[digits:]
	ends := func(n int) bool { return n >= len(rest) || rest[n] == ' ' || rest[n] == '\n' }
	switch {
	case len(rest) == 0:
	case digits > 0:
		if digits <= 9 && (rest[0] == '.' || rest[0] == ')') && ends(1) {
			return digits
		}
	case rest[0] == '>', (rest[0] == '-' || rest[0] == '+') && ends(1), bytes.HasPrefix(rest, []byte("~~~")):
		return 0
	case rest[0] == '#':
		if n := len(rest) - len(bytes.TrimLeft(rest, "#")); n <= 6 && ends(n) {
			return 0
		}
	case rest[0] == '-' || rest[0] == '=':
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		if len(bytes.Trim(line, string(rest[:1])+" ")) == 0 {
			return 0
		}
	}
	return -1
}

func (m *markdown) within(a, b int32) bool { return b >= 0 && a >= b && a < m.p.Nodes[b].End }

// table writes the rows of the table at the start of blocks and returns how many blocks it wrote, 0 if there is no
// table.
func (m *markdown) table(blocks []int32) int {
	// A table that was rejected before is not tried again for each of its blocks.
	first := m.grids.cellOf(blocks[0])
	if first.table < 0 || first.table == m.plain {
		return 0
	}
	// The same layout as in plain text, so that both agree.
	l := m.grids.layout(blocks)
	// A table of one column or row lays out the page.
	if l.shown == 0 {
		m.plain = first.table
		return 0
	}
	if len(m.out) > 0 {
		m.out = append(m.out, '\n')
	}
	// What follows starts a new block.
	m.item, m.list, m.items = -1, -1, nil
	m.rows(blocks[:l.blocks], &l)
	return l.blocks
}

// rows writes the rows of a table, the first as its head.
func (m *markdown) rows(blocks []int32, l *layout) {
	// at is the next column of the current row.
	last, at, columns := noCell, 0, l.columns()
	end := func() {
		m.out = append(m.out, strings.Repeat(" |", columns-at)...)
		m.out = append(m.out, '\n')
	}
	head := true
	for _, i := range blocks {
		b := &m.p.Blocks[i]
		c := m.grids.cellOf(i)
		// Fill up and end the row before.
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

// maxNesting bounds how far up a block's place is sought, and so its indentation. Deeper blocks lose only their outer
// quotes.
const maxNesting = 64

// place counts the quotes and lists around element n and returns the list items around it, outermost first.
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

// level is the level of the heading around element n. Blocks of a heading may be in elements within it.
func (m *markdown) level(n int32) int {
	for range maxNesting {
		if t := m.p.Nodes[n].Tag; t >= page.TagH1 && t <= page.TagH6 {
			return int(t-page.TagH1) + 1
		}
		if n = m.p.Nodes[n].Parent; n < 0 {
			break
		}
	}
	// The flags say heading, but none is near: the second level is a guess.
	return 2
}

// fence writes preformatted text between fences longer than any run of backticks in it. Above 64 backticks the fence
// may end early.
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

func (m *markdown) inline(b *page.Block) {
	// open is the open mark ("**" or "`"), link the open anchor.
	open, small, link := "", "", int32(-1)
	closeMarks := func() {
		m.out = append(append(m.out, endOf[small]...), open...)
		open, small = "", ""
	}
	for i := b.First; i < b.Last; i++ {
		n := &m.p.Nodes[i]
		// Hidden text has an empty range.
		if !shows(n) {
			continue
		}
		text := m.p.Text[n.TextStart:n.TextEnd]
		// Close marks before a link begins or ends, so that they nest.
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
		// Bold text in a heading or in a block that is all bold needs no mark.
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

// shows reports whether a node has text of its own, not only that of its descendants.
func shows(n *page.Node) bool {
	switch n.Tag {
	case page.TagText, page.TagImg, page.TagMath, page.TagScript:
		return n.TextStart < n.TextEnd
	}
	return false
}

// endOf closes superscript and subscript, for which Markdown needs HTML.
var endOf = map[string]string{"<sup>": "</sup>", "<sub>": "</sub>"}

// small is the tag of the superscript or subscript around text i within block b, or "".
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

// leading writes the white space before text and returns the rest. Marks must touch words: CommonMark takes "**
// bold**" for plain text.
func (m *markdown) leading(text []byte) []byte {
	rest := bytes.TrimLeft(text, " \n")
	if len(rest) < len(text) {
		m.out = append(m.out, ' ')
	}
	return rest
}

// anchor is the link around text i within block b, or -1. Anchors without a URL do not count.
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

func (m *markdown) unlink(a int32) {
	if a < 0 {
		return
	}
	// Markdown has no base URL.
	href, _ := m.p.Attr(int(a), "href")
	m.out = append(m.out, "]("...)
	for _, c := range []byte(m.p.Resolve(href)) {
		// Brackets and spaces would end the URL.
		if c == '(' || c == ')' || c == '<' || c == '>' || c == ' ' {
			m.out = append(m.out, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
			continue
		}
		m.out = append(m.out, c)
	}
	m.out = append(m.out, ')')
}

// escape writes text, which ends at offset end of the page's text, so that nothing in it is read as a mark. It escapes
// only characters that mean something in the middle of a line, and none in formulae.
func (m *markdown) escape(text []byte, end int, code bool) {
	at := end - len(text)
	// The foot of a table comes after what is below it in the source.
	if m.formula > 0 && int(m.p.Formulas[m.formula-1].Start) >= at {
		m.formula, _ = slices.BinarySearchFunc(m.p.Formulas, at, func(f page.Span, at int) int { return int(f.End) - at })
	}
	for i, c := range text {
		for m.formula < len(m.p.Formulas) && int(m.p.Formulas[m.formula].End) <= at+i {
			m.formula++
		}
		tex := m.formula < len(m.p.Formulas) && int(m.p.Formulas[m.formula].Start) <= at+i
		switch {
		// A backtick would end the code and cannot be escaped there.
		case code && c == '`':
			c = '\''
		case !code && !tex && (bytes.IndexByte([]byte("\\`*_[]<|"), c) >= 0 || c == '&' && isReference(text[i:]) ||
			c == '~' && bytes.HasPrefix(text[i:], []byte("~~"))):
			m.out = append(m.out, '\\')
		case tex && texSigns[c] != "":
			m.out = append(m.out, texSigns[c]...)
			continue
		}
		m.out = append(m.out, c)
	}
}

// isReference reports whether text begins like a character reference.
func isReference(text []byte) bool {
	end := bytes.IndexByte(text[:min(len(text), maxReference)], ';')
	return end > 1 && html.UnescapeString(string(text[:end+1])) != string(text[:end+1])
}

// maxReference is more than the longest name of a reference takes.
const maxReference = 34

// texSigns are commands for characters of a formula that would end a cell, or begin markup or a link in renderers
// without formulae. The TeX comes from the page and may be hostile.
var texSigns = map[byte]string{'|': `\vert `, '<': `\lt `, '[': `\lbrack `, '`': "'"}
