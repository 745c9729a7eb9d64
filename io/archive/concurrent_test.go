package archive

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// TestReader_concurrent: readers of all archives at the same time get the same captures as one after the other. They
// share the memory that earlier readers gave back.
func TestReader_concurrent(t *testing.T) {
	files, err := filepath.Glob("../../testdata/archives/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	read := func(name string) (lines []string) {
		data, err := os.ReadFile(name)
		if err != nil {
			return []string{err.Error()} // a folder
		}
		src := bytes.NewReader(data)
		f, err := Detect(name, src, src.Size())
		if err != nil {
			return []string{err.Error()}
		}
		r, err := NewReader(src, Input{Name: name, End: src.Size(), Size: src.Size()}, f, Options{})
		if err != nil {
			return []string{err.Error()}
		}
		defer r.Close()
		for c, err := range r.Captures() {
			if err != nil {
				return append(lines, err.Error())
			}
			lines = append(lines, fmt.Sprintf("%s %v %x", c.URL, c.Flags, sha256.Sum256(c.Body)))
		}
		return append(lines, fmt.Sprint(r.Counts().BytesRead))
	}
	var want [][]string
	for _, name := range files {
		want = append(want, read(name))
	}
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range files {
				i = (i + n*len(files)/4) % len(files) // each begins with another one
				if got := read(files[i]); !slices.Equal(got, want[i]) {
					t.Errorf("%s: %d lines differ from %d", files[i], len(got), len(want[i]))
				}
			}
		})
	}
	all.Wait()
}
