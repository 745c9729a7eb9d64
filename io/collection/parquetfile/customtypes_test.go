package parquetfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestWriter_timesThatAreNone: what a file of anybody has in the place of times is kept as text.
func TestWriter_timesThatAreNone(t *testing.T) {
	d := &schemas.Document{
		URL: "http://a.example/", CustomTimes: map[string][]string{
			"seen": {"once", "2026-03-04T10:30:00Z", "0001-01-01"},
			"x":    {"y"},
		},
		Custom: map[string][]string{"seen": {"a"}},
	}
	want := &schemas.Document{
		URL: "http://a.example/", CustomTimes: map[string][]string{"seen": {"2026-03-04T10:30:00Z"}},
		Custom: map[string][]string{"seen": {"a", "once", "0001-01-01"}, "x": {"y"}},
	}
	var out bytes.Buffer
	w := parquetfile.NewWriter(&out, parquetfile.Options{TempDir: t.TempDir()})
	err := w.Write(d)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader(out.Bytes())
	for got, err := range parquetfile.Read(in, in.Size()) {
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%v, -want +got:\n%s", err, diff)
		}
	}
	if len(d.Custom) != 1 || len(d.Custom["seen"]) != 1 {
		t.Errorf("the document was changed: %v", d.Custom)
	}
}

// TestWriter_customTypes: values of all types come back by both readers, also where rows have some of them alone.
func TestWriter_customTypes(t *testing.T) {
	var docs []*schemas.Document
	for i := range 200 {
		d := &schemas.Document{URL: fmt.Sprintf("http://a.example/%03d", i), SURT: fmt.Sprintf("example,a)/%03d", i)}
		for j, of := range schemas.ValueTypes() {
			if i%(j+2) > 0 {
				continue
			}
			values := map[schemas.ValueType][]string{
				schemas.TypeText: {"a", ""}, schemas.TypeInteger: {"-9223372036854775808", "0", "7"},
				schemas.TypeFloat:   {"0.5", "0"},
				schemas.TypeBoolean: {"false", "true"}, schemas.TypeTime: {
					"1678-01-01", "2026-03-04T10:30:00.123456Z",
					"1970-01-01",
				},
			}[of]
			if err := d.SetCustom(string(of), of, values); err != nil {
				t.Fatal(err)
			}
		}
		docs = append(docs, d)
	}
	var out bytes.Buffer
	w := parquetfile.NewWriter(&out, parquetfile.Options{TempDir: t.TempDir()})
	for _, d := range docs {
		if err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader(out.Bytes())
	i := 0
	for d, err := range parquetfile.Read(in, in.Size()) {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(docs[i], d); diff != "" {
			t.Fatalf("parquetfile, row %d: -want +got:\n%s", i, diff)
		}
		i++
	}
	f, err := parquetscan.Open(in, in.Size(), parquetscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range f.Rows(t.Context(), nil, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(docs[r.Number], r.Document); diff != "" {
			t.Fatalf("parquetscan, row %d: -want +got:\n%s", r.Number, diff)
		}
	}
}
