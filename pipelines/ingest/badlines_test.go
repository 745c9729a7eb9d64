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

// TestIngest_badLinesAtDefaults: 3,000,000 invalid lines take no more memory than a file of valid ones with the same
// load of the garbage collector. A shorter valid file proves nothing, because it ends before the heap has grown to
// its limit.
func TestIngest_badLinesAtDefaults(t *testing.T) {
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("set GLEANER_SLOW=1: it reads 3,400,000 lines in 20 s")
	}
	peak := func(in string, code int) int64 {
		out := t.TempDir()
		if r := runCommand(t, "--extract=mime", "--workers=2", in, "--output="+out); r.code != code {
			t.Fatalf("exit code %d, want %d; %s", r.code, code, r.stderr)
		}
		return readReport(t, out).PeakMemory
	}
	good, bad := peak(linesFile(t, 400_000, 0), 0), peak(linesFile(t, 1000, 3_000_000), 3)
	if bad > good+20<<20 || good == 0 {
		t.Errorf("3,000,000 bad lines take %d bytes, and 400,000 good ones %d; want at most 20 MiB more", bad, good)
	}
}

// linesFile writes a file of valid lines around ones that are not JSON. Compressed, it has some kilobytes.
func linesFile(t *testing.T, good, bad int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pages.jsonl.gz")
	half := strings.Repeat(`{"url":"http://example.com/","content":"PHA+dGV4dA=="}`+"\n", good/2)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, half+strings.Repeat("{\"url\":\n", bad)+half)
	if err = errors.Join(err, z.Close()); err == nil { // flushes to b
		err = os.WriteFile(name, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// TestIngest_badLinesTakeNoMemory: the number of invalid lines does not affect memory. The heap limit is below the
// program's needs, so that garbage is collected early and the peak is live memory. Each kept reject would add about
// 400 bytes, or 400 MB in total.
func TestIngest_badLinesTakeNoMemory(t *testing.T) {
	peak := func(n int) int64 {
		out := t.TempDir()
		r := runCommand(t, "--extract=mime", "--workers=2", "--memory=16MiB", linesFile(t, 1000, n), "--output="+out)
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
