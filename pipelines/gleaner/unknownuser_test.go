//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnknownUser runs the program like our image: as an unknown user with an empty environment, in a root with only
// the program, /proc and /tmp. It prints help, and the output for all of testdata is the usual one, including PDF
// files, which child processes read.
func TestUnknownUser(t *testing.T) {
	program := staticProgram(t)
	root := imageRoot(t, program)
	if err := os.CopyFS(filepath.Join(root, "testdata"), os.DirFS("../../testdata")); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) *exec.Cmd { return inRoot(t.Context(), root, args...) }
	for _, args := range [][]string{{"--help"}, {"ingest", "--help"}, {"ingest", "--version"}} {
		if out, err := run(args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%.2000s", args, err, out)
		}
	}
	out, err := run("ingest", "--output=/tmp/out", "testdata").CombinedOutput()
	if exitCode(err) != 3 { // some of testdata is damaged
		t.Fatalf("ingest: %v\n%s", err, out)
	}
	here := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, "ingest", "--output="+here, "testdata")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); exitCode(err) != 3 {
		t.Fatalf("ingest elsewhere: %v\n%s", err, out)
	}
	want := manifest(t, here)
	if diff := cmp.Diff(want, manifest(t, filepath.Join(root, "tmp/out"))); diff != "" || len(want) < 1000 {
		t.Errorf("manifest (-elsewhere +in the root):\n%s", diff)
	}
}

// staticProgram builds a program that needs no library. The first build takes minutes.
func staticProgram(t *testing.T) string {
	t.Helper()
	if name := os.Getenv("GLEANER_STATIC"); name != "" {
		return name
	}
	if os.Getenv("GLEANER_SLOW") == "" {
		t.Skip("a static program takes minutes to build: set GLEANER_SLOW=1, or name one by GLEANER_STATIC")
	}
	name := filepath.Join(t.TempDir(), "gleaner")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", name, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return name
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func exitCode(err error) int {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	return 0
}

// manifest returns the manifest, which has the hash of every shard.
func manifest(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
