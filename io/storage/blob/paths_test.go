package blob

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestPaths(t *testing.T) {
	root := RealPath(t.TempDir())
	t.Chdir(root)
	if err := errors.Join(os.Mkdir("a", 0o755), os.WriteFile("a/x", nil, 0o644), os.Symlink("a", "dir"),
		os.Symlink("a/x", "file"), os.Symlink("none", "dangling")); err != nil {
		t.Fatal(err)
	}
	p, err := NewPaths()
	if err != nil || p.Dir() != root {
		t.Fatalf("working directory %s, %v, want %s", p.Dir(), err, root)
	}
	for _, tt := range []struct{ dir, name, want string }{
		{"", "a/x", "a/x"},
		{"", "./a/../a/x", "a/x"},
		{"", "dir/x", "a/x"},
		{"", "file", "a/x"},
		{filepath.Join(root, "dir"), "x", "a/x"},
		{"/elsewhere", filepath.Join(root, "a/x"), "a/x"},
		{"", "dangling", "dangling"},
		{"", "none/there", "none/there"},
	} {
		if got := p.Real(tt.dir, tt.name); got != filepath.Join(root, tt.want) {
			t.Errorf("Real(%q, %q) = %s, want %s in %s", tt.dir, tt.name, got, tt.want, root)
		}
	}
}
