package collection

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestIndex: the index is made, updated, and rebuilt if it is damaged or on request. It always has the current
// documents.
func TestIndex(t *testing.T) {
	root := t.TempDir()
	out := filepath.Join(root, "out")
	at, dir := "--collection="+out, filepath.Join(out, ".gleaner", "index")
	file := filepath.Join(dir, "index.db")
	must(t, "ingest", "--output="+out, "--format=jsonl,parquet", month(t, root, 0))
	says := func(want string, args ...string) {
		t.Helper()
		if text := must(t, "collection", append([]string{"index", at}, args...)...); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	says("shards     1; 1 added, 0 replaced, 0 removed\nrows       7 in ")
	says("shards     1; 0 added, 0 replaced, 0 removed\nrows       0 in ")
	must(t, "ingest", "--output="+out, "--format=jsonl,parquet", "--add", month(t, root, 1))
	says("shards     2; 1 added, 0 replaced, 0 removed\nrows       5 in ")
	says("shards     2; 2 added, 0 replaced, 0 removed\nrows       12 in ", "--rebuild")
	must(t, "collection", "compact", at)
	says("2 removed\nrows       12 in ")
	says("index      "+folderSize(t, dir)+" in "+dir, "--rebuild")
	if err := os.WriteFile(file, bytes.Repeat([]byte("damage"), 1<<12), 0o644); err != nil {
		t.Fatal(err)
	}
	says("made anew: ")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	says("rows       12 in ")
	lock, err := folder.Open(t.Context(), dir, nil).Lock("lock")
	if err != nil {
		t.Fatal(err)
	}
	says("rows       0 in ") // nothing to do, so no lock is needed
	if code, text := command(t, "collection", "index", "--rebuild", at); code != cli.ExitFailed ||
		!strings.Contains(text, "another process") {
		t.Errorf("beside another writer: exit code %d\n%s", code, text)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	must(t, "collection", "check", at)
}

// TestIndex_revisits: a collection with revisits is checked and rebuilt beside its index, whatever its format.
func TestIndex_revisits(t *testing.T) {
	archive := filepath.Join("..", "..", "..", "testdata", "archives", "site.warc.gz")
	for _, format := range []string{"jsonl", "parquet", "jsonl,parquet"} {
		at := "--collection=" + filepath.Join(t.TempDir(), "out")
		must(t, "ingest", "--output="+at[len("--collection="):], "--format="+format, archive)
		must(t, "collection", "index", at)
		must(t, "collection", "check", at)
		must(t, "collection", "index", "--rebuild", at)
		must(t, "collection", "check", at)
	}
}

// TestIndex_links: the index of links is updated, checked and rebuilt with the index, and a takedown removes entries.
func TestIndex_links(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	at, dir := "--collection="+out, filepath.Join(out, ".gleaner", "index", "links")
	must(t, "ingest", "--output="+out, "--extract=text,links", filepath.Join("..", "..", "..", "testdata", "archives",
		"site.warc.gz"))
	if text := must(t, "collection", "index", at); !strings.Contains(text, "in 1 shard; 1 added, 0 removed") {
		t.Errorf("the first index:\n%s", text)
	}
	if text := must(t, "collection", "index", at); !strings.Contains(text, "in 1 shard; 0 added, 0 removed") {
		t.Errorf("nothing new:\n%s", text)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.links"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-3] ^= 1
	if err := os.WriteFile(files[0], data, 0o644); err != nil {
		t.Fatal(err)
	}
	code, text := command(t, "collection", "check", at)
	if code != cli.ExitLosses || !strings.Contains(text, "index: "+filepath.Base(files[0])) {
		t.Errorf("check of a damaged index: exit code %d\n%s", code, text)
	}
	must(t, "collection", "index", "--rebuild", at)
	must(t, "collection", "check", at)
	must(t, "collection", "takedown", at, "port.wrenmouth.example")
	must(t, "collection", "index", at)
	must(t, "collection", "check", at)
	if found := found(t, out, "port.wrenmouth.example"); len(found) > 0 {
		t.Errorf("the host is in %v after its takedown", found)
	}
}

// folderSize returns the size of an index, to compare it with a rebuilt one.
func folderSize(t *testing.T, dir string) string {
	t.Helper()
	var n int64
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return cli.FormatBytes(n)
}
