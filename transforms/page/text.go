package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// textWriter gathers text with its white space collapsed, up to limit bytes.
type textWriter struct {
	b     strings.Builder
	limit int
	space bool // white space is due before the next word
}

// full tells that nothing more fits.
func (w *textWriter) full() bool { return w.b.Len() >= w.limit }

func (w *textWriter) write(s string) {
	for i := 0; i < len(s) && !w.full(); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			w.space = w.b.Len() > 0
		} else {
			w.writeRune(r)
		}
		i += n
	}
}

func (w *textWriter) writeRune(r rune) {
	n := utf8.RuneLen(r)
	if w.space {
		n++
	}
	if w.b.Len()+n > w.limit {
		w.limit = w.b.Len()
		return
	}
	if w.space {
		w.b.WriteByte(' ')
		w.space = false
	}
	w.b.WriteRune(r)
}

func (w *textWriter) String() string { return w.b.String() }

// collapse returns s with white space collapsed and trimmed, at most limit bytes of it.
func collapse(s string, limit int) string {
	w := textWriter{limit: limit}
	w.write(s)
	return w.String()
}

// textOf returns the collapsed text of n, at most limit bytes from at most steps nodes, and how many it visited. Text
// of scripts, styles and templates is left out, and blocks and line breaks separate words.
func textOf(n *html.Node, limit, steps int) (string, int) {
	w := textWriter{limit: limit}
	seen := 0
	for c := n; c != nil && seen < steps && !w.full(); seen++ {
		if c.Type == html.TextNode {
			w.write(c.Data)
		} else if !inline(c) {
			w.space = w.b.Len() > 0
		}
		c = nextText(c, n, &w)
	}
	return w.String(), seen
}

// nextText is next for text: it leaves out what is not read, and lets the end of a block separate words.
func nextText(c, root *html.Node, w *textWriter) *html.Node {
	if c.FirstChild != nil && !unread(c) {
		return c.FirstChild
	}
	for c != root {
		if c.NextSibling != nil {
			return c.NextSibling
		}
		c = c.Parent
		if !inline(c) {
			w.space = w.b.Len() > 0
		}
	}
	return nil
}

// unread tells whether n holds what is no text of the page.
func unread(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Noembed, atom.Noframes:
		return true
	}
	return false
}

// inline tells whether n joins the words on its sides: "<b>f</b>oo" is one word.
func inline(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return true
	}
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data, atom.Del, atom.Dfn,
		atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Mark, atom.Q, atom.S, atom.Samp, atom.Small, atom.Span,
		atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr:
		return true
	}
	return false
}

// cut returns the first limit bytes of s, not ending within a letter.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
