package blob

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"
)

// TestInflated_bounded: a list may have all the bytes that it may have, and one more is an error and no shorter list.
func TestInflated_bounded(t *testing.T) {
	for _, test := range []struct {
		name  string
		bytes int
		want  error
	}{
		{"as long as it may be", maxList, nil},
		{"one byte more", maxList + 1, ErrSyntax},
	} {
		t.Run(test.name, func(t *testing.T) {
			var packed bytes.Buffer
			z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
			if err != nil {
				t.Fatal(err)
			}
			block := bytes.Repeat([]byte("#\n"), 1<<20)
			for left := test.bytes; left > 0; left -= len(block) {
				block = block[:min(left, len(block))]
				if _, err := z.Write(block); err != nil {
					t.Fatal(err)
				}
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := inflated(&packed)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, r); n != maxList || !errors.Is(err, test.want) {
				t.Errorf("%d bytes, %v; want %d, %v", n, err, maxList, test.want)
			}
		})
	}
}
