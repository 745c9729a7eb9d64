//go:build linux

package jobserver

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// olderPOM names a release of Beam whose runner for Flink is available as a library, with its Flink.
//
//go:embed older-flink.xml
var olderPOM []byte

// olderSums pin all files of the POM, as sha256sum prints it.
//
//go:embed older-flink.sums
var olderSums []byte

// olderFlink returns a folder with Flink 1.16 and the job server of Beam 2.54, fetched by Maven (167 MB). Both are
// real but of another version than our SDK, so they test Beam's protocol. It skips the test without GLEANER_SLOW,
// Maven or the files.
func olderFlink(t testing.TB) string {
	t.Helper()
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("no Flink: set GLEANER_SLOW=1 to have Flink 1.16 fetched, or FLINK_JOB_SERVER_JAR to Beam's job server for " +
			"Flink 1.20 (beam-runners-flink-1.20-job-server-2.77.0.jar), or FLINK_JOB_SERVER to the endpoint of one that runs")
	}
	dir, err := once(t, fmt.Sprintf("flink-1.16-beam-2.54-%.6x", sha256.Sum256(olderSums)), fetchOlderFlink)
	if err != nil {
		t.Skipf("no Flink: %v", err)
	}
	return filepath.Join(dir, "lib")
}

// fetchOlderFlink fetches the files with Maven and checks their sums.
func fetchOlderFlink(dir string) error {
	for name, data := range map[string][]byte{"pom.xml": olderPOM, "sums": olderSums} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	if err := quietly(exec.Command("mvn", "-q", "-B", "-f", filepath.Join(dir, "pom.xml"), "dependency:copy-dependencies",
		"-DincludeScope=runtime", "-DoutputDirectory="+filepath.Join(dir, "lib"))); err != nil {
		return err
	}
	check := exec.Command("sha256sum", "--check", "--strict", "--quiet", "sums")
	check.Dir = dir
	return quietly(check)
}
