// Package jsonld reads the JSON-LD blocks of web pages, leniently: one block in twenty on real pages is not valid JSON.
//
// It is a reader of JSON with a few accessors, not a JSON-LD processor: contexts are not fetched or
// applied, nodes are not merged and references by @id are not followed. Of valid JSON, the reader
// makes what encoding/json does. Beside that it accepts:
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
	"html"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes when the same block gives other nodes.
const Version = "2"

// ErrFormat says that a block holds no JSON value at all, or nothing that could be kept.
var ErrFormat = errors.New("jsonld: no JSON value")

// Options bound the reading; the zero value takes the defaults.
type Options struct {
	MaxBytes int // of one block; the rest is treated as cut off; 1 MiB
	MaxDepth int // of nested objects and arrays; what is deeper is left out; 64
	MaxNodes int // objects kept, those inside others included; 10,000
}

// A zero is the default, as in all options of the module.
func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 1<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 64)
	o.MaxNodes = cmp.Or(o.MaxNodes, 10_000)
	return o
}

// Node is one JSON object. Values are what encoding/json makes of them, numbers as json.Number: map[string]any, []any,
// string, json.Number, bool or nil. Numbers keep their digits, so that a price or an identifier comes out as it was
// written.
type Node map[string]any

// Nodes returns the nodes of all JSON-LD blocks of a page, in document order; blocks that cannot be read are skipped.
// MaxNodes holds for all of them together.
func Nodes(scripts []page.Script, o Options) []Node {
	o = o.withDefaults()
	left := o.MaxNodes
	var all []Node
	for _, s := range scripts {
		// Package page has cut the type to its bare form: parameters after it, and capitals, do not
		// matter here.
		if s.Type != "application/ld+json" || left <= 0 {
			continue
		}
		nodes, used, err := parse(s.Text, o, left)
		// One broken block says nothing about the next: pages have them from several plugins.
		if err != nil {
			continue
		}
		// What a block used is taken from the budget of all, so that a page of many small blocks is
		// bounded like one of a large one.
		left -= used
		all = append(all, nodes...)
	}
	return all
}

// Parse returns the nodes of one block: arrays and @graph are flattened, nested nodes stay inside their parents. The
// error is ErrFormat when there is nothing to be read; a block that was repaired or cut is not an error.
func Parse(text string, o Options) ([]Node, error) {
	o = o.withDefaults()
	nodes, _, err := parse(text, o, o.MaxNodes)
	return nodes, err
}

// parse keeps at most maxNodes objects and tells how many it kept. The reader counts down, which is why the number
// kept is a difference.
func parse(text string, o Options, maxNodes int) (nodes []Node, used int, err error) {
	r := newReader(text, o, maxNodes)
	values := r.values()
	// No value is an error and an empty one is not: "{}" is a node without members.
	if len(values) == 0 {
		return nil, 0, fmt.Errorf("%w in %d bytes", ErrFormat, len(text))
	}
	for _, v := range values {
		nodes = flatten(nodes, v)
	}
	return nodes, maxNodes - r.nodes, nil
}

// flatten appends the nodes of v to nodes. An object with a @graph stands for the graph's nodes; it is a node itself
// only when it has a type. The depth of this recursion is bounded by the reader's, which has left out what is deeper.
func flatten(nodes []Node, v any) []Node {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			nodes = flatten(nodes, element)
		}
	case map[string]any:
		// Usually such an object has a @context and the graph alone, and would be a node that says
		// nothing.
		graph, ok := v["@graph"]
		if !ok || v["@type"] != nil {
			nodes = append(nodes, v)
		}
		// Of no graph, or one that is a plain value, this makes nothing.
		nodes = flatten(nodes, graph)
	}
	return nodes
}

// prefixes are what schema.org terms may begin with. Contexts are not applied, so that names written in full have to
// be known here. These are the spellings that pages use.
var prefixes = []string{
	"schema:", "https://schema.org/", "http://schema.org/", "http://www.schema.org/", "https://www.schema.org/",
}

// value is the value of key.
func (n Node) value(key string) any { return n[key] }

// term is a key without the prefix of schema.org.
func term(key string) string {
	// Nearly all keys are plain names, for which this test is all.
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
	// Only when there is no @type: "type" may also be a property of the node.
	if v == nil {
		v = n["type"] // what schema.org's own context makes of it
	}
	// Objects are not asked for their texts here: a type is a string or a list of them.
	types := texts(nil, v, false)
	for i, t := range types {
		types[i] = term(t)
	}
	return types
}

// String returns the first text value of key, or "". Where there are several, the first is the one that the page's
// author put first; JSON-LD gives their order no meaning.
func (n Node) String(key string) string {
	if all := texts(nil, n.value(key), true); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Strings returns the text values of key in order: a string, a number as written, the @value of an object or its name.
// Character references are resolved and white space is collapsed; empty texts are left out. An author is a string on
// one page and a Person with a name on the next, and both give the same here.
func (n Node) Strings(key string) []string { return texts(nil, n.value(key), true) }

// It takes what json.Unmarshal might: other kinds (true, null) are no texts.
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

// objectTexts are the texts that an object stands for.
func objectTexts(all []string, n Node) []string {
	// JSON-LD's ways to write a value that is an object: a list with its order, and a value with a
	// type or a language. A name is not among them; it is what people mean.
	if list, ok := n["@list"]; ok {
		return texts(all, list, true)
	}
	v, ok := n["@value"]
	if !ok {
		v = n.value("name")
	}
	// The name may be an object again, such as a value with a language. The depth is bounded by the
	// reader.
	return texts(all, v, true)
}

func appendText(all []string, s string) []string {
	// JSON has no such references, but the systems that write the blocks often escape for HTML first.
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	// After the references: they may stand for white space.
	if s = collapse(s); s != "" {
		all = append(all, s)
	}
	return all
}

// collapse trims white space and makes one space of each piece inside. Most strings have nothing to collapse: the
// loop finds that out without a copy. It goes by the byte, and leaves the work to Fields as soon as it meets anything
// else than printable ASCII with single spaces.
func collapse(s string) string {
	// White space at the beginning is found by taking the place before as a space.
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

// Child returns the objects among the values of key, in order. A @list among them is opened, as if its elements stood
// there themselves.
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

// unescape resolves the character references of a block that was written into the page as text: it has &quot; where
// JSON has quotes.
func unescape(text string) string {
	// Only when there is no quote at all: in a block with real quotes, &quot; belongs to a string,
	// which it would end.
	if strings.IndexByte(text, '"') < 0 && strings.Contains(text, "&quot;") {
		text = html.UnescapeString(text)
	}
	// The mark may have been a reference too, so it is taken off last.
	return strings.TrimPrefix(text, "\xef\xbb\xbf")
}
