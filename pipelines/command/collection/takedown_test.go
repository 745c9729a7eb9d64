package collection

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/contentdb"
	"github.com/gleaner-web/gleaner/io/collection/parquetscan"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestTakedown_outlines: the outlines of shards, which have the least and greatest URLs in them, go as well, and what
// questions make of the shards later has nothing of the page.
func TestTakedown_outlines(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	must(t, "ingest", "--output="+out, "--format=parquet", month(t, root, 0))
	where, err := query.Parse(`url = "` + secretURL + `"`)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(want int64) {
		t.Helper()
		db, err := contentdb.Open(t.Context(), folder.Open(t.Context(), out, nil), contentdb.Options{NoIndex: true})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := db.Count(t.Context(), query.Query{Where: where}); err != nil || n != want {
			t.Errorf("%d captures, %v, want %d", n, err, want)
		}
	}
	ask(1)
	outlines := filepath.Join(out, filepath.FromSlash(parquetscan.OutlinesFile))
	bound := base64.StdEncoding.EncodeToString([]byte("example,site3)/zanzibarquagga.html")) // found would not see it
	if b, err := os.ReadFile(outlines); err != nil || !strings.Contains(string(b), bound) {
		t.Fatalf("the page is not in the outlines before it is taken down, so there is nothing to test: %v\n%s", err, b)
	}
	left := filepath.Join(out, ".gleaner", "query-killed") // what a query by a runner was killed over
	if err := errors.Join(os.Mkdir(left, 0o755), os.WriteFile(filepath.Join(left, "part-00.jsonl"), []byte(marker), 0o644)); err != nil {
		t.Fatal(err)
	}
	must(t, "collection", "takedown", "--collection="+out, secretURL)
	if _, err := os.Stat(outlines); !os.IsNotExist(err) {
		t.Errorf("%v, want %v", err, fs.ErrNotExist)
	}
	ask(0)
	if b, err := os.ReadFile(outlines); err != nil || strings.Contains(string(b), bound) {
		t.Errorf("the page is in the outlines that were made since: %v\n%s", err, b)
	}
	if list := found(t, out, marker); len(list) > 0 {
		t.Errorf("it is in %v", list)
	}
}
