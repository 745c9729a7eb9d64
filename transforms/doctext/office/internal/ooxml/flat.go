package ooxml

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/parts"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/property"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/xmlscan"
)

// maxFlatParts bounds the parts of a package in one XML file.
const maxFlatParts = 2000

// Kinds of documents that are one XML file.
const (
	flatNone    = ""
	flatWord    = "wordDocument" // of Word 2003
	flatSheets  = "Workbook"     // of Excel 2002 and 2003
	flatPackage = "package"      // of Word 2007 and later: the parts of a DOCX
)

// IsFlat reports whether body is a document in one XML file.
func IsFlat(body []byte) bool { return flatKind(body) != flatNone }

// flatKind finds the kind by namespace and root element. The root comes after a declaration and instructions.
func flatKind(body []byte) string {
	// 4 KiB are enough for the declaration, the instructions and the root tag.
	const enough = 4 << 10
	head := narrow(body[:min(len(body), enough)])
	for _, k := range [...]struct{ root, namespace string }{
		{flatWord, "schemas.microsoft.com/office/word/2003"},
		{flatSheets, "schemas-microsoft-com:office:spreadsheet"},
		{flatPackage, "schemas.microsoft.com/office/2006/xmlPackage"},
	} {
		// A quick check avoids scanning other XML.
		if bytes.Contains(head, []byte(k.root)) && bytes.Contains(head, []byte(k.namespace)) {
			s := xmlscan.New(body[:min(len(body), enough)], 2)
			for s.Next() {
				// The first element is the root.
				if s.Kind == xmlscan.Start {
					if s.Name == k.root {
						return k.root
					}
					break
				}
			}
		}
	}
	return flatNone
}

// narrow removes the zeros of UTF-16 from the beginning of a document.
func narrow(head []byte) []byte {
	if bytes.IndexByte(head, 0) < 0 {
		return head
	}
	return bytes.ReplaceAll(head, []byte{0}, nil)
}

// ReadFlat reads a document in one XML file.
func ReadFlat(body []byte, doc *doctext.Document, o doctext.Options, embed Embed) error {
	contents := map[string][]byte{}
	switch flatKind(body) {
	case flatSheets:
		return readSheets(body, doc, o)
	case flatWord:
		// Word 2003 has no parts: all of it is read as the main one.
		contents["word/document.xml"] = body
	case flatPackage:
		contents = flatParts(body)
	}
	if err := Read(parts.Flat(contents, doc, o), doc, o, embed); err != nil {
		return err
	}
	describeFlat(body, doc, o)
	return nil
}

// flatParts returns the parts of a package in one file. It leaves out pkg:binaryData, which is not text.
func flatParts(body []byte) map[string][]byte {
	contents := map[string][]byte{}
	// Parts are cut out as bytes, since each is parsed as a document of its own.
	for len(contents) < maxFlatParts {
		_, rest, ok := bytes.Cut(body, []byte("<pkg:part "))
		if !ok {
			return contents
		}
		tag, rest, _ := bytes.Cut(rest, []byte(">"))
		_, name, _ := bytes.Cut(tag, []byte(`pkg:name="`))
		name, _, _ = bytes.Cut(name, []byte(`"`))
		part, rest, _ := bytes.Cut(rest, []byte("</pkg:part>"))
		if _, data, ok := bytes.Cut(part, []byte("<pkg:xmlData")); ok && len(name) > 0 {
			// The tag may have attributes.
			_, data, _ = bytes.Cut(data, []byte(">"))
			data, _, _ = bytes.Cut(data, []byte("</pkg:xmlData>"))
			// Names begin with a slash here, but not in ZIP files.
			contents[strings.TrimPrefix(string(name), "/")] = data
		}
		body = rest
	}
	return contents
}

// describeFlat reads the properties of Office 2003, which are inside the document.
func describeFlat(body []byte, doc *doctext.Document, o doctext.Options) {
	values := map[string]string{}
	s := xmlscan.New(body, o.WithDefaults().MaxDepth)
	for inside := 0; s.Next(); {
		switch {
		case s.Kind == xmlscan.Start && s.Name == "DocumentProperties":
			inside = s.Depth()
		case s.Kind == xmlscan.End && s.Name == "DocumentProperties":
			// The text of the document comes after them and is not scanned.
			apply(values, doc)
			return
		case s.Kind == xmlscan.Start && inside > 0 && s.Depth() == inside+1:
			name := s.Name
			values[name] = property.Text(s.All(property.MaxValue))
		}
	}
}

