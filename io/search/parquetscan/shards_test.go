package parquetscan

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// shardsOf writes a folder with a shard for each year.
func shardsOf(t *testing.T, years ...int) (folder.Folder, []schemas.Shard, []*schemas.Document) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".gleaner"), 0o755); err != nil {
		t.Fatal(err)
	}
	var list []schemas.Shard
	var all []*schemas.Document
	for _, year := range years {
		docs := made(60)
		for _, d := range docs {
			d.Timestamp = fmt.Sprint(year) + d.Timestamp[4:]
			d.SourceID = fmt.Sprint("source-", year)
		}
		file, docs := written(t, docs, parquetfile.Options{})
		s := schemas.Shard{Name: fmt.Sprintf("documents-%d.parquet", year), Bytes: int64(len(file))}
		s.SHA256 = fmt.Sprintf("%x", sha256.Sum256(file))
		if err := os.WriteFile(filepath.Join(dir, s.Name), file, 0o644); err != nil {
			t.Fatal(err)
		}
		list, all = append(list, s), append(all, docs...)
	}
	return folder.Open(t.Context(), dir, nil), list, all
}

func TestShards_rows(t *testing.T) {
	f, list, docs := shardsOf(t, 2021, 2022, 2023)
	for _, where := range append(filters, "timestamp = 2022", `source_id = "source-2023"`, `source_id != "source-2023"`) {
		e := parse(t, where)
		match := query.Compile(e)
		want := 0
		for _, d := range docs {
			if match(d) {
				want++
			}
		}
		got := 0
		for r, err := range NewShards(f, list).Rows(t.Context(), e, nil) {
			if err != nil {
				t.Fatal(err)
			}
			if !match(r.Document) {
				t.Errorf("%q takes %s", where, r.Document.URL)
			}
			got++
		}
		if got != want {
			t.Errorf("%q takes %d rows, want %d", where, got, want)
		}
	}
}

// TestShards_opensFew: once outlines are kept, shards that cannot have an answer may even be gone.
func TestShards_opensFew(t *testing.T) {
	f, list, _ := shardsOf(t, 2021, 2022, 2023)
	where := parse(t, "timestamp = 2022")
	chosen, err := NewShards(f, list).Chosen(t.Context(), where)
	if err != nil || len(chosen) != 1 || chosen[0] != list[1] {
		t.Fatalf("Chosen = %v, %v, want the second shard", chosen, err)
	}
	for _, s := range []schemas.Shard{list[0], list[2]} {
		if err := os.Remove(f.Path(s.Name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range NewShards(f, list).Rows(t.Context(), where, nil) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, err = range NewShards(f, list).Rows(t.Context(), nil, nil) {
	}
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("all rows: %v, want fs.ErrNotExist", err)
	}
}

// TestShards_outlinesDoNotMatter: without the file, with a damaged one, and in a folder that takes none, rows are the
// same.
func TestShards_outlinesDoNotMatter(t *testing.T) {
	f, list, _ := shardsOf(t, 2021, 2022)
	where := parse(t, "timestamp = 2022 AND language = fr")
	rows := func() (n int) {
		for _, err := range NewShards(f, list).Rows(t.Context(), where, nil) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	want := rows()
	for _, content := range []string{
		"", "{", `{"version":1}`, `{"version":99,"outlines":{}}`, `{"version":1,"outlines":{"` +
			list[1].SHA256 + `":{"rows":60,"bounds":{"timestamp":{"min":"AA==","max":"AA=="},"language":{"max":"eg=="}}}}}`,
	} {
		if err := os.WriteFile(f.Path(OutlinesFile), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := rows(); got != want || want == 0 {
			t.Errorf("%q: %d rows, want %d", content, got, want)
		}
	}
	if err := os.RemoveAll(f.Path(".gleaner")); err != nil {
		t.Fatal(err)
	}
	if got := rows(); got != want {
		t.Errorf("no folder: %d rows, want %d", got, want)
	}
}

func TestShards_changed(t *testing.T) {
	f, list, _ := shardsOf(t, 2021)
	list[0].Bytes++
	for _, err := range NewShards(f, list).Rows(t.Context(), nil, nil) {
		if !errors.Is(err, holdings.ErrChanged) {
			t.Errorf("err = %v, want ErrChanged", err)
		}
	}
}

func TestShards_at(t *testing.T) {
	f, list, docs := shardsOf(t, 2021, 2022)
	for r, err := range NewShards(f, list).At(t.Context(), list[1], []int64{7}, []string{"url"}) {
		if err != nil || r.Document.URL != docs[67].URL {
			t.Errorf("At = %v, %v, want %s", r.Document, err, docs[67].URL)
		}
	}
}
