package office_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office"
)

func mustRead(t testing.TB, body []byte, o doctext.Options) *doctext.Document {
	t.Helper()
	d, err := office.Read("", body, o)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return d
}

func TestRead(t *testing.T) {
	described := doctext.Document{
		Title: "Tide tables", Description: "High & low water", Authors: []string{"Ada Quay", "Ben Pier"},
		Publisher: "Wrenmouth Port",
		Created:   "2021-03-04T05:06:07Z", Modified: "2022-03-04", Language: "en-GB", Generator: "Quaywriter 3.1",
		Tags: []string{"tide", "moon", "harbour"},
	}
	open := described
	open.Authors, open.Publisher, open.Tags = []string{"Ada Quay"}, "", []string{"tide", "moon"}
	open.Created, open.Modified, open.Generator = "2021-03-04", "2022-03-04T05:06:07Z", "Quaywriter/3.1"
	book := described
	book.Description, book.Tags, book.Generator = "High water", []string{"tide"}, "Quaywriter"
	book.Created, book.Modified = "2021-03-04", "2022-03-04T05:06:07Z"
	rich := described
	rich.Title, rich.Language, rich.Tags = "Tide tables –x", "", []string{"tide", "moon"}
	rich.Created = "2021-03-04"
	binary := doctext.Document{
		Title: "Tide tables", Authors: []string{"Ада", "Ben Pier"}, Tags: []string{"tide", "moon"},
		Created:   "2021-03-04T05:06:07Z",
		Generator: "Quaywriter",
	}
	with := func(d doctext.Document, text string, pages int) doctext.Document {
		d.Text, d.Pages = text, pages
		return d
	}
	shows := func(d doctext.Document, title string) doctext.Document {
		d.Shown = title
		return d
	}
	damaged := with(book, officetest.EpubText, 0)
	damaged.Add(doctext.KindDamaged, "a chapter of the spine is missing: x")
	want := map[string]doctext.Document{
		"docx": with(described, officetest.DocxText, 0),
		"pptx": shows(with(described, officetest.PptxText, 3), "Second first"),
		"xlsx": with(described, officetest.XlsxText, 2),
		"odt":  shows(with(open, officetest.OdtText, 0), "High water"),
		"ods":  with(open, officetest.OdsText, 3),
		"odp":  with(open, officetest.OdpText, 2),
		"fodt": with(open, "Flat text", 0),
		"epub": damaged,
		"rtf":  with(rich, officetest.RTFText, 0),
		"doc":  with(binary, officetest.DocText, 0),
		"xls":  with(binary, officetest.XlsText, 2),
		"ppt":  with(binary, officetest.PptText, 2),
	}
	for _, s := range officetest.Samples() {
		t.Run(s.Name, func(t *testing.T) {
			d, err := office.Read(s.MIME, s.Body, doctext.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want[s.Name], *d); diff != "" {
				t.Errorf("Read (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRead_formatError(t *testing.T) {
	for _, body := range []string{
		"", "plain", "PK\x03\x04", "<html><body>x</body></html>",
		string(officetest.Zip(officetest.File{Name: "a.txt", Body: "x"})),
		"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "{\\field", "<?xml version='1.0'?><a/>",
	} {
		if d, err := office.Read("application/msword", []byte(body), doctext.Options{}); !errors.Is(err, office.ErrFormat) {
			t.Errorf("Read(%.20q) = %v, %v; want ErrFormat", body, d, err)
		}
	}
}

// kinds returns the kinds of the problems of a document.
func kinds(d *doctext.Document) []doctext.Kind {
	var list []doctext.Kind
	for _, p := range d.Problems {
		list = append(list, p.Kind)
	}
	return list
}

func TestRead_problems(t *testing.T) {
	odf := func(files ...officetest.File) []byte {
		return officetest.Zip(append([]officetest.File{{Name: "mimetype", Body: "x"}}, files...)...)
	}
	for _, test := range []struct {
		name  string
		body  []byte
		kind  doctext.Kind
		title string
	}{
		{
			"encrypted package", officetest.CFB(officetest.Stream{Name: "EncryptedPackage", Body: make([]byte, 600)}),
			doctext.KindEncrypted, "",
		},
		{"doc with a password", officetest.EncryptedDoc(), doctext.KindEncrypted, "Tide tables"},
		{"xls with a password", officetest.EncryptedXls(), doctext.KindEncrypted, "Tide tables"},
		{"ppt with a password", officetest.EncryptedPpt(), doctext.KindEncrypted, "Tide tables"},
		{"odt with a password", odf(officetest.File{Name: "content.xml", Body: "\x00\x01"},
			officetest.File{Name: "META-INF/manifest.xml", Body: `<m:encryption-data/>`}), doctext.KindEncrypted, ""},
		{
			"compound file of another program", officetest.CFB(officetest.Stream{Name: "Other", Body: []byte("x")}),
			doctext.KindUnsupported, "",
		},
		{"binary workbook", officetest.Package("xl/workbook.bin", "\x00"), doctext.KindUnsupported, "Tide tables"},
		{"main part missing", officetest.Zip(officetest.File{Name: "[Content_Types].xml", Body: "<Types/>"},
			officetest.File{Name: "docProps/core.xml", Body: officetest.Core}), doctext.KindDamaged, "Tide tables"},
		{"broken XML", officetest.Package("word/document.xml", "<document><p><t>x</p>"), doctext.KindDamaged, "Tide tables"},
		{"broken RTF", []byte(`{\rtf1 {\info{\title Tide tables}} x`), doctext.KindDamaged, "Tide tables"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := mustRead(t, test.body, doctext.Options{})
			if diff := cmp.Diff([]doctext.Kind{test.kind}, kinds(d)); diff != "" || d.Title != test.title {
				t.Errorf("title %q, problems (-want +got):\n%s%v", d.Title, diff, d.Problems)
			}
		})
	}
}

// TestRead_truncated cuts archives at half of their length, as crawlers do. The beginning must be read.
func TestRead_truncated(t *testing.T) {
	var paragraphs strings.Builder
	for range 4000 {
		paragraphs.WriteString("<w:p><w:r><w:t>The tide tables of Wrenmouth, " + strings.Repeat("x", paragraphs.Len()%17) +
			"</w:t></w:r></w:p>")
	}
	body := officetest.Package("word/document.xml", `<w:document xmlns:w="w">`+paragraphs.String()+"</w:document>")
	whole := mustRead(t, body, doctext.Options{})
	half := mustRead(t, body[:len(body)*6/10], doctext.Options{})
	if len(half.Text) < len(whole.Text)/3 || !strings.HasPrefix(whole.Text, half.Text[:len(half.Text)-20]) {
		t.Errorf("half of the file has %d of %d bytes of text", len(half.Text), len(whole.Text))
	}
	if diff := cmp.Diff([]doctext.Kind{doctext.KindDamaged}, kinds(half)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	d := mustRead(t, officetest.Xlsx()[:2600], doctext.Options{})
	if d.Title != "Tide tables" {
		t.Errorf("the title of a cut workbook is %q; problems %v", d.Title, d.Problems)
	}
}

func TestRead_otherPrefixes(t *testing.T) {
	body := officetest.Package("doc.xml",
		`<ns0:document xmlns:ns0="w"><ns0:p><ns0:r><ns0:t>one</ns0:t></ns0:r></ns0:p></ns0:document>`)
	if d := mustRead(t, body, doctext.Options{}); d.Text != "one" {
		t.Errorf("text %q, want %q", d.Text, "one")
	}
}

func TestRead_includedDocuments(t *testing.T) {
	doc := func(text, rels string) string {
		return `<w:document xmlns:w="w" xmlns:r="r"><w:p><w:r><w:t>` + text +
			`</w:t></w:r></w:p><w:altChunk r:id="rId1"/></w:document>`
	}
	body := []byte(`{\rtf1 innermost}`)
	for _, text := range []string{"four", "three", "two", "one"} {
		body = officetest.Package("word/document.xml", doc(text, ""), officetest.File{
			Name: "word/_rels/document.xml.rels",
			Body: officetest.Relations("aFChunk", "chunk"),
		}, officetest.File{Name: "word/chunk", Body: string(body)})
	}
	d := mustRead(t, body, doctext.Options{})
	if d.Text != "one\n\ntwo\n\nthree" || len(d.Problems) != 1 || d.Problems[0].Kind != doctext.KindLimit {
		t.Errorf("text %q, problems %v; want three levels and a limit", d.Text, d.Problems)
	}
}

// TestRead_includedMessages: programs for the web include the page of a document as MHTML.
func TestRead_includedMessages(t *testing.T) {
	part := func(head, body string) string { return "------=mhtDocumentPart\n" + head + "\n\n" + body + "\n\n" }
	mht := func(parts ...string) string {
		return "MIME-Version: 1.0\nContent-Type: multipart/related;\n    type=\"text/html\";\n" +
			"    boundary=\"----=mhtDocumentPart\"\n\n\n" + strings.Join(parts, "") + "------=mhtDocumentPart--\n"
	}
	page := func(charset, body string) string {
		return part("Content-Type: text/html;\n    charset=\""+charset+"\"\nContent-Transfer-Encoding: quoted-printable\n"+
			"Content-Location: file:///C:/fake/document.html", "<html><body><p>"+body+"</p></body></html>")
	}
	picture := part("Content-Type: image/png\nContent-Transfer-Encoding: base64", "iVBORw0KGgo=")
	for _, test := range []struct{ name, chunk, want string }{
		{"quoted-printable", mht(page("utf-8", "a =3D b, caf=C3=A9")), "a = b, café"},
		{"another encoding", mht(page("iso-8859-2", "=BF=F3=B3w na brzegu rzeki")), "żółw na brzegu rzeki"},
		{"with a picture", mht(page("utf-8", "one"), picture), "one"},
		{"line ends of Windows", strings.ReplaceAll(mht(page("utf-8", "one"), picture), "\n", "\r\n"), "one"},
		{"base64", mht(part("Content-Type: text/html\nContent-Transfer-Encoding: base64", "PHA+b25lPC9wPg==")), "one"},
		{"a message of one part", "MIME-Version: 1.0\nContent-Type: text/html\n\n<p>one</p>", "one"},
		{"a page", "<p>Note: one</p>", "Note: one"},
		{"a text", "Note: one = two", "Note: one = two"},
		{"a text with a sign", "Note: 1 > 0", "Note: 1 > 0"},
	} {
		body := officetest.Package("word/document.xml",
			`<w:document xmlns:w="w" xmlns:r="r"><w:altChunk r:id="rId1"/></w:document>`,
			officetest.File{Name: "word/_rels/document.xml.rels", Body: officetest.Relations("aFChunk", "afchunk.mht")},
			officetest.File{Name: "word/afchunk.mht", Body: test.chunk})
		if d := mustRead(t, body, doctext.Options{}); d.Text != test.want || len(d.Problems) > 0 {
			t.Errorf("%s: text %q, problems %v; want %q", test.name, d.Text, d.Problems, test.want)
		}
	}
}
