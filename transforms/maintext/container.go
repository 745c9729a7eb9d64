package maintext

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// maxNesting bounds how far up a block's place is sought, and so its indentation. Deeper blocks lose only their outer
// quotes and lists.
const maxNesting = 64

// begin writes the empty line before a block in or of element n, if there is one. It returns the prefixes of the
// block's first line and of its other lines.
func (m *markdown) begin(n int32) (prefix, next string) {
	around, list, bare := m.containers(n)
	if len(m.out) > 0 && m.isApart(around, list) {
		m.out = append(m.out, strings.TrimRight(m.continued(around), " ")...)
		m.out = append(m.out, '\n')
	}
	indented := false
	for _, c := range around {
		// A list without items between it and another is indented all the same.
		if m.p.Nodes[c].Tag == page.TagLi && !indented && bare > 0 {
			prefix, next, indented = prefix+strings.Repeat("  ", bare), next+strings.Repeat("  ", bare), true
		}
		mark, rest := m.mark(c), m.rest(c)
		// The mark is written once.
		if slices.Contains(m.around, c) {
			mark = rest
		}
		prefix += mark
		next += rest
	}
	m.around, m.list = around, list
	if dl := m.termOf(n); dl >= 0 {
		if m.termed == nil {
			m.termed = map[int32]bool{}
		}
		m.termed[dl] = true
	}
	return prefix, next
}

// continued returns the prefix of a line in those of the containers that the last block is in, too.
func (m *markdown) continued(around []int32) (prefix string) {
	for k, c := range around {
		if k >= len(m.around) || m.around[k] != c {
			break
		}
		prefix += m.rest(c)
	}
	return prefix
}

// isApart reports whether an empty line precedes a block. There is none between the items of a list, around a list
// inside another, and before a definition.
func (m *markdown) isApart(around []int32, list int32) bool {
	if n := len(around); n > 0 && m.p.Nodes[around[n-1]].Tag == page.TagDd && !slices.Contains(m.around, around[n-1]) {
		return false
	}
	item, last := innermost(m.p, around), innermost(m.p, m.around)
	if item < 0 && last < 0 || item >= 0 && slices.Contains(m.around, item) {
		return true
	}
	return !m.within(list, m.list) && !m.within(m.list, list)
}

// innermost is the innermost list item of containers, or -1.
func innermost(p *page.Page, around []int32) int32 {
	for _, c := range slices.Backward(around) {
		if p.Nodes[c].Tag == page.TagLi {
			return c
		}
	}
	return -1
}

func (m *markdown) within(a, b int32) bool { return b >= 0 && a >= b && a < m.p.Nodes[b].End }

// containers returns the quotes, list items, definitions and notes around element n, outermost first. It also returns
// the list of the innermost item, and the number of lists that are not in an item of another.
func (m *markdown) containers(n int32) (around []int32, list int32, bare int) {
	lists, items := 0, 0
	list = -1
climb:
	for range maxNesting {
		if n < 0 {
			break
		}
		// A note is in a list or table of notes.
		if note := m.notes.of(n); note >= 0 {
			around = append(around, note)
			break
		}
		switch m.p.Nodes[n].Tag {
		case page.TagBlockquote:
			around = append(around, n)
		case page.TagUl, page.TagOl:
			lists++
		case page.TagLi:
			if items++; items == 1 {
				list = m.p.Nodes[n].Parent
			}
			around = append(around, n)
		case page.TagDd:
			if m.termed[m.listOfTerms(n)] {
				around = append(around, n)
			}
		case page.TagBody:
			break climb
		}
		n = m.p.Nodes[n].Parent
	}
	slices.Reverse(around)
	return around, list, max(0, lists-max(1, items))
}

// termOf is the definition list of the term that element n is or is in, or -1.
func (m *markdown) termOf(n int32) int32 {
	const deep = 3
	for range deep {
		if n < 0 {
			break
		}
		if m.p.Nodes[n].Tag == page.TagDt {
			return m.listOfTerms(n)
		}
		n = m.p.Nodes[n].Parent
	}
	return -1
}

// listOfTerms is the <dl> of a term or definition, which may be in a <div> in it, or -1.
func (m *markdown) listOfTerms(n int32) int32 {
	for range 2 {
		if n = m.p.Nodes[n].Parent; n < 0 || m.p.Nodes[n].Tag == page.TagDl {
			return n
		}
	}
	return -1
}

// mark begins the first line in a container.
func (m *markdown) mark(c int32) string {
	if number := m.notes.number(c); number > 0 {
		return "[^" + strconv.Itoa(number) + "]: "
	}
	switch m.p.Nodes[c].Tag {
	case page.TagBlockquote:
		return "> "
	case page.TagDd:
		return ":   "
	}
	return m.bullet(c) + m.checkbox(c)
}

// rest begins further lines in a container: an item's content is indented by the width of its bullet.
func (m *markdown) rest(c int32) string {
	switch {
	case m.notes.number(c) > 0, m.p.Nodes[c].Tag == page.TagDd:
		return "    "
	case m.p.Nodes[c].Tag == page.TagBlockquote:
		return "> "
	}
	return strings.Repeat(" ", len(m.bullet(c)))
}

// The marks of GitHub's task lists.
const (
	openBox = "[ ] "
	doneBox = "[x] "
)

// checkbox is the box of an item of a task list, which precedes its text, or "".
func (m *markdown) checkbox(item int32) string {
	const near = 8 // nodes
	for i := item + 1; i < min(m.p.Nodes[item].End, item+near); i++ {
		n := &m.p.Nodes[i]
		if n.TextEnd > n.TextStart && n.Tag == page.TagText || n.Tag == page.TagLi {
			break
		}
		if kind, _ := m.p.RawAttr(int(i), "type"); n.Tag != page.TagInput || !bytes.EqualFold(kind, []byte("checkbox")) {
			continue
		}
		if _, ok := m.p.RawAttr(int(i), "checked"); ok {
			return doneBox
		}
		return openBox
	}
	return ""
}
