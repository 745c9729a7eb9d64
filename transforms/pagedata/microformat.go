package pagedata

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// roots are the microformats that are read. Others, such as h-full of a style sheet, are ordinary classes.
var roots = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields("h-adr h-app h-card h-cite h-entry h-event h-feed h-geo h-item h-listing " +
		"h-product h-recipe h-resume h-review h-review-aggregate") {
		set[name] = true
	}
	return set
}()

// classes are the class names of an element by their meaning in microformats2.
type classes struct {
	raw     []string // those with a meaning under the rules
	roots   []string
	props   [][2]string // prefix and name: p category
	classic []string    // roots of classic microformats
	own     bool        // roots has one that the page wrote, not only those of a rule
	tag     string      // category of a link with rel=tag
	left    int         // properties beyond maxOwnProps
}

// format reads the item of one root. Field kinds are the kinds of properties and items seen, which decide on implied
// properties.
type format struct {
	it      *Item
	rules   []*classic // of the classic formats that hold in it; nil for microformats2
	implies bool       // missing names and links are taken from its element
	kinds   []byte     // the first letters of p, u, dt, e and h
	date    string     // of an earlier property, for one that only has a time
}

// microformats returns the top-level items.
func (r *reader) microformats() (items []*Item) {
	end := 0 // of the item before
	for _, i := range r.at.roots {
		if i < end {
			continue
		}
		if c := r.classesOf(i, nil); len(c.roots) > 0 || len(c.classic) > 0 {
			if it := r.root(i, c, nil, 0); it != nil {
				items = append(items, it)
			}
			end = int(r.p.Nodes[i].End)
		}
	}
	return items
}

var classBit = page.AttrBits("class", "rel")

// classesOf reads the classes of element i. Under the rules of a classic format, names of microformats2 do not count,
// and the format's names stand for properties.
func (r *reader) classesOf(i int, rules []*classic) (c classes) {
	if r.p.Nodes[i].Own&classBit == 0 {
		return c
	}
	value, _ := r.p.RawAttr(i, "class")
	if len(value) == 0 && rules == nil || len(value) > maxValue {
		return c
	}
	for word := range bytes.FieldsSeq(value) {
		switch {
		case roots[string(word)]:
			c.roots, c.own = appendNew(c.roots, string(word)), true
		case classics[string(word)] != nil:
			c.classic = appendNew(c.classic, string(word))
		case rules == nil && bytes.IndexByte(word, '-') > 0:
			c.prop(string(word))
		}
		// Most classes mean nothing, and are not copied.
		for _, rule := range rules {
			if rule.classes[string(word)] != nil {
				c.raw = appendNew(c.raw, string(word))
				break
			}
		}
	}
	for _, rule := range rules {
		r.apply(i, rule, &c)
	}
	r.left += c.left
	return c
}

// maxOwnProps bounds the properties that the classes of one element name.
const maxOwnProps = 100

// prop adds a class of microformats2 if it names a property: p-name.
func (c *classes) prop(class string) {
	kind, name, ok := strings.Cut(class, "-")
	if !ok || kind != "p" && kind != "u" && kind != "dt" && kind != "e" || !isName(name) {
		return
	}
	if len(c.props) >= maxOwnProps {
		c.left++
		return
	}
	c.props = appendNew(c.props, [2]string{kind, name})
}

