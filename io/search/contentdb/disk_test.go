//go:build linux

package contentdb

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestOpen_fullDisk: if there is no room for the index, the shards answer, with a note. Once there is room, the
// unfinished index becomes whole.
func TestOpen_fullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=3m"); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	docs := corpus(11, 2000)
	for i, d := range docs {
		d.Text = strings.Repeat(string(rune('a'+i%26))+string(rune('a'+i/26%26))+" ", 5+i%50)
	}
	f := build(t, dir, docs, []string{holdings.FormatParquet})
	var room syscall.Statfs_t
	if err := syscall.Statfs(dir, &room); err != nil {
		t.Fatal(err)
	}
	ballast := filepath.Join(dir, "ballast")
	for _, free := range []uint64{0, 100 << 10, 300 << 10, 600 << 10} {
		if err := os.WriteFile(ballast, make([]byte, room.Bavail*uint64(room.Bsize)-free), 0o644); err != nil {
			t.Fatal(err)
		}
		db, err := Open(t.Context(), f, Options{TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		n, err := db.Count(t.Context(), query.Query{AllVersions: true})
		if err != nil || n != 2000 || len(db.Notes()) != 1 {
			t.Errorf("%d bytes free: %d captures, %v, notes %q", free, n, err, db.Notes())
		}
		t.Logf("%d bytes free: %s", free, db.Notes())
		_ = db.Close() // it was read only
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	db, err := Open(t.Context(), f, Options{})
	if err != nil || len(db.Notes()) > 0 {
		t.Fatalf("with room: %v, %q", err, db.Notes())
	}
	defer func() { _ = db.Close() }() // it was read only
	if n, err := db.Count(t.Context(), query.Query{AllVersions: true}); err != nil || n != 2000 {
		t.Errorf("with room: %d, %v", n, err)
	}
	c, err := CheckIndex(t.Context(), f)
	if err != nil || len(c.Problems)+c.Stale > 0 {
		t.Errorf("with room: %+v, %v", c, err)
	}
}
