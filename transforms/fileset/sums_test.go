//go:build unix

package fileset

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
)

// BenchmarkSums hashes 256 MiB by md5, sha1 and sha256 in one pass. It also has openssl compute each of the three for
// a file of the same bytes, and compares the CPU time of both.
func BenchmarkSums(b *testing.B) {
	const size = 256 << 20
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i * i >> 8)
	}
	peer := openssl(b, data)
	b.SetBytes(size)
	before, rounds := cputime.Self(), 0
	for b.Loop() {
		rounds++
		s := newSums()
		for p := data; len(p) > 0; p = p[64<<10:] {
			_, _ = s.Write(p[:64<<10])
		}
		s.meta("", "")
	}
	own := (cputime.Self() - before) / time.Duration(rounds)
	b.ReportMetric(peer.Seconds()/own.Seconds(), "x-openssl")
	b.ReportMetric(size/own.Seconds()/1e6, "MB/cpu-s")
}

// openssl returns its CPU time for the three, or 0 if it is not installed.
func openssl(b *testing.B, data []byte) (spent time.Duration) {
	b.Helper()
	if _, err := exec.LookPath("openssl"); err != nil {
		return 0
	}
	name := filepath.Join(b.TempDir(), "data")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		b.Fatal(err)
	}
	for _, algorithm := range []string{"-md5", "-sha1", "-sha256"} {
		cmd := exec.Command("openssl", "dgst", algorithm, name)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		spent += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return spent
}
