package pagedata

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// linked returns the items of JSON-LD. Properties are in the order of their names: JSON-LD gives their order no
// meaning, and the reader does not keep it. Values of one property keep theirs.
func (r *reader) linked(nodes []jsonld.Node) (items []*Item) {
	for _, n := range nodes {
		if len(n) == 0 {
			continue // as {} is written
		}
		if it := r.node(n, 0); it != nil {
			items = append(items, it)
		}
	}
	return items
}

// node reads an object. The reader of blocks has bounded their depth; this bound is that of all items.
func (r *reader) node(n jsonld.Node, depth int) *Item {
	if depth >= maxDepth {
		r.left++
		return nil
	}
	id, _ := n["@id"].(string)
	it := r.item(schemas.SyntaxJSONLD, n.Types(), id)
	if it == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(n)) {
		switch {
		case key == "@reverse":
			if inner, ok := n[key].(map[string]any); ok {
				for _, key := range slices.Sorted(maps.Keys(inner)) {
					r.values(it, key, inner[key], depth)
				}
			}
		case strings.HasPrefix(key, "@") || key == "type" && n["@type"] == nil:
		default:
			r.values(it, clip(key), n[key], depth)
		}
	}
	return it
}

// values adds the values of a property. Null adds nothing.
func (r *reader) values(it *Item, name string, v any, depth int) {
	switch v := v.(type) {
	case string:
		// JSON has no references, but many systems escape blocks for HTML.
		r.add(it, name, page.Unescape(v), "")
	case json.Number:
		r.add(it, name, v.String(), "")
	case bool:
		r.add(it, name, map[bool]string{false: "false", true: "true"}[v], "")
	case []any:
		for _, element := range v {
			r.values(it, name, element, depth)
		}
	case map[string]any:
		r.object(it, name, v, depth)
	}
}

// object adds an object as a value: a list, a value with a language or a type, or an item.
func (r *reader) object(it *Item, name string, v jsonld.Node, depth int) {
	for _, list := range []string{"@list", "@set"} {
		if inner, ok := v[list]; ok {
			r.values(it, name, inner, depth)
			return
		}
	}
	if value, ok := v["@value"]; ok {
		lang, _ := v["@language"].(string)
		from := len(it.Props)
		// A value is plain, so an object here is not followed.
		if _, nested := value.(map[string]any); !nested {
			r.values(it, name, value, depth)
		}
		for i := from; i < len(it.Props); i++ {
			it.Props[i].Lang = strings.ToLower(lang)
		}
		return
	}
	if child := r.node(v, depth+1); child != nil {
		r.append(it, Prop{Name: name, Item: child})
	}
}
