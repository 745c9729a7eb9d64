// Package jsonld reads the JSON-LD blocks of web pages. It is lenient, since one block in twenty on real pages is not
// valid JSON.
//
// It is a JSON reader with a few accessors, and not a JSON-LD processor. It does not fetch or apply contexts, merge
// nodes or follow references by @id. From valid JSON it makes the same as encoding/json. It also accepts:
//
//	wrappers            <!-- -->, <![CDATA[ ]]>, // and /* */ comments, a trailing semicolon, a leading BOM
//	commas              trailing, doubled and missing ones
//	strings             raw line breaks and control characters, unescaped inner quotes, unknown escapes, single quotes
//	keys                without quotes
//	values              undefined, NaN and other bare words, read as null
//	whole block         written with &quot; for its quotes; several values one after the other
//	truncated end       what was whole is kept; the member that was cut is dropped
//
// Keys lose the prefix of schema.org. Strings are kept as written; the accessors resolve character references and
// collapse white space.
//
//	nodes := jsonld.Nodes(p.Scripts(), jsonld.Options{})
//	for _, n := range nodes {
//		if slices.Contains(n.Types(), "NewsArticle") {
//			fmt.Println(n.String("headline"), n.Strings("author"))
//		}
//	}
//
// Sources: JSON-LD 1.1 (W3C Recommendation, 16 July 2020), RFC 8259, schema.org.
package jsonld

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes when the same block gives other nodes.
const Version = "4"

// Type is the type of a <script> of JSON-LD.
const Type = "application/ld+json"

// ErrFormat means that a block has no JSON value, or none that could be kept.
var ErrFormat = errors.New("jsonld: no JSON value")

// Options bound the reading; a zero field means its default.
type Options struct {
	MaxBytes int // of one block; the rest is ignored as if truncated; 1 MiB
	MaxDepth int // of nested objects and arrays; deeper ones are left out; 64
	MaxNodes int // objects kept, including nested ones; 10,000
}

// Zero means the default, as in all options of the module.
func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 1<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 64)
	o.MaxNodes = cmp.Or(o.MaxNodes, 10_000)
	return o
}

// Node is one JSON object. Values have the types of encoding/json: map[string]any, []any, string, json.Number, bool or
// nil. With json.Number, a price or an identifier keeps its digits as written.
type Node map[string]any

// Nodes returns the nodes of all JSON-LD blocks of a page, in document order. It skips unreadable blocks. MaxNodes
// applies to all of them together.
func Nodes(scripts []page.Script, o Options) []Node {
	nodes, _ := Read(scripts, o)
	return nodes
}

// Read is Nodes. Result left is the number of objects, arrays and blocks beyond the limits; what is inside them is not
// counted.
func Read(scripts []page.Script, o Options) (all []Node, left int) {
	o = o.withDefaults()
	budget := o.MaxNodes
	for _, s := range scripts {
		// Package page has reduced the type to its bare form in lower case, without parameters.
		if s.Type != Type {
			continue
		}
		if budget <= 0 {
			left++
			continue
		}
		r := newReader(s.Text, o, budget)
		// A broken block does not affect the next: pages have blocks from several plugins.
		for _, v := range r.values() {
			all = flatten(all, v)
		}
		// The used nodes are subtracted from the total budget. So a page of many small blocks is bounded like one of a
		// large one.
		budget = r.nodes
		left += r.left
	}
	return all, left
}

// Parse returns the nodes of one block. Arrays and @graph are flattened; nested nodes stay inside their parents. The
// error is ErrFormat if there is nothing to read. A repaired or truncated block is not an error.
func Parse(text string, o Options) ([]Node, error) {
	o = o.withDefaults()
	values := newReader(text, o, o.MaxNodes).values()
	// No value is an error, but an empty one is not: "{}" is a node without members.
	if len(values) == 0 {
		return nil, fmt.Errorf("%w in %d bytes", ErrFormat, len(text))
	}
	var nodes []Node
	for _, v := range values {
		nodes = flatten(nodes, v)
	}
	return nodes, nil
}

// flatten appends the nodes of v to nodes. An object with a @graph is replaced by the graph's nodes; it is a node
// itself only if it has a type. The reader has bounded the depth of this recursion.
func flatten(nodes []Node, v any) []Node {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			nodes = flatten(nodes, element)
		}
	case map[string]any:
		// Usually such an object has only a @context and the graph, and would be an empty node.
		graph, ok := v["@graph"]
		if !ok || v["@type"] != nil {
			nodes = append(nodes, v)
		}
		// This adds nothing if there is no graph, or if it is a plain value.
		nodes = flatten(nodes, graph)
	}
	return nodes
}

