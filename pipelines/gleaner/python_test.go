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

// TestWheel builds the wheels gleaner and gleaner-cluster, with scripts in place of the programs. They have the same
// bytes each time, and install the scripts. The module takes that of gleaner-cluster if it is there.
func TestWheel(t *testing.T) {
	t.Parallel()
	bin := pythontest.Locked(t, "../../.tools/wheels/requirements.txt")
	dir := t.TempDir()
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
	env := filepath.Join(dir, "env")
	run("python3", "-m", "venv", env)
	for _, w := range []struct {
		name, file string
		has        []string
	}{
		{"gleaner", "gleaner", []string{"gleaner/__init__.py", "gleaner/py.typed"}},
		{"gleaner-cluster", "gleaner_cluster", nil},
	} {
		program := filepath.Join(dir, w.name)
		if err := os.WriteFile(program, []byte("#!/bin/sh\necho "+w.name+" \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		var wheels [2][]byte
		wheel := ""
		for i := range wheels {
			out, err := os.MkdirTemp(dir, "")
			if err != nil {
				t.Fatal(err)
			}
			run("../../.tools/wheels/build.sh", filepath.Join(bin, "python3"), "1.2.3", program, "linux/amd64", out, w.name)
			wheel = filepath.Join(out, w.file+"-1.2.3-py3-none-manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl")
			if wheels[i], err = os.ReadFile(wheel); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(wheels[0], wheels[1]) {
			t.Errorf("%s: two builds differ", w.name)
		}
		run(filepath.Join(bin, "twine"), "check", "--strict", wheel)
		checkNames(t, wheels[0], append(w.has, w.file+"-1.2.3.data/scripts/"+w.name,
			w.file+"-1.2.3.dist-info/licenses/LICENSE"))
		run(filepath.Join(env, "bin", "pip"), "install", "-q", "--no-index", wheel)
		said := run(filepath.Join(env, "bin", "python"), "-c",
			"import gleaner, subprocess; print(gleaner.__version__, subprocess.check_output([gleaner.program(), 'a']))")
		if want := `1.2.3 b'` + w.name + ` a\n'`; !strings.Contains(said, want) {
			t.Errorf("%s installed: %s, want %s", w.name, said, want)
		}
	}
	said := run(filepath.Join(env, "bin", "python"), "-c",
		"from importlib.metadata import requires; print(requires('gleaner'), requires('gleaner-cluster'))")
	for _, want := range []string{"gleaner-cluster==1.2.3; extra == 'cluster'", "'gleaner==1.2.3'"} {
		if !strings.Contains(said, want) {
			t.Errorf("the wheels require %s, want %s", said, want)
		}
	}
}

// checkNames reports files that a wheel lacks.
func checkNames(t *testing.T, wheel []byte, want []string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	for _, name := range want {
		if !slices.Contains(names, name) {
			t.Errorf("no %s in %v", name, names)
		}
	}
}
