package licence

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Document is a document that is not a page, such as a PDF.
type Document struct {
	Header []schemas.Field
	Rights []string // statements of its metadata: URLs, names, sentences
	Text   string   // paragraphs have empty lines or page breaks between them
}

// Notices are on the first pages, such as the imprint, or at the end. These are the bytes read there.
const firstBytes, lastBytes = 64 << 10, 16 << 10

// ExtractDocument returns the licences that a document states, like [Extract].
func ExtractDocument(d Document) []schemas.License {
	var c collector
	c.header(d.Header)
	for _, r := range d.Rights {
		if name := ByURL(r); name != "" {
			c.add(schemas.License{Name: name, URL: r, Scope: OfPage, Basis: byMeta})
		} else if name := ByName(r); name != "" {
			c.add(schemas.License{Name: name, Scope: OfPage, Basis: byMeta})
		}
	}
	if text := ends(d.Text); mayHaveNotice([]byte(text)) || strings.Contains(text, "://") {
		p := page.Parse(paragraphs(text), page.Options{})
		c.links(p)
		c.notices(p)
		// Programs reserve all rights too, and then grant some: "Redistribution and use are permitted".
		if lower := strings.ToLower(text); strings.Contains(lower, "licens") || strings.Contains(lower, "redistribution") {
			c.list = slices.DeleteFunc(c.list, func(l schemas.License) bool { return l.Name == Reserved })
		}
	}
	slices.SortStableFunc(c.list, func(a, b schemas.License) int { return rank(a.Scope) - rank(b.Scope) })
	return c.list
}

// ends returns the first and the last part of a long text.
func ends(text string) string {
	if len(text) <= firstBytes+lastBytes {
		return text
	}
	first, last := firstBytes, len(text)-lastBytes
	for first > 0 && !utf8.RuneStart(text[first]) {
		first--
	}
	for last > first && !utf8.RuneStart(text[last]) {
		last--
	}
	return text[:first] + "\n\n" + text[last:]
}

// reAddress is a URL in a text, without the signs after it.
var reAddress = pattern.Lazy(`https?://[^\s<>"()]*[^\s<>"().,;:!?]`)

// paragraphs returns a text as a page, in which URLs of licences are links. The lines of a paragraph are one, so that
// names in two lines are found.
func paragraphs(text string) []byte {
	var b strings.Builder
	for _, p := range reDivider().Split(text, -1) {
		p = strings.Join(strings.Fields(p), " ")
		b.WriteString("<p>")
		at := 0
		for _, m := range reAddress().FindAllStringIndex(p, -1) {
			if ByURL(p[m[0]:m[1]]) == "" {
				continue
			}
			address := html.EscapeString(p[m[0]:m[1]])
			b.WriteString(html.EscapeString(p[at:m[0]]) + `<a href="` + address + `">` + address + "</a>")
			at = m[1]
		}
		b.WriteString(html.EscapeString(p[at:]) + "\n")
	}
	return []byte(b.String())
}

var reDivider = pattern.Lazy(`\n\n+|\f`)
