package parquetscan

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// open opens a file of the disk.
func open(t testing.TB, name string) *File {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() })
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(in, info.Size(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// reference are the documents of a file as parquetfile reads them.
func reference(t testing.TB, name string) (list []*schemas.Document) {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for d, err := range parquetfile.Read(in, info.Size()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

func TestBig(t *testing.T) {
	names, _ := filepath.Glob(os.Getenv("BIG"))
	for _, name := range names {
		want := reference(t, name)
		f := open(t, name)
		i := 0
		for row, err := range f.Rows(t.Context(), nil, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Number != int64(i) || !reflect.DeepEqual(row.Document, want[i]) {
				t.Fatal(i, cmp.Diff(row.Document, want[i]))
			}
			i++
		}
		if i != len(want) {
			t.Fatal(i, len(want))
		}
		for _, w := range []string{`language = fr AND mime_detected = "application/pdf"`, `entities.text = "Google"`, `status != 200`, `parlement`, `host:"www.a"`, `timestamp = 2025-03`, `links_internal > 10`, `published < 2020`, `(lang = de OR lang = ja) AND NOT mime = "text/html"`, `quality.words > 500 AND feeds.type = rss`, `quality.gopher_pass = false`, `damaged = false AND sequence = 0`, `title:*`, `NOT feed:*`} {
			e, err := query.Parse(w)
			if err != nil {
				t.Fatal(w, err)
			}
			var rows []int64
			match := query.Compile(e)
			for i, d := range want {
				if match(d) {
					rows = append(rows, int64(i))
				}
			}
			var got []int64
			for r, err := range f.Rows(t.Context(), e, []string{"url"}) {
				if err != nil {
					t.Fatal(w, err)
				}
				got = append(got, r.Number)
			}
			t.Log(w, len(rows))
			if !reflect.DeepEqual(got, rows) {
				t.Error(w, len(got), len(rows))
			}
		}
	}
}
