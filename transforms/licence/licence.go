package licence

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/link"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// The values of schemas.License.Scope.
const (
	OfPage    = "page"
	OfPicture = "picture"
	OfPart    = "part" // a quoted work, a comment, an entry of a list
)

// The values of schemas.License.Basis, in the order in which they are trusted.
const (
	byHeader    = "header"
	byRel       = "rel"
	byJSONLD    = "jsonld"
	byMicrodata = "microdata"
	byMeta      = "meta"
	byLink      = "link"
	byText      = "text"
)

// Input is a page. Its fields are only read.
type Input struct {
	Header []schemas.Field
	Page   *page.Page
	LD     []jsonld.Node
}

// maxLicenses bounds the licences of a page. Galleries have one for each picture.
const maxLicenses = 32

// Extract returns the licences that a page states, those of the page first. Each occurs once for what it covers, with
// the most trusted basis.
func Extract(in Input) []schemas.License {
	var c collector
	c.header(in.Header)
	c.links(in.Page)
	c.structured(in.LD)
	for _, item := range in.Page.Items() {
		c.item(item, 0)
	}
	c.metas(in.Page)
	c.notices(in.Page)
	slices.SortStableFunc(c.list, func(a, b schemas.License) int { return rank(a.Scope) - rank(b.Scope) })
	return c.list
}

// rank orders scopes.
func rank(scope string) int { return slices.Index([]string{OfPage, OfPicture, OfPart}, scope) }

// collector collects licences in the order in which their bases are trusted.
type collector struct{ list []schemas.License }

// add adds a licence, unless a more trusted basis has stated it for the same scope.
func (c *collector) add(l schemas.License) {
	if l.Name == "" || len(c.list) >= maxLicenses {
		return
	}
	for _, has := range c.list {
		if has.Scope == l.Scope && (has.Name == l.Name || l.Basis == byText && has.Basis != byText) {
			return
		}
	}
	l.Confidence = confidence(l)
	c.list = append(c.list, l)
}

// confidence returns the share of licences with the same basis that were right on labelled pages: see docs/rights.md.
// Pictures and parts were too few to measure.
func confidence(l schemas.License) schemas.Float {
	switch {
	case l.Scope != OfPage:
		return 0.8
	case l.Basis == byLink || l.Basis == byText:
		return 0.92
	}
	return 0.97
}

// header reads Link fields.
func (c *collector) header(fields []schemas.Field) {
	for _, l := range link.Header(fields) {
		if slices.Contains(strings.Fields(strings.ToLower(l.Rel)), "license") {
			c.add(schemas.License{Name: ByURL(l.URI), URL: l.URI, Scope: OfPage, Basis: byHeader})
		}
	}
}

// links reads <link rel=license>, anchors with that relation, and links to licences by where they are.
func (c *collector) links(p *page.Page) {
	for _, l := range p.Links() {
		if slices.Contains(l.Rel, "license") {
			c.add(schemas.License{Name: ByURL(l.Href), URL: l.Href, Scope: OfPage, Basis: byRel})
		}
	}
	var plain []schemas.License
	names := map[string]bool{}
	anchors := p.Anchors()
	for i := range anchors {
		name := ByURL(anchors[i].Href)
		if name == "" {
			continue
		}
		scope, sure := scopeOf(p, anchors[i].Node)
		if head := before(p, anchors[i].Node); scope == OfPage && ofPicture(head) {
			scope, sure = OfPicture, true
		} else if scope == OfPage && rePortion().MatchString(head) {
			scope, sure = OfPart, true
		}
		l := schemas.License{Name: name, URL: anchors[i].Href, Scope: scope, Basis: byLink}
		if slices.Contains(strings.Fields(anchors[i].Rel), "license") {
			l.Basis = byRel
			c.add(l)
			continue
		}
		if scope == OfPage && isSoftware(name) {
			l.Scope = OfPart
		}
		if sure || scope == OfPage && isBadge(p, anchors[i].Node) || grants(p, anchors[i].Node) {
			plain = append(plain, l)
		}
		names[name] = true
	}
	// A page that links to many licences is about them.
	if len(names) > maxNamed {
		return
	}
	pictures := func(l schemas.License) bool { return l.Scope == OfPicture }
	for _, l := range plain {
		// A badge beside a sentence about the pictures is about them, too.
		same := func(o schemas.License) bool { return pictures(o) && o.URL == l.URL }
		if !slices.ContainsFunc(plain, same) || pictures(l) {
			c.add(l)
		}
	}
}

