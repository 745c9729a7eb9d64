package ledger

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestListing(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	if err := errors.Join(f.Make(holdings.HiddenDir), f.Write("a", []byte("text"))); err != nil {
		t.Fatal(err)
	}
	size, sum, err := HashFile(f, "a")
	if err != nil {
		t.Fatal(err)
	}
	files, err := List(f)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := files.Stat("a")
	written := schemas.Shard{Name: "a", Bytes: size, SHA256: sum}
	for _, tt := range []struct {
		name, file string
		written    schemas.Shard
		modified   time.Time
		there      bool
		err        error
	}{
		{"the time is enough", "a", schemas.Shard{Bytes: size, SHA256: "unread"}, a.Modified, true, nil},
		{"touched", "a", written, a.Modified.Add(1), true, nil},
		{"without a time", "a", written, time.Time{}, true, nil},
		{"other bytes", "a", schemas.Shard{Bytes: size, SHA256: "x"}, a.Modified.Add(1), false, holdings.ErrChanged},
		{"another length", "a", schemas.Shard{Bytes: 1, SHA256: sum}, a.Modified, false, holdings.ErrChanged},
		{"missing", "b", written, a.Modified, false, nil},
	} {
		if there, err := files.Verify(tt.file, tt.written, tt.modified); there != tt.there || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, %v; want %v, %v", tt.name, there, err, tt.there, tt.err)
		}
	}
	if n, err := files.Size("a"); n != 4 || err != nil {
		t.Errorf("size %d, %v", n, err)
	}
	if _, err := files.Size("b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("size of nothing: %v", err)
	}
}
