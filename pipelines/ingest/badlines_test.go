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

// TestIngest_badLinesTakeNoMemory: a file costs what its good lines cost, however many cannot be read. The heap is told to
// keep to less than the program needs, so that nothing is garbage for long and the peak is what is held: each reject
// that was kept would add some 400 bytes, which is 400 MB.
func TestIngest_badLinesTakeNoMemory(t *testing.T) {
	peak := func(n int) int64 {
		out := t.TempDir()
		r := runCommand(t, "--extract=mime", "--workers=2", "--memory=16MiB", badLines(t, n), "--output="+out)
		if want := 3 * min(n, 1); r.code != want {
			t.Fatalf("exit code %d, want %d; %s", r.code, want, r.stderr)
		}
		if got := len(documents(t, out)); got != 1000 {
			t.Errorf("%d documents, want 1000", got)
		}
		return readReport(t, out).PeakMemory
	}
	few, many := peak(0), peak(1_000_000)
	if many > few+20<<20 || few == 0 {
		t.Errorf("with 1,000,000 bad lines a file takes %d bytes, and %d without; want at most 20 MiB more", many, few)
	}
}
