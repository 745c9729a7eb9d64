package reader

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

func TestFormat(t *testing.T) {
	for mime, want := range map[string]string{
		"application/pdf": "pdf",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.template":    "xlsx",
		"application/vnd.openxmlformats-officedocument.presentationml.slideshow":  "pptx",
		"application/vnd.ms-word.document.macroenabled.12":                        "docx",
		"application/vnd.ms-excel.sheet.macroenabled.12":                          "xlsx",
		"application/vnd.ms-powerpoint.slideshow.macroenabled.12":                 "pptx",
		"application/vnd.oasis.opendocument.text-template":                        "odt",
		"application/vnd.oasis.opendocument.spreadsheet":                          "ods",
		"application/vnd.oasis.opendocument.presentation":                         "odp",
		"application/vnd.oasis.opendocument.flat.text":                            "odf",
		"application/epub+zip":          "epub",
		"application/rtf":               "rtf",
		"application/msword":            "doc",
		"application/vnd.ms-excel":      "xls",
		"application/vnd.ms-powerpoint": "ppt",
		"application/x-ooxml-protected": "ooxml",
	} {
		if got := Format(mime); got != want {
			t.Errorf("Format(%q) = %q, want %q", mime, got, want)
		}
	}
}

func TestRead_neverNil(t *testing.T) {
	tests := []struct {
		name, mime string
		body       []byte
		want       doctext.Kind
	}{
		{"a type that is not read", "image/png", []byte("x"), doctext.KindUnsupported},
		{"no PDF at all", "application/pdf", []byte("not a PDF"), doctext.KindDamaged},
		{"nothing", "application/pdf", nil, doctext.KindDamaged},
		{"more than is read", "image/png", make([]byte, MaxBody+1), doctext.KindLimit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Read(tt.mime, tt.body, doctext.Options{})
			if d == nil || d.Text != "" || !has(d, tt.want) {
				t.Errorf("Read = %+v, want a problem %q", d, tt.want)
			}
		})
	}
}

func has(d *doctext.Document, kind doctext.Kind) bool {
	for _, p := range d.Problems {
		if p.Kind == kind {
			return true
		}
	}
	return false
}

func TestTidy(t *testing.T) {
	many := append([]string{"a", "a", ""}, strings.Split(names(200), ",")...)
	d := &doctext.Document{
		Text: "caf\xe9 " + strings.Repeat("é", 10), Title: "  A\x00 title\r\nin two lines ",
		Description: strings.Repeat("ü", 5000),
		Authors:     []string{" Ada ", "", "Ada", "\x01", "Bob"}, Tags: many, Publisher: strings.Repeat("p", 500),
		Created: "2024-02-30", Modified: "2024-03-01T10:00:00+01:00", Language: "\tde\n", Pages: -3,
	}
	tidy(d, doctext.Options{MaxText: 12}.WithDefaults())
	got := []any{
		d.Text, d.Title, len(d.Description), utf8.ValidString(d.Description), d.Authors, len(d.Tags),
		len(d.Publisher), d.Created, d.Modified, d.Language, d.Pages,
	}
	want := []any{
		"caf\uFFFD éé", "A title in two lines", maxLine, true,
		[]string{"Ada", "Bob"},
		maxTags, maxName, "",
		"2024-03-01T10:00:00+01:00", "de", 0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tidy (-want +got):\n%s", diff)
	}
	if !has(d, doctext.KindLimit) {
		t.Errorf("problems %v; want one that says that the text is cut", d.Problems)
	}
}

// names returns n different names.
func names(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("n", i+1) + ",")
	}
	return b.String()
}

func TestTidy_blankText(t *testing.T) {
	d := &doctext.Document{Text: " \n\f\n "}
	if tidy(d, doctext.Options{}.WithDefaults()); d.Text != "" {
		t.Errorf("Text = %q, want none", d.Text)
	}
}

// FuzzRead: any bytes give a document within its limits.
func FuzzRead(f *testing.F) {
	f.Add("application/pdf", []byte("%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF"))
	f.Add("application/rtf", []byte(`{\rtf1 text\par}`))
	f.Add("application/epub+zip", []byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, mime string, body []byte) {
		const maxText = 1000
		d := Read(mime, body, doctext.Options{MaxText: maxText})
		if len(d.Text) > maxText || !utf8.ValidString(d.Text) || len(d.Title) > maxLine || len(d.Authors) > maxNames ||
			len(d.Problems) > maxProblems {
			t.Errorf("Read(%q, %q) = %+v", mime, body, d)
		}
		for _, p := range d.Problems {
			if p.Kind == doctext.KindCrashed {
				t.Errorf("Read(%q, %q): %s", mime, body, p.Message)
			}
		}
	})
}
