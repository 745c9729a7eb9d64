package pdf

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

const (
	// maxPacket bounds the bytes read of an XMP packet: usual ones have 4 kB, or more with history.
	maxPacket = 1 << 20
	// maxElements bounds nesting, and maxList the values of a list.
	maxElements = 64
	maxList     = 256
)

// Namespaces of XMP (ISO 16684-1:2019, section 8). Writers may choose prefixes, so names are compared by namespace.
const (
	nsDC  = "http://purl.org/dc/elements/1.1/"
	nsXMP = "http://ns.adobe.com/xap/1.0/"
	nsPDF = "http://ns.adobe.com/pdf/1.3/"
	nsRDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsTDM = doctext.NamespaceTDM
	nsCC  = "http://creativecommons.org/ns#"

	nsRights = "http://ns.adobe.com/xap/1.0/rights/"
)

// parseXMP reads the well-formed part of an XMP packet. It collects values in order, so those before an error are
// kept.
func parseXMP(b []byte) *doctext.Document {
	values := map[xml.Name][]string{}
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimSpace(b[:min(len(b), maxPacket)])))
	// Undeclared entities and unclosed tags are common.
	d.Strict = false
	var path []xml.Name
	// path holds the open elements; reading ends at the bound.
	for len(path) < maxElements {
		t, err := d.Token()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			path = append(path, t.Name)
			// A property may have its value as a URL.
			for _, a := range t.Attr {
				if name, ok := property(path); ok && a.Name.Space == nsRDF && a.Name.Local == "resource" {
					note(values, name, a.Value)
				}
			}
			// Simple properties may be attributes of rdf:Description.
			if t.Name.Space == nsRDF && t.Name.Local == "Description" {
				for _, a := range t.Attr {
					note(values, a.Name, a.Value)
				}
			}
		case xml.EndElement:
			// Since Strict is off, end tags may come without a start.
			path = path[:max(0, len(path)-1)]
		case xml.CharData:
			if name, ok := property(path); ok {
				note(values, name, string(t))
			}
		}
	}
	return documentOf(values)
}

// property returns the property to which character data at path belongs: the element around it, or around its list.
// Lists are rdf:Seq, rdf:Bag or rdf:Alt with rdf:li, so the first element outside the RDF namespace is the property.
// It must be a child of rdf:Description, since structures within properties (history, thumbnails) have properties too.
func property(path []xml.Name) (xml.Name, bool) {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Space != nsRDF {
			return path[i], i > 0 && path[i-1].Space == nsRDF && path[i-1].Local == "Description"
		}
	}
	return xml.Name{}, false
}

// note keeps a value of a property. Character data is divided only by markup, so a value is one piece.
func note(values map[xml.Name][]string, name xml.Name, value string) {
	// Writers have several forms of this namespace.
	if strings.TrimRight(name.Space, "/#") == doctext.NamespaceTDM {
		name.Space = doctext.NamespaceTDM
	}
	if value = clean(value); value != "" && len(values[name]) < maxList {
		values[name] = append(values[name], value)
	}
}

// documentOf returns the properties that a Document has.
func documentOf(values map[xml.Name][]string) *doctext.Document {
	all := func(space, local string) []string { return values[xml.Name{Space: space, Local: local}] }
	// Of alternatives in several languages the first is taken: "x-default", if the writer follows the standard.
	first := func(space, local string) string {
		if v := all(space, local); len(v) > 0 {
			return v[0]
		}
		return ""
	}
	doc := &doctext.Document{
		Title:       first(nsDC, "title"),
		Description: first(nsDC, "description"),
		Authors:     divide(strings.Join(all(nsDC, "creator"), ";"), ";"),
		Publisher:   first(nsDC, "publisher"),
		Tags:        all(nsDC, "subject"),
		Created:     date(first(nsXMP, "CreateDate")),
		Modified:    date(first(nsXMP, "ModifyDate")),
		Language:    language(first(nsDC, "language")),
		Generator:   first(nsXMP, "CreatorTool"),
		Reservation: first(nsTDM, "reservation"),
		Policy:      first(nsTDM, "policy"),
	}
	doc.Rights = slices.Concat(all(nsCC, "license"), all(nsRights, "WebStatement"), all(nsRights, "UsageTerms"),
		all(nsDC, "rights"))
	if len(doc.Tags) == 0 {
		doc.Tags = divide(first(nsPDF, "Keywords"), ",;")
	}
	if doc.Generator == "" {
		doc.Generator = first(nsPDF, "Producer")
	}
	return doc
}

// language returns a language tag, or "" if s is not one. It checks letters and length, and does not check whether the
// language exists. BCP 47 (section 4.4.1) asks programs to hold 35 characters.
func language(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	primary, _, _ := strings.Cut(s, "-")
	if len(primary) < 2 || len(primary) > 3 || len(s) > 35 || strings.EqualFold(s, "x-default") {
		return ""
	}
	for _, r := range s {
		if r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return ""
		}
	}
	return s
}
