// Package pdftest makes small PDF files for tests.
//
//	b := pdftest.New()
//	b.Page("BT /F1 12 Tf 72 720 Td (Hello) Tj ET")
//	body := b.Bytes()
package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// Helvetica is the dictionary of a font that every reader has.
const Helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"

// Builder collects the objects of a file. The catalog is object 1 and the page tree object 2.
type Builder struct {
	// Resources holds the resources of all pages. By default it has the font Helvetica, named F1.
	Resources string
	// Catalog and Trailer are additional entries.
	Catalog, Trailer string
	// Compress puts objects in an object stream, and the table in a cross-reference stream.
	Compress bool

	objects []string
	pages   []int
}

// New returns a Builder without pages.
func New() *Builder {
	return &Builder{Resources: "<</Font<</F1 " + Helvetica + ">>>>", objects: []string{"", ""}}
}

// Add adds an object and returns its number.
func (b *Builder) Add(object string) int {
	b.objects = append(b.objects, object)
	return len(b.objects)
}

// Stream adds a stream with additional entries in its dictionary, and returns its number.
func (b *Builder) Stream(entries, data string) int {
	return b.Add(fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", entries, len(data), data))
}

// Flate adds a stream with data deflated.
func (b *Builder) Flate(entries, data string) int {
	return b.Stream(entries+"/Filter/FlateDecode", Deflate(data))
}

// Page adds a page of 612 by 792 units with content.
func (b *Builder) Page(content string) { b.PageWith("", content) }

// PageWith adds a page with additional entries in its dictionary.
func (b *Builder) PageWith(entries, content string) {
	stream := b.Flate("", content)
	b.pages = append(b.pages, b.Add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/Contents %d 0 R%s>>", stream, entries)))
}

// Bytes returns the file.
func (b *Builder) Bytes() []byte {
	var kids strings.Builder
	for _, n := range b.pages {
		fmt.Fprintf(&kids, "%d 0 R ", n)
	}
	b.objects[0] = "<</Type/Catalog/Pages 2 0 R" + b.Catalog + ">>"
	b.objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/MediaBox[0 0 612 792]/Resources %s/Kids[%s]>>",
		len(b.pages), b.Resources, kids.String())
	if b.Compress {
		return b.compressed()
	}
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(b.objects))
	for i, o := range b.objects {
		offsets[i] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, off := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", off)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, b.Trailer, start)
	return out.Bytes()
}

// compressed returns the file in the form of PDF 1.5: all objects but streams are in an object stream.
func (b *Builder) compressed() []byte {
	var out, index, inside, rows bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	container := len(b.objects) + 1
	rows.Write([]byte{0, 0, 0, 0, 0})
	within := 0
	for i, o := range b.objects {
		if strings.Contains(o, "stream\n") {
			rows.Write([]byte{1, byte(out.Len() >> 16), byte(out.Len() >> 8), byte(out.Len()), 0})
			fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
			continue
		}
		fmt.Fprintf(&index, "%d %d ", i+1, inside.Len())
		inside.WriteString(o + " ")
		rows.Write([]byte{2, 0, byte(container >> 8), byte(container), byte(within)})
		within++
	}
	data := Deflate(index.String() + inside.String())
	rows.Write([]byte{1, byte(out.Len() >> 16), byte(out.Len() >> 8), byte(out.Len()), 0})
	fmt.Fprintf(&out, "%d 0 obj\n<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length "+
		"%d>>\nstream\n%s\nendstream\nendobj\n",
		container, within, index.Len(), len(data), data)
	start := out.Len()
	rows.Write([]byte{1, byte(start >> 16), byte(start >> 8), byte(start), 0})
	fmt.Fprintf(&out, "%d 0 obj\n<</Type/XRef/Size %d/W[1 3 1]/Root 1 0 R%s/Length %d>>\nstream\n%s\nendstream\nendobj\n",
		container+1, container+2, b.Trailer, rows.Len(), rows.String())
	fmt.Fprintf(&out, "startxref\n%d\n%%%%EOF\n", start)
	return out.Bytes()
}

// Deflate returns data deflated, in the format of FlateDecode.
func Deflate(data string) string {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	// Writing to memory does not fail.
	_, _ = w.Write([]byte(data))
	_ = w.Close()
	return z.String()
}
