package parquetscan

import (
	"encoding/base64"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
)

// TestReaders_smallColumnsKeepSmallBuffers: texts do not make the buffers of all columns as large as theirs.
func TestReaders_smallColumnsKeepSmallBuffers(t *testing.T) {
	docs, noise := made(500), rand.NewChaCha8([32]byte{7})
	text := make([]byte, 6<<10)
	for _, d := range docs {
		_, _ = noise.Read(text) // it never fails
		d.Text = base64.StdEncoding.EncodeToString(text)
	}
	file, _ := written(t, docs, parquetfile.Options{})
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties pools
	for range 20 {
		for _, err := range opened(t, file).Rows(t.Context(), nil, nil) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	found := 0
	for {
		r, ok := poolOf(whole / 8).Get().(*reader)
		if !ok {
			break
		}
		if found++; cap(r.window) > whole {
			t.Errorf("a reader of small columns has a buffer of %d bytes, want at most %d", cap(r.window), whole)
		}
	}
	if found == 0 {
		t.Error("no reader was kept")
	}
}

func TestPoolOf(t *testing.T) {
	for bytes, want := range map[int64]int{
		0: 0, 1: 0, whole: 0, whole + 1: 1, 2 * whole: 1, 2*whole + 1: 2, maxWindow: 4, maxWindow + 1: 4, 1 << 40: 4,
	} {
		if poolOf(bytes) != &readers[want] {
			t.Errorf("poolOf(%d) is not pool %d", bytes, want)
		}
	}
}
