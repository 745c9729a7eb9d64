package mimetype_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// run returns a command's output and its CPU time. It skips the test if the command is missing.
func run(t *testing.T, name string, args ...string) (string, time.Duration) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not here: %v", name, err)
	}
	cmd := exec.Command(name, args...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, complaints.String())
	}
	return out.String(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// measureLibmagic runs file(1) of Debian, which does not use names. Its CPU time is the difference between reading the
// documents 20 times and once, so that loading its rules does not count.
func measureLibmagic(t *testing.T, docs []document) {
	args := []string{"--brief", "--mime-type", "--"}
	for _, d := range docs {
		args = append(args, filepath.Join(*corpus, "docs", d.name))
	}
	out, once := run(t, "file", args...)
	const times = 20
	_, often := run(t, "file", append(args[:3:3], slices.Repeat(args[3:], times)...)...)
	types := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(types) != len(docs) {
		t.Fatalf("file printed %d lines for %d documents", len(types), len(docs))
	}
	version, _ := run(t, "file", "--version")
	version, _, _ = strings.Cut(version, "\n")
	m := &measured{
		name:   "libmagic (" + version + ")",
		micros: (often - once).Seconds() * 1e6 / float64((times-1)*len(docs)),
	}
	m.add(docs, types)
	m.atLeast(t, 0, 0)
}

// tikaJars are the modules that the detector of tika-core 3.2.3 needs, with their names in Maven and their SHA-256.
var tikaJars = map[string]string{
	"org/apache/tika/tika-core/3.2.3/tika-core-3.2.3.jar": "4b697ae09a76b50102750816e9bd3ad26d89161ba65ddabdeee7ef3830428fd1",
	"org/slf4j/slf4j-api/2.0.17/slf4j-api-2.0.17.jar":     "7b751d952061954d5abfed7181c1f645d336091b679891591d63329c622eb832",
	"commons-io/commons-io/2.20.0/commons-io-2.20.0.jar":  "df90bba0fe3cb586b7f164e78fe8f8f4da3f2dd5c27fa645f888100ccc25dd72",
}

// measureTika runs the detector of tika-core, which reads names but does not open containers.
func measureTika(t *testing.T, docs []document, declared map[string]string) {
	run(t, "mvn", "-q", "dependency:get", "-Dartifact=org.apache.tika:tika-core:3.2.3")
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	var path []string
	for name, want := range tikaJars {
		jar := filepath.Join(home, ".m2", "repository", filepath.FromSlash(name))
		content, err := os.ReadFile(jar)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != want {
			t.Fatalf("%s: SHA-256 is %x, want %s", jar, sum, want)
		}
		path = append(path, jar)
	}
	var list strings.Builder
	for _, d := range docs {
		list.WriteString(d.name + "\t" + declared[strings.ToLower(filepath.Ext(d.name))] + "\n")
	}
	file := filepath.Join(t.TempDir(), "list.tsv")
	if err := os.WriteFile(file, []byte(list.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := run(t, "java", "-cp", strings.Join(path, string(os.PathListSeparator)), "testdata/Types.java", file,
		filepath.Join(*corpus, "docs"))
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(docs)+1 {
		t.Fatalf("Types.java printed %d lines for %d documents", len(lines), len(docs))
	}
	costs := strings.Split(lines[len(docs)], "\t")
	for hints, what := range []string{"bytes alone", "name too", "name and declaration too"} {
		m := &measured{name: "tika-core 3.2.3, " + what}
		if m.micros, err = strconv.ParseFloat(costs[hints], 64); err != nil {
			t.Fatal(err)
		}
		types := make([]string, len(docs))
		for i := range docs {
			types[i] = strings.Split(lines[i], "\t")[hints]
		}
		m.add(docs, types)
		m.atLeast(t, 0, 0)
	}
}
