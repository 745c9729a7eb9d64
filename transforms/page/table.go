package page

// Sets of table elements.
var (
	tableContext = setOf(TagTable, TagTbody, TagThead, TagTfoot, TagTr) // hold parts of tables alone
	sections     = setOf(TagTbody, TagThead, TagTfoot)
	rowTag       = setOf(TagTr)
	// notMisplaced are the elements that stay where they are in a table.
	notMisplaced = setOf(TagCaption, TagColgroup, TagCol, TagTbody, TagThead, TagTfoot, TagTr, TagTd, TagTh, TagStyle,
		TagScript,
		TagTemplate, TagForm)
)

// tableChild tells whether n may stand in a table outside of its cells.
func (b *builder) tableChild(n *Node) bool {
	return notMisplaced.has(n.Tag) || n.Tag == TagInput && b.hiddenInput(n)
}

// tablePart prepares for the start tag of a table or a part of one: it closes what that ends, opens what is left out
// between the two, and tells whether the tag counts.
func (b *builder) tablePart(t Tag) bool {
	base := b.find(&tableBounds, &noBounds)
	if t == TagTable {
		if base > 0 && b.stack[base].tag == TagTable && b.outsideCells(base) {
			b.popTo(base)
		}
		return true
	}
	if base == 0 || b.stack[base].tag == TagTemplate && base+1 < len(b.stack) && b.stack[base+1].traits&tablePart == 0 {
		return false // means nothing outside a table
	}
	complete := b.stack[base].tag == TagTable // in a template, rows and cells stand alone
	switch t {
	case TagCol:
		if b.top().tag == TagColgroup {
			return true
		}
		b.popTo(base + 1)
		b.fill(complete, TagColgroup)
	case TagTr:
		b.popToPart(&sections, base)
		b.fill(complete && b.top().tag == TagTable, TagTbody)
	case TagTd, TagTh:
		if b.popToPart(&rowTag, base) {
			return true
		}
		b.popToPart(&sections, base)
		b.fill(complete && b.top().tag == TagTable, TagTbody)
		b.fill(complete, TagTr)
	default:
		b.popTo(base + 1)
	}
	return true
}

// outsideCells tells whether the innermost open element is in the table at height base, but in no cell of it.
func (b *builder) outsideCells(base int) bool {
	for i := base + 1; i < len(b.stack); i++ {
		if t := b.stack[i].tag; t == TagTd || t == TagTh || t == TagCaption {
			return false
		}
	}
	return true
}

// popToPart closes what is open inside the innermost element of set, or of the table at height base when there is none,
// and tells whether there is.
func (b *builder) popToPart(set *tagSet, base int) bool {
	i := b.find(set, &tableBounds)
	b.popTo(max(i, base) + 1)
	return i > base
}

// fill opens the element t, which the source leaves out, if it is due.
func (b *builder) fill(due bool, t Tag) {
	if due {
		b.push(unwritten(t, b.pos))
	}
}
