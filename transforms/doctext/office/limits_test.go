package office_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office"
)

func has(d *doctext.Document, kind doctext.Kind) bool {
	for _, p := range d.Problems {
		if p.Kind == kind {
			return true
		}
	}
	return false
}

func word(body string) []byte {
	return officetest.Package("word/document.xml", `<w:document xmlns:w="w"><w:body>`+body+`</w:body></w:document>`)
}

func paragraph(text string) string { return "<w:p><w:r><w:t>" + text + "</w:t></w:r></w:p>" }

// TestRead_limits reads documents that were made to exhaust resources. The beginning of each must be read, and a limit
// reported.
func TestRead_limits(t *testing.T) {
	long := strings.Repeat("wave ", 3<<20)
	many := []officetest.File{
		{Name: "[Content_Types].xml", Body: "<Types/>"},
		{Name: "word/document.xml", Body: "<document>" + paragraph("first") + "</document>"},
	}
	for i := range 20_000 {
		many = append(many, officetest.File{Name: fmt.Sprint(i), Body: ""})
	}
	slides := `<draw:page xmlns:draw="d"><text:p>first</text:p></draw:page>` + strings.Repeat(`<draw:page/>`, 6000)
	for _, test := range []struct {
		name string
		body []byte
		o    doctext.Options
	}{
		{"text of 15 MB in one node", word(paragraph("first") + paragraph(long)), doctext.Options{MaxText: 1 << 20}},
		{
			"part over 64 MiB", word(paragraph("first") + "<w:p><w:r><w:t>" + strings.Repeat("wave ", 14<<20)),
			doctext.Options{},
		},
		{"nested elements", word(paragraph("first") + strings.Repeat("<a>", 1<<20)), doctext.Options{}},
		{"part over its limit", word(paragraph("first") + paragraph(long)), doctext.Options{MaxEntry: 1 << 20}},
		{"parts over their limit together", word(paragraph("first") + paragraph(long)), doctext.Options{MaxBytes: 1 << 20}},
		{"entries", officetest.Zip(many...), doctext.Options{}},
		{
			"slides", []byte(`<office:document xmlns:text="t"><office:body>` + slides + `</office:body></office:document>`),
			doctext.Options{},
		},
		{"nested RTF", []byte(`{\rtf1 first ` + strings.Repeat(`{\b `, 1<<20)), doctext.Options{}},
		{"long RTF", []byte(`{\rtf1 first ` + long + `}`), doctext.Options{MaxText: 1 << 20}},
		{"repeated cells", []byte(`<office:document xmlns:text="t"><text:p>first</text:p><table:table>` +
			strings.Repeat(`<table:table-cell number-columns-repeated="100000000"><text:p>`+long[:1000]+
				`</text:p></table:table-cell>`, 1000) + `</table:table></office:document>`), doctext.Options{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			d := mustRead(t, test.body, test.o)
			if !strings.HasPrefix(d.Text, "first") || !has(d, doctext.KindLimit) {
				t.Errorf("text %.20q, problems %v; want \"first\" and a limit", d.Text, d.Problems)
			}
			if o := test.o.WithDefaults(); len(d.Text) > o.MaxText {
				t.Errorf("%d bytes of text, limit %d", len(d.Text), o.MaxText)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestRead_linear reads documents whose tokens could make a reader scan the rest of the file again and again.
func TestRead_linear(t *testing.T) {
	for name, unit := range map[string]string{
		"open quotes": `<a b="`, "declarations": `<![`, "comments": `<!-`, "references": `&amp`, "end tags": `</x>`,
		"less than":     `< `,
		"deep end tags": strings.Repeat("<a>", 390) + strings.Repeat("</x>", 100_000), "instructions": `<?`,
		"sections": `<![CDATA[`, "attributes": `<a ='`,
	} {
		body := word(paragraph("first") + strings.Repeat(unit, 2<<20/len(unit)))
		start := time.Now()
		d := mustRead(t, body, doctext.Options{})
		if took := time.Since(start); took > 5*time.Second || !strings.HasPrefix(d.Text, "first") {
			t.Errorf("%s: took %v, text %.20q", name, took, d.Text)
		}
	}
}

// TestRead_noEntities reads a document that declares nested entities and an external one.
func TestRead_noEntities(t *testing.T) {
	body := officetest.Package("word/document.xml",
		`<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><document><p><t>x&b;&c;y</t></p></document>`)
	if d := mustRead(t, body, doctext.Options{}); d.Text != "x&b;&c;y" {
		t.Errorf("text %q", d.Text)
	}
}

// mutants returns changed copies of a document. They are truncated, have changed bytes, bits or numbers, or parts that
// are repeated.
func mutants(body []byte, n int, random *rand.Rand) [][]byte {
	var list [][]byte
	for i := range n {
		b := bytes.Clone(body)
		switch i % 5 {
		case 0:
			b = b[:random.IntN(len(b)+1)]
		case 1:
			for range 1 + len(b)/500 {
				b[random.IntN(len(b))] = byte(random.Uint32())
			}
		case 2:
			b[random.IntN(len(b))] ^= 1 << random.IntN(8)
		case 3:
			binary.LittleEndian.PutUint32(b[random.IntN(max(len(b)-4, 1)):len(b):len(b)], random.Uint32()>>random.IntN(32))
		case 4:
			from, to := random.IntN(len(b)), random.IntN(len(b))
			b = append(b[:to:to], body[from:]...)
		}
		list = append(list, b)
	}
	return list
}

// documents are the samples and, if it exists, the office files of the shared corpus.
func documents(t testing.TB) map[string][]byte {
	t.Helper()
	docs := map[string][]byte{}
	for _, s := range officetest.Samples() {
		docs[s.Name] = s.Body
	}
	files, err := filepath.Glob("../../../../shared/corpora/mime/docs/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		switch filepath.Ext(file) {
		case ".docx", ".xlsx", ".pptx", ".pptm", ".potm", ".ppsm", ".odt", ".epub", ".rtf", ".doc", ".xls", ".ppt", ".sxw":
			if body, err := os.ReadFile(file); err == nil {
				docs[filepath.Base(file)] = body
			}
		}
	}
	return docs
}

// TestRead_mutated reads a hundred changed copies of each document.
func TestRead_mutated(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for name, body := range documents(t) {
		for i, mutant := range mutants(body, 100, random) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			d, err := office.Read("", mutant, doctext.Options{})
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if took > 5*time.Second || after.TotalAlloc-before.TotalAlloc > 512<<20 {
				t.Errorf("%s, mutant %d: %v, %d bytes", name, i, took, after.TotalAlloc-before.TotalAlloc)
			}
			check(t, d, err)
		}
	}
}

// check checks properties that every document must have.
func check(t testing.TB, d *doctext.Document, err error) {
	t.Helper()
	if (d == nil) == (err == nil) {
		t.Fatalf("document %v, error %v", d, err)
	}
	if d == nil {
		return
	}
	for _, s := range append([]string{d.Text, d.Title, d.Description, d.Publisher, d.Generator, d.Language},
		append(d.Authors, d.Tags...)...) {
		if !utf8.ValidString(s) {
			t.Errorf("%.40q is not UTF-8", s)
		}
	}
	if strings.IndexFunc(d.Text, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\n\t\f", r) }) >= 0 {
		t.Errorf("control characters in %.200q", d.Text)
	}
	for _, date := range []string{d.Created, d.Modified} {
		if _, err := time.Parse(time.RFC3339, date); err != nil && date != "" {
			if _, err := time.Parse(time.DateOnly, date); err != nil {
				t.Errorf("date %q: %v", date, err)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range officetest.Samples() {
		f.Add(s.Body)
	}
	for _, name := range []string{"rc4.xls", "cryptoapi.xls", "standard.xlsx", "agile.xlsx"} {
		f.Add(locked(f, name))
	}
	f.Add([]byte(`{\rtf1\ansi{\fonttbl{\f0\fcharset128 x;}}\u-10179?\u-8704?\'83{\*\shpinst{\shptxt a}}\bin9999 `))
	for _, flat := range []string{wordXML, sheetXML, packageXML} {
		f.Add([]byte(flat))
	}
	f.Add(book(`<row><c t="s"><v>0</v></c></row>`, `<si><t>_xD83D__xDE00__x005F_x000D_</t></si>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := office.Read("", body, doctext.Options{MaxText: 1 << 20, MaxEntry: 4 << 20, MaxBytes: 8 << 20})
		check(t, d, err)
	})
}