// prefixes are the spellings of the schema.org prefix on pages. They must be known here, since contexts are not
// applied.
var prefixes = []string{
	"schema:", "https://schema.org/", "http://schema.org/", "http://www.schema.org/", "https://www.schema.org/",
}

// value is the value of key.
func (n Node) value(key string) any { return n[key] }

// term returns a key without the prefix of schema.org.
func term(key string) string {
	// Nearly all keys are plain names and end here.
	if strings.IndexByte(key, ':') < 0 {
		return key
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(key, p); ok {
			return rest
		}
	}
	return key
}

// Types returns the node's types without the prefix of schema.org, in order.
func (n Node) Types() []string {
	v := n["@type"]
	// This is only done without @type: "type" may also be a property of the node.
	if v == nil {
		v = n["type"] // the alias in schema.org's own context
	}
	// Objects are ignored here: a type is a string or a list of strings.
	types := texts(nil, v, false)
	for i, t := range types {
		types[i] = term(t)
	}
	return types
}

// String returns the first text value of key, or "". Of several values it is the one that the author put first;
// JSON-LD gives their order no meaning.
func (n Node) String(key string) string {
	if all := texts(nil, n.value(key), true); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Strings returns the text values of key in order: a string, a number as written, the @value of an object or its name.
// It resolves character references, collapses white space and drops empty texts. So an author given as a string and
// one given as a Person with a name have the same result.
func (n Node) Strings(key string) []string { return texts(nil, n.value(key), true) }

// texts handles the types of json.Unmarshal; other ones (true, null) have no text.
func texts(all []string, v any, objects bool) []string {
	switch v := v.(type) {
	case string:
		all = appendText(all, v)
	case json.Number:
		// Numbers have neither references nor white space.
		all = append(all, v.String())
	case []any:
		for _, element := range v {
			all = texts(all, element, objects)
		}
	case map[string]any:
		if objects {
			all = objectTexts(all, v)
		}
	}
	return all
}

// objectTexts appends the texts of an object.
func objectTexts(all []string, n Node) []string {
	// JSON-LD has two kinds of values that are objects: an ordered list, and a value with a type or a language. A name
	// is not one of them, but is what people mean.
	if list, ok := n["@list"]; ok {
		return texts(all, list, true)
	}
	v, ok := n["@value"]
	if !ok {
		v = n.value("name")
	}
	// The name may be an object again, such as a value with a language. The reader bounds the depth.
	return texts(all, v, true)
}

func appendText(all []string, s string) []string {
	// JSON has no such references, but many systems escape blocks for HTML.
	if strings.IndexByte(s, '&') >= 0 {
		s = page.Unescape(s)
	}
	// This comes after the references, since they may be white space.
	if s = collapse(s); s != "" {
		all = append(all, s)
	}
	return all
}

// collapse trims white space and turns each run inside into one space. Most strings need no change, which the loop
// finds out without a copy. It goes by bytes, and uses Fields for anything but printable ASCII with single spaces.
func collapse(s string) string {
	// The position before the beginning counts as a space, to find leading white space.
	space := true
	for i := range len(s) {
		c := s[i]
		if c > ' ' && c < utf8.RuneSelf {
			space = false
			continue
		}
		if c != ' ' || space {
			return strings.Join(strings.Fields(s), " ")
		}
		space = true
	}
	// One space may be left at the end.
	return strings.TrimSuffix(s, " ")
}

// Child returns the objects among the values of key, in order. Elements of a @list count as values of key.
func (n Node) Child(key string) []Node { return objects(nil, n.value(key)) }

func objects(all []Node, v any) []Node {
	switch v := v.(type) {
	case map[string]any:
		if list, ok := v["@list"]; ok {
			return objects(all, list)
		}
		all = append(all, v)
	case []any:
		for _, element := range v {
			all = objects(all, element)
		}
	}
	return all
}

// unescape resolves the character references of a block that was escaped as text: it has &quot; instead of quotes.
func unescape(text string) string {
	// This is done only if there is no quote at all. In a block with real quotes, &quot; belongs to a string and would
	// end it.
	if strings.IndexByte(text, '"') < 0 && strings.Contains(text, "&quot;") {
		text = page.Unescape(text)
	}
	// The mark may have been a reference too, so it is removed last.
	return strings.TrimPrefix(text, "\xef\xbb\xbf")
}
