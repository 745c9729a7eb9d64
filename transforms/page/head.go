package page

import (
	"bytes"
	"slices"
	"strings"
)

// Meta is one name of a <meta> element. All of one name are kept in order.
type Meta struct {
	Name    string // lower case, from name, property, http-equiv or itemprop
	Content string // as written, character references resolved
}

// Script is one JSON script of the page, unparsed: JSON on pages is often broken, and its readers must judge.
type Script struct {
	Type string // lower case media type, without parameters
	ID   string
	Text string // raw
}

// Lang is the declared language: lang of <html>, or xml:lang if that is missing or empty. Browsers prefer lang, too.
// Without both it is that of <meta http-equiv="content-language">.
func (p *Page) Lang() string {
	lang, ok := p.Attr(0, "lang")
	if !ok || lang == "" {
		lang, _ = p.Attr(0, "xml:lang")
	}
	if lang = collapse(lang, maxLang); lang == "" {
		lang = p.pragmaLang()
	}
	return lang
}

// pragmaLang is the pragma-set default language (section 4.2.5.3): the first word of the last such <meta> without a
// comma. With commas it names the languages of the readers.
func (p *Page) pragmaLang() (lang string) {
	for _, i := range p.named {
		if p.Nodes[i].Tag != TagMeta {
			continue
		}
		v := p.values(int(i), "http-equiv", "content")
		if !isFold(v[0], "content-language") {
			continue
		}
		content := collapse(decode(cut(v[1], 4*maxLang), inAttribute), maxLang)
		if word, _, _ := strings.Cut(content, " "); word != "" && !strings.Contains(content, ",") {
			lang = word
		}
	}
	return lang
}

// Title is the text of the first <title> outside SVG, with white space collapsed. The first counts even if it is
// empty; titles in SVG name pictures.
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

// Metas returns the names of the <meta> elements in document order. The first call makes the list.
func (p *Page) Metas() []Meta {
	if p.metas == nil {
		p.metas = p.findMetas()
	}
	return p.metas
}

func (p *Page) findMetas() []Meta {
	metas := []Meta{}
	for _, i := range p.named {
		if p.Nodes[i].Tag == TagMeta {
			metas = p.appendMeta(metas, int(i))
		}
	}
	return metas
}

// appendMeta adds each different name of <meta> element i: some templates write name=image and property=og:image in
// one. The decoder reads charset.
func (p *Page) appendMeta(metas []Meta, i int) []Meta {
	// The content first, at index 0, then names in order of preference.
	v := p.values(i, "content", "name", "property", "http-equiv", "itemprop")
	var content string
	first := len(metas)
	for _, raw := range v[1:] {
		if raw == nil || len(metas) >= maxMetas {
			continue
		}
		name := strings.ToLower(collapse(decode(raw, inAttribute), maxName))
		if slices.ContainsFunc(metas[first:], func(m Meta) bool { return m.Name == name }) {
			continue
		}
		if len(metas) == first {
			// Truncated before it is kept: one <meta> may have megabytes.
			content = cut(decode(v[0], inAttribute), maxValue)
		}
		metas = append(metas, Meta{Name: name, Content: content})
	}
	return metas
}

// Scripts are the <script> elements whose type is JSON, such as JSON-LD and application/json. The first call makes the
// list.
func (p *Page) Scripts() []Script {
	if p.scripts == nil {
		p.scripts = p.findScripts()
	}
	return p.scripts
}

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
	kind := scriptType(v[0])
	if kind == "" || len(text) > maxScript {
		return scripts
	}
	return append(scripts, Script{Type: kind, ID: cut(decode(v[1], inAttribute), maxName), Text: string(text)})
}

// ScriptsLeft returns the number of <script> elements of a type of JSON that Scripts lacks: those beyond the limits.
func (p *Page) ScriptsLeft(kind string) (left int) {
	for _, i := range p.named {
		n := &p.Nodes[i]
		if n.Tag == TagScript && n.marks&foreign == 0 && n.End > i+1 && scriptType(p.values(int(i), "type")[0]) == kind {
			left++
		}
	}
	for _, s := range p.Scripts() {
		if s.Type == kind {
			left--
		}
	}
	return left
}

// scriptType returns the type of a script of JSON, or "".
func scriptType(raw []byte) string {
	// A cheap test before the type is parsed.
	if !bytes.Contains(bytes.ToLower(raw), []byte("json")) {
		return ""
	}
	if kind := mediaType(decode(raw, inAttribute)); strings.HasSuffix(kind, "json") {
		return kind
	}
	return ""
}

// mediaType returns s in lower case without its parameters. It bounds s, since an attribute may have any length.
func mediaType(s string) string {
	s, _, _ = strings.Cut(cut(s, maxName), ";")
	return strings.ToLower(strings.TrimSpace(s))
}
