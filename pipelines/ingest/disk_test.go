package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gleaner-web/gleaner/internal/leaktest"
)

// smallDisk mounts a small disk in a new folder.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, size); err != nil {
		t.Skipf("a small disk cannot be mounted here (that needs root): %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	return disk
}

// fillDisk leaves the given number of bytes free on a disk, and returns the file that fills it.
func fillDisk(t *testing.T, disk string, free int) string {
	t.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(disk, &s); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(disk, "ballast")
	if err := os.WriteFile(name, make([]byte, int(s.Bavail)*int(s.Bsize)-free), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestIngest_fullDisk: a full disk gives a message, and no file that looks complete. With space again, the same
// command continues.
func TestIngest_fullDisk(t *testing.T) {
	disk := smallDisk(t, "size=48k")
	out := filepath.Join(disk, "out")
	args := []string{"--output=" + out, "--compression=none", archives}
	r := runCommand(t, args...)
	if r.code != 1 || !strings.Contains(r.stderr, "no space left on device") || !strings.Contains(r.stderr, "documents-") {
		t.Errorf("exit code %d, stderr %q; want 1, the reason and the file", r.code, r.stderr)
	}
	for name := range contents(t, out) {
		t.Errorf("%s is left on the full disk", name)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=16m"); err != nil {
		t.Fatal(err)
	}
	mustRun(t, args...)
}

// TestAttack01_fullDisk: on a full or nearly full disk, no command removes anything from the folder. With space
// again, the same command ends as usual.
func TestAttack01_fullDisk(t *testing.T) {
	for _, tt := range []struct {
		name, remove, args, held string
	}{
		{"add", "", "--add day2", "day1-a day1-b day2-c"},
		{"another format", "", "--format=parquet,cdxj day1", "day1-a day1-b"},
		{"more fields", "", "--extract=mime,charset day1", "day1-a day1-b"},
		{"gone", "day1/a.warc", "day1", "day1-a day1-b"},
		{"prune", "day1/a.warc", "--prune day1", "day1-b"},
	} {
		for _, free := range []int{0, 4 << 10, 12 << 10, 32 << 10, 64 << 10} {
			t.Run(fmt.Sprintf("%s with %d bytes free", tt.name, free), func(t *testing.T) {
				d := newDays(t)
				d.out = filepath.Join(smallDisk(t, "size=8m"), "out")
				d.put("day1/a", "day1/b", "day2/c")
				if r := d.run("--unit_size=64KiB day1"); r.code != 0 {
					t.Fatal(r.stderr)
				}
				if tt.remove != "" {
					d.remove(tt.remove)
				}
				ballast := fillDisk(t, filepath.Dir(d.out), free)
				r := d.run(tt.args)
				texts := slices.Collect(maps.Values(leaktest.Texts(t, d.out))) // hidden files too
				for _, page := range strings.Fields(tt.held) {
					url := `"url":"http://` + page + `.example/"`
					if there := strings.Contains(strings.Join(texts, ""), url); !there && !strings.HasPrefix(page, "day2") {
						t.Errorf("exit code %d; the document of %s is gone\n%s", r.code, page, r.stderr)
					}
				}
				if r.code != 0 && !strings.Contains(r.stderr, "no space left on device") {
					t.Errorf("exit code %d, and the reason is not said:\n%s", r.code, r.stderr)
				}
				if err := os.Remove(ballast); err != nil {
					t.Fatal(err)
				}
				if r := d.run(tt.args); r.code != 0 || d.held() != tt.held {
					t.Errorf("with room: exit code %d, it holds %q, want %q\n%s", r.code, d.held(), tt.held, r.stderr)
				}
				d.isWhole()
			})
		}
	}
}
