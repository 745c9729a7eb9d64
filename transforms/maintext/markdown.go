package maintext

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Markdown returns the blocks of r as CommonMark with GitHub's tables and footnotes, and with definition lists as
// Pandoc has them. Blocks are headings, lists, quotes, code, tables and pictures. Within lines there are bold and
// italic type, code and links. For a result without blocks it returns the text. It returns at most limit bytes, and
// whole reports whether nothing was left out. All work is bounded in depth and width, because a hostile page may have
// tables and lists of any size.
func Markdown(r Result, limit int) (text string, whole bool) {
	if r.Page == nil {
		return cutAt(r.Text, limit), len(r.Text) <= limit
	}
	m := markdown{p: r.Page, grids: grids{p: r.Page}, room: limit, list: -1, plain: -1}
	// Tables take several blocks at once.
	blocks := m.grids.footLast(r.Blocks)
	m.notes = findNotes(m.p, r.Blocks, true)
	last := int32(-1)
	for k := 0; k < len(blocks) && !m.full(); {
		m.pictures(last, blocks[k])
		if n := m.table(blocks[k:]); n > 0 {
			k += n
		} else if n := m.listing(blocks[k:]); n > 0 {
			k += n
		} else {
			m.block(blocks[k])
			k++
		}
		last = blocks[k-1]
	}
	m.pictures(last, -1)
	text = strings.TrimRight(string(m.out), "\n")
	return cutAt(text, limit), !m.cut && len(text) <= limit
}

// cutAt returns at most n bytes of s, in whole characters.
func cutAt(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// markdown writes blocks in one pass; around, list and plain remember where the last block was.
type markdown struct {
	p       *page.Page
	grids   grids
	out     []byte
	room    int                // bytes after which nothing begins
	cut     bool               // something did not begin
	around  []int32            // containers of the last block, outermost first
	list    int32              // the innermost list of the last block
	numbers map[int32]numbered // by list
	termed  map[int32]bool     // definition lists with a term that was written
	plain   int32              // table that is written as lines
	formula int                // index of the next formula of the page
	notes   notes
}

// full reports whether the room is used up, and remembers that something was left out.
func (m *markdown) full() bool {
	m.cut = m.cut || len(m.out) >= m.room
	return m.cut
}

// block writes one block with its quote marks, bullet, heading's signs or fence.
func (m *markdown) block(i int32) {
	b := &m.p.Blocks[i]
	if m.notes.isLabel(m.p, b) {
		return
	}
	prefix, _ := m.begin(b.Node)
	m.out = append(m.out, prefix...)
	if b.Flags&page.InHeading != 0 {
		m.out = append(m.out, "######"[:m.level(b.Node)]...)
		m.out = append(m.out, ' ')
	}
	start := len(m.out)
	m.inline(i)
	if b.Flags&page.InHeading == 0 {
		m.guard(start)
	}
	m.out = append(m.out, '\n')
}

// guard escapes marks at the beginnings of lines of m.out, from start on. They would make lists, headings, quotes,
// rules or code: "1986. A great season" is not an item.
func (m *markdown) guard(start int) {
	var out []byte // m.out[start:done] with escapes; inserting each would move the rest of a long block
	done := start
	for at := start; at < len(m.out); {
		if i := blockMark(m.out[at:]); i >= 0 {
			out = append(append(out, m.out[done:at+i]...), '\\')
			done = at + i
		}
		end := bytes.IndexByte(m.out[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	if len(out) > 0 {
		out = append(out, m.out[done:]...)
		m.out = append(m.out[:start], out...)
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

// table writes the rows of the table at the start of blocks and returns how many blocks it wrote, 0 if there is no
// table.
func (m *markdown) table(blocks []int32) int {
	// A table that was rejected before is not tried again for each of its blocks.
	first := m.grids.cellOf(blocks[0])
	if first.table < 0 || first.table == m.plain || m.notes.around(m.p, m.p.Blocks[blocks[0]].Node) >= 0 {
		return 0
	}
	// The same layout as in plain text, so that both agree.
	l := m.grids.layout(blocks)
	// A table of one column or row lays out the page.
	if l.shown == 0 {
		m.plain = first.table
		return 0
	}
	// The table is in the list, quote or definition that its element is in.
	prefix, next := m.begin(m.p.Nodes[first.table].Parent)
	start := len(m.out)
	m.rows(blocks[:l.blocks], &l)
	if prefix != "" {
		rows := bytes.ReplaceAll(m.out[start:len(m.out)-1], []byte("\n"), []byte("\n"+next))
		m.out = append(append(append(m.out[:start:start], prefix...), rows...), '\n')
	}
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
		if m.full() {
			break
		}
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
		m.inline(i)
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
