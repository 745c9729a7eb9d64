package blob_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/gleaner-web/gleaner/io/storage/blob"
)

// TestReadAt_serverWithoutRanges: a file from a server without ranges is read in any order, requested again only where
// it breaks off, and leaves no temporary file.
func TestReadAt_serverWithoutRanges(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	data := make([]byte, 3<<20)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range data {
		data[i] = byte(rnd.Uint32())
	}
	var asked atomic.Int64
	tag := `"1"`
	store, root := newSite(t, nil, func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		w.Header().Set("ETag", tag)
		if r.Method == http.MethodGet {
			// The first three answers break off, each farther on.
			_, _ = w.Write(data[:min(int64(len(data)), asked.Add(1)*700_000)])
		}
		return true
	})
	o, err := store.Open(t.Context(), root+"/a")
	if err != nil {
		t.Fatal(err)
	}
	if !blob.GivesParts(o) {
		t.Error("that it gives no parts is said before it was asked")
	}
	p := make([]byte, 100_000)
	for _, off := range []int64{0, 1_500_000, 20, 3<<20 - 7, 900_000, 0} {
		n, err := o.ReadAt(p, off)
		want := data[off:min(len(data), int(off)+len(p))]
		if err != nil && err != io.EOF || !bytes.Equal(p[:n], want) {
			t.Fatalf("at %d: %d bytes, %v", off, n, err)
		}
	}
	if blob.GivesParts(o) || asked.Load() != 5 {
		t.Errorf("gives parts: %v; asked %d times, want 5", blob.GivesParts(o), asked.Load())
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
	if o, err = store.Open(t.Context(), root+"/a"); err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	tag = `"2"`
	if _, err := o.ReadAt(p, 5); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("of a file that was replaced: %v", err)
	}
}

// TestReadAt_nowhereToKeep: that this machine has no room says nothing of the file.
func TestReadAt_nowhereToKeep(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	store, root := newSite(t, nil, func(w http.ResponseWriter, _ *http.Request) bool {
		_, _ = io.WriteString(w, "0123456789")
		return true
	})
	o, err := store.Open(t.Context(), root+"/a")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	_, err = o.ReadAt(make([]byte, 3), 5)
	if _, unreadable := blob.Unreadable(err); err == nil || unreadable || errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, unreadable: %v", err, unreadable)
	}
}
