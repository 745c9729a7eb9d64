package ooxml_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/flow"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/ooxml"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/parts"
)

// files are the parts of a package, by name.
type files map[string]string

// archive makes an archive of parts.
func archive(f files, doc *doctext.Document) *parts.Archive {
	contents := map[string][]byte{"[Content_Types].xml": []byte("<Types/>")}
	for name, body := range f {
		contents[name] = []byte(body)
	}
	return parts.Flat(contents, doc, doctext.Options{})
}

// read reads a package of parts.
func read(t testing.TB, f files, o doctext.Options) *doctext.Document {
	t.Helper()
	doc := &doctext.Document{}
	if err := ooxml.Read(archive(f, doc), doc, o, nil); err != nil {
		t.Fatalf("Read: %v", err)
	}
	return doc
}

// relations is a part of relations: an id, a kind and a target each.
func relations(list ...[3]string) string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, `<Relationship Id=%q Type="http://x/%s" Target=%q/>`, r[0], r[1], r[2])
	}
	return `<Relationships>` + b.String() + `</Relationships>`
}

// para is a paragraph of a text document, or of a drawing with prefix a.
func para(prefix, text string) string {
	return strings.ReplaceAll(`<X:p><X:r><X:t>`+text+`</X:t></X:r></X:p>`, "X:", prefix+":")
}

// kinds lists the kinds of a document's problems.
func kinds(d *doctext.Document) []doctext.Kind {
	var all []doctext.Kind
	for _, p := range d.Problems {
		all = append(all, p.Kind)
	}
	return all
}

func TestRead_mainPart(t *testing.T) {
	text := `<w:document><w:body>` + para("w", "water") + `</w:body></w:document>`
	tests := []struct {
		name  string
		files files
		want  string
		kinds []doctext.Kind
	}{
		{
			"by its relation",
			files{"_rels/.rels": relations([3]string{"a", "officeDocument", "x/y.xml"}), "x/y.xml": text},
			"water", nil,
		},
		{
			"absolute target",
			files{"_rels/.rels": relations([3]string{"a", "officeDocument", "/x/y.xml"}), "x/y.xml": text},
			"water", nil,
		},
		{"target with escapes", files{
			"_rels/.rels": relations([3]string{"a", "officeDocument", "x/a%20b.xml"}), "x/a b.xml": text,
		}, "water", nil},
		{"target above the package", files{
			"_rels/.rels": relations([3]string{"a", "officeDocument", "../../y.xml"}), "y.xml": text,
		}, "water", nil},
		{"target in other letters", files{
			"_rels/.rels": relations([3]string{"a", "officeDocument", "WORD/Document.xml"}), "word/document.xml": text,
		}, "water", nil},
		{"first target is missing", files{
			"_rels/.rels": relations([3]string{"a", "officeDocument", "no.xml"}, [3]string{"b", "officeDocument", "y.xml"}),
			"y.xml":       text,
		}, "water", nil},
		{"relations lost", files{"word/document.xml": text}, "water", nil},
		{
			"relations damaged",
			files{"_rels/.rels": "<Relationships><Rel", "word/document.xml": text},
			"water",
			[]doctext.Kind{doctext.KindDamaged},
		},
		{"unusual name", files{"word/document2.xml": text}, "water", nil},
		{"no main part", files{"word/styles.xml": "<w:styles/>"}, "", []doctext.Kind{doctext.KindDamaged}},
		{"a binary workbook", files{
			"_rels/.rels": relations([3]string{"a", "officeDocument", "xl/workbook.bin"}), "xl/workbook.bin": "\x83",
		}, "", []doctext.Kind{doctext.KindUnsupported}},
		{
			"cut in the middle",
			files{"word/document.xml": text[:strings.Index(text, "ter")]},
			"wa",
			[]doctext.Kind{doctext.KindDamaged},
		},
		{"empty part", files{"word/document.xml": ""}, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, tt.files, doctext.Options{})
			if d.Text != tt.want || !slices.Equal(kinds(d), tt.kinds) {
				t.Errorf("Read = %q, problems %v; want %q, %v", d.Text, d.Problems, tt.want, tt.kinds)
			}
		})
	}
}

func TestRead_otherArchives(t *testing.T) {
	doc := &doctext.Document{}
	a := parts.Flat(map[string][]byte{"a.txt": []byte("x"), "docProps/core.xml": []byte("<c/>")}, doc, doctext.Options{})
	if err := ooxml.Read(a, doc, doctext.Options{}, nil); !errors.Is(err, ooxml.ErrFormat) {
		t.Errorf("Read = %v, want %v", err, ooxml.ErrFormat)
	}
}

