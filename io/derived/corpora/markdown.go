package corpora

import (
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// The values of Options.Text.
const (
	TextPlain    = "plain"
	TextMarkdown = "markdown"
)

var blanks = pattern.Lazy(`\n{3,}`)

// Texts returns all values of Options.Text.
func Texts() []string { return []string{TextPlain, TextMarkdown} }

// markdown returns the main HTML as Markdown, or "" without it, for example for a PDF, or if it is too long. It omits
// what filters and shared paragraphs remove from the plain text.
func (w *signer) markdown(d *schemas.Document) string {
	if d.MainHTML == "" {
		return ""
	}
	p := w.parser.Parse([]byte(d.MainHTML), page.Options{URL: d.URL})
	blocks := make([]int32, len(p.Blocks))
	for i := range blocks {
		blocks[i] = int32(i)
	}
	whole, ok := maintext.Markdown(maintext.Result{Text: d.Text, Page: p, Blocks: blocks}, filter.MaxBytes)
	if !ok {
		return ""
	}
	edited := w.chain.Markdown(d, whole, func(line string) bool {
		_, removed := w.cut(d, line)
		return removed > 0
	})
	if edited == whole {
		return whole
	}
	// Several blank lines around a removal become one.
	return blanks().ReplaceAllString(edited, "\n\n")
}
