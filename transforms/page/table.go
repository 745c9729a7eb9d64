package page

// Sets of table elements.
var (
	tableContext = setOf(TagTable, TagTbody, TagThead, TagTfoot, TagTr) // hold only parts of tables
	sections     = setOf(TagTbody, TagThead, TagTfoot)
	rowTag       = setOf(TagTr)
	// notMisplaced are the elements that stay where they are in a table, by the mode "in table".
	notMisplaced = setOf(TagCaption, TagColgroup, TagCol, TagTbody, TagThead, TagTfoot, TagTr, TagTd, TagTh, TagStyle,
		TagScript,
		TagTemplate, TagForm)
)

// tableChild reports whether n may be in a table outside its cells. A hidden input is not visible and may; others move
// in front of the table.
func (b *builder) tableChild(n *Node) bool {
	return notMisplaced.has(n.Tag) || n.Tag == TagInput && b.hiddenInput(n)
}

// tablePart prepares for the start tag of a table or a part of one. It closes what the tag ends, opens omitted
// elements, and reports whether the tag counts. The modes "in table", "in table body", "in row" and "in column group"
// have a case for each pair of open element and tag. They come down to this: close up to the part's parent, then open
// missing elements.
func (b *builder) tablePart(t Tag) bool {
	// The innermost table or template, or 0.
	base := b.find(&tableBounds, &noBounds)
	if t == TagTable {
		// A <table> directly in a table ends it; in a cell it is a table within the table.
		if base > 0 && b.stack[base].tag == TagTable && b.outsideCells(base) {
			b.popTo(base)
		}
		return true
	}
	// In a template, rows may be alone, but only if the template's content is a table's.
	if base == 0 || b.stack[base].tag == TagTemplate && base+1 < len(b.stack) && b.stack[base+1].traits&tablePart == 0 {
		return false // means nothing outside a table
	}
	complete := b.stack[base].tag == TagTable // in a template, rows and cells may be alone
	switch t {
	// Columns are in a <colgroup>, which may be omitted.
	case TagCol:
		if b.top().tag == TagColgroup {
			return true
		}
		b.popTo(base + 1)
		b.fill(complete, TagColgroup)
	// Rows are in a section; a <tbody> may be omitted.
	case TagTr:
		b.popToPart(&sections, base)
		b.fill(complete && b.top().tag == TagTable, TagTbody)
	// Cells are in a row, which is in a section.
	case TagTd, TagTh:
		if b.popToPart(&rowTag, base) {
			return true
		}
		b.popToPart(&sections, base)
		b.fill(complete && b.top().tag == TagTable, TagTbody)
		b.fill(complete, TagTr)
	// Sections, captions and column groups are in the table itself.
	default:
		b.popTo(base + 1)
	}
	return true
}

// outsideCells reports whether the innermost open element is in the table at height base, but not in a cell.
func (b *builder) outsideCells(base int) bool {
	for i := base + 1; i < len(b.stack); i++ {
		if t := b.stack[i].tag; t == TagTd || t == TagTh || t == TagCaption {
			return false
		}
	}
	return true
}

// popToPart closes all elements inside the innermost element of set, and reports whether there is one. If not, it
// closes all inside the table at height base.
func (b *builder) popToPart(set *tagSet, base int) bool {
	i := b.find(set, &tableBounds)
	b.popTo(max(i, base) + 1)
	return i > base
}

// fill opens the omitted element t if it is due. It has no source; its place is that of the tag that needs it.
func (b *builder) fill(due bool, t Tag) {
	if due {
		b.push(unwritten(t, b.pos))
	}
}
