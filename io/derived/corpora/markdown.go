package corpora

import (
	"regexp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// The values of Options.Text.
const (
	TextPlain    = "plain"
	TextMarkdown = "markdown"
)

var blanks = regexp.MustCompile(`\n{3,}`)

// Texts are all of them.
func Texts() []string { return []string{TextPlain, TextMarkdown} }

// markdown makes Markdown of the main text as HTML; "" for a document that has none, as one of a PDF. What filters and
// the paragraphs of many hosts take out of the plain text, they take out of this, too.
func (w *signer) markdown(d *schemas.Document) string {
	if d.MainHTML == "" {
		return ""
	}
	p := w.parser.Parse([]byte(d.MainHTML), page.Options{URL: d.URL})
	blocks := make([]int32, len(p.Blocks))
	for i := range blocks {
		blocks[i] = int32(i)
	}
	whole := maintext.Markdown(maintext.Result{Text: d.Text, Page: p, Blocks: blocks})
	text, _ := w.cut(d, whole)
	edited := filter.Page{Doc: d, Text: text}
	w.chain.Edit(&edited)
	if edited.Text == whole {
		return whole
	}
	// The blank lines around what went are one.
	return blanks.ReplaceAllString(edited.Text, "\n\n")
}
