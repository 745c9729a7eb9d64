// Package formula converts MathML to TeX, so that formulae of pages can be read in plain text and Markdown.
//
//	root, _ := html.Parse(strings.NewReader("<math><msup><mi>x</mi><mn>2</mn></msup></math>"))
//	fmt.Println(formula.TeX(root)) // x^{2}
//
// TeX in the page itself wins: an annotation, or the attribute alttext or data-latex. Otherwise the elements of MathML
// Core (https://www.w3.org/TR/mathml-core/) and the older mfenced, menclose and mlabeledtr are converted. Unknown
// elements are replaced by their content. Time and memory are linear in the size of the formula.
package formula

import (
	"strings"

	"golang.org/x/net/html"
)

// TeX returns the formula of the element math, or of the first one below it, without delimiters. It returns "" if
// nothing is visible. White space in it is single spaces.
func TeX(n *html.Node) string {
	m := find(n, "math")
	if m == nil {
		return ""
	}
	// An author wrote the TeX in the page; otherwise it is generated.
	if tex := declared(m); tex != "" {
		return tex
	}
	var w writer
	w.children(m, 0)
	return Tidy(w.b.String())
}

// IsBlock reports whether the element math is displayed on separate lines.
func IsBlock(n *html.Node) bool {
	m := find(n, "math")
	return m != nil && (attr(m, "display") == "block" || attr(m, "mode") == "display")
}

// Tidy collapses white space in TeX, and removes outer braces and commands that only set the size.
func Tidy(tex string) string {
	tex = strings.Join(strings.Fields(tex), " ")
	whole := tex
	var partners []int32 // of the braces of whole
	for start := 0; ; {
		// Nested groups, and sizes within groups, are removed in turn.
		inner := tex
		if strings.HasPrefix(tex, "{") && strings.HasSuffix(tex, "}") {
			if partners == nil {
				partners = braces(whole)
			}
			if int(partners[start]) == start+len(tex)-1 {
				inner = inner[1 : len(inner)-1]
				start++
			}
		}
		inner = trimLeft(strings.TrimRight(inner, " "), &start)
		// These set the size of a formula, which has no meaning in text.
		for _, size := range []string{`\displaystyle`, `\textstyle`, `\scriptstyle`} {
			if rest, ok := strings.CutPrefix(inner, size); ok && (rest == "" || !isLetter(rest[0])) {
				start += len(size)
				inner = trimLeft(rest, &start)
			}
		}
		if inner == tex {
			return tex
		}
		tex = inner
	}
}

// trimLeft returns s without blanks at its beginning, and adds their number to start.
func trimLeft(s string, start *int) string {
	t := strings.TrimLeft(s, " ")
	*start += len(s) - len(t)
	return t
}

// braces returns the offset of the closing brace for each opening one, and -1 for other bytes.
func braces(s string) []int32 {
	partners := make([]int32, len(s))
	var open []int32
	for i := 0; i < len(s); i++ {
		partners[i] = -1
		switch s[i] {
		case '{':
			open = append(open, int32(i))
		case '}':
			if n := len(open); n > 0 {
				partners[open[n-1]] = int32(i)
				open = open[:n-1]
			}
		case '\\':
			// The next character is escaped.
			if i++; i < len(s) {
				partners[i] = -1
			}
		}
	}
	return partners
}

// declared returns the TeX that a page has for its formula.
func declared(m *html.Node) string {
	// This is the annotation of KaTeX, MathJax, LaTeXML and MediaWiki.
	for c := range m.Descendants() {
		if c.Type == html.ElementNode && c.Data == "annotation" && isTeX(attr(c, "encoding")) {
			if tex := Tidy(text(c)); tex != "" {
				return tex
			}
		}
	}
	// MathJax 4 writes this attribute.
	if tex := Tidy(attr(m, "data-latex")); tex != "" {
		return tex
	}
	// Some pages have text for screen readers there.
	if tex := Tidy(attr(m, "alttext")); strings.ContainsAny(tex, `\^_{}=`) || tex != "" && !strings.Contains(tex, " ") {
		return tex
	}
	return ""
}

// isTeX reports whether an annotation's encoding is TeX: application/x-tex, TeX, LaTeX and the like.
func isTeX(encoding string) bool { return strings.HasSuffix(strings.ToLower(encoding), "tex") }

// find returns the first element with a name: n itself, or one below it.
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

// text returns all text in n.
func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// attr returns the value of an attribute, or "".
func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
