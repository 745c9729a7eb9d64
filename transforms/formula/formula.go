// Package formula writes MathML as TeX, so that formulae of pages can be read in plain text and Markdown.
//
//	root, _ := html.Parse(strings.NewReader("<math><msup><mi>x</mi><mn>2</mn></msup></math>"))
//	fmt.Println(formula.TeX(root)) // x^{2}
//
// What a page says itself goes first: the TeX of an annotation, or of the attribute alttext or data-latex. Else the
// elements of MathML Core (https://www.w3.org/TR/mathml-core/) and the older mfenced, menclose and mlabeledtr are
// written by what they mean. Elements that are not known stand for what is in them. Time and memory are linear in the
// size of the formula.
package formula

import (
	"strings"

	"golang.org/x/net/html"
)

// TeX returns the formula of the element math, or the first of that name below it, without signs around it; "" where
// nothing is there to be seen. White space in it is single spaces.
func TeX(n *html.Node) string {
	m := find(n, "math")
	if m == nil {
		return ""
	}
	// What the page says is what somebody wrote; the rest is made.
	if tex := declared(m); tex != "" {
		return tex
	}
	var w writer
	w.children(m, 0)
	return Tidy(w.b.String())
}

// IsBlock reports whether the element math stands on lines of its own.
func IsBlock(n *html.Node) bool {
	m := find(n, "math")
	return m != nil && (attr(m, "display") == "block" || attr(m, "mode") == "display")
}

// Tidy collapses white space in TeX, and takes off what says no more than how large a formula is set.
func Tidy(tex string) string {
	tex = strings.Join(strings.Fields(tex), " ")
	for {
		// Groups within each other, and sizes within groups, come off in turn.
		inner := tex
		if wrapped(inner) {
			inner = inner[1 : len(inner)-1]
		}
		inner = strings.TrimSpace(inner)
		// These say how large a formula is set, which text has not.
		for _, size := range []string{`\displaystyle`, `\textstyle`, `\scriptstyle`} {
			if rest, ok := strings.CutPrefix(inner, size); ok && (rest == "" || !isLetter(rest[0])) {
				inner = strings.TrimSpace(rest)
			}
		}
		if inner == tex {
			return tex
		}
		tex = inner
	}
}

// wrapped reports whether s is one group of braces.
func wrapped(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '\\':
			i++ // what follows is a sign
			if depth > 0 {
				continue
			}
		}
		if depth <= 0 {
			return i > 0 && i == len(s)-1 && s[i] == '}'
		}
	}
	return false
}

// declared is the TeX that a page gives for its formula.
func declared(m *html.Node) string {
	// The annotation of KaTeX, MathJax, LaTeXML and MediaWiki.
	for c := range m.Descendants() {
		if c.Type == html.ElementNode && c.Data == "annotation" && isTeX(attr(c, "encoding")) {
			if tex := Tidy(text(c)); tex != "" {
				return tex
			}
		}
	}
	// MathJax 4 writes it.
	if tex := Tidy(attr(m, "data-latex")); tex != "" {
		return tex
	}
	// Some write there what is to be spoken.
	if tex := Tidy(attr(m, "alttext")); strings.ContainsAny(tex, `\^_{}=`) || tex != "" && !strings.Contains(tex, " ") {
		return tex
	}
	return ""
}

// isTeX reports whether an annotation's encoding is TeX: application/x-tex, TeX, LaTeX and the like.
func isTeX(encoding string) bool { return strings.HasSuffix(strings.ToLower(encoding), "tex") }

// find is the first element of a name: n itself, or one below it.
func find(n *html.Node, name string) *html.Node {
	if n.Type == html.ElementNode && n.Data == name {
		return n
	}
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == name {
			return c
		}
	}
	return nil
}

// text is all text in n.
func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// attr is the value of an attribute, "" where it is not there.
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
