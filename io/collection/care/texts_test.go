package care

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// zeros is a text without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// member is a record of a WET file with a text of n bytes.
func member(t *testing.T, url string, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n", url, n)
	if _, err := io.CopyN(z, zeros{}, n); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCopyTexts: a member is kept or dropped as it is, whatever its length, and is not held in memory.
func TestCopyTexts(t *testing.T) {
	long := int64(200 << 20)
	if os.Getenv("GLEANER_SLOW") != "" {
		long = 1<<30 + 1<<20 // the bytes of a member that were read before
	}
	var in, want bytes.Buffer
	for i, n := range []int64{10, long, 0, 5 << 20, long, 3} {
		m := member(t, fmt.Sprintf("http://example.org/%d", i), n)
		in.Write(m)
		if i%2 == 0 {
			want.Write(m)
		}
	}
	gone := func(url string) bool { return strings.ContainsAny(url[len(url)-1:], "135") }
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var got bytes.Buffer
	got.Grow(want.Len())
	if err := copyTexts(&got, &in, gone); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%d bytes are kept, want %d", got.Len(), want.Len())
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
		t.Errorf("%d MB of memory for it", n>>20)
	}
	// A member that is cut is an error, and not the end.
	cut := member(t, "http://example.org/0", 1000)
	if err := copyTexts(io.Discard, bytes.NewReader(cut[:len(cut)-9]), gone); err == nil {
		t.Error("a member that is cut is no error")
	}
}
