package parquetfile

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// dataPages are the rows of some pages, in the order in which they are to be read.
func dataPages(n int) (pages [][]schemas.Datum) {
	zero, one := 0, 1
	for i := range n {
		page := schemas.Datum{
			SURT: fmt.Sprintf("com,a)/%04d", i), URL: fmt.Sprintf("http://a.com/%04d", i), Host: "a.com", Domain: "a.com",
			Timestamp: "2026-11-24T00:00:00.123456Z", Syntax: schemas.SyntaxJSONLD, Type: "Product",
		}
		rows := []schemas.Datum{page, page, page}
		rows[0].Property, rows[0].Value, rows[0].Lang = "name", fmt.Sprint("n", i), "en"
		rows[1].Property, rows[1].Child = "offers", &one
		rows[2].Item, rows[2].Parent, rows[2].Type, rows[2].ID = 1, &zero, "Offer", "#o"
		pages = append(pages, rows[:1+i%3])
	}
	// A page of which little is known comes first.
	return slices.Insert(pages, 0, []schemas.Datum{{URL: "x", Syntax: schemas.SyntaxRDFa}})
}

func writeData(tb testing.TB, o Options, pages [][]schemas.Datum) []byte {
	tb.Helper()
	var b bytes.Buffer
	o.TempDir = tb.TempDir()
	w := NewDataWriter(&b, o)
	defer func() { _ = w.Abort() }() // after Close it does nothing
	for _, rows := range pages {
		if err := w.Write(rows); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestDataWriter_order: rows are read as written, by page, whatever the order of pages and the memory. The bytes are
// the same.
func TestDataWriter_order(t *testing.T) {
	pages := dataPages(500)
	want := slices.Concat(pages...)
	data := writeData(t, Options{}, pages)
	turned := slices.Clone(pages)
	slices.Reverse(turned)
	if other := writeData(t, Options{MemoryBytes: 4 << 10}, turned); !bytes.Equal(data, other) {
		t.Error("other bytes with little memory and in another order")
	}
	small := writeData(t, Options{RowGroupRows: 7}, pages)
	for name, data := range map[string][]byte{"one group": data, "many groups": small} {
		var got []schemas.Datum
		for d, err := range ReadData(bytes.NewReader(data), int64(len(data))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, d)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestDataWriter_refuses(t *testing.T) {
	w := NewDataWriter(&bytes.Buffer{}, Options{})
	if err := w.Write([]schemas.Datum{{URL: "x", Timestamp: "yesterday"}}); err == nil {
		t.Error("an invalid timestamp was taken")
	}
	if err := w.Write([]schemas.Datum{{URL: "x\xff", Value: "\xff"}}); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := parseData([]byte{9, 'x'}, func(datumRow) error { return nil }); err == nil {
		t.Error("a truncated record was taken")
	}
}

func FuzzReadData(f *testing.F) {
	f.Add(writeData(f, Options{}, dataPages(3)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		for _, err := range ReadData(bytes.NewReader(data), int64(len(data))) {
			if err != nil {
				return
			}
		}
	})
}
