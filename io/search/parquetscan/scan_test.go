package parquetscan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

func parse(t testing.TB, where string) query.Expr {
	t.Helper()
	if where == "" {
		return nil
	}
	e, err := query.Parse(where)
	if err != nil {
		t.Fatalf("Parse(%q) = %v", where, err)
	}
	return e
}

// filters are asked of every file: each way to find rows is in one of them.
var filters = []string{
	"", "language = fr", "language != fr", "NOT language:*", "language:*",
	`language = fr AND mime_detected = "application/pdf"`,
	"language = fr OR language = th", "(lang = fr OR lang = de) AND (mime = image/* OR status = 404)",
	"timestamp >= 2025-03 AND timestamp < 2025-04", "timestamp = 2025-07", "timestamp > 2025-12-24T00:00:00.000001Z",
	"timestamp <= 2025-02",
	"timestamp > 2025-03-04T05:00:00.0000005Z", "timestamp < 2025-03-04T05:00:00.0000005Z", "timestamp >= 1678",
	"timestamp <= 2261",
	"status < 300", "status != 200", "NOT status = 200", "status >= 404", "damaged = true", "damaged = false",
	"damaged != true", "sequence = 0", "sequence != 0", "sequence < 2", "links_internal = 0", "links_internal > 0",
	"links_internal:*",
	`surt = "example,site-07)*"`, `surt = "*1"`, `url:"SITE-07"`, `url = "https://nowhere.example/"`,
	`surt >= "example,site-20"`,
	`title:"überSCHRIFT"`, `title:"TITLE 4"`, `title = "Überschrift*"`, "quality.words > 500", "quality.words = 0",
	"quality:*",
	"quality.gopher_pass = false", "quality.gopher_pass = true", "quality.mean_word_length <= 2",
	"quality.mean_word_length = 0",
	`entities.text = "Place 7"`, `entities.text != "Place 7"`, `entities.text = "Place 7" AND entities.text = "Place 3"`,
	"entities.count > 1", "entities.count = 0", "entities.mentions.start > 7", "entities:*", "NOT entities:*",
	"custom.price = 3", "custom.price:*", "custom:other", "published = 2024-05-17", "published > 2024",
	"NOT published:*", "feed.type = rss",
	"feed.items = 0", "feed.newest > 2000", "parlement", "europeen 12", `"Parlement europeen"`, "政府 AND language = de",
	"NOT parlement",
	`lang = fr AND (title:"title 1" OR NOT entities:*) AND NOT (status = 404 OR damaged = true)`, "offset = 5000",
	"offset > -9223372036854775808", "offset = 9223372036854775807", "length = 99 AND body_bytes = 0",
	`filename = "crawl-1.warc.gz" AND text:*`, "record_type = response", "redirect_url:*",
}

// sameRows compares what a file gives for every filter with what Match takes of its documents.
func sameRows(t *testing.T, f *File, docs []*schemas.Document) {
	t.Helper()
	for _, where := range filters {
		e := parse(t, where)
		match := query.Compile(e)
		var want []int64
		for i, d := range docs {
			if match(d) {
				want = append(want, int64(i))
			}
		}
		var got []int64
		for r, err := range f.Rows(t.Context(), e, []string{"url", "entities", "published"}) {
			if err != nil {
				t.Fatalf("%q: %v", where, err)
			}
			got = append(got, r.Number)
			d := docs[r.Number]
			few := &schemas.Document{URL: d.URL, Entities: d.Entities, Published: d.Published}
			if !reflect.DeepEqual(r.Document, few) {
				t.Fatalf("%q: row %d: %s", where, r.Number, cmp.Diff(few, r.Document))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q takes %d rows, want %d", where, len(got), len(want))
		}
		if n, err := f.Count(t.Context(), e); n != int64(len(want)) || err != nil {
			t.Errorf("Count(%q) = %d, %v, want %d", where, n, err, len(want))
		}
	}
}

func TestFile_rows(t *testing.T) {
	docs := made(700)
	for _, o := range []parquetfile.Options{{}, {RowGroupRows: 100}, {RowGroupRows: 1}} {
		n := len(docs)
		if o.RowGroupRows == 1 {
			n = 20
		}
		t.Run(fmt.Sprint(o.RowGroupRows, " a group"), func(t *testing.T) {
			file, docs := written(t, docs[:n], o)
			f := opened(t, file)
			i := 0
			for r, err := range f.Rows(t.Context(), nil, nil) {
				if err != nil {
					t.Fatal(err)
				}
				if r.Number != int64(i) || !reflect.DeepEqual(r.Document, docs[i]) {
					t.Fatalf("row %d is %d: %s", i, r.Number, cmp.Diff(docs[i], r.Document))
				}
				i++
			}
			if i != len(docs) || f.NumRows() != int64(i) {
				t.Errorf("%d rows, NumRows() = %d, want %d", i, f.NumRows(), len(docs))
			}
			sameRows(t, f, docs)
		})
	}
}

func TestFile_empty(t *testing.T) {
	file, _ := written(t, nil, parquetfile.Options{})
	f := opened(t, file)
	for r, err := range f.Rows(t.Context(), nil, nil) {
		t.Errorf("row %v, %v", r, err)
	}
}

func TestFile_at(t *testing.T) {
	file, docs := written(t, made(900), parquetfile.Options{RowGroupRows: 200})
	f := opened(t, file)
	rows := []int64{0, 1, 199, 200, 455, 899}
	var got []int64
	for r, err := range f.At(t.Context(), rows, []string{"title", "text", "custom"}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Number)
		d := docs[r.Number]
		want := &schemas.Document{Title: d.Title, Text: d.Text, Custom: d.Custom}
		if !reflect.DeepEqual(r.Document, want) {
			t.Error(cmp.Diff(want, r.Document))
		}
	}
	if !slices.Equal(got, rows) {
		t.Errorf("At = %v, want %v", got, rows)
	}
	for _, bad := range [][]int64{{900}, {-1}, {5, 3}, {7, 7}} {
		var err error
		for _, err = range f.At(t.Context(), bad, nil) {
			if err != nil {
				break
			}
		}
		if err == nil {
			t.Errorf("At(%v) is no error", bad)
		}
	}
}

