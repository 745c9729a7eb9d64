//go:build unix

package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSweepScratch_leavesWhatOthersMayEnter: in a folder of all users of the machine, only folders of this user alone
// are ours to remove.
func TestSweepScratch_leavesWhatOthersMayEnter(t *testing.T) {
	for _, test := range []struct {
		name  string
		mode  os.FileMode
		owner int
		gone  bool
	}{
		{"of this user alone", 0o700, os.Geteuid(), true},
		{"others may read it", 0o755, os.Geteuid(), false},
		{"others may enter it", 0o711, os.Geteuid(), false},
		{"others may write to it", 0o777, os.Geteuid(), false},
		{"of a group", 0o770, os.Geteuid(), false},
		{"of another user", 0o700, 12345, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			dir := filepath.Join(temp, "gleaner-scratch-plan-5")
			if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(dir, test.mode); err != nil {
				t.Fatal(err)
			}
			if err := os.Chown(dir, test.owner, -1); err != nil {
				t.Skip(err)
			}
			sweepScratch()
			_, err := os.Stat(filepath.Join(dir, "sub"))
			if got := errors.Is(err, fs.ErrNotExist); got != test.gone {
				t.Errorf("removed = %v, want %v", got, test.gone)
			}
		})
	}
}

// TestLocal_pipeDoesNotWait: a pipe of a file's name, which has no writer, is an error and no wait.
func TestLocal_pipeDoesNotWait(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	f := Open(t.Context(), dir, nil)
	for name, call := range map[string]func() error{
		"Open": func() error { _, err := f.Open("pipe"); return err },
		"Hold": func() error {
			held, err := f.Hold("pipe")
			if err == nil {
				err = held.Close()
			}
			return err
		},
		"openOwn": func() error { _, err := openOwn(pipe); return err },
	} {
		done := make(chan error, 1)
		go func() { done <- call() }()
		select {
		case err := <-done:
			if err == nil && name != "Hold" {
				t.Errorf("%s of a pipe succeeded", name)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s waits for a writer", name)
		}
	}
}
