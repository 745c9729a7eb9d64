package formula

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// maxDepth bounds the nesting of elements; deeper ones are written as their text.
const maxDepth = 200

// writer writes the elements of a formula.
type writer struct {
	b       strings.Builder
	command bool // b ends in a command, which a letter would continue
}

// add writes TeX. It puts a space between a command and a letter after it.
func (w *writer) add(tex string) {
	if tex == "" {
		return
	}
	// Without a space, "\alpha" and "x" would be another command.
	if isLetter(tex[0]) && w.command {
		w.b.WriteByte(' ')
	}
	w.raw(tex)
}

// raw writes TeX that does not begin with a letter after a command.
func (w *writer) raw(tex string) {
	w.b.WriteString(tex)
	w.command = endsInCommand(tex)
}

// endsInCommand reports whether a letter after s would become part of its last command.
func endsInCommand(s string) bool {
	i := len(s)
	for i > 0 && isLetter(s[i-1]) {
		i--
	}
	return i > 0 && i < len(s) && s[i-1] == '\\'
}

// of returns n, with its content, in TeX.
func of(n *html.Node, depth int) string {
	var w writer
	w.node(n, depth)
	return w.b.String()
}

// group returns n in braces, as an argument.
func group(n *html.Node, depth int) string { return "{" + strings.TrimSpace(of(n, depth)) + "}" }

// children writes the children of an element, one after the other.
func (w *writer) children(n *html.Node, depth int) {
	kids := elements(n)
	for i := 0; i < len(kids); i++ {
		if passed := w.parenthesised(kids[i:], depth+1); passed > 0 {
			i += passed - 1
			continue
		}
		w.node(kids[i], depth)
	}
}

// fencedTables are the environments of tables between fences.
var fencedTables = map[string]string{
	"()": "pmatrix", "[]": "bmatrix", "{}": "Bmatrix", "||": "vmatrix", "‖‖": "Vmatrix", "{": "cases",
}

// parenthesised writes a fence followed by a table, or by a fraction without a line, as one command. It returns the
// number of elements that it used, or 0 if there is no such sequence.
func (w *writer) parenthesised(kids []*html.Node, depth int) int {
	if len(kids) < 2 || depth > maxDepth || kids[1].Data != "mtable" && kids[1].Data != "mfrac" {
		return 0
	}
	// A single brace on the left means cases.
	fences, taken := fenceOf(kids[0]), 2
	if fences == "" {
		return 0
	}
	if len(kids) > 2 {
		if right := fenceOf(kids[2]); right != "" && strings.Contains(")]}|‖", right) {
			fences += right
			taken = 3
		}
	}
	if kids[1].Data == "mfrac" {
		if fences != "()" || !strings.HasPrefix(attr(kids[1], "linethickness"), "0") {
			return 0
		}
		w.node(kids[1], depth)
		return taken
	}
	name := fencedTables[fences]
	if name == "" {
		return 0
	}
	w.table(elements(kids[1]), name, depth)
	return taken
}

// fenceOf returns the sign of an operator, alone or in a row of its own as MathJax writes fences. It returns "" for
// other elements.
func fenceOf(n *html.Node) string {
	if n.Data == "mrow" {
		if kids := elements(n); len(kids) == 1 {
			n = kids[0]
		}
	}
	if n.Data != "mo" {
		return ""
	}
	return bars.Replace(strings.TrimSpace(text(n)))
}

// elements returns the children of n that are elements.
func elements(n *html.Node) []*html.Node {
	var all []*html.Node
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			all = append(all, c)
		}
	}
	return all
}

// node writes one element.
func (w *writer) node(n *html.Node, depth int) {
	if n.Type != html.ElementNode {
		return // white space between elements
	}
	// Too deep: only the structure is lost.
	if depth > maxDepth {
		w.add(escape(text(n)))
		return
	}
	depth++
	kids := elements(n)
	switch n.Data {
	case "mi", "mn", "mo", "mtext", "ms":
		// KaTeX writes elements within tokens, and browsers show them.
		if len(kids) > 0 {
			w.children(n, depth)
		} else {
			w.token(n)
		}
	case "mspace":
		if !strings.HasPrefix(attr(n, "width"), "0") && attr(n, "width") != "" {
			w.raw(" ")
		}
	// These are invisible, or have their content elsewhere.
	case "mphantom", "annotation", "annotation-xml", "none", "mprescripts":
	// The first child is the visible one.
	case "semantics", "maction":
		if len(kids) > 0 {
			w.node(kids[0], depth)
		}
	case "mfenced":
		w.fenced(n, kids, depth)
	case "menclose":
		w.enclosed(n, depth)
	case "msqrt":
		w.add(`\sqrt{` + strings.TrimSpace(inside(n, depth)) + "}")
	case "mtable":
		w.table(kids, "matrix", depth)
	case "mmultiscripts":
		w.multiscripts(kids, depth)
	case "mfrac", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover":
		w.scripted(n, kids, depth)
	default:
		w.children(n, depth)
	}
}

