package parts_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/officetest"
	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/office/internal/parts"
)

func TestArchive(t *testing.T) {
	body := officetest.Zip(officetest.File{Name: "A/b.xml", Body: "one"}, officetest.File{Name: "dir/"},
		officetest.File{Name: `w\x.xml`, Body: "two"},
		officetest.File{Name: "/../up.xml", Body: "three"}, officetest.File{Name: "a/B.xml", Body: "again"})
	for name, src := range map[string][]byte{
		"whole":               body,
		"without a directory": body[:bytes.Index(body, []byte("PK\x01\x02"))],
	} {
		t.Run(name, func(t *testing.T) {
			var doc doctext.Document
			a, err := parts.Open(src, &doc, doctext.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"A/b.xml", "w/x.xml", "up.xml"}, a.Names()); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			for part, want := range map[string]string{
				"a/b.xml": "one", "W/X.XML": "two", "up.xml": "three",
				"./a/../a/b.xml": "one", "none": "", "../../up.xml": "three",
			} {
				if got := string(a.Read(part)); got != want {
					t.Errorf("Read(%q) = %q, want %q; problems %v", part, got, want, doc.Problems)
				}
			}
			if damaged := name != "whole"; damaged != (len(doc.Problems) == 1) {
				t.Errorf("problems %v", doc.Problems)
			}
		})
	}
}

func TestOpen_notZip(t *testing.T) {
	for _, body := range []string{"", "PK", "PK\x03\x04", "plain text", "PK\x03\x04" + strings.Repeat("\xff", 100)} {
		if _, err := parts.Open([]byte(body), &doctext.Document{}, doctext.Options{}); !errors.Is(err, parts.ErrFormat) {
			t.Errorf("Open(%q): %v, want ErrFormat", body, err)
		}
	}
}

// raw packs one entry with a custom header.
func raw(t *testing.T, h zip.FileHeader, body string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	h.Name = "a"
	e, err := w.CreateRaw(&h)
	if err == nil {
		_, err = e.Write([]byte(body))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestArchive_problems(t *testing.T) {
	sum := crc32.ChecksumIEEE([]byte("text"))
	for _, test := range []struct {
		name, want string
		body       []byte
		kind       doctext.Kind
	}{
		{
			"wrong checksum", "text", raw(t, zip.FileHeader{CRC32: 1, CompressedSize64: 4, UncompressedSize64: 4}, "text"),
			doctext.KindDamaged,
		},
		{"broken deflate", "", raw(t, zip.FileHeader{
			Method: zip.Deflate, CRC32: sum, CompressedSize64: 4,
			UncompressedSize64: 4,
		}, "text"), doctext.KindDamaged},
		{
			"encrypted", "", raw(t, zip.FileHeader{Flags: 1, CRC32: sum, CompressedSize64: 4, UncompressedSize64: 4}, "text"),
			doctext.KindEncrypted,
		},
		{"other method", "", raw(t, zip.FileHeader{Method: 99, CRC32: sum, CompressedSize64: 4, UncompressedSize64: 4},
			"text"), doctext.KindUnsupported},
	} {
		t.Run(test.name, func(t *testing.T) {
			var doc doctext.Document
			a, err := parts.Open(test.body, &doc, doctext.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(a.Read("a")); got != test.want || len(doc.Problems) != 1 || doc.Problems[0].Kind != test.kind {
				t.Errorf("Read = %q, problems %v; want %q, %s", got, doc.Problems, test.want, test.kind)
			}
		})
	}
}

// A stored entry without a length in its header ends at its descriptor.
func TestArchive_storedWithDescriptor(t *testing.T) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range []string{"a", "b"} {
		e, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = e.Write([]byte("text of " + name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	a, err := parts.Open(out.Bytes(), &doctext.Document{}, doctext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(a.Read("a")); got != "text of a" {
		t.Errorf("Read = %q", got)
	}
}

func TestArchive_limits(t *testing.T) {
	zeroes := strings.Repeat("\x00", 4<<20)
	body := officetest.Zip(officetest.File{Name: "a", Body: zeroes}, officetest.File{Name: "b", Body: zeroes})
	for _, test := range []struct {
		name string
		o    doctext.Options
		a, b int
	}{
		{"ratio", doctext.Options{}, 1 << 20, 1 << 20},
		{"entry", doctext.Options{MaxEntry: 1000}, 1000, 1000},
		{"total", doctext.Options{MaxBytes: 1000}, 1000, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var doc doctext.Document
			a, err := parts.Open(body, &doc, test.o)
			if err != nil {
				t.Fatal(err)
			}
			first, second := len(a.Read("a")), len(a.Read("b"))
			if first < test.a || first > test.a+test.a/5 || second < test.b || second > test.b+test.b/5 {
				t.Errorf("%d and %d bytes, want %d and %d", first, second, test.a, test.b)
			}
			if len(doc.Problems) != 1 || doc.Problems[0].Kind != doctext.KindLimit {
				t.Errorf("problems %v, want a limit", doc.Problems)
			}
		})
	}
}

func TestArchive_Nested(t *testing.T) {
	inner := officetest.Zip(officetest.File{Name: "x", Body: strings.Repeat("x", 1000)})
	var doc doctext.Document
	a, err := parts.Open(officetest.Zip(officetest.File{Name: "in", Body: string(inner)}), &doc,
		doctext.Options{MaxBytes: int64(len(inner)) + 100})
	if err != nil {
		t.Fatal(err)
	}
	n, err := a.Nested(a.Read("in"), &doc)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(n.Read("x")); got != 100 {
		t.Errorf("%d bytes, want the 100 that were left", got)
	}
	if got := len(a.Read("in")); got != 0 {
		t.Errorf("%d bytes, want none: all were used", got)
	}
}

func FuzzArchive(f *testing.F) {
	for _, s := range officetest.Samples() {
		f.Add(s.Body)
		f.Add(s.Body[:len(s.Body)/2])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var doc doctext.Document
		a, err := parts.Open(body, &doc, doctext.Options{MaxEntry: 1 << 20, MaxBytes: 2 << 20})
		if err != nil {
			return
		}
		total := 0
		for _, name := range a.Names() {
			if !a.Has(name) {
				t.Errorf("%q is listed and not there", name)
			}
			total += len(a.Read(name))
		}
		if total > 2<<20 {
			t.Errorf("%d bytes in all", total)
		}
	})
}
