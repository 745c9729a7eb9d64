package legacy_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/legacy"
)

// stream is a stream of a compound file.
type stream = officetest.Stream

// read reads a compound file of streams.
func read(t testing.TB, o doctext.Options, streams ...stream) *doctext.Document {
	t.Helper()
	doc := &doctext.Document{}
	inner, err := legacy.Read(officetest.CFB(streams...), doc, o)
	if err != nil || inner != nil {
		t.Fatalf("Read = %d bytes inside, %v", len(inner), err)
	}
	return doc
}

// kinds lists the kinds of a document's problems.
func kinds(d *doctext.Document) (all []doctext.Kind) {
	for _, p := range d.Problems {
		all = append(all, p.Kind)
	}
	return all
}

// put16 and put32 make little-endian numbers.
func put16(list ...int) (b []byte) {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
	}
	return b
}

func put32(list ...int) (b []byte) {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// property is a value of a property set, with its type.
type property struct {
	id, kind int
	value    []byte
}

func narrow(id int, s string) property {
	return property{id, 30, append(put32(len(s)+1), s+"\x00"...)}
}

func wide(id int, s string) property {
	b := officetest.Wide(s + "\x00")
	return property{id, 31, append(put32(len(b)/2), b...)}
}

func filetime(id int, at time.Time) property {
	ticks := uint64(at.Unix()+11_644_473_600) * 10_000_000
	return property{id, 64, binary.LittleEndian.AppendUint64(nil, ticks)}
}

func page(n int) property { return property{1, 2, put32(n)} }

// summary is a stream with one set of properties.
func summary(list ...property) []byte {
	var table, values []byte
	for _, p := range list {
		table = append(table, put32(p.id, 8+8*len(list)+len(values))...)
		values = append(append(values, put32(p.kind)...), p.value...)
	}
	head := append(make([]byte, 44), put32(48)...)
	return slices.Concat(head, put32(8+len(table)+len(values), len(list)), table, values)
}

func TestRead_properties(t *testing.T) {
	const first, second = "\x05SummaryInformation", "\x05DocumentSummaryInformation"
	sound := summary(page(1252), narrow(2, "Tides"), narrow(4, "Ada"))
	tests := []struct {
		name        string
		first, more []byte
		want        doctext.Document
	}{
		{"Cyrillic", summary(page(1251), narrow(2, "\xCF\xF0\xE8\xEB\xE8\xE2")), nil, doctext.Document{Title: "Прилив"}},
		{"Japanese", summary(page(932), narrow(2, "\x92\xAA")), nil, doctext.Document{Title: "潮"}},
		{"UTF-8", summary(page(65001), narrow(2, "潮 é")), nil, doctext.Document{Title: "潮 é"}},
		{"wide", summary(page(1252), wide(2, "潮 😀")), nil, doctext.Document{Title: "潮 😀"}},
		{
			"narrow in UTF-16", summary(page(1200), narrow(2, string(officetest.Wide("Höhe\x00")))), nil,
			doctext.Document{Title: "Höhe"},
		},
		{"no code page", summary(narrow(2, "caf\xE9")), nil, doctext.Document{Title: "café"}},
		{"an unknown code page", summary(page(7), narrow(2, "caf\xE9")), nil, doctext.Document{Title: "café"}},
		{"text after a zero", summary(narrow(2, "Tides\x00rest")), nil, doctext.Document{Title: "Tides"}},
		{"authors", summary(narrow(4, "Ada; Ben;Ada")), nil, doctext.Document{Authors: []string{"Ada", "Ben"}}},
		{"subject for lack of a comment", summary(narrow(3, "Sea")), nil, doctext.Document{Description: "Sea"}},
		{
			"comment before the subject", summary(narrow(3, "Sea"), narrow(6, "Water")), nil,
			doctext.Document{Description: "Water"},
		},
		{"times", summary(filetime(12, time.Date(2003, 4, 5, 6, 7, 8, 0, time.UTC)), filetime(13, time.Date(1601, 1, 1, 0, 0,
			0, 0, time.UTC))), nil, doctext.Document{Created: "2003-04-05T06:07:08Z"}},
		{"a time that cannot be", summary(property{12, 64, slices.Repeat([]byte{0xFF}, 8)}), nil, doctext.Document{}},
		{
			"both sets", summary(narrow(5, "tide, moon")), summary(narrow(2, "port"), narrow(15, "Quay Ltd")),
			doctext.Document{Tags: []string{"tide", "moon", "port"}, Publisher: "Quay Ltd"},
		},
		{"another type", summary(property{2, 3, put32(7)}), nil, doctext.Document{}},
		{"truncated", sound[:len(sound)-6], nil, doctext.Document{Title: "Tides"}},
		{
			"a length that lies", summary(property{2, 30, append(put32(0x7FFFFFFF), "Tides"...)}), nil,
			doctext.Document{Title: "Tides"},
		},
		{
			"a number of properties that lies", append(append(sound[:52:52], put32(1<<30)...), sound[56:]...), nil,
			doctext.Document{Title: "Tides", Authors: []string{"Ada"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := read(t, doctext.Options{}, stream{Name: first, Body: tt.first}, stream{Name: second, Body: tt.more})
			tt.want.Problems = []doctext.Problem{
				{Kind: doctext.KindUnsupported, Message: "a compound file of another program"},
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("Read (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRead_locked(t *testing.T) {
	title := stream{Name: "\x05SummaryInformation", Body: summary(narrow(2, "Tides"))}
	fib := append(put16(0xA5EC, 193, 0, 0x409, 0, 0x0100), make([]byte, 1024)...)
	for _, tt := range []struct{ name, stream, body string }{
		{"a package", "EncryptedPackage", "x"},
		{"rights management", "\tDRMContent", "x"},
		{"Word", "WordDocument", string(fib)},
		{"Excel", "Workbook", string(records(bof(5), record(0x2F, 1, 0)))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := read(t, doctext.Options{}, stream{Name: tt.stream, Body: []byte(tt.body)}, title)
			if want := []doctext.Kind{doctext.KindEncrypted}; !slices.Equal(kinds(d), want) || d.Text != "" || d.Title != "Tides" {
				t.Errorf("Read = %q, title %q, problems %v; want only a title and %v", d.Text, d.Title, d.Problems, want)
			}
		})
	}
}

func TestRead_otherFiles(t *testing.T) {
	for _, body := range []string{"", "PK\x03\x04", strings.Repeat("\xD0\xCF\x11\xE0", 200)} {
		if _, err := legacy.Read([]byte(body), &doctext.Document{}, doctext.Options{}); err == nil {
			t.Errorf("Read(%.8q) succeeded, want an error", body)
		}
	}
	for _, name := range []string{"WordDocument", "Workbook", "Book", "PowerPoint Document"} {
		d := read(t, doctext.Options{}, stream{Name: name, Body: make([]byte, 3000)})
		if want := []doctext.Kind{doctext.KindDamaged}; !slices.Equal(kinds(d), want) || d.Text != "" {
			t.Errorf("%s of zeros = %q, problems %v; want %v", name, d.Text, d.Problems, want)
		}
	}
}

// TestRead_truncatedAnywhere: the rest of a document is read, and the text only gets shorter.
func TestRead_truncatedAnywhere(t *testing.T) {
	for name, body := range map[string][]byte{
		"doc": officetest.Doc(), "xls": officetest.Xls(), "ppt": officetest.Ppt(),
	} {
		for n := 0; n < len(body); n += 173 {
			doc := &doctext.Document{}
			if _, err := legacy.Read(body[:n], doc, doctext.Options{}); err == nil && len(doc.Problems) == 0 &&
				len(doc.Text) == 0 {
				t.Errorf("%s, %d of %d bytes: neither a text nor a problem", name, n, len(body))
			}
		}
	}
}
