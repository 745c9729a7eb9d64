package pagedata

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// openGraph are the vocabularies of Open Graph. Facebook's product is not in the specification, but on many shops.
var openGraph = map[string]bool{
	"og": true, "music": true, "video": true, "article": true, "book": true, "profile": true, "product": true,
}

// metas returns one item for Open Graph, one for the <meta> of citations, and one for those of Dublin Core. Each is
// about the page itself. A prefix= on <html> or <head> adds vocabularies to Open Graph.
func (r *reader) metas() (items []*Item) {
	var graph, citation, core *Item
	into := func(it **Item, syntax, name, content string) {
		if *it == nil {
			if *it = r.item(syntax, nil, ""); *it == nil {
				return
			}
			items = append(items, *it)
		}
		r.add(*it, name, content, "")
	}
	for _, i := range r.at.metas {
		content, ok := r.p.Attr(i, "content")
		if !ok {
			continue
		}
		if name, ok := r.p.Attr(i, "property"); ok {
			if ns, _, _ := strings.Cut(name, ":"); openGraph[ns] || r.at.prefixes[ns] {
				into(&graph, schemas.SyntaxOpenGraph, clip(name), content)
			}
		}
		switch name := strings.ToLower(collapse(clip(r.attr(i, "name")))); {
		case strings.HasPrefix(name, "citation_"):
			into(&citation, schemas.SyntaxCitation, name, content)
		case strings.HasPrefix(name, "dc."), strings.HasPrefix(name, "dcterms."):
			into(&core, schemas.SyntaxDublinCore, name, content)
		}
	}
	if graph != nil {
		for _, p := range graph.Props {
			if p.Name == "og:type" && p.Value != "" {
				graph.Types = []string{p.Value}
				break
			}
		}
	}
	return items
}

// declaration is one prefix in prefix=.
var declaration = pattern.Lazy(`(\w+):\s*(\S+)`)

// prefixes are those that <html> and <head> declare.
func (r *reader) prefixes() map[string]bool {
	set := map[string]bool{}
	for i := 0; i < len(r.p.Nodes) && i < 8; i++ {
		if n := &r.p.Nodes[i]; n.Tag != page.TagHTML && n.Tag != page.TagHead {
			continue
		}
		for _, m := range declaration().FindAllStringSubmatch(clip(r.attr(i, "prefix")), 64) {
			set[m[1]] = true
		}
	}
	return set
}

// isOpenGraph reports whether element i is a <meta> that is in the item of Open Graph.
func (r *reader) isOpenGraph(i int) bool {
	if r.p.Nodes[i].Tag != page.TagMeta {
		return false
	}
	v, _ := r.p.RawAttr(i, "property")
	ns, _, _ := bytes.Cut(v, []byte(":"))
	return (openGraph[string(ns)] || r.at.prefixes[string(ns)]) && r.has(i, "content")
}
