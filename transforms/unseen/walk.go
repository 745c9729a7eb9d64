package unseen

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// look is how the text of an element looks, as far as it decides whether it is seen.
type look struct {
	gone       bool // the element and all in it
	invisible  bool // visibility, which an element in it may undo
	size       float64
	color      rgb
	back       rgb
	colorKnown bool
	backKnown  bool
}

// hides reports whether text with this look is hidden.
func (l look) hides() bool {
	return l.gone || l.invisible || l.size < leastSize || l.color.clear ||
		l.colorKnown && l.backKnown && l.color.like(l.back)
}

// leastSize is the smallest size of a letter that counts as seen, in pixels.
const leastSize = 2

// walk visits the elements of a page.
type walk struct {
	page  *Page
	sheet *sheet
	run   []rune // hidden letters since the last visible one
	// The numbers of children and of descendants, counted once.
	numbers, sizes map[*html.Node]int
}

// skipped are elements without text of the page.
var skipped = []string{"script", "style", "noscript", "template", "iframe", "title", "svg", "math", "object"}

// node visits a node. depth bounds the recursion.
func (w *walk) node(n *html.Node, l look, depth int) {
	if depth > maxDepth {
		w.page.Partly = true
		return
	}
	if n.Type == html.TextNode {
		w.text(n.Data, l.hides())
		return
	}
	if n.Type == html.ElementNode {
		if slices.Contains(skipped, n.Data) {
			return
		}
		l = w.of(n, l)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, l, depth+1)
	}
}

// text adds a text to the hidden or the visible ones. Hidden texts that follow each other are one run, and runs of
// their own.
func (w *walk) text(text string, hidden bool) {
	letters := lettersOf(text)
	switch {
	case len(letters) == 0:
	case !hidden:
		w.end()
		w.page.seen = append(w.page.seen, letters...)
	default:
		w.add(letters)
		w.run = append(w.run, letters...)
	}
}

// end ends a run of hidden texts.
func (w *walk) end() {
	if len(w.run) > 0 {
		w.add(w.run)
		w.run = nil
	}
}

func (w *walk) add(letters []rune) {
	if len(w.page.hidden) >= maxRuns {
		w.page.Partly = true
		return
	}
	w.page.hidden = append(w.page.hidden, run{slices.Clone(letters)})
}

// of returns the look of an element in another one.
func (w *walk) of(n *html.Node, l look) look {
	d := w.declared(n)
	for _, a := range n.Attr {
		if a.Key == "hidden" && a.Namespace == "" && d["display"] == "" {
			l.gone = true
		}
	}
	l.gone = l.gone || d.gone()
	switch d["visibility"] {
	case "":
	case "hidden", "collapse":
		l.invisible = true
	default:
		l.invisible = false
	}
	if size, ok := fontSize(d["font-size"], l.size); ok {
		l.size = size
	}
	l.paint(d)
	return l
}

// paint sets the colours of an element.
func (l *look) paint(d declarations) {
	switch c := d["color"]; c {
	case "", "inherit", "unset", "currentcolor":
	default:
		l.color, l.colorKnown = parseColor(c)
	}
	words := strings.Fields(d["background"])
	shaped := strings.Contains(d["background-clip"], "text") || slices.Contains(words, "text")
	words = slices.DeleteFunc(words, func(word string) bool { return word == "text" })
	back := cmp.Or(d["background-color"], strings.Join(words, " "))
	c, known := parseColor(back)
	image := d["background-image"] != "" && d["background-image"] != "none" ||
		strings.Contains(back, "url(") || strings.Contains(back, "gradient") ||
		strings.Contains(d["background"], "url(") || strings.Contains(d["background"], "gradient")
	// The background is painted in the form of the letters, and shows through those without a colour.
	if shaped {
		if l.color.clear && (image || back != "" && !c.clear) {
			l.color, l.colorKnown = c, known && !image
		}
		return
	}
	switch {
	case image || back != "" && !known:
		l.backKnown = false
	case back != "" && !c.clear:
		l.back, l.backKnown = c, true
	}
}

// declared returns the values that hold for an element: of its style, and of the rules that fit.
func (w *walk) declared(n *html.Node) declarations {
	d := declarations{}
	from := map[string]weight{}
	set := func(list []declaration, by weight) {
		for _, one := range list {
			by.important = one.important
			if old, is := from[one.property]; !is || !by.less(old) {
				d[one.property], from[one.property] = one.value, by
			}
		}
	}
	for i := range w.sheet.rules {
		r := &w.sheet.rules[i]
		if w.page.steps++; w.page.steps > maxSteps {
			w.page.Partly = true
			break
		}
		if w.fits(r, n) {
			s := r.fits.Specificity()
			set(r.list, weight{specificity: [3]int{s[0], s[1], s[2]}, order: i})
		}
	}
	for _, a := range n.Attr {
		switch {
		case a.Key == "style":
			list, whole := parseStyle(a.Val)
			w.page.Partly = w.page.Partly || !whole
			set(list, weight{inline: true})
		// Attributes of old HTML have no weight.
		case a.Key == "color" && n.Data == "font", a.Key == "bgcolor":
			property := "color"
			if a.Key == "bgcolor" {
				property = "background-color"
			}
			if d[property] == "" {
				d[property] = strings.ToLower(strings.TrimSpace(a.Val))
			}
		}
	}
	return d
}