func TestRead_properties(t *testing.T) {
	const main = `<w:document/>`
	tests := []struct {
		name, core, app string
		want            doctext.Document
	}{
		{"in Greek", `<c><title>  Πίνακες
			παλίρροιας </title><creator>Ἄδα; Βεν ;;Ἄδα</creator><language>el-GR</language></c>`, "", doctext.Document{
			Title: "Πίνακες παλίρροιας", Authors: []string{"Ἄδα", "Βεν"}, Language: "el-GR",
		}},
		{
			"subject for lack of a description", `<c><subject>Tides</subject><description> </description></c>`, "",
			doctext.Document{Description: "Tides"},
		},
		{
			"keywords and categories", `<c><keywords>tide, moon;tide</keywords><category>port</category></c>`, "",
			doctext.Document{Tags: []string{"tide", "moon", "port"}},
		},
		{
			"dates", `<c><created>2021-03-04T05:06:07Z</created><modified>yesterday</modified></c>`, "",
			doctext.Document{Created: "2021-03-04T05:06:07Z"},
		},
		{
			"date that was never set", `<c><created>1601-01-01T00:00:00Z</created><modified>2020-02-30</modified></c>`, "",
			doctext.Document{},
		},
		{
			"program", "", `<p><Application>Quay</Application><AppVersion>16.0</AppVersion><Company>Port</Company></p>`,
			doctext.Document{Generator: "Quay 16.0", Publisher: "Port"},
		},
		{"version without a program", "", `<p><AppVersion>16.0</AppVersion></p>`, doctext.Document{}},
		{
			"titles of parts", `<c><title>One</title></c>`,
			`<p><TitlesOfParts><vector><title>Two</title></vector></TitlesOfParts></p>`,
			doctext.Document{Title: "One"},
		},
		{
			"title in both", `<c><title>One</title><title>Two</title></c>`, `<p><title>Three</title></p>`,
			doctext.Document{Title: "One"},
		},
		{"escapes", `<c><title>a_x000D_b_x0026_c &lt;d&gt;</title></c>`, "", doctext.Document{Title: "a b&c <d>"}},
		{"truncated", `<c><title>One</title><creator>Ada`, "", doctext.Document{
			Title: "One", Authors: []string{"Ada"},
			Problems: []doctext.Problem{{Kind: doctext.KindDamaged}},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := read(t, files{"word/document.xml": main, "docProps/core.xml": tt.core, "docProps/app.xml": tt.app},
				doctext.Options{})
			for i := range got.Problems {
				got.Problems[i].Message = ""
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("Read (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRead_limits(t *testing.T) {
	var slides, list strings.Builder
	f := files{}
	for i := range 5 {
		id := fmt.Sprint("s", i)
		fmt.Fprintf(&list, `<p:sldId r:id=%q/>`, id)
		fmt.Fprintf(&slides, `<Relationship Id=%q Type="x/slide" Target="slides/slide%d.xml"/>`, id, i)
		f[fmt.Sprintf("ppt/slides/slide%d.xml", i)] = `<p:sld>` + para("a", fmt.Sprint("slide ", i)) + `</p:sld>`
	}
	f["ppt/presentation.xml"] = `<p:presentation>` + list.String() + `</p:presentation>`
	f["ppt/_rels/presentation.xml.rels"] = `<R>` + slides.String() + `</R>`
	word := files{"word/document.xml": `<w:document>` + strings.Repeat(para("w", "прилив"), 50) + `</w:document>`}
	deep := files{"word/document.xml": `<w:document>` + para("w", "before") + strings.Repeat("<w:sdt>", 60) +
		para("w", "inside")}
	limit := []doctext.Kind{doctext.KindLimit}
	tests := []struct {
		name  string
		files files
		o     doctext.Options
		want  string
		kinds []doctext.Kind
	}{
		{"all slides", f, doctext.Options{}, "slide 0\fslide 1\fslide 2\fslide 3\fslide 4", nil},
		{
			"as many slides as allowed", f,
			doctext.Options{MaxPages: 5},
			"slide 0\fslide 1\fslide 2\fslide 3\fslide 4", nil,
		},
		{"too many slides", f, doctext.Options{MaxPages: 2}, "slide 0\fslide 1", limit},
		{"too much text", word, doctext.Options{MaxText: 17}, "прилив\n\nп", limit},
		{"too deep", deep, doctext.Options{MaxDepth: 20}, "before", limit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, tt.files, tt.o)
			if d.Text != tt.want || !slices.Equal(kinds(d), tt.kinds) {
				t.Errorf("Read = %q, problems %v; want %q, %v", d.Text, d.Problems, tt.want, tt.kinds)
			}
		})
	}
}

func TestRead_embeds(t *testing.T) {
	f := files{
		"word/document.xml": `<w:document>` + para("w", "before") + `<w:altChunk r:id="c"/><w:altChunk r:id="c"/>` +
			`<w:altChunk r:id="no"/><w:altChunk id="c"/>` + para("w", "after") + `</w:document>`,
		"word/_rels/document.xml.rels": relations([3]string{"c", "aFChunk", "chunk.htm"}),
		"word/chunk.htm":               "<p>chunk",
	}
	doc, calls := &doctext.Document{}, 0
	err := ooxml.Read(archive(f, doc), doc, doctext.Options{}, func(body []byte, out *flow.Text) {
		calls++
		out.Add("[" + string(body) + "]")
	})
	if want := "before\n\n[<p>chunk]\n\nafter"; err != nil || doc.Text != want || calls != 1 {
		t.Errorf("Read = %q, %v, %d calls; want %q, 1 call", doc.Text, err, calls, want)
	}
	if d := read(t, f, doctext.Options{}); d.Text != "before\n\nafter" {
		t.Errorf("without a reader: %q", d.Text)
	}
}
