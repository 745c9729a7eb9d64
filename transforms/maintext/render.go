package maintext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// renderer writes the text of a tree. White space is collapsed outside <pre>; blocks stand on lines of their own.
type renderer struct {
	b     strings.Builder
	limit int
	soft  bool   // inline elements' ends separate words: the tree has lost the white space around them
	due   string // what to write before the next word: "", soft, " ", "\t" or "\n"
	last  rune   // written last
	pre   int    // open <pre> elements
}

// soft stands for a space that is written between words, and not where punctuation joins.
const soft = "\x00"

// render returns the visible text under n, at most limit bytes of it.
func render(n *html.Node, limit int) string {
	return (&renderer{limit: limit}).run(n)
}

// renderExtracted is render for what the extractor returns, where the white space around inline elements is lost.
func renderExtracted(n *html.Node, limit int) string {
	return (&renderer{limit: limit, soft: true}).run(n)
}

func (r *renderer) run(n *html.Node) string {
	for c := n; c != nil && r.b.Len() < r.limit; {
		c = r.visit(c, n)
	}
	return strings.TrimSpace(r.b.String())
}

// visit writes c and returns the next node in document order within root.
func (r *renderer) visit(c, root *html.Node) *html.Node {
	if c.Type == html.TextNode {
		r.text(c.Data)
	}
	if c.Type != html.ElementNode || !invisible(c) {
		r.edge(c, 1)
		if c.FirstChild != nil {
			return c.FirstChild
		}
		r.edge(c, -1)
	}
	for c != root {
		if c.NextSibling != nil {
			return c.NextSibling
		}
		c = c.Parent
		r.edge(c, -1)
	}
	return nil
}

// edge separates what is before and behind the start (step 1) or the end (step -1) of n.
func (r *renderer) edge(n *html.Node, step int) {
	if n.Type != html.ElementNode {
		return
	}
	switch n.DataAtom {
	case atom.Pre, atom.Textarea:
		r.pre = max(0, r.pre+step)
		r.separate("\n")
	case atom.Td, atom.Th:
		r.separate("\t")
	default:
		if !inline(n.DataAtom) {
			r.separate("\n")
		} else if r.soft {
			r.separate(soft)
		}
	}
}

// separate makes the strongest of the separators seen since the last word the one to write.
func (r *renderer) separate(s string) {
	const strength = soft + " \t\n"
	if r.b.Len() > 0 && (r.due == "" || strings.Index(strength, s) > strings.Index(strength, r.due)) {
		r.due = s
	}
}

func (r *renderer) text(s string) {
	for i := 0; i < len(s) && r.b.Len() < r.limit; {
		c, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r.pre > 0 && (c == '\n' || c == '\t' || c == ' '):
			r.write(c)
		case unicode.IsSpace(c):
			r.separate(" ")
		case printable(c) >= 0:
			r.write(c)
		}
	}
}

func (r *renderer) write(c rune) {
	switch {
	case r.due != soft:
		r.b.WriteString(r.due)
	case !joins(r.last, c):
		r.b.WriteByte(' ')
	}
	r.due, r.last = "", c
	r.b.WriteRune(c)
}

// joins tells whether no space belongs between before and after: behind what opens, before what closes.
func joins(before, after rune) bool {
	return unicode.In(before, unicode.Ps, unicode.Pi) || unicode.In(after, unicode.Pe, unicode.Pf) ||
		strings.ContainsRune(".,;:!?%\u2026", after) || before == '/' || after == '/' || before == '-' || after == '-' ||
		unicode.In(before, ideographs...) && unicode.In(after, ideographs...)
}

// ideographs are the scripts that write no space between words.
var ideographs = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar,
}

// invisible tells whether a browser shows nothing of what n holds.
func invisible(n *html.Node) bool {
	if n.Namespace != "" || n.DataAtom == atom.Head || hidden(n.DataAtom) {
		return true
	}
	for i := range n.Attr {
		if n.Attr[i].Key == "hidden" {
			return true
		}
	}
	return false
}

// inline tells whether an element stands within a line of text.
func inline(a atom.Atom) bool {
	switch a {
	case 0, atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data,
		atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Img, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Q,
		atom.Ruby, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time,
		atom.Tt, atom.U, atom.Var, atom.Wbr:
		return true
	}
	return false
}
