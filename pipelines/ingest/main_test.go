package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/child/sandbox"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/pipelines/command/ingest"
	"github.com/gleaner-web/gleaner/pipelines/run"
)

// asCommand makes the test binary the command, so that tests can run and kill it.
const asCommand = "GLEANER_TEST_INGEST"

func TestMain(m *testing.M) {
	sandbox.Main(mischief)
	if os.Getenv(asCommand) != "" {
		// Stubs fail on purpose, so pauses between retries are short here. Package blob tests the pauses.
		run.Main(ingest.Patient(blob.Patience{First: time.Millisecond, Last: 20 * time.Millisecond}))
	}
	os.Exit(m.Run())
}

// program returns the program under test: this binary, or $GLEANER_PROGRAM. So a test can show an error of an older
// program.
func program() string { return cmp.Or(os.Getenv("GLEANER_PROGRAM"), os.Args[0]) }

// command returns the command with arguments, in the project's root.
func command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program(), args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Dir = "../.."
	return cmd
}

// result is the output and exit code of a command.
type result struct {
	code           int
	stdout, stderr string
}

// runCommand runs the command to its end.
func runCommand(t *testing.T, args ...string) result {
	t.Helper()
	return runCommandIn(t, nil, args...)
}

// runCommandIn is runCommand with additional environment variables.
func runCommandIn(t *testing.T, env []string, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := command(ctx, args...)
	cmd.Env = append(cmd.Env, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("ingest %v: %v", args, err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// mustRun runs the command and requires exit code 0.
func mustRun(t *testing.T, args ...string) result {
	t.Helper()
	r := runCommand(t, args...)
	if r.code != 0 {
		t.Fatalf("ingest %v: exit code %d\n%s\n%s", args, r.code, r.stdout, r.stderr)
	}
	return r
}

// Helpers shared by tests of the engine and of the command.
var (
	contents  = shelftest.Contents
	sameFiles = shelftest.SameFiles
)

// lines returns the JSON lines of all shards of a kind, in the order of the shards.
func lines(t *testing.T, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s in %s: %d files, %v", pattern, dir, len(names), err)
	}
	sortShards(dir, names)
	var all []string
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := jsonl.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for line, err := range r.All() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all = append(all, string(line))
		}
	}
	return all
}

// sortShards sorts names of files in the order of the manifest, if there is one.
func sortShards(dir string, names []string) {
	text, _ := os.ReadFile(filepath.Join(dir, holdings.ManifestFile)) // without a manifest, the order stays
	slices.SortStableFunc(names, func(a, b string) int {
		return bytes.Index(text, []byte(filepath.Base(a))) - bytes.Index(text, []byte(filepath.Base(b)))
	})
}

// shardOf returns the name of the first file of a kind in a unit. unit is an index, or -1 for the last unit.
func shardOf(t *testing.T, dir string, unit int, kind string) string {
	t.Helper()
	m, err := holdings.ReadManifest(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	if unit < 0 {
		unit += len(m.Units)
	}
	for _, s := range m.Units[unit].Shards {
		if strings.HasPrefix(s.Name, kind+"-") {
			return s.Name
		}
	}
	t.Fatalf("unit %d has no %s", unit, kind)
	return ""
}

// indexLines reads the lines of all CDXJ shards.
func indexLines(t *testing.T, dir string) []cdx.Line {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "captures-*.cdxj.gz"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no index in %s: %v", dir, err)
	}
	var all []cdx.Line
	for _, name := range names {
		all = append(all, readIndex(t, name)...)
	}
	return all
}

func documents(t *testing.T, dir string) []string { return lines(t, dir, "documents-*.jsonl*") }
