package page

// Sets of table elements. A cell is where anything may stand again; a caption, too.
var (
	tableContext = setOf(TagTable, TagTbody, TagThead, TagTfoot, TagTr) // hold parts of tables alone
	sections     = setOf(TagTbody, TagThead, TagTfoot)
	rowTag       = setOf(TagTr)
	// notMisplaced are the elements that stay where they are in a table. The list is that of the mode "in table", by
	// cases.
	notMisplaced = setOf(TagCaption, TagColgroup, TagCol, TagTbody, TagThead, TagTfoot, TagTr, TagTd, TagTh, TagStyle,
		TagScript,
		TagTemplate, TagForm)
)

// tableChild reports whether n may be in a table outside of its cells. A hidden input is not seen, and stays where
// it is; others go in front of the table.
func (b *builder) tableChild(n *Node) bool {
	return notMisplaced.has(n.Tag) || n.Tag == TagInput && b.hiddenInput(n)
}

// tablePart prepares for the start tag of a table or a part of one: it closes what that ends, opens what is left out
// between the two, and reports whether the tag counts. The modes "in table", "in table body", "in row" and "in column
// group" have a case for each pair of open element and tag. They come down to: close up to where the part may stand,
// then open what is missing between.
func (b *builder) tablePart(t Tag) bool {
	// The innermost table or template, 0 when there is none.
	base := b.find(&tableBounds, &noBounds)
	if t == TagTable {
		// A <table> directly in a table ends it; in a cell it is a table within the table.
		if base > 0 && b.stack[base].tag == TagTable && b.outsideCells(base) {
			b.popTo(base)
		}
		return true
	}
	// In a template, rows may stand alone, but only where the template's content is a table's.
	if base == 0 || b.stack[base].tag == TagTemplate && base+1 < len(b.stack) && b.stack[base+1].traits&tablePart == 0 {
		return false // means nothing outside a table
	}
	complete := b.stack[base].tag == TagTable // in a template, rows and cells stand alone
	switch t {
	// Columns are in a <colgroup>, which may be left out.
	case TagCol:
		if b.top().tag == TagColgroup {
			return true
		}
		b.popTo(base + 1)
		b.fill(complete, TagColgroup)
	// Rows are in a section, which may be left out: a <tbody>.
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

// outsideCells reports whether the innermost open element is in the table at height base, but in no cell of it. In a
// cell the table's content is like any other's.
func (b *builder) outsideCells(base int) bool {
	for i := base + 1; i < len(b.stack); i++ {
		if t := b.stack[i].tag; t == TagTd || t == TagTh || t == TagCaption {
			return false
		}
	}
	return true
}

// popToPart closes what is open inside the innermost element of set, or of the table at height base when there is none,
// and reports whether there is. base is the table, so without one of set everything inside of it is closed.
func (b *builder) popToPart(set *tagSet, base int) bool {
	i := b.find(set, &tableBounds)
	b.popTo(max(i, base) + 1)
	return i > base
}

// fill opens the element t, which the source leaves out, if it is due. What is opened has no source; it stands where
// the tag that needs it begins.
func (b *builder) fill(due bool, t Tag) {
	if due {
		b.push(unwritten(t, b.pos))
	}
}
