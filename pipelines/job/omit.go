package job

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// columnHTML is the main text as HTML, which is the largest part of most collections.
const columnHTML = "main_html"

// TextForms returns the values of Options.Text.
func TextForms() []string { return []string{TextPlain, TextMarkdown, TextNone} }

// WithoutColumns returns the columns that Options.Without takes.
func WithoutColumns() []string { return []string{columnHTML} }

// omit takes from a document what is not to be kept. It runs when filters have seen the document and records of other
// formats are made of it, so that only documents are without.
func (o Options) omit(d *schemas.Document) {
	if o.Text == TextNone {
		d.Text = ""
		if d.Comments != nil {
			d.Comments = &schemas.Comments{Count: d.Comments.Count}
		}
	}
	// Mentions are places in the plain text, which is not there.
	if o.Text == TextNone || o.Text == TextMarkdown {
		for i := range d.Entities {
			d.Entities[i].Mentions = nil
		}
	}
	if slices.Contains(o.Without, columnHTML) {
		d.MainHTML = ""
	}
}

// needsNoHTML reports whether the main text as HTML need not be made: it is not kept, and neither filters nor records
// of other formats are made of what documents have before it goes.
func (o Options) needsNoHTML() bool {
	return slices.Contains(o.Without, columnHTML) && o.Where == "" && len(o.Triggers) == 0 && !o.records()
}

// commentMode is what becomes of readers' comments by the value of an option.
func commentMode(value string) string { return cmp.Or(value, maintext.SeparateComments.String()) }

// list shows names in a message.
func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ",")
}
