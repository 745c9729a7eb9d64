// Package xhtml takes the text out of pages of XHTML and HTML that are parts of a document: chapters of books, and
// chunks that a text document includes. All visible text is taken: books have no navigation to be left out.
package xhtml

import (
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Append adds the text of src, in whatever encoding it is, to out. What is left out is noted in doc. It counts its
// own blocks as paragraphs and rows of tables as rows, so that tables in books read as those in documents.
func Append(out *flow.Text, src []byte, doc *doctext.Document, o doctext.Options) {
	// What the page declares is only a part of the answer: charset looks at the bytes, too.
	text, _, err := charset.Decode(src, charset.Detect(src, "", charset.Options{}).Name)
	if err != nil {
		text = src // not reached: Detect returns names that Decode knows
	}
	p := page.Parse(text, page.Options{MaxDepth: o.WithDefaults().MaxDepth})
	if len(p.Truncated) > 0 {
		doc.Add(doctext.KindLimit, "a page is larger than what is read: "+p.Truncated[0])
	}
	// Nodes of rows tell where one row ends and the next begins; -1 stands for "in no row".
	row := int32(-1)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		last := row
		if row = rowOf(p, b); row != last {
			out.EndRow()
		}
		// Outside of tables a block is one cell, too, and the row that it makes ends at once.
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

// rowOf is the table row that a block is in, or -1.
func rowOf(p *page.Page, b *page.Block) int32 {
	if b.Flags&page.InCell == 0 {
		return -1
	}
	// The table's row is an ancestor, since the parser puts cells into rows; -1 is above the root.
	n := b.Node
	for n >= 0 && p.Nodes[n].Tag != page.TagTr {
		n = p.Nodes[n].Parent
	}
	return n
}
