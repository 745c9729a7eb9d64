package lookup

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
	"github.com/gleaner-web/gleaner/transforms/fileset/platform"
)

// seed has captures of all four platforms of the real system; it is no part of the project.
const seed = "../../../../shared/corpora/seeds/sandcrawler/synthetic"

// openLookup makes an index of lines, and opens it.
func openLookup(t testing.TB, base string, o Options, indexes ...[]byte) *Lookup {
	t.Helper()
	name := filepath.Join(t.TempDir(), "captures.cdxj")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	b := NewBuilder(f, 1<<20, t.TempDir())
	for _, text := range indexes {
		for l, err := range cdx.NewReader(bytes.NewReader(text), cdx.Options{}).All() {
			if err == nil {
				err = b.Add(0, l)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	store := blob.New(blob.Options{})
	index, err := OpenFile(t.Context(), store, name)
	if err != nil {
		t.Fatal(err)
	}
	o.Bases = []string{base}
	l := New(store, index, o)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestSeed(t *testing.T) {
	lines, err := os.ReadFile(seed + "/captures.cdx")
	if err != nil {
		t.Skip("no ../shared/corpora/seeds/sandcrawler beside the checkout")
	}
	requests, err := os.ReadFile(seed + "/requests.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	l := openLookup(t, seed, Options{}, lines)
	for line := range bytes.Lines(requests) {
		var r schemas.FilesetRequest
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		out, err := fileset.Ingest(t.Context(), r, l, fileset.Options{Platforms: platform.All()})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.MarshalIndent(out, "", " ")
		t.Logf("%s", text)
	}
}
