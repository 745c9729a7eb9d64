//go:build !noiceberg && !local

package lake

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
)

// TestNewest_gone: a table whose newest version is gone says so, and answers from no older one.
func TestNewest_gone(t *testing.T) {
	for _, tt := range []struct {
		name string
		gone []int
		lost bool
	}{
		{"none", nil, false},
		{"the newest", []int{4}, true},
		{"the two newest", []int{3, 4}, true},
		{"an old one", []int{1}, false},
		{"all", []int{1, 2, 3, 4}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			f := local(dir)
			for i := range 4 {
				made(t, f, i)
				synced(t, f)
			}
			for _, n := range tt.gone {
				if err := os.Remove(filepath.Join(dir, versionName(n, ""))); err != nil {
					t.Fatal(err)
				}
			}
			before := len(names(t, f))
			_, openErr := Open(t.Context(), f, Options{})
			_, syncErr := Sync(t.Context(), f, Options{})
			for _, err := range []error{openErr, syncErr} {
				if errors.Is(err, ErrVersion) != tt.lost || !tt.lost && err != nil {
					t.Errorf("the error is %v, want ErrVersion: %v", err, tt.lost)
				}
			}
			if after := len(names(t, f)); after != before {
				t.Errorf("%d files in metadata/, and there were %d", after, before)
			}
		})
	}
}

func names(t *testing.T, f folder.Folder) []string {
	t.Helper()
	list, err := f.Names(metadataDir)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSync_firstIsWhole: readers find no table, or one with all rows. This holds while Sync makes it, and after an
// interruption at any call. The next commit removes files that a killed process left.
func TestSync_firstIsWhole(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	made(t, local(base), 0)
	undisturbed := &foldertest.Fault{}
	copied := func() string {
		dir := filepath.Join(t.TempDir(), "out")
		if err := os.CopyFS(dir, os.DirFS(base)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	want, err := Sync(t.Context(), undisturbed.Wrap(local(copied())), Options{})
	if err != nil || want.Records == 0 {
		t.Fatal(want, err)
	}
	for at := int64(1); at <= undisturbed.Calls(); at++ {
		dir := copied()
		_, err := Sync(t.Context(), (&foldertest.Fault{At: at, Rest: true}).Wrap(local(dir)), Options{})
		table, none := Open(t.Context(), local(dir), Options{})
		if none != nil {
			if !errors.Is(none, ErrNone) || err == nil {
				t.Errorf("call %d: there is no table: %v, after %v", at, none, err)
			}
		} else if now, err := table.At(t.Context(), Point{}); err != nil || now.Records != want.Records {
			t.Errorf("call %d: the table has %d rows, %v; want %d", at, now.Records, err, want.Records)
		}
		// Of a process that is no longer there, and of this one.
		dead, mine := ".v9.metadata.json.tmp-999999999-0123456789abcdef-1", "."+"v9.metadata.json.tmp-"+folder.Unique()
		for _, name := range []string{dead, mine} {
			if err := errors.Join(os.MkdirAll(filepath.Join(dir, metadataDir), 0o755),
				os.WriteFile(filepath.Join(dir, metadataDir, name), nil, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if now, err := Sync(t.Context(), local(dir), Options{}); err != nil || now.Records != want.Records {
			t.Errorf("call %d: again: %d rows, %v", at, now.Records, err)
		}
		left := names(t, local(dir))
		if slices.Contains(left, dead) || !slices.Contains(left, mine) {
			t.Errorf("call %d: left are %v", at, left)
		}
	}
}
