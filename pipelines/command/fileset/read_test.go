package fileset

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// TestRead_tooLarge: a file above the limit is an error, and is not cut.
func TestRead_tooLarge(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "rows.json"))
	if err != nil {
		t.Fatal(err)
	}
	// The file is sparse and takes no disk space.
	if err := errors.Join(file.Truncate(maxRead+1), file.Close()); err != nil {
		t.Fatal(err)
	}
	f := folder.Open(t.Context(), dir, nil)
	defer func() { _ = f.Close() }() // it is only read
	if data, err := read(f, "rows.json"); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("read of %d bytes: %d bytes, %v, want an error that says it is too large", int64(maxRead+1), len(data), err)
	}
}
