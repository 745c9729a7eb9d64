package fileset

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// TestPlanner_special: an unreadable path is an error, not a folder of archives.
func TestPlanner_special(t *testing.T) {
	for _, c := range []struct {
		name   string
		make   func(dir string) error
		failed bool
	}{
		{"nothing", func(string) error { return nil }, false},
		{"a manifest of others", func(dir string) error {
			return os.WriteFile(dir+"/manifest.json", []byte(`{"files": 3}`),
				0o600)
		}, false},
		{"no JSON", func(dir string) error { return os.WriteFile(dir+"/manifest.json", []byte("{"), 0o600) }, false},
		{"a file", func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, false},
		{"an error of the disk", func(dir string) error { return os.Symlink("manifest.json", dir+"/manifest.json") }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "x")
			if c.name != "a file" {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.make(dir); err != nil {
				t.Fatal(err)
			}
			b := &planner{ctx: t.Context(), store: blob.New(blob.Options{}), c: &config{}, plan: &plan{}}
			if taken, err := b.special(dir); (err != nil) != c.failed || taken != c.failed {
				t.Errorf("taken %v, %v", taken, err)
			}
		})
	}
}
