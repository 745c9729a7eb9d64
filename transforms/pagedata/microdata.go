package pagedata

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// microdata returns the microdata items. Package page finds items and properties. Values are read here by the
// standard: package page gives names the text of a link, where the standard has the link.
func (r *reader) microdata() (items []*Item) {
	for _, found := range slices.Concat(r.p.Items(), r.p.LooseItems()) {
		if it := r.scope(found); it != nil {
			items = append(items, it)
		}
	}
	return items
}

// scope converts an item. Package page has bounded the depth.
func (r *reader) scope(from *page.Item) *Item {
	it := r.item(schemas.SyntaxMicrodata, from.Type, from.ID)
	if it == nil {
		return nil
	}
	for i := range from.Props {
		p := &from.Props[i]
		if p.Item == nil {
			value, isURL := r.valueOf(p.Node)
			if value == "" && (strings.HasSuffix(p.Name, "-input") || strings.HasSuffix(p.Name, "-output")) {
				value = r.input(p.Node)
			}
			lang := ""
			if !isURL {
				lang = r.langOf(p.Node)
			}
			r.add(it, p.Name, value, lang)
			continue
		}
		if child := r.scope(p.Item); child != nil {
			r.append(it, Prop{Name: p.Name, Item: child})
		}
	}
	return it
}

// valueOf is the value of a property's element (section 5.2.4, "values"), and whether it is a URL. As the large
// consumers read it, content= counts on every element that has no value of its own.
func (r *reader) valueOf(i int) (value string, isURL bool) {
	switch r.p.Nodes[i].Tag {
	case page.TagMeta:
		return r.attr(i, "content"), false
	case page.TagAudio, page.TagEmbed, page.TagIframe, page.TagImg, page.TagSource, page.TagTrack, page.TagVideo:
		return r.link(i, "src"), true
	case page.TagA, page.TagArea, page.TagLink:
		return r.link(i, "href"), true
	case page.TagObject:
		return r.link(i, "data"), true
	case page.TagData, page.TagMeter:
		return r.attr(i, "value"), false
	case page.TagTime:
		if v := r.attr(i, "datetime"); v != "" {
			return v, false
		}
		return r.text(i, true), false
	}
	if v := r.attr(i, "content"); v != "" {
		return v, false
	}
	return r.text(i, true), false
}

// input describes an action's input by a field of a form, in the notation of schema.org (docs/actions.html, part 4).
func (r *reader) input(i int) string {
	value := ""
	if _, ok := r.p.RawAttr(i, "required"); ok {
		value = "required "
	}
	if name := r.attr(i, "name"); name != "" {
		value += "name=" + name
	}
	return value
}

func (r *reader) attr(i int, name string) string {
	v, _ := r.p.Attr(i, name)
	return v
}

// link is an attribute as an absolute URL, or as written if it cannot be one. A missing attribute is an empty value.
func (r *reader) link(i int, name string) string {
	v, ok := r.p.Attr(i, name)
	if !ok {
		return ""
	}
	return r.absolute(v)
}

func (r *reader) absolute(ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" {
		return r.p.Base()
	}
	if u := r.p.Resolve(ref); u != "" {
		return u
	}
	return ref
}

// text is the text in element i, without scripts and style sheets. With spaced, blocks are set off by spaces.
func (r *reader) text(i int, spaced bool) string {
	return r.texts(i, func(t *longText, k int) {
		if spaced && !inline[r.p.Nodes[k].Tag] {
			t.add(" ")
		}
	})
}

// inline are the elements that do not part words.
var inline = map[page.Tag]bool{
	page.TagA: true, page.TagAbbr: true, page.TagB: true, page.TagBdi: true, page.TagBdo: true, page.TagBig: true,
	page.TagCite: true, page.TagCode: true, page.TagDel: true, page.TagDfn: true, page.TagEm: true,
	page.TagFont: true, page.TagI: true, page.TagIns: true, page.TagKbd: true, page.TagLabel: true,
	page.TagMark: true, page.TagNobr: true, page.TagQ: true, page.TagRuby: true, page.TagS: true,
	page.TagSamp: true, page.TagSmall: true, page.TagSpan: true, page.TagStrike: true, page.TagStrong: true,
	page.TagSub: true, page.TagSup: true, page.TagTime: true, page.TagTt: true, page.TagU: true, page.TagVar: true,
	page.TagWbr: true, page.TagData: true, page.TagMeta: true, page.TagLink: true,
}
