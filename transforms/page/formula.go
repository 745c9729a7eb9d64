package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/transforms/formula"
)

// Formulae are TeX in the text: $…$ in a line and $$…$$ on lines of their own. Pages write them as MathML, as scripts
// and delimiters for MathJax, and as pictures with TeX as alternative text. Saved pages also hold what MathJax and
// KaTeX have drawn beside these; it is left out as a copy in pieces.

// Span is a part of Page.Text, as a half-open range of bytes.
type Span struct{ Start, End int32 }

// Longer formulae stay as they are.
const (
	maxFormula      = 20_000  // most nodes of MathML, or bytes of TeX
	maxFormulaBytes = 1 << 20 // most bytes of MathML: elements around a long text would copy it many times
)

func (w *writer) formula(i int) {
	n := &w.p.Nodes[i]
	// MediaWiki hides MathML with a style, and shows a picture with the same TeX.
	if w.p.Nodes[n.Parent].Flags&(InSkipped|InHidden) != 0 || n.End-int32(i) > maxFormula {
		return // a picture is beside hidden MathML
	}
	size := 0
	for _, part := range w.p.Nodes[i:n.End] {
		size += int(part.srcEnd - part.srcStart)
	}
	if size > maxFormulaBytes {
		return
	}
	// The writer of TeX takes the tree of golang.org/x/net/html.
	var root html.Node
	w.p.view(&root, i, int(n.End))
	w.tex(i, formula.TeX(&root), formula.IsBlock(&root))
}

// script writes the formula of script i, if it is for MathJax.
func (w *writer) script(i int) {
	n := &w.p.Nodes[i]
	display, ok := w.p.mathScript(i)
	if !ok || int(n.End) == i+1 || w.p.Nodes[n.Parent].Flags&InSkipped != 0 {
		return
	}
	src := w.p.Raw(i + 1)
	if kind, _ := w.p.RawAttr(i, "type"); len(src) <= maxFormula && hasFold(kind, "math/mml") {
		w.mathML(i, src)
	} else if len(src) <= maxFormula {
		src = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(src), []byte("% <![CDATA[")), []byte("%]]>"))
		w.tex(i, formula.Tidy(string(src)), display)
	}
}

// mathScript reports whether script i is a formula for MathJax, and whether it is on lines of its own.
func (p *Page) mathScript(i int) (display, ok bool) {
	kind, _ := p.RawAttr(i, "type")
	kind = bytes.ToLower(kind)
	ok = bytes.HasPrefix(kind, []byte("math/tex")) || bytes.HasPrefix(kind, []byte("math/mml"))
	return bytes.Contains(kind, []byte("mode=display")), ok
}

// mathML writes the formula of a script in MathML.
func (w *writer) mathML(i int, src []byte) {
	if root, err := html.Parse(bytes.NewReader(src)); err == nil {
		w.tex(i, formula.TeX(root), formula.IsBlock(root))
	}
}

// isTeXPicture reports whether a picture shows a formula with TeX as alternative text, as in MediaWiki, WordPress and
// services that draw formulae.
func isTeXPicture(class, src []byte) bool {
	for word := range bytes.FieldsSeq(class) {
		switch s := string(word); {
		case s == "tex", s == "latex", s == "equation_image", strings.HasPrefix(s, "mwe-math-fallback"),
			strings.HasPrefix(s, "ql-img-"):
			return true
		}
	}
	src = cut(src, maxKeywordBytes)
	for _, service := range texServices {
		if bytes.Contains(src, []byte(service)) {
			return true
		}
	}
	return false
}

// texServices are parts of URLs of services that draw formulae.
var texServices = []string{
	"latex.php?", "latex.codecogs.com", "cgi-bin/mathtex", "mimetex.cgi", "zhihu.com/equation?", "/math?formula=",
	"chart?cht=tx",
}

// statedTeX returns the TeX that the attributes of drawing i state, and whether it is on lines of its own.
func (p *Page) statedTeX(i int) (tex string, display bool) {
	n := &p.Nodes[i]
	v := p.values(i, "data-tex", "data-latex", "data-value", "data-type", "class")
	src := v[0]
	if len(src) == 0 {
		src = v[1]
	}
	if len(src) == 0 && bytes.Contains(v[4], []byte("ql-formula")) {
		src = v[2]
	}
	if len(src) == 0 || len(src) > maxFormula || n.End-int32(i) > maxFormula || n.Flags&(InSkipped|InPre|InCode) != 0 {
		return "", false
	}
	tex = formula.Tidy(decode(src, inAttribute))
	// Zhihu's formulae on lines of their own end with a line end.
	line, display := strings.CutSuffix(tex, `\\`)
	line, apart := withoutSigns(strings.TrimSpace(line))
	return line, display || apart || n.Tag == TagDiv || bytes.Contains(v[3], []byte("block"))
}

