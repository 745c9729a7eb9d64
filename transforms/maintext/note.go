package maintext

import (
	"bytes"
	"slices"
	"strconv"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Footnotes are a mark and a note that link to each other. This needs no names of classes: "[1]" leads to an element
// after it, in which a link leads back to the mark.

const (
	maxMark       = 12  // bytes of a mark
	maxNoteNodes  = 400 // nodes of a note in which the link back is sought
	maxNotes      = 1000
	maxParts      = 8 // elements of a note
	maxNoteBlocks = 4 // blocks of a note that are searched for text
)

// notes are the footnotes of a page with a kept mark and a kept text.
type notes struct {
	marks   map[int32]string // by link: "[^1]"
	element map[int32]int32  // parts of a note, with the first part
	numbers map[int32]int    // by first part
	back    map[int32]bool   // links from notes to marks
}

func (n *notes) mark(a int32) string { return n.marks[a] }

func (n *notes) isBack(a int32) bool { return n.back[a] }

// of is the first part of the note that element i is a part of, or -1.
func (n *notes) of(i int32) int32 {
	if e, ok := n.element[i]; ok {
		return e
	}
	return -1
}

func (n *notes) number(i int32) int { return n.numbers[i] }

// around is the note around element i, or -1.
func (n *notes) around(p *page.Page, i int32) int32 {
	if len(n.element) == 0 {
		return -1
	}
	for range maxNesting {
		if i < 0 {
			break
		}
		if e := n.of(i); e >= 0 {
			return e
		}
		i = p.Nodes[i].Parent
	}
	return -1
}

// isLabel reports whether a block of a note is only its number or links back.
func (n *notes) isLabel(p *page.Page, b *page.Block) bool {
	if n.around(p, b.Node) < 0 {
		return false
	}
	return bytes.IndexFunc(p.Text[b.Start:b.End], unicode.IsLetter) < 0
}

// findNotes returns the footnotes with marks in blocks, and texts in blocks too if kept is set.
func findNotes(p *page.Page, blocks []int32, kept bool) notes {
	links, ids := marksOf(p, blocks)
	if len(links) == 0 {
		return notes{}
	}
	targets := elementsOf(p, ids)
	n := notes{
		marks: map[int32]string{}, element: map[int32]int32{}, numbers: map[int32]int{}, back: map[int32]bool{},
	}
	for k, a := range links {
		target, ok := targets[ids[k]]
		if !ok || target <= a {
			continue
		}
		parts := partsOf(p, target)
		back := linksBack(p, parts, around(p, a))
		if len(back) == 0 || kept && !hasText(p, blocks, parts) {
			continue
		}
		first := parts[0]
		if n.numbers[first] == 0 {
			n.numbers[first] = len(n.numbers) + 1
		}
		for _, part := range parts {
			n.element[part] = first
		}
		for _, b := range back {
			n.back[b] = true
		}
		n.marks[a] = "[^" + strconv.Itoa(n.numbers[first]) + "]"
	}
	return n
}

// marksOf returns the short links of blocks that lead to an element of the page, with its id.
func marksOf(p *page.Page, blocks []int32) (links []int32, ids []string) {
	for _, i := range blocks {
		b := &p.Blocks[i]
		if b.LinkChars == 0 {
			continue
		}
		last := int32(-1)
		for k := b.First; k < b.Last && len(links) < maxNotes; k++ {
			if p.Nodes[k].Flags&page.InLink == 0 || !shows(p, k) {
				continue
			}
			a := k
			for a >= 0 && p.Nodes[a].Tag != page.TagA {
				a = p.Nodes[a].Parent
			}
			if a < 0 || a == last {
				continue
			}
			last = a
			if id := fragment(p, a); id != "" && len(p.NodeText(int(a))) <= maxMark {
				links, ids = append(links, a), append(ids, id)
			}
		}
	}
	return links, ids
}

// fragment is the id that link a leads to on its page, or "".
func fragment(p *page.Page, a int32) string {
	if href, _ := p.RawAttr(int(a), "href"); len(href) < 2 || href[0] != '#' {
		return ""
	}
	href, _ := p.Attr(int(a), "href")
	return href[1:]
}

// elementsOf returns the elements with the ids.
func elementsOf(p *page.Page, ids []string) map[string]int32 {
	found := map[string]int32{}
	for _, id := range ids {
		found[id] = -1
	}
	for i := range p.Nodes {
		if p.Nodes[i].Tag == page.TagText {
			continue
		}
		if raw, ok := p.RawAttr(i, "id"); ok && len(raw) > 0 {
			id, _ := p.Attr(i, "id")
			if at, ok := found[id]; ok && at < 0 {
				found[id] = int32(i)
			}
		}
	}
	return found
}

// partsOf returns the element of a note, which may be around the element with its id: with a term, the definitions
// after it.
func partsOf(p *page.Page, i int32) []int32 {
	for inLine[p.Nodes[i].Tag] && p.Nodes[i].Parent > 0 {
		i = p.Nodes[i].Parent
	}
	parts := []int32{i}
	if p.Nodes[i].Tag == page.TagDt {
		dl := p.Nodes[i].Parent
		for k := p.Nodes[i].End; k < p.Nodes[dl].End && len(parts) < maxParts; k = p.Nodes[k].End {
			if p.Nodes[k].Tag == page.TagDt {
				break
			}
			parts = append(parts, k)
		}
	}
	return parts
}

// around returns the ids of link a and of the elements within the line around it and directly in it.
func around(p *page.Page, a int32) map[string]bool {
	ids := map[string]bool{}
	add := func(i int32) {
		if id, _ := p.Attr(int(i), "id"); id != "" {
			ids[id] = true
		}
	}
	for i := a; i > 0 && inLine[p.Nodes[i].Tag]; i = p.Nodes[i].Parent {
		add(i)
	}
	for i := a + 1; i < min(p.Nodes[a].End, a+4); i++ {
		if p.Nodes[i].Tag != page.TagText {
			add(i)
		}
	}
	return ids
}

// linksBack returns the links of a note that lead to a mark; none if no link does.
func linksBack(p *page.Page, parts []int32, ids map[string]bool) (back []int32) {
	for _, part := range parts {
		for i := part; i < min(p.Nodes[part].End, part+maxNoteNodes); i++ {
			if p.Nodes[i].Tag == page.TagA && ids[fragment(p, i)] {
				back = append(back, i)
			}
		}
	}
	return back
}

// hasText reports whether a block of one of the parts has letters. Blocks are ascending.
func hasText(p *page.Page, blocks, parts []int32) bool {
	for _, part := range parts {
		k, _ := slices.BinarySearchFunc(blocks, part, func(b, part int32) int { return int(p.Blocks[b].First - part) })
		for n := 0; n < maxNoteBlocks && k < len(blocks); n, k = n+1, k+1 {
			b := &p.Blocks[blocks[k]]
			if b.First >= p.Nodes[part].End {
				break
			}
			if bytes.IndexFunc(p.Text[b.Start:b.End], unicode.IsLetter) >= 0 {
				return true
			}
		}
	}
	return false
}

// maxNoteWords is how many words footnotes may have that are kept for their marks. Longer ones are lists of works.
const maxNoteWords = 60

// noteShare is the share of the kept words that these footnotes may have together.
const noteShare = 0.25

// keepNotes keeps the footnotes of kept text, which are short and look like the foot of a page.
func keepNotes(p *page.Page, scores []float32, keep []bool) {
	kept := indices(keep)
	n := findNotes(p, kept, false)
	if len(n.element) == 0 {
		return
	}
	words, all := int32(0), int32(0)
	for _, i := range kept {
		all += p.Blocks[i].Words
	}
	var added []int
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if keep[i] || scores[i] == 0 || n.around(p, b.Node) < 0 {
			continue
		}
		if b.Words > maxNoteWords {
			return
		}
		words += b.Words
		added = append(added, i)
	}
	if float32(words) > noteShare*float32(all) {
		return
	}
	for _, i := range added {
		keep[i] = true
	}
}
