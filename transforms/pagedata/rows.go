package pagedata

import "github.com/gleaner-web/gleaner/schemas"

// Source identifies the capture of the page, by fields of its Document.
type Source struct{ SURT, URL, Host, Domain, Timestamp string }

// Rows returns the rows of items: a row for each value, and one for an item that has none. Items are numbered as they
// begin, so a child has a higher number than its parent. The rows of an item are together, before those of its
// children.
func Rows(items []*Item, from Source) []schemas.Datum {
	b := &rowBuilder{page: schemas.Datum{
		SURT: from.SURT, URL: from.URL, Host: from.Host, Domain: from.Domain, Timestamp: from.Timestamp,
	}}
	b.rows = make([]schemas.Datum, 0, countRows(items))
	for _, it := range items {
		b.number++
		b.item(it, b.number-1, nil)
	}
	return b.rows
}

// countRows is at least the number of rows.
func countRows(items []*Item) (n int) {
	for _, it := range items {
		n += max(1, len(it.Types)-1+len(it.Props))
		for i := range it.Props {
			if child := it.Props[i].Item; child != nil {
				n += countRows([]*Item{child})
			}
		}
	}
	return n
}

type rowBuilder struct {
	page   schemas.Datum
	rows   []schemas.Datum
	number int // of the next item
}

func (b *rowBuilder) item(it *Item, number int, parent *int) {
	row := b.page
	row.Syntax, row.Item, row.Parent, row.Type, row.ID = it.Syntax, number, parent, typeOf(it), it.ID
	before := len(b.rows)
	for i := 1; i < len(it.Types); i++ {
		row.Property, row.Value = "@type", known(Bare(it.Types[i]))
		b.rows = append(b.rows, row)
	}
	type child struct {
		item   *Item
		number int
	}
	var children []child
	for i := range it.Props {
		p := &it.Props[i]
		row.Property, row.Value, row.Lang, row.Child = Bare(p.Name), p.Value, p.Lang, nil
		if p.Item != nil {
			n := b.number
			children = append(children, child{p.Item, n})
			row.Child = &n
			b.number++
		}
		b.rows = append(b.rows, row)
	}
	if len(b.rows) == before {
		row.Property, row.Value, row.Lang, row.Child = "", "", "", nil
		b.rows = append(b.rows, row)
	}
	for _, c := range children {
		n := number
		b.item(c.item, c.number, &n)
	}
}
