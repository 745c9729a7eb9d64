package care_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/shard"
)

// columnFile is a Parquet file whose column is read or not.
func columnFile[T any](t *testing.T, rows ...T) string {
	t.Helper()
	var file bytes.Buffer
	if err := parquet.Write(&file, rows); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// TestAdopt_refused: files that cannot be read keep none of the others out, and are named. Their earlier units stay.
func TestAdopt_refused(t *testing.T) {
	quality := columnFile(t, struct {
		URL     string  `parquet:"url"`
		Quality float64 `parquet:"quality"`
	}{"http://d.example/", .5})
	status := columnFile(t, []struct {
		URL       string `parquet:"url"`
		Timestamp string `parquet:"timestamp"`
		Status    string `parquet:"status"`
	}{{"http://d.example/", "soon", "200"}, {"http://d.example/2", "", "n/a"}}...)
	const (
		a = "example,a)/x www.a.example a.example"
		b = "example,b)/ b.example b.example"
		c = "example,c)/ c.example c.example"
	)
	for _, tt := range []struct {
		name          string
		before, files map[string]string
		refused       []string // names and causes
		want          []string
	}{
		{
			"the last, of an unread type",
			map[string]string{"documents-1.jsonl": lineA},
			map[string]string{"documents-2.jsonl": lineB, "documents-4.parquet": quality},
			[]string{"documents-4.parquet", "quality is DOUBLE", "drop the column"},
			[]string{a, b},
		},
		{
			"the first, by a value", nil,
			map[string]string{"documents-1.parquet": status, "documents-2.jsonl": lineB, "documents-3.jsonl": lineC},
			[]string{"documents-1.parquet", `status has "n/a"`},
			[]string{b, c},
		},
		{
			"two", nil,
			map[string]string{"documents-1.parquet": quality, "documents-2.jsonl": lineB, "documents-3.parquet": status},
			[]string{"documents-1.parquet", "documents-3.parquet"},
			[]string{b},
		},
		{
			"damaged lines", nil,
			map[string]string{"documents-1.jsonl": lineA + "{\n", "documents-2.jsonl": lineB},
			[]string{"documents-1.jsonl"},
			[]string{b},
		},
		{
			"one that was read before",
			map[string]string{"documents-1.jsonl": lineA, "documents-2.jsonl": lineB},
			map[string]string{"documents-1.jsonl": "{\n", "documents-2.jsonl": lineC},
			[]string{"documents-1.jsonl"},
			[]string{a, c},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from, to := t.TempDir(), t.TempDir()
			put := func(files map[string]string) {
				for name, text := range files {
					if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if put(tt.before); tt.before != nil {
				adopted(t, to, from, shard.Options{}, false)
			}
			put(tt.files)
			for range 2 {
				c := open(t, to, collection.OpenOptions{})
				done, err := care.Adopt(t.Context(), c, local(from), shard.Options{})
				shut(t, c)
				if !errors.Is(err, care.ErrRefused) || done.Undated > 0 {
					t.Fatalf("%+v, %v", done, err)
				}
				for _, part := range tt.refused {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%v does not say %s", err, part)
					}
				}
			}
			if got := documentsIn(t, to); !slices.Equal(got, tt.want) {
				t.Errorf("documents %q, want %q", got, tt.want)
			}
			if problems, err := care.Verify(t.Context(), local(to)); err != nil || len(problems) > 0 {
				t.Errorf("Verify = %v, %v", problems, err)
			}
		})
	}
}

// TestAdopt_allRefused: a folder without a file that can be read changes nothing.
func TestAdopt_allRefused(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(from, "documents-1.jsonl"), []byte("{\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := open(t, to, collection.OpenOptions{})
	defer shut(t, c)
	_, err := care.Adopt(t.Context(), c, local(from), shard.Options{})
	if err == nil || errors.Is(err, care.ErrRefused) {
		t.Error(err)
	}
	if _, _, err := holdings.Whole(local(to)); err == nil {
		t.Error("a collection was made")
	}
}
