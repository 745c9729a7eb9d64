package pagedata

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// things are extruct's items of a page in the form of comparison, by our names of syntaxes.
func (x *theirs) things(p *page.Page) map[string][]string {
	all := map[string][]string{}
	put := func(syntax string, t *thing) { all[syntax] = append(all[syntax], t.String()) }
	for _, v := range x.LD {
		for _, t := range linkedThings(v) {
			put(schemas.SyntaxJSONLD, t)
		}
	}
	for _, v := range x.Microdata {
		put(schemas.SyntaxMicrodata, microThing(v))
	}
	for _, v := range x.OpenGraph {
		t := newThing()
		for _, pair := range v["properties"].([]any) {
			pair := pair.([]any)
			t.add(pair[0].(string), pair[1].(string))
		}
		put(schemas.SyntaxOpenGraph, t)
	}
	for _, v := range x.Microformat {
		for _, t := range formatThings(v) {
			put(schemas.SyntaxMicroformats, t)
		}
	}
	left := leftOut(p)
	for _, v := range x.RDFa {
		if t := rdfaThing(v, left); t != nil {
			put(schemas.SyntaxRDFa, t)
		}
	}
	return all
}

// texts are the types of an object: a text or a list.
func texts(v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// linkedThings flattens graphs, as we do.
func linkedThings(v any) (list []*thing) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			list = append(list, linkedThings(e)...)
		}
	case map[string]any:
		graph, ok := v["@graph"]
		if !ok || v["@type"] != nil {
			if len(v) > 0 {
				list = append(list, linkedThing(v))
			}
		}
		list = append(list, linkedThings(graph)...)
	}
	return list
}

func linkedThing(n map[string]any) *thing {
	types := n["@type"]
	if types == nil {
		types = n["type"]
	}
	t := newThing(texts(types)...)
	var add func(name string, v any)
	add = func(name string, v any) {
		switch v := v.(type) {
		case string:
			t.add(name, v)
		case float64, bool:
			t.add(name, fmt.Sprint(v))
		case []any:
			for _, e := range v {
				add(name, e)
			}
		case map[string]any:
			for _, key := range []string{"@list", "@set", "@value"} {
				if inner, ok := v[key]; ok {
					add(name, inner)
					return
				}
			}
			t.add(name, linkedThing(v))
		}
	}
	for name, v := range n {
		if inner, ok := v.(map[string]any); ok && name == "@reverse" {
			for name, v := range inner {
				add(name, v)
			}
		}
		if !strings.HasPrefix(name, "@") && (name != "type" || n["@type"] != nil) {
			add(name, v)
		}
	}
	return t
}

func microThing(v map[string]any) *thing {
	t := newThing(texts(v["type"])...)
	props, _ := v["properties"].(map[string]any)
	for name, v := range props {
		values, ok := v.([]any)
		if !ok {
			values = []any{v}
		}
		for _, v := range values {
			switch v := v.(type) {
			case string:
				t.add(name, v)
			case map[string]any:
				if strings.HasSuffix(name, "-input") {
					t.add(name, strings.NewReplacer("true", "required", "<nil>", "").Replace(
						fmt.Sprint(v["valueRequired"]))+"name="+fmt.Sprint(v["valueName"]))
					continue
				}
				t.add(name, microThing(v))
			}
		}
	}
	return t
}

// formatThings are the things of an item. An item of an unknown type is replaced by the items in it.
func formatThings(v map[string]any) (list []*thing) {
	var types []string
	for _, name := range texts(v["type"]) {
		if roots[name] {
			types = append(types, name)
		}
	}
	t := newThing(types...)
	props, _ := v["properties"].(map[string]any)
	children, _ := v["children"].([]any)
	put := func(name string, v any) {
		switch v := v.(type) {
		case string:
			t.add(name, zoneless(v))
		case map[string]any:
			if v["type"] == nil {
				t.add(name, fmt.Sprint(v["value"]))
				return
			}
			for _, inner := range formatThings(v) {
				if len(types) == 0 {
					list = append(list, inner)
				} else {
					t.add(name, inner)
				}
			}
		}
	}
	for name, values := range props {
		for _, v := range values.([]any) {
			put(name, v)
		}
	}
	for _, v := range children {
		put("children", v)
	}
	if len(types) > 0 {
		list = append(list, t)
	}
	return list
}

// leftOut are the predicates that RDFa has of <meta> in our item of Open Graph, by their names on the page.
func leftOut(p *page.Page) map[string]bool {
	set := map[string]bool{"http://www.w3.org/1999/xhtml/vocab#role": true}
	r := &reader{p: p}
	g := &graph{r: r, prefixes: r.prefixes()}
	s := rdfScope{}
	for i := range p.Nodes {
		if p.Nodes[i].Tag == page.TagHTML || p.Nodes[i].Tag == page.TagHead {
			g.declare(i, &s)
		}
		if r.isOpenGraph(i) {
			for _, iri := range g.terms(i, "property", s) {
				set[iri] = true
			}
		}
	}
	return set
}

func rdfaThing(v map[string]any, left map[string]bool) *thing {
	t := newThing(texts(v["@type"])...)
	for name, values := range v {
		if left[name] || strings.HasPrefix(name, "@") || name == "http://www.w3.org/ns/rdfa#usesVocabulary" {
			continue
		}
		for _, value := range values.([]any) {
			value := value.(map[string]any)
			if s, ok := value["@value"]; ok {
				t.add(name, fmt.Sprint(s))
			} else if s, ok := value["@id"].(string); ok {
				t.add(name, blankless(s))
			}
		}
	}
	if len(t.props) == 0 && len(t.types) == 0 {
		return nil
	}
	for name := range t.props {
		slices.SortFunc(t.props[name], func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		t.props[name] = slices.CompactFunc(t.props[name], func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
	}
	return t
}
