package parquetscan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestAt_longPages: a row is read as it was written although only the beginning of its page is decompressed. It may be
// the first of its page, the last, without a text, or one of several.
func TestAt_longPages(t *testing.T) {
	r, docs := rand.New(rand.NewPCG(1, 1)), make([]*schemas.Document, 900)
	for i := range docs {
		docs[i] = &schemas.Document{
			URL: fmt.Sprintf("https://a.example/%04d", i), SURT: fmt.Sprintf("example,a)/%04d", i), Filename: "f",
			Timestamp: "2025-01-01T00:00:00Z", RecordType: schemas.TypeResponse,
		}
		if r.IntN(5) > 0 {
			docs[i].Text = strings.Repeat(fmt.Sprintf("%x %x ", r.Uint64(), r.Uint64()), r.IntN(400))
			docs[i].MainHTML = "<p>" + docs[i].Text
		}
	}
	data, want := written(t, docs, parquetfile.Options{})
	f, err := Open(bytes.NewReader(data), int64(len(data)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		rows := []int64{r.Int64N(int64(len(docs)))}
		for r.IntN(2) > 0 && rows[len(rows)-1] < int64(len(docs))-1 {
			rows = append(rows, rows[len(rows)-1]+1+r.Int64N(int64(len(docs))-1-rows[len(rows)-1]))
		}
		var got []*schemas.Document
		for row, err := range f.At(t.Context(), rows, nil) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, row.Document)
		}
		for i, row := range rows {
			if diff := cmp.Diff(want[row], got[i]); diff != "" {
				t.Fatalf("row %d of %d (-want +got):\n%.2000s", row, rows, diff)
			}
		}
	}
}
