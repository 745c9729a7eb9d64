package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestIngest_fullDisk: a disk that fills up is said, and leaves nothing that looks whole; with room again the same
// command goes on.
func TestIngest_fullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=48k"); err != nil {
		t.Skipf("a small disk cannot be mounted here (that needs root): %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
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
