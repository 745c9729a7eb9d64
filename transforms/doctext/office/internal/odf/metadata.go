package odf

import (
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/property"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// maxProperties bounds the properties kept. There may be any number of <meta:user-defined>.
const maxProperties = 1000

// property keeps the value of a child of <office:meta> (part 3, section 4.3).
func (r *reader) property(s *xmlscan.Scanner) {
	name := s.Name
	if name == "keywords" { // of OpenOffice.org 1.x: a list of <meta:keyword>
		return
	}
	// This reads the text of the element too, so the caller's loop continues after its end.
	if value := property.Text(s.All(property.MaxValue)); value != "" && r.properties < maxProperties {
		r.properties++
		r.values[name] = append(r.values[name], value)
	}
}

// first returns the first value of the first property that has one.
func (r *reader) first(names ...string) string {
	for _, name := range names {
		if v := r.values[name]; len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

func (r *reader) describe() {
	d := r.doc
	// Names of the current format come first, then older ones with the same meaning. The "initial-creator" made the
	// document; the "creator" saved it last, on "date".
	d.Title = r.first("title")
	d.Description = r.first("description", "subject")
	d.Authors = property.List(r.first("initial-creator", "creator"), ";")
	for _, k := range r.values["keyword"] {
		d.Tags = append(d.Tags, property.List(k, ";,")...)
	}
	d.Created = property.Date(r.first("creation-date"))
	d.Modified = property.Date(r.first("date"))
	d.Language = r.first("language")
	d.Publisher = r.first("publisher")
	d.Generator = r.first("generator")
}
