package filter

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/entity"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// An editor does to Markdown what a filter does to text.
type editor struct {
	// line returns what the filter leaves of a line of the plain text, and whether the line stays.
	line func(p *Page, line string) (left string, stays bool)
	// markdown removes parts of lines. It may be nil.
	markdown func(p *Page, text string) string
}

// Markdown removes from the Markdown of a page what the filters remove from its text. Lines are judged by their plain
// form, since marks and URLs are not a part of the text. Lines for which drop returns true were removed before.
func (c *Chain) Markdown(d *schemas.Document, text string, drop func(line string) bool) string {
	p := &Page{Doc: d}
	// By their letters and digits, the lines of the text in order: whether they stay.
	stays := map[string][]bool{}
	removed := false
	for line := range strings.SplitSeq(d.Text, "\n") {
		stay := c.stays(p, line, drop)
		removed = removed || !stay
		stays[keyOf(line)] = append(stays[keyOf(line)], stay)
	}
	if removed {
		text = keepLines(text, stays)
	}
	for _, e := range c.edits {
		if e.markdown != nil {
			text = e.markdown(p, text)
		}
	}
	return text
}

func (c *Chain) stays(p *Page, line string, drop func(line string) bool) (stays bool) {
	if strings.TrimSpace(line) == "" {
		return true
	}
	stays = !drop(line)
	for i := 0; i < len(c.edits) && stays; i++ {
		line, stays = c.edits[i].line(p, line)
	}
	return stays
}

// keepLines returns the lines of Markdown whose plain form stays, and those that the plain text does not have. Code of
// which no line stays loses its fences.
func keepLines(text string, stays map[string][]bool) string {
	kept := make([]byte, 0, len(text))
	last := true // the line before stays
	var m marks
	var code struct {
		start     int // of the open fence in kept
		cut, left bool
	}
	for line := range strings.SplitAfterSeq(text, "\n") {
		inside := m.fence != ""
		key := m.key(line)
		switch {
		case !inside && m.fence != "":
			code.start, code.cut, code.left = len(kept), false, false
		case inside && m.fence == "" && code.cut && !code.left:
			kept = kept[:code.start]
			continue
		}
		if key == "" {
			// The line between the head of a table and its rows.
			if last || inside || !strings.HasPrefix(line, "| -") {
				kept = append(kept, line...)
			}
			continue
		}
		last = true
		if list := stays[key]; len(list) > 0 {
			if last = list[0]; len(list) > 1 {
				stays[key] = list[1:]
			}
		}
		if code.cut, code.left = code.cut || !last, code.left || last; last {
			kept = append(kept, line...)
		}
	}
	return strings.TrimSpace(string(kept))
}

// destinations are the URLs of links.
var destinations = pattern.Lazy(`\]\([^()\s]+\)`)

// hideMarkdown is hide for Markdown, where a backslash may be before a sign, and URLs may hold personal data.
func hideMarkdown(text string, d *schemas.Document, n map[string]float64) string {
	text = destinations().ReplaceAllStringFunc(text, func(link string) string {
		kind := personalURL(link[2:len(link)-1], n)
		switch {
		case kind == "":
			return link
		case n[kind] == 1:
			return "](<" + kind + ">)"
		}
		return "]()"
	})
	plain := make([]byte, 0, len(text))
	places := make([]int, 0, len(text)+1) // of each byte of plain in text
	for i := 0; i < len(text); i++ {
		at := i
		if text[i] == '\\' && i+1 < len(text) && isSign(text[i+1]) {
			i++
		}
		plain, places = append(plain, text[i]), append(places, at)
	}
	places = append(places, len(text))
	found := findPersonal(string(plain), d.Language, d.URL, n)
	for i, m := range found {
		found[i].Start, found[i].End = places[m.Start], places[m.End]
	}
	return replace(text, found, n)
}

// isSign reports whether a backslash may escape a byte.
func isSign(c byte) bool { return c < utf8.RuneSelf && unicode.In(rune(c), unicode.P, unicode.S) }

// calls begin URLs that call a number.
var calls = []string{"tel:", "sms:", "callto:", "whatsapp:", "https://wa.me/", "https://api.whatsapp.com/"}

// personalURL returns the kind of personal data that a URL is made of, or "".
func personalURL(raw string, n map[string]float64) string {
	decoded, err := url.PathUnescape(raw)
	if err != nil {
		decoded = raw
	}
	folded := strings.ToLower(decoded)
	for _, prefix := range calls {
		if n["phone"] != 0 && strings.HasPrefix(folded, prefix) && strings.ContainsAny(folded, "0123456789") {
			return "phone"
		}
	}
	if n["email"] != 0 && strings.Contains(folded, "@") {
		if strings.HasPrefix(folded, "mailto:") {
			return "email"
		}
		// The parts of a URL are texts of their own.
		parts := strings.FieldsFunc(decoded, func(r rune) bool { return strings.ContainsRune("/?&=;,:", r) })
		for _, m := range entity.Patterns(strings.Join(parts, " "), "", "", 0) {
			if m.Type == "email" {
				return "email"
			}
		}
	}
	return ""
}
