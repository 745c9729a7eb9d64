package shelf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// adopted makes a collection of documents with these texts, each in its own unit.
func adopted(t *testing.T, dir string, texts ...string) {
	t.Helper()
	from := t.TempDir()
	for _, text := range texts {
		line := `{"url":"http://a.example/` + text + `","surt":"example,a)/` + text + `","text":"` + text + `"}` + "\n"
		if err := os.WriteFile(filepath.Join(from, "documents-"+text+".jsonl"), []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := collection.Open(folder.Open(t.Context(), dir, nil), collection.OpenOptions{})
	if err == nil {
		_, err = care.Adopt(t.Context(), c, folder.Open(t.Context(), from, nil), shard.Options{})
	}
	if err == nil {
		err = c.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// texts returns the texts that a reader of a snapshot finds.
func texts(t *testing.T, now *Snapshot) string {
	t.Helper()
	var all []string
	for d, err := range now.Part.Documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d.Text)
	}
	return strings.Join(all, " ")
}

// TestSnapshot_keepsWhatIsRemoved: a snapshot can be read completely although its files were removed, and Renew
// returns the next one at once.
func TestSnapshot_keepsWhatIsRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	adopted(t, dir, "one", "two")
	s, err := Open(t.Context(), []string{dir}, blob.New(blob.Options{}), Options{NoIndex: true, Poll: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Find("")
	now, release, ok := c.Hold()
	if !ok {
		t.Fatal("no snapshot")
	}
	if c.Renew(t.Context(), now) {
		t.Error("there is another snapshot, and nothing has changed")
	}
	adopted(t, dir, "three")
	shards, err := filepath.Glob(filepath.Join(dir, "documents-*"))
	if err != nil || len(shards) != 3 {
		t.Fatal(shards, err)
	}
	for _, r := range now.Part.Shards {
		if err := os.Remove(filepath.Join(dir, r.Name)); err != nil {
			t.Fatal(err)
		}
	}
	if got := texts(t, now); len(strings.Fields(got)) != 2 {
		t.Errorf("the snapshot has %q", got)
	}
	if !c.Renew(t.Context(), now) {
		t.Error("Renew has not found the next manifest")
	}
	if got := texts(t, now); len(strings.Fields(got)) != 2 {
		t.Errorf("when there is another, the snapshot has %q", got)
	}
	release()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
