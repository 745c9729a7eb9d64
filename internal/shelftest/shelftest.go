// Package shelftest has helpers for tests of runs over folders of archives: small archives, and a comparison of two
// outputs.
package shelftest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
)

// Put writes an archive of one page, http://host.example/, with text as its body.
func Put(tb testing.TB, path, host, text string) {
	tb.Helper()
	record := fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://%s.example/\r\n"+
		"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:%s>\r\nContent-Type: text/plain\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n", host, host, len(text), text)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(record), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// Contents returns the bytes of a collection's files by name, except hidden files and the report, which has timings.
func Contents(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == holdings.ReportFile {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// SameFiles fails the test if two collections differ.
func SameFiles(tb testing.TB, got, want map[string]string) {
	tb.Helper()
	for name, w := range want {
		g, ok := got[name]
		if !ok {
			tb.Errorf("%s is missing", name)
		} else if g != w {
			tb.Errorf("%s differs: %d bytes, want %d", name, len(g), len(w))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			tb.Errorf("%s should not be there", name)
		}
	}
}
