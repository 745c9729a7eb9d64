//go:build !noiceberg && !local

package lake

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTable_moved: a table whose folder was moved is read and written as before; after Move others read it, too.
func TestTable_moved(t *testing.T) {
	parent := t.TempDir()
	was, is := filepath.Join(parent, "was"), filepath.Join(parent, "is", "here")
	first := twoSnapshots(t, was)
	want, _ := counts(t, local(was), Point{})
	if err := os.Mkdir(filepath.Dir(is), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(was, is); err != nil {
		t.Fatal(err)
	}
	table := opened(t, local(is))
	if at, here, err := table.Location(t.Context()); here || !strings.HasSuffix(at, "/was") || err != nil {
		t.Errorf("Location = %s, %v, %v; want the old one", at, here, err)
	}
	got, _ := counts(t, local(is), Point{})
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("moved: %v, want %v", got, want)
	}
	made(t, local(is), 1, 2, 3)
	synced(t, local(is))
	healthy(t, local(is))
	all, err := table.Snapshots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second does nothing
		if err := table.Move(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if at, here, err := table.Location(t.Context()); !here || err != nil {
		t.Errorf("Location = %s, %v, %v; want the new one", at, here, err)
	}
	if now, err := table.Snapshots(t.Context()); err != nil || fmt.Sprint(now) != fmt.Sprint(all) {
		t.Errorf("snapshots are %v, %v; want %v", now, err, all)
	}
	healthy(t, local(is))
	if _, err := table.Expire(t.Context(), Expiry{Keep: 1 << 20, Young: time.Nanosecond}); err != nil {
		t.Fatal(err)
	}
	healthy(t, local(is))
	made(t, local(is), 2, 3)
	synced(t, local(is))
	healthy(t, local(is))

	if _, err := Sync(t.Context(), local(is), Options{Location: "file:///mnt/out"}); err != nil {
		t.Fatal(err)
	}
	if at, here, err := table.Location(t.Context()); at != "file:///mnt/out" || here || err != nil {
		t.Errorf("Location = %s, %v, %v; want the one that was asked for", at, here, err)
	}
	healthy(t, local(is))
	if err := table.Move(t.Context()); err != nil {
		t.Fatal(err)
	}

	python := pyiceberg(t)
	cmd := exec.Command(python, "testdata/count.py", is, fmt.Sprint(first.ID))
	cmd.Stdin = strings.NewReader(sqlOf("%s"))
	checkCounts(t, cmd, is, Point{ID: first.ID})
}

// TestNameIn: what the metadata names is in the folder, or is refused.
func TestNameIn(t *testing.T) {
	for _, tt := range []struct{ location, uri, want string }{
		{"file:///a/b", "file:///a/b/c.parquet", "c.parquet"},
		{"file:///a/b", "file:/a/b/data/c.parquet", "data/c.parquet"},
		{"file:///a/b", "/a/b/c", "c"},
		{"/a/b/", "file:///a/b/c", "c"},
		{"s3://x/y", "s3a://x/y/metadata/m.avro", "metadata/m.avro"},
		{"gs://x/y", "gs://x/y/c", "c"},
		{"file:///a/b", "file:///a/bc", ""},
		{"file:///a/b", "file:///a/b", ""},
		{"file:///a/b", "file:///a/b/", ""},
		{"file:///a/b", "file:///a/b/../../etc/passwd", ""},
		{"file:///a/b", "file:///a/b//etc/passwd", ""},
		{"file:///a/b", "/etc/passwd", ""},
		{"file:///a/b", "https://a/b/c", ""},
		{"gs://x/y", "s3://x/y/c", ""},
		{"", "/etc/passwd", ""},
	} {
		got, err := nameIn(tt.location, tt.uri)
		if got != tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, ErrOutside) {
			t.Errorf("nameIn(%q, %q) = %q, %v; want %q", tt.location, tt.uri, got, err, tt.want)
		}
	}
}
