package enrich

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// TestEntities_rows: the rows of a table are not joined.
func TestEntities_rows(t *testing.T) {
	const rows = "a ferry to the islands and to the town of Paris\nAnn Lee, who lives in the town and has a boat there\n" +
		"a bridge over the river and to the town of Paris\nAnn Lee, who lives in the town and has a boat there\n"
	for _, e := range mustNew(t, Options{}).Document(capture(rows, "text/csv")).Entities {
		if strings.Contains(e.Text, "Paris Ann") {
			t.Errorf("entity %q", e.Text)
		}
	}
}

// TestEntities_wrapped: names cross the ends of wrapped lines.
func TestEntities_wrapped(t *testing.T) {
	const wrapped = "The mayor of the town, who is called Maria\nGonzalez, met the people of the harbour of New\n" +
		"York City on the same day, and said so to\nall who came to her.\n"
	const flat = "The mayor of the town, who is called Maria Gonzalez, met the people of the harbour of New " +
		"York City on the same day, and said so to all who came to her."
	pdf := func(string, []byte) *doctext.Document { return &doctext.Document{Text: wrapped} }
	for _, tt := range []struct{ name, mime, body string }{
		{"plain text", "text/plain", wrapped},
		{"PDF", "application/pdf", pdfBody},
		{"mail in a page", "text/html", "<title>Trip</title><h1>Trip</h1><pre>" + wrapped + "</pre>"},
		{"a page", "text/html", "<title>Trip</title><h1>Trip</h1><p>" + wrapped + "</p>"},
		{"one line", "text/plain", flat},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := reading(t, Options{}, pdf).Document(capture(tt.body, tt.mime))
			var names []string
			for _, e := range d.Entities {
				names = append(names, e.Text)
				for _, m := range e.Mentions {
					if got := strings.Join(strings.Fields(d.Text[m.Start:m.End]), " "); got != e.Text {
						t.Errorf("the mention of %q is %q", e.Text, got)
					}
				}
			}
			if got := strings.Join(names, ", "); got != "Maria Gonzalez, New York City" {
				t.Errorf("entities %s", got)
			}
		})
	}
}
