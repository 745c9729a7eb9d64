package shelf

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestLook_folderGone: a missing folder of a collection is reported while it is missing, and only if it existed
// before.
func TestLook_folderGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shelf")
	c := &Collection{name: "shelf", path: dir, f: folder.Open(t.Context(), dir, blob.New(blob.Options{}))}
	look := func(when, want string) {
		t.Helper()
		if c.look(t.Context()); c.State().Err != want {
			t.Errorf("%s: %q, want %q", when, c.State().Err, want)
		}
	}
	look("never there", "")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(dir, "manifest.json")
	if err := os.WriteFile(manifest, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	seen, err := c.stamp()
	if err != nil {
		t.Fatal(err)
	}
	c.seen = seen
	look("as it was", "")
	if err := os.Rename(manifest, manifest+"-next"); err != nil {
		t.Fatal(err)
	}
	look("a run is finishing", "")
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	look("moved away", "its folder is not there")
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(manifest+"-next", manifest); err != nil {
		t.Fatal(err)
	}
	look("back", "")
}