// structured reads JSON-LD.
func (c *collector) structured(nodes []jsonld.Node) {
	for _, n := range nodes {
		scope := OfPage
		if isPicture(n.Types()) {
			scope = OfPicture
		}
		for _, v := range n.Strings("license") {
			c.add(schemas.License{Name: named(v), URL: address(v), Scope: scope, Basis: byJSONLD})
		}
		for _, l := range n.Child("license") {
			c.add(fromObject(l, schemas.License{Scope: scope, Basis: byJSONLD}))
		}
	}
}

// fromObject adds the first name and URL that the URLs of an object of JSON-LD give.
func fromObject(n jsonld.Node, l schemas.License) schemas.License {
	for _, key := range [...]string{"url", "@id", "sameAs"} {
		if v := n.String(key); l.Name == "" {
			l.Name, l.URL = named(v), address(v)
		}
	}
	return l
}

// isPicture reports whether structured data is about a picture, a video or a sound.
func isPicture(types []string) bool {
	return slices.ContainsFunc(types, func(t string) bool {
		t = t[strings.LastIndexByte(t, '/')+1:]
		return t == "ImageObject" || t == "Photograph" || t == "VideoObject" || t == "AudioObject" || t == "MediaObject"
	})
}

// maxDepth bounds the microdata items in items.
const maxDepth = 8

// item reads microdata.
func (c *collector) item(item *page.Item, depth int) {
	if depth > maxDepth {
		return
	}
	scope := OfPage
	if isPicture(item.Type) {
		scope = OfPicture
	} else if depth > 0 {
		scope = OfPart
	}
	for _, p := range item.Props {
		if p.Item != nil && p.Name == "license" {
			c.add(fromItem(p.Item, schemas.License{Scope: scope, Basis: byMicrodata}))
		} else if p.Item != nil {
			c.item(p.Item, depth+1)
		} else if p.Name == "license" {
			c.add(schemas.License{Name: named(p.Value), URL: address(p.Value), Scope: scope, Basis: byMicrodata})
		}
	}
}

// fromItem adds the first name and URL that an item gives.
func fromItem(item *page.Item, l schemas.License) schemas.License {
	l.Name, l.URL = named(item.ID), address(item.ID)
	for _, key := range [...]string{"url", "sameAs", "name"} {
		for _, p := range item.Props {
			if p.Name == key && p.Item == nil && l.Name == "" {
				l.Name, l.URL = named(p.Value), address(p.Value)
			}
		}
	}
	return l
}

// metas reads Dublin Core.
func (c *collector) metas(p *page.Page) {
	for _, m := range p.Metas() {
		switch strings.ReplaceAll(m.Name, ":", ".") {
		case "dc.rights", "dc.license", "dc.rights.license", "dcterms.rights", "dcterms.license", "cc.license", "license":
			c.add(schemas.License{Name: named(m.Content), URL: address(m.Content), Scope: OfPage, Basis: byMeta})
		}
	}
}

// named returns the licence that a value names by its URL or in words.
func named(value string) string {
	if name := ByURL(value); name != "" {
		return name
	}
	// Attributes may be broken into lines within a name.
	if name := ByName(strings.Join(strings.Fields(value), " ")); name != "" {
		return name
	}
	if reReserved().MatchString(value) {
		return Reserved
	}
	return ""
}

// address returns a value that is a URL.
func address(value string) string {
	if strings.HasPrefix(value, "http") && !strings.ContainsAny(value, " \n") {
		return value
	}
	return ""
}
