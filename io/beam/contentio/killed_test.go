package contentio

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/beam/collectionio"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestWrite_killed: units of a Write that was killed are never part of the collection.
func TestWrite_killed(t *testing.T) {
	from, lines := fill(t), t.TempDir()
	const line = `{"url":"http://a.example/","surt":"example,a)/"}` + "\n"
	if err := os.WriteFile(filepath.Join(lines, "documents-1.jsonl"), []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	const french, german = "language = fr", "language = de"
	change := func(do func(c *collection.Collection, f folder.Folder) error) func(t *testing.T, to string) error {
		return func(t *testing.T, to string) error {
			f := folder.Open(t.Context(), to, nil)
			c, err := collection.Open(f, collection.OpenOptions{})
			if err != nil {
				return err
			}
			defer func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}()
			return do(c, f)
		}
	}
	merge := change(func(c *collection.Collection, _ folder.Folder) error {
		_, err := care.Merge(t.Context(), c, folder.Open(t.Context(), from, nil), nil)
		return err
	})
	write := func(filter string) func(t *testing.T, to string) error {
		return func(t *testing.T, to string) error { return answer(t, "direct", from, to, filter) }
	}
	for _, tt := range []struct {
		name string
		next []func(t *testing.T, to string) error
		want int
	}{
		{"merge", []func(*testing.T, string) error{merge}, 90 + 180},
		{"merge twice", []func(*testing.T, string) error{merge, merge}, 90 + 180},
		{"adopt", []func(*testing.T, string) error{change(func(c *collection.Collection, _ folder.Folder) error {
			_, err := care.Adopt(t.Context(), c, folder.Open(t.Context(), lines, nil), shard.Options{})
			return err
		})}, 90 + 1},
		{"refinish", []func(*testing.T, string) error{change(func(c *collection.Collection, _ folder.Folder) error {
			return care.Refinish(c)
		})}, 90},
		{"write again", []func(*testing.T, string) error{write(french)}, 90},
		{"write others, and merge", []func(*testing.T, string) error{write(german), merge}, 90 + 180},
		{"merge, and write again", []func(*testing.T, string) error{merge, write(french)}, 90},
		{"nothing", nil, 90},
	} {
		t.Run(tt.name, func(t *testing.T) {
			to := filepath.Join(t.TempDir(), "to")
			if err := answer(t, "direct", from, to, french); err != nil {
				t.Fatal(err)
			}
			killed(t, to)
			for _, next := range tt.next {
				if err := next(t, to); err != nil {
					t.Fatal(err)
				}
			}
			if got := embedded(t, to, query.Query{AllVersions: true}, nil); len(got) != tt.want {
				t.Errorf("%d documents, want %d", len(got), tt.want)
			}
		})
	}
	to := filepath.Join(t.TempDir(), "to")
	if err := answer(t, "direct", from, to, french); err != nil {
		t.Fatal(err)
	}
	f := folder.Open(t.Context(), to, nil)
	if unfinished, err := ledger.Unfinished(f); err != nil || unfinished {
		t.Errorf("after a Write: unfinished %v, %v", unfinished, err)
	}
}

// killed begins to write other documents, and ends after one unit.
func killed(t *testing.T, to string) {
	t.Helper()
	o := WriteOptions{Dir: to, Shards: 3, Formats: []string{"parquet"}}
	if _, err := (&claimFn{Options: o}).ProcessElement(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	err := collectionio.InFolder(t.Context(), to, func(f folder.Folder) error {
		_, err := (&unitFn{Options: o}).write(f, 1, []schemas.Document{*document("other.warc", 1, 1)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
