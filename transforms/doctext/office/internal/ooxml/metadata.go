package ooxml

import (
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/property"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// properties reads the document's properties (ECMA-376, part 2, section 11, and part 1, section 22.2).
func (r *reader) properties() {
	values := map[string]string{}
	// The properties are children of the root element; deeper elements are lists of parts and sheets.
	collect := func(s *xmlscan.Scanner) {
		if s.Kind != xmlscan.Start || s.Depth() != 2 {
			return
		}
		// The first value counts. Local names do not collide, since core properties are read before extended ones.
		if name := s.Name; values[name] == "" {
			values[name] = property.Text(string(unescape([]byte(s.All(property.MaxValue)))))
		}
	}
	// The usual names are used if the relations are lost or truncated.
	r.walk(first(r.targets("", "core-properties"), "docProps/core.xml"), collect)
	r.walk(first(r.targets("", "extended-properties"), "docProps/app.xml"), collect)
	describe(r.doc, values)
}

func describe(doc *doctext.Document, values map[string]string) {
	doc.Title = values["title"]
	doc.Description = values["description"]
	if doc.Description == "" {
		doc.Description = values["subject"]
	}
	doc.Authors = property.List(values["creator"], ";")
	doc.Tags = property.List(values["keywords"]+";"+values["category"], ";,")
	doc.Created = property.Date(values["created"])
	doc.Modified = property.Date(values["modified"])
	doc.Language = values["language"]
	// Upper-case names are those of the extended properties (app.xml).
	doc.Publisher = values["Company"]
	doc.Generator = values["Application"]
	if v := values["AppVersion"]; v != "" && doc.Generator != "" {
		doc.Generator += " " + v
	}
}