// withoutSigns returns TeX without delimiters around it, and whether these are for lines of its own.
func withoutSigns(tex string) (inner string, display bool) {
	for _, d := range delimiters {
		inner, ok := strings.CutPrefix(tex, d.left)
		if inner, also := strings.CutSuffix(inner, d.right); ok && also {
			return formula.Tidy(inner), d.sign == "$$"
		}
	}
	return tex, false
}

// tex writes a formula. A plain number needs no signs.
func (w *writer) tex(i int, tex string, display bool) {
	if tex == "" {
		return
	}
	if strings.Trim(strings.TrimSuffix(tex, `\%`), "0123456789.,+- ") == "" {
		w.shown(i, []byte(strings.ReplaceAll(tex, `\%`, "%")), literal)
		return
	}
	sign := "$"
	if display {
		sign = "$$"
	}
	w.marked(i, sign+tex+sign)
}

// marked writes TeX with its signs and notes its span.
func (w *writer) marked(i int, tex string) {
	// White space that was due precedes the sign.
	before := len(w.p.Text)
	w.shown(i, []byte(tex), literal)
	start := before
	for start < len(w.p.Text) && isSpace(w.p.Text[start]) {
		start++
	}
	if start < len(w.p.Text) {
		w.p.Formulas = append(w.p.Formulas, Span{int32(start), int32(len(w.p.Text))})
	}
}

// drawn says which part of a drawn formula is left out.
type drawn uint8

const (
	notDrawn  drawn = iota
	drawnText       // its text: it contains MathML
	drawnAll        // all of it: its source is beside it
)

// drawnBy are the classes of drawings by MathJax and KaTeX.
var drawnBy = map[string]bool{
	"MathJax": true, "MathJax_Display": true, "MathJax_Preview": true, "MathJax_SVG": true, "MathJax_SVG_Display": true,
	"MathJax_CHTML": true, "mjx-chtml": true, "MJXc-display": true, "MathJax_MathML": true, "MathJax_PHTML": true,
	"katex-html": true, "ql-formula": true,
}

// isDrawnBy reports whether the first word of a class is one of them.
func isDrawnBy(class []byte) bool {
	// Two letters, since menus and the like are frequent.
	if len(class) < 2 || class[0] != 'M' && (class[0] != 'm' || class[1] != 'j') &&
		(class[0] != 'k' || class[1] != 'a') && (class[0] != 'q' || class[1] != 'l') {
		return false
	}
	first, _, _ := bytes.Cut(class, []byte(" "))
	return drawnBy[string(first)]
}

// drawing leaves out element i or its text if it is a drawing. It returns what its attributes state instead.
func (w *writer) drawing(i int) (s stated) {
	drawn := w.p.drawing(i)
	if drawn != drawnAll {
		if s = w.p.stated(i); s.text != "" {
			drawn = drawnAll
		}
	}
	if drawn != notDrawn {
		w.drawn, w.drawnEnd = drawn, w.p.Nodes[i].End
	}
	return s
}

// drawing returns the part of element i that is left out.
func (p *Page) drawing(i int) drawn {
	n := &p.Nodes[i]
	class, _ := p.RawAttr(i, "class")
	switch {
	case bytes.HasPrefix(class, []byte("katex")):
		// Its MathML precedes it in the same element.
		if p.hasMath(n.Parent+1, int32(i)) {
			return drawnAll
		}
		return notDrawn
	case p.hasSourceAfter(n.End, bytes.HasPrefix(class, []byte("MathJax_Preview"))):
		return drawnAll
	// MathJax 3 puts MathML for screen readers beside its drawing.
	case p.hasMath(int32(i), n.End):
		return drawnText
	}
	return notDrawn
}

// hasMath reports whether MathML is among the first nodes of a range.
func (p *Page) hasMath(from, to int32) bool {
	for k := from; k < min(to, from+maxDrawn); k++ {
		if p.Nodes[k].Tag == TagMath {
			return true
		}
	}
	return false
}

const maxDrawn = 2000

// hasSourceAfter reports whether the next sibling, or one after other drawings, is a formula's script. For a preview,
// such drawings count like the script.
func (p *Page) hasSourceAfter(k int32, preview bool) bool {
	for range 4 {
		if int(k) >= len(p.Nodes) {
			return false
		}
		switch n := &p.Nodes[k]; {
		case n.Tag == TagScript:
			_, ok := p.mathScript(int(k))
			return ok
		case n.marks&mayState != 0 && preview:
			return true
		case n.Tag == TagText && !blank(p.Source[n.srcStart:n.srcEnd]):
			return false
		default:
			k = n.End
		}
	}
	return false
}