// appendNew appends v to a short list that lacks it.
func appendNew[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// isName reports whether the rest of a class is a name: lower-case words, the first of which may be a vendor's and
// have digits.
func isName(s string) bool {
	for i, word := range strings.Split(s, "-") {
		vendor := i == 0 && strings.Contains(s, "-")
		if word == "" || strings.IndexFunc(word, func(c rune) bool {
			return (c < 'a' || c > 'z') && (!vendor || c < '0' || c > '9')
		}) >= 0 {
			return false
		}
	}
	return true
}

// root reads the item that element i opens. The rules of the format around it hold inside if only they make it a root.
func (r *reader) root(i int, c classes, outer []*classic, depth int) *Item {
	if depth >= maxDepth {
		r.left++
		return nil
	}
	f := &format{implies: len(c.roots) > 0}
	types := slices.Clone(c.roots)
	if !c.own && len(c.classic) == 0 {
		f.rules = outer
	}
	// A name of microformats2 wins over the classic ones.
	if len(types) == 0 {
		for _, name := range c.classic {
			f.rules = append(f.rules, classics[name])
			types = append(types, classics[name].root)
		}
	}
	slices.Sort(types)
	if f.it = r.item(schemas.SyntaxMicroformats, slices.Compact(types), r.attr(i, "id")); f.it == nil {
		return nil
	}
	r.inside(i, f, depth)
	if f.implies {
		r.implied(i, f)
	}
	return f.it
}

// inside reads the properties and items in element i, which belong to f.
func (r *reader) inside(i int, f *format, depth int) {
	for k := range r.children(i) {
		c := r.classesOf(k, f.rules)
		nested := len(c.roots) > 0 || len(c.classic) > 0
		if nested {
			f.kinds = appendNew(f.kinds, 'h')
		}
		if c.tag != "" {
			r.add(f.it, "category", c.tag, "")
		}
		var values map[string]string // by kind, for an element of several properties
		for _, p := range c.props {
			f.kinds = appendNew(f.kinds, p[0][0])
			if nested {
				if child := r.root(k, c, f.rules, depth+1); child != nil {
					r.append(f.it, Prop{Name: p[1], Item: child})
				}
				continue
			}
			lang := ""
			if p[0] == "p" || p[0] == "e" {
				lang = r.langOf(k)
			}
			value, known := values[p[0]]
			if !known {
				value = r.property(k, p[0], f)
			}
			if !known && len(c.props) > 1 {
				values = with(values, p[0], value)
			}
			r.add(f.it, p[1], value, lang)
		}
		if nested {
			if len(c.props) == 0 {
				if child := r.root(k, c, f.rules, depth+1); child != nil {
					r.append(f.it, Prop{Name: "children", Item: child})
				}
			}
			continue
		}
		r.inside(k, f, depth)
	}
}

// with adds a value to a map, which may be nil.
func with(values map[string]string, key, value string) map[string]string {
	if values == nil {
		values = map[string]string{}
	}
	values[key] = value
	return values
}

// children yields the elements that are children of i.
func (r *reader) children(i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for k, end := i+1, int(r.p.Nodes[i].End); k < end; k = int(r.p.Nodes[k].End) {
			if t := r.p.Nodes[k].Tag; t != page.TagText && t != page.TagTemplate && !yield(k) {
				return
			}
		}
	}
}

// classic is a classic microformat: its root in microformats2, and what its classes and link relations stand for.
type classic struct {
	root    string
	classes map[string][]string // classes of microformats2, by classic ones with spaces between
	rels    map[string]string
}

// apply adds what the rule makes of the classes and relations of element i.
func (r *reader) apply(i int, rule *classic, c *classes) {
	for _, class := range c.raw {
		for _, name := range rule.classes[class] {
			if roots[name] {
				c.roots = appendNew(c.roots, name)
				continue
			}
			c.prop(name)
		}
	}
	if r.p.Nodes[i].Own&relBit == 0 || rule.rels == nil {
		return
	}
	for _, rel := range strings.Fields(strings.ToLower(r.attr(i, "rel"))) {
		switch class := rule.rels[rel]; class {
		case "":
		case "tag":
			c.tag = tagOf(r.attr(i, "href"))
		default:
			c.prop(class)
		}
	}
}

// tagOf is the category of a link with rel=tag: the last segment of its path.
func tagOf(href string) string {
	segments := strings.FieldsFunc(href, func(c rune) bool { return c == '/' })
	if len(segments) == 0 {
		return ""
	}
	last := segments[len(segments)-1]
	if s, err := url.PathUnescape(last); err == nil {
		return s
	}
	return last
}
