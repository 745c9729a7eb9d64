package corpora

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStage: stretches come out as they went in, and no damage to a block goes unseen.
func TestStage(t *testing.T) {
	dir := t.TempDir()
	f := newFolder(t, dir)
	s, err := createStage(f)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("a text that is long enough for three blocks. ", 100)
	for i := range 500 {
		if err := s.add(fmt.Appendf(nil, "key-%03d", i), fmt.Append(nil, i, text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.end("stage"); err != nil {
		t.Fatal(err)
	}
	read := func(from, to string) (first string, n int, err error) {
		var end []byte
		if to != "" {
			end = []byte(to)
		}
		err = eachStaged(f, "stage", []byte(from), end, func(key, value []byte) error {
			if n == 0 {
				first = string(key)
			}
			n++
			if !bytes.HasSuffix(value, []byte(text)) {
				t.Errorf("%s has %d bytes that are not those that were added", key, len(value))
			}
			return nil
		})
		return first, n, err
	}
	for _, tt := range []struct {
		from, to, first string
		n               int
	}{
		{"", "", "key-000", 500},
		{"key-100", "key-333", "key-100", 233},
		{"key-4999", "", "", 0},
		{"", "key-001", "key-000", 1},
	} {
		if first, n, err := read(tt.from, tt.to); first != tt.first || n != tt.n || err != nil {
			t.Errorf("from %q to %q: %d records from %q, %v; want %d from %q", tt.from, tt.to, n, first, err, tt.n, tt.first)
		}
	}
	name := filepath.Join(dir, "stage")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < int(s.blocks[len(s.blocks)-1].Offset); at += 997 {
		whole[at] ^= 8
		if err := os.WriteFile(name, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := read("", ""); err == nil {
			t.Errorf("a bit that is not as it was written, in byte %d, was not seen", at)
		}
		whole[at] ^= 8
	}
}