// apply sets the properties that Office 2003 writes.
func apply(values map[string]string, doc *doctext.Document) {
	describe(doc, map[string]string{
		"title": values["Title"], "description": values["Description"], "subject": values["Subject"],
		"creator": values["Author"], "keywords": values["Keywords"], "category": values["Category"],
		"created": values["Created"], "modified": values["LastSaved"], "Company": values["Company"],
	})
}

// readSheets reads a workbook of Excel 2002 and 2003 (XML Spreadsheet).
func readSheets(body []byte, doc *doctext.Document, o doctext.Options) error {
	o = o.WithDefaults()
	r := &reader{doc: doc, o: o, out: flow.New(o.MaxText), seen: map[string]bool{}, mainPart: "Workbook", mainSource: body}
	describeFlat(body, doc, o)
	b := flatBook{reader: r}
	r.walk(r.mainPart, b.token)
	doc.Text = r.out.String()
	if r.out.Full() {
		doc.Add(doctext.KindLimit, "the text is longer than what is read")
	}
	return nil
}

// flatBook reads such a workbook. Field column is the last column written in the row.
type flatBook struct {
	*reader
	column int
	merged int  // cells merged into the open one
	data   bool // the text belongs to a cell
	kind   string
	value  []byte
}

func (b *flatBook) token(s *xmlscan.Scanner) {
	switch {
	case s.Kind == xmlscan.Text && b.data:
		b.value = append(b.value, s.Text[:min(len(s.Text), max(4*maxCell-len(b.value), 0))]...)
	case s.Kind == xmlscan.Start:
		b.start(s)
	case s.Kind == xmlscan.End:
		b.end(s.Name)
	}
}

func (b *flatBook) start(s *xmlscan.Scanner) {
	switch s.Name {
	case "Worksheet":
		if b.limitPages(b.doc.Pages) {
			s.Skip()
			return
		}
		if b.doc.Pages > 0 {
			b.out.Page()
		}
		b.doc.Pages++
		b.out.Add(s.Attr("Name"))
		b.out.Paragraph()
	case "Row":
		b.column = 0
	case "Cell":
		b.cellAt(s)
	case "Data":
		b.data, b.kind, b.value = true, s.Attr("Type"), b.value[:0]
	// None of these holds text of a sheet.
	case "Styles", "Names", "WorksheetOptions", "DocumentProperties", "ExcelWorkbook":
		s.Skip()
	}
}

// cellAt begins a cell, after the empty cells before it. The cells merged into it follow it as empty ones.
func (b *flatBook) cellAt(s *xmlscan.Scanner) {
	// Empty cells are left out, and the next cell gives its column, counted from 1.
	at, _ := strconv.Atoi(s.Attr("Index"))
	// At most 100 are written, since a sheet may have a single cell far to the right.
	for range min(at-b.column-1, 100) {
		b.out.StartCell()
		b.out.EndCell()
	}
	across, _ := strconv.Atoi(s.Attr("MergeAcross"))
	b.merged = min(max(across, 0), 100)
	b.column = max(at, b.column+1) + b.merged
	b.out.StartCell()
}

func (b *flatBook) end(name string) {
	switch name {
	case "Data":
		b.data = false
		text := string(b.value)
		switch b.kind {
		case "Number":
			text = value(text)
		case "Boolean":
			text = map[string]string{"1": "TRUE", "0": "FALSE"}[strings.TrimSpace(text)]
		case "DateTime":
			// A date without a time of day is stored with midnight.
			text = strings.TrimSuffix(strings.TrimSuffix(text, ".000"), "T00:00:00")
		}
		b.out.Add(text)
		b.out.Space()
	case "Cell":
		b.out.EndCell()
		for range b.merged {
			b.out.StartCell()
			b.out.EndCell()
		}
		b.merged = 0
	case "Row":
		b.out.EndRow()
	case "Worksheet":
		b.out.Paragraph()
	}
}