// inside returns the content of n in TeX.
func inside(n *html.Node, depth int) string {
	var w writer
	w.children(n, depth)
	return w.b.String()
}

// arguments are the numbers of children of elements whose children have positions.
var arguments = map[string]int{
	"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3,
}

// scripted writes fractions, roots, and scripts above or below.
func (w *writer) scripted(n *html.Node, kids []*html.Node, depth int) {
	// In MathML the meaning of each child of these depends on its position.
	if len(kids) != arguments[n.Data] {
		w.children(n, depth) // malformed: all content is written
		return
	}
	switch n.Data {
	case "mfrac":
		command := `\frac`
		// A fraction without a line is usually a binomial coefficient.
		if strings.HasPrefix(attr(n, "linethickness"), "0") {
			command = `\binom`
		}
		w.add(command + group(kids[0], depth) + group(kids[1], depth))
	case "mroot":
		w.add(`\sqrt[` + strings.TrimSpace(of(kids[1], depth)) + "]" + group(kids[0], depth))
	case "msub":
		w.add(base(kids[0], depth) + "_" + group(kids[1], depth))
	case "msup":
		w.add(base(kids[0], depth) + raised(kids[1], depth))
	case "msubsup":
		w.add(base(kids[0], depth) + "_" + group(kids[1], depth) + raised(kids[2], depth))
	case "munder":
		w.add(below(kids[0], kids[1], depth))
	case "mover":
		w.add(above(kids[0], kids[1], depth))
	case "munderover":
		if isLimited(kids[0]) {
			w.add(of(kids[0], depth) + "_" + group(kids[1], depth) + "^" + group(kids[2], depth))
		} else {
			w.add(`\overset` + group(kids[2], depth) + "{" + below(kids[0], kids[1], depth) + "}")
		}
	}
}

// base returns the base of scripts: a single character or command alone, anything longer in braces.
func base(n *html.Node, depth int) string {
	tex := strings.TrimSpace(of(n, depth))
	command := strings.HasPrefix(tex, `\`) && endsInCommand(tex) && strings.Count(tex, `\`) == 1
	if command || utf8.RuneCountInString(tex) == 1 {
		return tex
	}
	if n.Data == "mn" || n.Data == "mi" && strings.HasPrefix(tex, `\`) {
		return tex
	}
	return "{" + tex + "}"
}

// raised returns an exponent, with primes as such.
func raised(n *html.Node, depth int) string {
	tex := strings.TrimSpace(of(n, depth))
	if strings.Trim(tex, "'") == "" && tex != "" {
		return tex
	}
	return "^{" + tex + "}"
}

// isLimited reports whether scripts above and below a base are its limits: those of sums, integrals, lim.
func isLimited(n *html.Node) bool {
	s := strings.TrimSpace(strings.Map(seen, text(n)))
	return strings.ContainsAny(s, "∑∏∐∫∬∭∮⋃⋂⋁⋀⨁⨂⨀⨄⨆") || limits[s]
}

var limits = map[string]bool{
	"lim": true, "max": true, "min": true, "sup": true, "inf": true, "limsup": true, "liminf": true, "lim sup": true,
	"lim inf": true, "argmax": true, "argmin": true, "arg max": true, "arg min": true, "det": true, "gcd": true,
	"Pr": true,
}

// accents are the signs above a base with TeX commands; lowered are those below.
var (
	accents = map[string]string{
		"^": `\hat`, "ˆ": `\hat`, "̂": `\hat`, "¯": `\bar`, "‾": `\overline`, "̄": `\bar`, "ˉ": `\bar`, "→": `\vec`,
		"⃗": `\vec`,
		"˙": `\dot`, "̇": `\dot`, "¨": `\ddot`, "̈": `\ddot`, "~": `\tilde`, "˜": `\tilde`, "̃": `\tilde`, "ˇ": `\check`,
		"˘": `\breve`, "´": `\acute`, "`": `\grave`, "⏞": `\overbrace`, "_": `\overline`, "⎴": `\overbracket`,
		"←": `\overleftarrow`,
		"↔": `\overleftrightarrow`,
	}
	lowered = map[string]string{
		"_": `\underline`, "¯": `\underline`, "‾": `\underline`, "̲": `\underline`, "⏟": `\underbrace`,
		"→": `\underrightarrow`,
	}
)

