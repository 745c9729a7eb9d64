package pagedata

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// places are the elements of a page where data may begin, ascending. One reading of all elements finds them for all
// syntaxes; microdata is found by package page.
type places struct {
	metas      []int           // <meta>
	roots      []int           // with the class of a microformat's root, outside templates
	statements []int           // that make statements of RDFa; parts of the page without any are not read
	prefixes   map[string]bool // that are declared; <meta> with these are in the item of Open Graph
}

var (
	relBit   = page.AttrBits("rel")
	mayBegin = page.AttrBits("class", "vocab", "property", "typeof", "rel", "rev")
	otherBit = page.AttrBits("vocab", "property", "typeof", "rel", "rev")
)

// scan finds the places. A page is read again at most once: with all its markup, it may still look as if it hid data.
func (r *reader) scan(again bool) {
	r.at = places{prefixes: r.prefixes()}
	// Elements that look alike have one signature, so most classes are read once for a page.
	var plain [1024]uint32
	vocab, template := false, 0 // template is the end of one
	for i := range r.p.Nodes {
		n := &r.p.Nodes[i]
		switch n.Tag {
		case page.TagText:
			continue
		case page.TagNoscript:
			if !again && r.hides(i) {
				r.p = page.Parse(r.p.Source, page.Options{URL: r.p.URL, NoScripting: true})
				r.scan(true)
				return
			}
		case page.TagMeta:
			r.at.metas = append(r.at.metas, i)
		case page.TagTemplate:
			template = max(template, int(n.End))
		}
		known := i < template || n.Own&classBit == 0 || plain[n.Sig%1024] == n.Sig
		if n.Own&mayBegin == 0 || known && n.Own&otherBit == 0 {
			continue
		}
		a := r.signs(i)
		if !known {
			if opens(a.class) {
				r.at.roots = append(r.at.roots, i)
			} else {
				plain[n.Sig%1024] = n.Sig
			}
		}
		vocab = vocab || a.vocab
		if a.typed || a.property && !r.isOpenGraph(i) || relates(a.rel, vocab) || relates(a.rev, vocab) {
			r.at.statements = append(r.at.statements, i)
		}
	}
}

// hides reports whether a <noscript> has data that only a page read without scripting shows. Lazy images are often
// there.
func (r *reader) hides(i int) bool {
	if int(r.p.Nodes[i].End) <= i+1 || r.p.Nodes[i+1].Tag != page.TagText {
		return false
	}
	raw := r.p.Raw(i + 1)
	for _, name := range noscriptSigns {
		if bytes.Contains(raw, name) {
			return true
		}
	}
	return false
}

// noscriptSigns are attributes that begin items or properties.
var noscriptSigns = [][]byte{[]byte("itemprop"), []byte("itemscope"), []byte("typeof="), []byte("photo")}

// signs are the attributes of an element with which data may begin, as written.
type signs struct {
	class, rel, rev        []byte
	typed, property, vocab bool
}

// signs reads the tag of element i once. The first attribute of a name counts.
func (r *reader) signs(i int) (s signs) {
	class, rel, rev := false, false, false
	r.p.RawAttrs(i, func(name, value []byte) bool {
		switch len(name) {
		case 3:
			switch {
			case !rel && is(name, "rel"):
				rel, s.rel = true, value
			case !rev && is(name, "rev"):
				rev, s.rev = true, value
			}
		case 5:
			switch {
			case !class && is(name, "class"):
				class, s.class = true, value
			case is(name, "vocab"):
				s.vocab = true
			}
		case 6:
			s.typed = s.typed || is(name, "typeof")
		case 8:
			s.property = s.property || is(name, "property")
		}
		return true
	})
	return s
}

// is reports whether an attribute has a name of two letters or more, which is in lower case.
func is(name []byte, want string) bool {
	return name[0]|0x20 == want[0] && name[1]|0x20 == want[1] && strings.EqualFold(string(name), want)
}

// opens reports whether a class is a root. It is asked of many elements, and so copies nothing.
func opens(classes []byte) bool {
	for class := range bytes.FieldsSeq(classes) {
		if first := class[0]; first != 'h' && first != 'v' && first != 'a' && first != 'g' {
			continue
		}
		if roots[string(class)] || classics[string(class)] != nil {
			return true
		}
	}
	return false
}

// relates reports whether a relation may make a statement. Most pages only have <meta> of Open Graph and plain
// relations of links, which make none unless a vocabulary is declared.
func relates(relation []byte, vocab bool) bool {
	return relation != nil && (vocab || bytes.IndexByte(relation, ':') >= 0 ||
		bytes.Contains(relation, []byte("license")) || bytes.Contains(relation, []byte("describedby")))
}

// has reports whether element i has an attribute. The bits spare most look-ups.
func (r *reader) has(i int, name string) bool {
	_, ok := r.p.RawAttr(i, name)
	return ok
}
