package contentdb

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestForeignFiles: rows of other programs in a snapshot have a place and the keys of their URL, though their file has
// none.
func TestForeignFiles(t *testing.T) {
	var docs []*schemas.Document
	for i := range 40 {
		docs = append(docs, &schemas.Document{
			URL: fmt.Sprintf("http://www.h%d.example/%d", i/2%4, i/2), Language: []string{"fr", "en"}[i%2], Text: "budget",
			Timestamp: fmt.Sprintf("2026-03-%02dT00:00:00Z", 1+i%2),
		})
	}
	dir := t.TempDir()
	f := build(t, dir, docs, []string{holdings.FormatParquet})
	shards, err := filepath.Glob(filepath.Join(dir, "documents-*.parquet"))
	if err != nil || len(shards) != 2 {
		t.Fatal(shards, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	var files []schemas.Shard
	for i, name := range shards {
		to := fmt.Sprintf("data/%05d-spark.parquet", i)
		if err := os.Rename(name, filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dir, to))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, schemas.Shard{Name: to, Bytes: info.Size()})
	}
	db, err := Open(t.Context(), f, Options{Files: files})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	for _, tt := range []struct {
		filter      string
		pages, rows int64
	}{
		{"", 20, 40},
		{"lang = fr", 20, 20},
		{"host = www.h1.example", 5, 10},
		{"domain = h3.example", 5, 10},
		{`url = "http://www.h0.example/0"`, 1, 2},
		{`surt >= "example,h3"`, 5, 10},
		{"host = *.h2.example OR lang = fr", 20, 25},
		{"NOT host = www.h1.example", 15, 30},
		{"budget AND timestamp = 2026-03-02", 20, 20},
		{"host = h9.example", 0, 0},
	} {
		where, err := query.Parse(tt.filter)
		if err != nil {
			t.Fatal(err)
		}
		pages, err := db.Count(t.Context(), query.Query{Where: where})
		if err != nil {
			t.Fatal(err)
		}
		rows, places := int64(0), map[string]bool{}
		for d, err := range db.Each(t.Context(), where, []string{"surt"}) {
			if err != nil {
				t.Fatal(err)
			}
			rows++
			places[fmt.Sprint(d.Filename, d.Offset, d.Sequence)] = true
		}
		if pages != tt.pages || rows != tt.rows || int64(len(places)) != rows {
			t.Errorf("%q: %d pages, %d rows in %d places; want %d, %d", tt.filter, pages, rows, len(places), tt.pages,
				tt.rows)
		}
	}
}
