// Package pythontest gives tests a Python interpreter with packages from PyPI, for comparisons with programs that are
// written in Python. A test that cannot have one is skipped.
//
//	python := pythontest.Interpreter(t, "import surt", "surt==0.3.1")
//	out, err := exec.Command(python, "-c", script).Output()
package pythontest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Interpreter returns a python3 that runs the statement check, which should import what the test needs: the system's
// own, or one in an environment made for these packages (as pip names them) in the user's cache folder. Where there is
// neither, it skips the test.
func Interpreter(t testing.TB, check string, packages ...string) string {
	t.Helper()
	system, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	if exec.Command(system, "-c", check).Run() == nil {
		return system
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir := filepath.Join(cache, "gleaner-test-python", strings.Join(packages, "+"))
	own := filepath.Join(dir, "bin", "python3")
	if exec.Command(own, "-c", check).Run() == nil {
		return own
	}
	if out, err := exec.Command(system, "-m", "venv", dir).CombinedOutput(); err != nil {
		t.Skipf("no Python environment: %v: %s", err, out)
	}
	install := append([]string{"-m", "pip", "install", "-q"}, packages...)
	if out, err := exec.Command(own, install...).CombinedOutput(); err != nil {
		t.Skipf("no Python packages %v: %v: %s", packages, err, out)
	}
	return own
}
