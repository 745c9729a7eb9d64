package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/cdx"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/jsonl"
	"github.com/gleaner-web/gleaner/io/sandbox"
	"github.com/gleaner-web/gleaner/schemas"
)

// asCommand makes the test binary the command itself, so that tests can run, kill and rerun it as a user would.
const asCommand = "GLEANER_TEST_INGEST"

func TestMain(m *testing.M) {
	sandbox.Main(mischief)
	if os.Getenv(asCommand) != "" {
		main()
	}
	if os.Getenv(asCrash) != "" {
		crash()
	}
	os.Exit(m.Run())
}

// command returns the command with the given arguments, run from the project's root.
func command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Dir = "../.."
	return cmd
}

// result is what a command printed and how it ended.
type result struct {
	code           int
	stdout, stderr string
}

// runCommand runs the command to its end.
func runCommand(t *testing.T, args ...string) result {
	t.Helper()
	return runCommandIn(t, nil, args...)
}

// runCommandIn is runCommand with variables of the environment beside those of the test.
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

// mustRun runs the command and demands exit code 0.
func mustRun(t *testing.T, args ...string) result {
	t.Helper()
	r := runCommand(t, args...)
	if r.code != 0 {
		t.Fatalf("ingest %v: exit code %d\n%s\n%s", args, r.code, r.stdout, r.stderr)
	}
	return r
}

// contents returns the bytes of all files of a collection by name, hidden ones left out, and the report, which says
// how long things took.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == collection.ReportFile {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// sameFiles fails the test when two collections differ in a byte.
func sameFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, w := range want {
		g, ok := got[name]
		if !ok {
			t.Errorf("%s is missing", name)
		} else if g != w {
			t.Errorf("%s differs: %d bytes, want %d", name, len(g), len(w))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not be there", name)
		}
	}
}

// lines returns the JSON lines of all shards of a kind, in the order of the shards.
func lines(t *testing.T, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s in %s: %d files, %v", pattern, dir, len(names), err)
	}
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

// index reads the lines of all CDXJ shards.
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

// makeRun executes a run in this process.
func makeRun(t *testing.T, c config) schemas.Manifest {
	t.Helper()
	p, err := makePlan(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	ended, err := execute(t.Context(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	f := openOutput(t.Context(), c.options)
	m, err := collection.ReadManifest(f)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Totals, ended.Totals); diff != "" || len(m.Units) != len(ended.Units) {
		t.Errorf("%d units ended, and the manifest has %d; totals (-manifest +ended):\n%s", len(ended.Units), len(m.Units), diff)
	}
	return m
}

func TestOptions_feeds(t *testing.T) {
	for _, tt := range []struct {
		formats, extract []string
		want             bool
	}{
		{[]string{"jsonl"}, []string{"text", "feeds"}, true},
		{[]string{"parquet", "cdxj"}, []string{"feeds"}, true},
		{[]string{"jsonl"}, []string{"text"}, false},
		{[]string{"cdxj"}, []string{"feeds"}, false},
	} {
		if got := (Options{Formats: tt.formats, Extract: tt.extract}).collection().Feeds; got != tt.want {
			t.Errorf("feeds are written for %v, %v: %v, want %v", tt.formats, tt.extract, got, tt.want)
		}
	}
}