// TestFile_fields: of a column that is a struct its fields can be read one by one.
func TestFile_fields(t *testing.T) {
	file, docs := written(t, made(300), parquetfile.Options{RowGroupRows: 100})
	f := opened(t, file)
	for r, err := range f.Rows(t.Context(), nil, []string{"quality.words", "url", "quality.gopher_pass"}) {
		if err != nil {
			t.Fatal(err)
		}
		d := docs[r.Number]
		want := &schemas.Document{URL: d.URL}
		if q := d.Quality; q != nil {
			want.Quality = &schemas.Quality{Words: q.Words, GopherPass: q.GopherPass}
		}
		if !reflect.DeepEqual(r.Document, want) {
			t.Fatalf("row %d: %s", r.Number, cmp.Diff(want, r.Document))
		}
	}
	// Callers that ask for a whole field and for a part of it get the whole.
	for r, err := range f.At(t.Context(), []int64{7}, []string{"quality.words", "quality"}) {
		if err != nil || !reflect.DeepEqual(r.Document.Quality, docs[7].Quality) {
			t.Errorf("quality = %v, %v, want %v", r.Document.Quality, err, docs[7].Quality)
		}
	}
}

func TestFile_mistakes(t *testing.T) {
	file, _ := written(t, made(9), parquetfile.Options{})
	f := opened(t, file)
	for _, bad := range []string{"nothing", "quality.nothing", "title.words"} {
		for _, err := range f.Rows(t.Context(), nil, []string{"url", bad}) {
			if err == nil {
				t.Errorf("%s, which does not exist, is no error", bad)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range f.Rows(ended, nil, nil) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v, want that of the context", err)
		}
	}
}

// counted counts the reads and their bytes.
type counted struct {
	io.ReaderAt
	requests int
	bytes    int64
}

func (c *counted) ReadAt(b []byte, off int64) (int, error) {
	c.requests++
	c.bytes += int64(len(b))
	return c.ReaderAt.ReadAt(b, off)
}

// TestFile_reads bounds requests and bytes of three queries. The footer answers the first and a bloom filter the
// second; the third finds a row among others.
func TestFile_reads(t *testing.T) {
	docs := made(4000)
	for i, d := range docs {
		d.Text = fmt.Sprintf("%d %x", i, bytes.Repeat([]byte{byte(i), byte(i >> 3), byte(i >> 5)}, 300))
	}
	file, docs := written(t, docs, parquetfile.Options{RowGroupRows: 1000})
	for _, x := range []struct {
		where    string
		columns  []string
		requests int
		share    float64 // of the file, at most
	}{
		{"timestamp > 2030", nil, 0, 0},
		{`url = "https://www.site-00.example/page-none"`, nil, 8, .02},
		{fmt.Sprintf("surt = %q", docs[2345].SURT), []string{"text", "title", "filename"}, 8, .3},
		{"language = fr AND status = 404 AND timestamp = 2025-03-04", []string{"url"}, 24, .1},
	} {
		in := &counted{ReaderAt: bytes.NewReader(file)}
		f, err := Open(in, int64(len(file)), Options{Gap: 64 << 10})
		if err != nil {
			t.Fatal(err)
		}
		in.requests, in.bytes = 0, 0
		for _, err := range f.Rows(t.Context(), parse(t, x.where), x.columns) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if in.requests > x.requests || float64(in.bytes) > x.share*float64(len(file)) {
			t.Errorf("%q: %d requests, %d bytes of %d, want at most %d and %.2f", x.where,
				in.requests, in.bytes, len(file), x.requests, x.share)
		}
	}
}

func TestPushes(t *testing.T) {
	for where, want := range map[string]bool{
		"language = fr": true, "entities.text = x": true, "timestamp < 2025": true, "custom.price = 1": false,
		"published < 2020": false, "parlement": false, "quality:*": false,
	} {
		if got := Pushes(parse(t, where)); got != want {
			t.Errorf("Pushes(%q) = %t, want %t", where, got, want)
		}
	}
}

// BenchmarkFile_rows asks for rows by what they are.
func BenchmarkFile_rows(b *testing.B) {
	file, _ := written(b, made(20_000), parquetfile.Options{})
	f := opened(b, file)
	for _, where := range []string{
		`language = fr AND mime_detected = "application/pdf" AND timestamp = 2025-03`, `entities.text = "Place 7"`,
	} {
		e := parse(b, where)
		b.Run(where, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range f.Rows(b.Context(), e, []string{"url", "title"}) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