// above writes a base with a sign above it: an accent, a limit of a sum, or anything else.
func above(b, over *html.Node, depth int) string {
	tex, long := strings.TrimSpace(of(b, depth)), utf8.RuneCountInString(strings.TrimSpace(text(b))) > 1
	command := accents[strings.TrimSpace(text(over))]
	switch {
	case isLimited(b), strings.HasPrefix(tex, `\overbrace`):
		return tex + "^" + group(over, depth)
	case command == `\bar` && long:
		command = `\overline`
	case command == `\vec` && long:
		command = `\overrightarrow`
	case command == "":
		return `\overset` + group(over, depth) + "{" + tex + "}"
	}
	return command + "{" + tex + "}"
}

// below writes a base with a sign below it.
func below(b, under *html.Node, depth int) string {
	tex := strings.TrimSpace(of(b, depth))
	if isLimited(b) || strings.HasPrefix(tex, `\underbrace`) {
		return tex + "_" + group(under, depth)
	}
	if command, ok := lowered[strings.TrimSpace(text(under))]; ok {
		return command + "{" + tex + "}"
	}
	return `\underset` + group(under, depth) + "{" + tex + "}"
}

// fenced writes the old mfenced: its content, with signs around and between.
func (w *writer) fenced(n *html.Node, kids []*html.Node, depth int) {
	// These are the defaults of MathML 3, section 3.3.8.
	left, right, between := "(", ")", ","
	for _, a := range n.Attr {
		switch a.Key {
		case "open":
			left = a.Val
		case "close":
			right = a.Val
		case "separators":
			between = strings.Join(strings.Fields(a.Val), "")
		}
	}
	// Fences grow with their content.
	w.add(`\left` + fence(left))
	// The last separator is repeated.
	signs := []rune(between)
	for i, k := range kids {
		if i > 0 && len(signs) > 0 {
			w.add(signsOf(string(signs[min(i, len(signs))-1])))
		}
		w.node(k, depth)
	}
	w.add(`\right` + fence(right))
}

// fence returns a sign for \left or \right.
func fence(sign string) string {
	if sign = strings.TrimSpace(sign); sign == "" {
		return "."
	}
	return signsOf(sign)
}

// enclosed writes content that is crossed out, boxed or below a root.
func (w *writer) enclosed(n *html.Node, depth int) {
	content := "{" + strings.TrimSpace(inside(n, depth)) + "}"
	// Several notations are nested.
	for notation := range strings.FieldsSeq(attr(n, "notation")) {
		switch notation {
		case "radical":
			content = `\sqrt` + content
		case "box", "roundedbox":
			content = `\boxed` + content
		case "updiagonalstrike", "downdiagonalstrike", "horizontalstrike":
			content = `\cancel` + content
		case "top":
			content = `\overline` + content
		case "bottom":
			content = `\underline` + content
		}
	}
	w.add(content)
}

// table writes rows and columns as an environment.
func (w *writer) table(rows []*html.Node, name string, depth int) {
	w.add(`\begin{` + name + "}")
	for i, row := range rows {
		cells := elements(row)
		// The label of a row is not part of the formula.
		if row.Data == "mlabeledtr" && len(cells) > 0 {
			cells = cells[1:]
		}
		if i > 0 {
			w.raw(` \\`)
		}
		for k, c := range cells {
			if k > 0 {
				w.raw(" &")
			}
			w.raw(" " + strings.TrimSpace(inside(c, depth)))
		}
	}
	w.raw(` \end{` + name + "}")
}

// multiscripts writes scripts on both sides, those in front first.
func (w *writer) multiscripts(kids []*html.Node, depth int) {
	if len(kids) == 0 {
		return
	}
	// Scripts come in pairs of a lower and an upper one.
	front, behind := "", ""
	side := &behind
	for i := 1; i < len(kids); i++ {
		// The following scripts are in front of the base.
		if kids[i].Data == "mprescripts" {
			side = &front
			continue
		}
		sub := kids[i]
		*side += script("_", sub, depth)
		if i+1 < len(kids) && kids[i+1].Data != "mprescripts" {
			i++
			*side += script("^", kids[i], depth)
		}
	}
	if front != "" {
		front = "{}" + front
	}
	w.add(front + base(kids[0], depth) + behind)
}

// script returns one script, or "" if it is omitted.
func script(sign string, n *html.Node, depth int) string {
	if n.Data == "none" || n.Data == "mrow" && n.FirstChild == nil {
		return ""
	}
	return sign + group(n, depth)
}
