package parquetfile

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// countedReader counts the bytes that are read.
type countedReader struct {
	in   io.ReaderAt
	read int64
}

func (r *countedReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.in.ReadAt(p, at)
	r.read += int64(n)
	return n, err
}

// TestReadURLs_readsOneColumn: the URLs are those of Read, and texts are not read.
func TestReadURLs_readsOneColumn(t *testing.T) {
	var file bytes.Buffer
	w := NewWriter(&file, Options{TempDir: t.TempDir()})
	var d schemas.Document
	for i := range 3000 {
		if page(i, &d); i%7 == 0 {
			d.URL = ""
		}
		if err := w.Write(&d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for d, err := range Read(bytes.NewReader(file.Bytes()), int64(file.Len())) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, d.URL)
	}
	in := &countedReader{in: bytes.NewReader(file.Bytes())}
	for url, err := range ReadURLs(in, int64(file.Len())) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, url)
	}
	if len(got) != 3000 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d URLs, want %d", len(got), len(want))
	}
	if limit := int64(file.Len()) / 8; in.read > limit {
		t.Errorf("%d of %d bytes were read, want at most %d", in.read, file.Len(), limit)
	}
	cut := file.Bytes()[:file.Len()/2]
	for url, err := range ReadURLs(bytes.NewReader(cut), int64(len(cut))) {
		if err == nil {
			t.Errorf("%q of half a file, want an error", url)
		}
	}
}
