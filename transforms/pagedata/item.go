package pagedata

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes when the same page gives other items or rows.
const Version = "3"

// Item is something that a page describes.
type Item struct {
	Syntax string   // one of the Syntax constants of schemas
	Types  []string // as written; those of RDFa and microdata are URLs
	ID     string
	Props  []Prop
}

// Prop is a property of an item. Item is set if the value is an item itself.
type Prop struct {
	Name  string
	Value string
	Lang  string
	Item  *Item
}

// Input is a page with its JSON-LD, which several extractors share.
type Input struct {
	Page *page.Page
	LD   []jsonld.Node
}

// The limits of one page. Honest pages have less. Items and values beyond are counted.
const (
	maxItems = 5_000    // at any depth
	maxProps = 20_000   // of all items
	maxBytes = 8 << 20  // of all values
	maxValue = 64 << 10 // of one value
	maxDepth = 32       // of items within items
)

// reader reads the items of one page within the limits.
type reader struct {
	p     *page.Page
	items int
	props int
	bytes int
	full  bool // a limit on values was met
	left  int  // properties and items beyond the limits, and values that were cut
	at    places
	lang  string
}

// Extract returns the items of a page, those of one syntax after the other, each in the order of the page. Result left
// is the number of items and properties beyond the limits, and of values that were cut.
func Extract(in Input) (items []*Item, left int) {
	r := &reader{p: in.Page}
	items = r.linked(in.LD)
	if r.p != nil {
		r.scan(false)
		r.lang = strings.ToLower(r.p.Lang())
		items = append(items, r.microdata()...)
		items = append(items, r.microformats()...)
		items = append(items, r.metas()...)
		items = append(items, r.rdfa()...)
	}
	return items, r.left
}

// item returns a new item, or nil at the limit.
func (r *reader) item(syntax string, types []string, id string) *Item {
	if r.items >= maxItems {
		r.left++
		return nil
	}
	r.items++
	return &Item{Syntax: syntax, Types: types, ID: clip(id)}
}

// add adds a property with a text value to an item. Its white space is collapsed.
func (r *reader) add(it *Item, name, value, lang string) {
	clipped := clip(value)
	if len(clipped) < len(value) {
		r.left++
	}
	r.append(it, Prop{Name: name, Value: collapse(clipped), Lang: lang})
}

func (r *reader) append(it *Item, p Prop) {
	if r.full = r.full || r.props >= maxProps || r.bytes+len(p.Value) > maxBytes; r.full {
		r.left++
		return
	}
	r.props++
	r.bytes += len(p.Value)
	it.Props = append(it.Props, p)
}

// clip bounds a value, at the end of a character.
func clip(s string) string {
	if len(s) <= maxValue {
		return s
	}
	return strings.ToValidUTF8(s[:maxValue], "")
}

// collapse trims white space and turns each run inside into one space.
func collapse(s string) string {
	space := true // the position before the first byte counts as a space
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x80 {
			if c != ' ' || space {
				return fields(s)
			}
			space = true
			continue
		}
		space = false
	}
	return strings.TrimSuffix(s, " ")
}

// fields is strings.Join(strings.Fields(s), " ") without a list.
func fields(s string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(s) {
		if len(word) == len(s) {
			return s
		}
		if b.Len() == 0 {
			b.Grow(len(s))
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// langBits find the elements that may declare a language.
var langBits = page.AttrBits("lang", "xml:lang")

// langOf returns the language that holds in element i: the nearest declaration around it. The root's is known.
func (r *reader) langOf(i int) string {
	for i > 0 {
		if n := &r.p.Nodes[i]; n.Own&langBits != 0 {
			for _, name := range []string{"lang", "xml:lang"} {
				if v, ok := r.p.RawAttr(i, name); ok {
					return strings.ToLower(strings.TrimSpace(string(v[:min(len(v), 64)])))
				}
			}
		}
		i = int(r.p.Nodes[i].Parent)
	}
	return r.lang
}

// schemaOrg are the ways in which pages write the vocabulary of schema.org.
var schemaOrg = []string{
	"http://schema.org/", "https://schema.org/", "http://www.schema.org/", "https://www.schema.org/", "schema:",
	"//schema.org/", "schema.org/",
}

// Bare returns a type or property without the prefix of schema.org. A type that only differs in case from a type of
// the views gets the view's spelling.
func Bare(name string) string {
	for _, prefix := range schemaOrg {
		if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			name = strings.TrimLeft(name[len(prefix):], "#/")
			break
		}
	}
	return name
}

// Summary counts the items of a page by type and syntax, at most maxKinds kinds, in the order of the items.
func Summary(items []*Item) (list []schemas.DataType) {
	at := map[[2]string]int{}
	var walk func(it *Item)
	walk = func(it *Item) {
		key := [2]string{typeOf(it), it.Syntax}
		i, known := at[key]
		if !known && len(list) < maxKinds {
			i, known = len(list), true
			at[key] = i
			list = append(list, schemas.DataType{Type: key[0], Syntax: key[1]})
		}
		if known {
			list[i].Items++
		}
		for _, p := range it.Props {
			if p.Item != nil {
				walk(p.Item)
			}
		}
	}
	for _, it := range items {
		walk(it)
	}
	return list
}

// maxKinds bounds the kinds of items in a document.
const maxKinds = 100

// typeOf is the first type, normalised.
func typeOf(it *Item) string {
	if len(it.Types) == 0 {
		return ""
	}
	return known(Bare(it.Types[0]))
}
