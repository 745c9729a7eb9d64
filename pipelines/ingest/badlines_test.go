package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// badLines writes a file of good lines around n that are no JSON: some kilobytes, compressed.
func badLines(t *testing.T, n int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pages.jsonl.gz")
	good := strings.Repeat(`{"url":"http://example.com/","content":"PHA+dGV4dA=="}`+"\n", 500)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, good+strings.Repeat("{\"url\":\n", n)+good)
	if err = errors.Join(err, z.Close()); err == nil { // which ends what is in b
		err = os.WriteFile(name, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// TestIngest_badLinesTakeNoMemory: what a file costs in memory does not depend on how many of its lines cannot be read.
// The heap is told to keep to 128 MiB, so that garbage comes to the same in both runs on a busy machine, too; each reject that was kept would add
// some 400 bytes, which is 280 MB.
func TestIngest_badLinesTakeNoMemory(t *testing.T) {
	peak := func(n int) int64 {
		out := t.TempDir()
		r := runCommand(t, "--extract=mime", "--workers=2", "--memory=128MiB", badLines(t, n), "--output="+out)
		if r.code != 3 {
			t.Fatalf("exit code %d, want 3, that of losses; %s", r.code, r.stderr)
		}
		if got := len(documents(t, out)); got != 1000 {
			t.Errorf("%d documents, want 1000", got)
		}
		return readReport(t, out).PeakMemory
	}
	few, many := peak(300_000), peak(1_000_000)
	if many > few+20<<20 || few == 0 {
		t.Errorf("1,000,000 bad lines take %d bytes and 300,000 take %d; want at most 20 MiB more", many, few)
	}
}
