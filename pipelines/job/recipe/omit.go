package recipe

import (
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
)

// columnHTML is the main text as HTML, which is the largest part of most collections.
const columnHTML = "main_html"

// TextForms returns the values of Recipe.Text.
func TextForms() []string { return []string{TextPlain, TextMarkdown, TextNone} }

// WithoutColumns returns the columns that Recipe.Without takes.
func WithoutColumns() []string { return []string{columnHTML} }

// Omit removes the parts of a document that are not kept. It runs after filters and other formats have used the
// document.
func (r Recipe) Omit(d *schemas.Document) {
	if r.Text == TextNone {
		d.Text = ""
		if d.Comments != nil {
			d.Comments = &schemas.Comments{Count: d.Comments.Count}
		}
		d.Posts = slices.Clone(d.Posts)
		for i := range d.Posts {
			d.Posts[i].Text = ""
		}
	}
	// Mentions are offsets in the plain text.
	if r.Text == TextNone || r.Text == TextMarkdown {
		for i := range d.Entities {
			d.Entities[i].Mentions = nil
		}
	}
	if slices.Contains(r.Without, columnHTML) {
		d.MainHTML = ""
	}
}

// needsNoHTML reports whether no main HTML need be made: documents do not keep it, and no filter or other format uses
// it.
func (r Recipe) needsNoHTML() bool {
	return slices.Contains(r.Without, columnHTML) && r.Where == "" && len(r.Triggers) == 0 && !r.HasRecords()
}
