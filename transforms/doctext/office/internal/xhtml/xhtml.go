// Package xhtml reads the text of XHTML and HTML pages inside documents. They are chapters of books, or chunks that a
// text document includes. It takes all visible text, since books have no navigation.
package xhtml

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Append adds the text of src, in any encoding, to out. The contentType may name the encoding. Problems are noted in
// doc. It writes blocks as paragraphs and rows of tables as rows, so that tables in books look like those in documents.
func Append(out *flow.Text, src []byte, contentType string, doc *doctext.Document, o doctext.Options) {
	// charset.Detect checks the bytes as well as the declaration.
	text, _, err := charset.Decode(src, charset.Detect(src, contentType, charset.Options{}).Name)
	if err != nil {
		text = src // not reached: Detect returns names that Decode knows
	}
	if bytes.Contains(text[:min(len(text), maxHead)], []byte(namespace)) {
		text = page.FromXHTML(text)
	}
	p := page.Parse(text, page.Options{MaxDepth: o.WithDefaults().MaxDepth})
	if len(p.Truncated) > 0 {
		doc.Add(doctext.KindLimit, "a page is larger than what is read: "+p.Truncated[0])
	}
	// Nodes of rows show where one row ends and the next begins; -1 means "in no row".
	row := int32(-1)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		last := row
		if row = rowOf(p, b); row != last {
			out.EndRow()
		}
		// Outside tables a block is one cell too, and its row ends at once.
		out.StartCell()
		out.AddBytes(p.Text[b.Start:b.End])
		out.EndCell()
		if row < 0 {
			out.EndRow()
			out.Paragraph()
		}
	}
	out.EndRow()
	out.Paragraph()
}

// Pages in XML name the namespace in their first element.
const (
	namespace = "http://www.w3.org/1999/xhtml"
	maxHead   = 2 << 10
)

// rowOf returns the table row of a block, or -1.
func rowOf(p *page.Page, b *page.Block) int32 {
	if b.Flags&page.InCell == 0 {
		return -1
	}
	// The row is an ancestor, since the parser puts cells into rows; -1 is above the root.
	n := b.Node
	for n >= 0 && p.Nodes[n].Tag != page.TagTr {
		n = p.Nodes[n].Parent
	}
	return n
}
