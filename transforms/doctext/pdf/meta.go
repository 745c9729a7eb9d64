package pdf

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/object"
)

// metadata reads the document information dictionary (section 14.3.3). Missing values come from the XMP packet
// (section 14.3.2), then from the catalog.
func (r *reader) metadata() {
	root := r.file.Dict(r.file.Trailer["Root"])
	info := r.file.Dict(r.file.Trailer["Info"])
	// The information dictionary is deprecated in PDF 2.0, but most files have it, and viewers show its values.
	r.doc.Title = r.infoText(info, "Title")
	r.doc.Description = r.infoText(info, "Subject")
	// Commas occur inside names ("Doe, Jane"), so only semicolons divide authors.
	r.doc.Authors = divide(r.infoText(info, "Author"), ";")
	r.doc.Tags = divide(r.infoText(info, "Keywords"), ",;")
	r.doc.Generator = r.infoText(info, "Creator")
	if r.doc.Generator == "" {
		// Creator made the original document, Producer converted it to PDF.
		r.doc.Generator = r.infoText(info, "Producer")
	}
	r.doc.Created = date(r.infoText(info, "CreationDate"))
	r.doc.Modified = date(r.infoText(info, "ModDate"))
	if s := r.file.Stream(root["Metadata"]); s != nil {
		fill(r.doc, parseXMP(r.file.Decode(s)))
	}
	// The catalog has the language of the text; XMP often has that of the program.
	if lang := language(textString(r.file.String(root["Lang"]))); lang != "" {
		r.doc.Language = lang
	}
}

// maxValue bounds a value of metadata, in bytes.
const maxValue = 1 << 14

// infoText returns an entry of the information dictionary, with clean white space. Strings may hold line ends, and
// zeroes at their ends.
func (r *reader) infoText(info object.Dict, key object.Name) string {
	return clean(textString(r.file.String(info[key])))
}

// clean returns s in one line, without control characters.
func clean(s string) string {
	s = cutText(s, maxValue)
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }),
		" ")
}

// divide returns the parts of s between separators, each once, in the order of the file.
func divide(s, separators string) []string {
	var parts []string
	// This is quadratic in the number of parts, but a value has at most maxValue bytes and most parts repeat.
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if part = clean(part); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// fill sets the empty fields of doc.
func fill(doc, from *doctext.Document) {
	for _, field := range []struct{ to, from *string }{
		{&doc.Title, &from.Title},
		{&doc.Description, &from.Description},
		{&doc.Publisher, &from.Publisher},
		{&doc.Created, &from.Created},
		{&doc.Modified, &from.Modified},
		{&doc.Language, &from.Language},
		{&doc.Generator, &from.Generator},
		{&doc.Reservation, &from.Reservation},
		{&doc.Policy, &from.Policy},
	} {
		if *field.to == "" {
			*field.to = *field.from
		}
	}
	if len(doc.Authors) == 0 {
		doc.Authors = from.Authors
	}
	if len(doc.Tags) == 0 {
		doc.Tags = from.Tags
	}
	doc.Rights = from.Rights
}
