package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/testdata/pythontest"
)

// TestPython runs the tests of the Python package with this program.
func TestPython(t *testing.T) {
	t.Parallel()
	python := pythontest.Interpreter(t, "import pyiceberg.io.pyarrow, duckdb", "pyiceberg[pyarrow]==0.12.0",
		"duckdb==2.0.0", "pytz")
	cmd := exec.CommandContext(t.Context(), python, "python/tests/test_gleaner.py")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), asCommand+"=1", "GLEANER_PROGRAM="+os.Args[0], "PYTHONPATH=python",
		"PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestWheel builds a wheel, with a script in place of the program. It has the same bytes each time, and installs the
// script as gleaner.
func TestWheel(t *testing.T) {
	t.Parallel()
	bin := pythontest.Locked(t, "../../.tools/wheels/requirements.txt")
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1700000000")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	var wheels [][]byte
	wheel := ""
	for _, out := range []string{"a", "b"} {
		out = filepath.Join(dir, out)
		if err := os.Mkdir(out, 0o755); err != nil {
			t.Fatal(err)
		}
		run("../../.tools/wheels/build.sh", filepath.Join(bin, "python3"), "1.2.3", program, "linux/amd64", out)
		wheel = filepath.Join(out, "gleaner-1.2.3-py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl")
		content, err := os.ReadFile(wheel)
		if err != nil {
			t.Fatal(err)
		}
		wheels = append(wheels, content)
	}
	if !bytes.Equal(wheels[0], wheels[1]) {
		t.Error("two builds differ")
	}
	run(filepath.Join(bin, "twine"), "check", "--strict", wheel)
	z, err := zip.NewReader(bytes.NewReader(wheels[0]), int64(len(wheels[0])))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	for _, want := range []string{
		"gleaner/__init__.py", "gleaner/py.typed", "gleaner-1.2.3.data/scripts/gleaner",
		"gleaner-1.2.3.dist-info/licenses/LICENSE",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %v", want, names)
		}
	}
	env := filepath.Join(dir, "env")
	run("python3", "-m", "venv", env)
	run(filepath.Join(env, "bin", "pip"), "install", "-q", "--no-index", wheel)
	said := run(filepath.Join(env, "bin", "python"), "-c",
		"import gleaner, subprocess; print(gleaner.__version__, subprocess.check_output([gleaner.program(), 'a']))")
	if !strings.Contains(said, `1.2.3 b'a\n'`) {
		t.Errorf("installed: %s", said)
	}
}
