package page

import (
	"bytes"
	"strings"
)

// Meta is one <meta> element. Several <meta> may have one name; all are kept, in their order.
type Meta struct {
	Name    string // lower case, of name, property, http-equiv or itemprop, the first that is there
	Content string // as written, character references resolved
}

// Script is one block of JSON in the page. Text is not parsed here: JSON on pages is often broken, and that is for
// its readers to judge.
type Script struct {
	Type string // lower case media type, without parameters
	ID   string
	Text string // raw
}

// Lang is the lang of <html>, as declared. xml:lang is what XHTML has; where both are there, browsers go by lang.
func (p *Page) Lang() string {
	lang, ok := p.Attr(0, "lang")
	if !ok || lang == "" {
		lang, _ = p.Attr(0, "xml:lang")
	}
	return collapse(lang, maxLang)
}

// Title is the text of the first <title> outside SVG, its white space collapsed. The first one counts even where it
// is empty; those in SVG name pictures.
func (p *Page) Title() string {
	for _, i := range p.named {
		if n := &p.Nodes[i]; n.Tag == TagTitle && n.marks&foreign == 0 {
			// The text node is the only child, right after the element.
			if n.End > i+1 {
				return collapse(p.Content(int(i)+1), maxTitle)
			}
			return ""
		}
	}
	return ""
}

// Metas are the <meta> elements, in document order. Like the other findings it is made when it is first asked for. An
// empty list and one that was not made yet differ: the latter is nil.
func (p *Page) Metas() []Meta {
	if p.metas == nil {
		p.metas = p.findMetas()
	}
	return p.metas
}

func (p *Page) findMetas() []Meta {
	metas := []Meta{}
	for _, i := range p.named {
		if p.Nodes[i].Tag == TagMeta && len(metas) < maxMetas {
			metas = p.appendMeta(metas, int(i))
		}
	}
	return metas
}

// appendMeta adds the <meta> element i. A <meta> without any of the names says nothing that is looked for (charset is
// read by the decoder).
func (p *Page) appendMeta(metas []Meta, i int) []Meta {
	// In the order in which names are preferred; the content first, by which the call gives it at
	// index 0.
	v := p.values(i, "content", "name", "property", "http-equiv", "itemprop")
	for _, name := range v[1:] {
		if name != nil {
			// Cut before it is kept: one <meta> may have megabytes.
			content := cut(decode(v[0], inAttribute), maxValue)
			return append(metas, Meta{Name: strings.ToLower(collapse(decode(name, inAttribute), maxName)), Content: content})
		}
	}
	return metas
}

// Scripts are the <script> blocks whose type is JSON: JSON-LD, application/json.
func (p *Page) Scripts() []Script {
	if p.scripts == nil {
		p.scripts = p.findScripts()
	}
	return p.scripts
}

// findScripts makes what Scripts returns. Only scripts with content: the text node right after.
func (p *Page) findScripts() []Script {
	scripts := []Script{}
	for _, i := range p.named {
		n := &p.Nodes[i]
		if n.Tag == TagScript && n.marks&foreign == 0 && n.End > i+1 && len(scripts) < maxScripts {
			scripts = p.appendScript(scripts, int(i))
		}
	}
	return scripts
}

func (p *Page) appendScript(scripts []Script, i int) []Script {
	v := p.values(i, "type", "id")
	// Raw: a script's text has no references.
	text := p.Raw(i + 1)
	// A cheap test before the type is taken apart.
	if !bytes.Contains(bytes.ToLower(v[0]), []byte("json")) || len(text) > maxScript {
		return scripts
	}
	kind := mediaType(decode(v[0], inAttribute))
	if !strings.HasSuffix(kind, "json") {
		return scripts
	}
	return append(scripts, Script{Type: kind, ID: cut(decode(v[1], inAttribute), maxName), Text: string(text)})
}

// mediaType returns s in lower case without its parameters. Bounded, since the value of an attribute is as long as it
// likes.
func mediaType(s string) string {
	s, _, _ = strings.Cut(cut(s, maxName), ";")
	return strings.ToLower(strings.TrimSpace(s))
}
