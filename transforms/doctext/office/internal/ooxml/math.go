package ooxml

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
	"github.com/gleaner-web/gleaner/transforms/formula"
)

// maxFormula bounds the elements of one formula.
const maxFormula = 10_000

// formula adds a formula in Office Math (part 1, section 22.1) as TeX, by way of MathML. The token is its start.
func (r *reader) formula(s *xmlscan.Scanner) {
	m := mathReader{s: s, left: maxFormula}
	root := element("math", m.children(s.Depth())...)
	if tex := formula.TeX(root); tex != "" {
		r.out.Add("$" + tex + "$")
	}
}

// mathReader reads Office Math into MathML.
type mathReader struct {
	s    *xmlscan.Scanner
	left int // elements that may still be read
}

// children reads what the open element at depth holds, up to its end.
func (m *mathReader) children(depth int) []*html.Node {
	var all []*html.Node
	for m.left > 0 && m.s.Next() && m.s.Depth() >= depth {
		switch m.s.Kind {
		case xmlscan.Start:
			m.left--
			all = append(all, m.element()...)
		case xmlscan.Text:
			if m.s.Parent() == "t" {
				all = append(all, tokens(string(m.s.Text))...)
			}
		}
	}
	return all
}

// mathParts are the arguments of an element by name, and the values of its properties.
type mathParts struct {
	args   map[string]*html.Node
	list   []*html.Node // the arguments called e, or mr
	values map[string]string
}

// parts reads the arguments and properties of the element at hand.
func (m *mathReader) parts() mathParts {
	p := mathParts{args: map[string]*html.Node{}, values: map[string]string{}}
	for depth := m.s.Depth(); m.left > 0 && m.s.Next() && m.s.Depth() >= depth; {
		if m.s.Kind != xmlscan.Start {
			continue
		}
		m.left--
		name := m.s.Name
		switch {
		case strings.HasSuffix(name, "Pr"):
			for inner := m.s.Depth(); m.s.Depth() >= inner && m.s.Next(); {
				if m.s.Kind == xmlscan.Start {
					p.values[m.s.Name] = m.s.Attr("val")
				}
			}
		case name == "mr":
			p.list = append(p.list, element("mtr", m.cells()...))
		default:
			arg := element("mrow", m.children(m.s.Depth())...)
			if name == "e" {
				p.list = append(p.list, arg)
			}
			p.args[name] = arg
		}
	}
	return p
}

// cells reads the cells of a matrix's row.
func (m *mathReader) cells() []*html.Node {
	var all []*html.Node
	for _, e := range m.parts().list {
		all = append(all, element("mtd", e))
	}
	return all
}

// simple are the elements that MathML has with the same arguments.
var simple = map[string]struct {
	name string
	args []string
}{
	"f":       {"mfrac", []string{"num", "den"}},
	"sSup":    {"msup", []string{"e", "sup"}},
	"sSub":    {"msub", []string{"e", "sub"}},
	"sSubSup": {"msubsup", []string{"e", "sub", "sup"}},
	"limLow":  {"munder", []string{"e", "lim"}},
	"limUpp":  {"mover", []string{"e", "lim"}},
	"func":    {"mrow", []string{"fName", "e"}},
}

// element reads the element that has begun.
func (m *mathReader) element() []*html.Node {
	name := m.s.Name
	if s, ok := simple[name]; ok {
		p := m.parts()
		n := element(s.name)
		for _, arg := range s.args {
			n.AppendChild(p.arg(arg))
		}
		return []*html.Node{n}
	}
	switch name {
	case "rad":
		p := m.parts()
		if deg := p.arg("deg"); deg.FirstChild != nil {
			return []*html.Node{element("mroot", p.arg("e"), deg)}
		}
		return []*html.Node{element("msqrt", p.arg("e"))}
	case "nary":
		p := m.parts()
		sign := p.value("chr", "∫")
		return []*html.Node{element("munderover", token("mo", sign), p.arg("sub"), p.arg("sup")), p.arg("e")}
	case "d":
		return m.delimited()
	case "acc", "bar", "groupChr":
		p := m.parts()
		under := p.values["pos"] == "bot"
		if name == "bar" && p.values["pos"] != "top" {
			under = true
		}
		mark := token("mo", p.value("chr", map[string]string{"acc": "̂", "bar": "¯", "groupChr": "⏟"}[name]))
		if under {
			return []*html.Node{element("munder", p.arg("e"), mark)}
		}
		return []*html.Node{element("mover", p.arg("e"), mark)}
	case "m", "eqArr":
		p := m.parts()
		n := element("mtable")
		for _, row := range p.list {
			if row.Data != "mtr" {
				row = element("mtr", element("mtd", row))
			}
			n.AppendChild(row)
		}
		return []*html.Node{n}
	case "sPre":
		p := m.parts()
		return []*html.Node{element("msubsup", element("mrow"), p.arg("sub"), p.arg("sup")), p.arg("e")}
	}
	if strings.HasSuffix(name, "Pr") {
		m.s.Skip()
		return nil
	}
	return m.children(m.s.Depth())
}

// delimited reads arguments in brackets.
func (m *mathReader) delimited() []*html.Node {
	p := m.parts()
	all := []*html.Node{token("mo", p.value("begChr", "("))}
	for i, e := range p.list {
		if i > 0 {
			all = append(all, token("mo", p.value("sepChr", "|")))
		}
		all = append(all, e)
	}
	return append(all, token("mo", p.value("endChr", ")")))
}

// arg is an argument, which is empty where the file has none.
func (p *mathParts) arg(name string) *html.Node {
	if n := p.args[name]; n != nil && n.Parent == nil {
		return n
	}
	return element("mrow")
}

// value is that of a property.
func (p *mathParts) value(name, otherwise string) string {
	if v, ok := p.values[name]; ok {
		return v
	}
	return otherwise
}

// element makes an element of MathML.
func element(name string, children ...*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: name}
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}

// token makes an element with a text.
func token(name, text string) *html.Node {
	return element(name, &html.Node{Type: html.TextNode, Data: text})
}

// tokens divides the text of a run into numbers, letters and signs.
func tokens(text string) []*html.Node {
	var all []*html.Node
	for text != "" {
		n := len(text) - len(strings.TrimLeft(text, "0123456789.,"))
		name := "mn"
		switch {
		case n > 0 && strings.ContainsAny(text[:n], "0123456789"):
		default:
			name, n = "mo", 0
			for i, r := range text {
				if i > 0 && !unicode.IsLetter(r) {
					break
				}
				n = i + len(string(r))
				if !unicode.IsLetter(r) {
					break
				}
				name = "mi"
			}
		}
		if strings.TrimSpace(text[:n]) != "" {
			all = append(all, token(name, text[:n]))
		}
		text = text[n:]
	}
	return all
}
