// Package pythontest gives tests a Python interpreter with packages from PyPI, for comparisons with programs that are
// written in Python. A test that cannot have one is skipped.
//
//	python := pythontest.Interpreter(t, "import surt", "surt==0.3.1")
//	out, err := exec.Command(python, "-c", script).Output()
package pythontest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
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

// Locked returns the folder of the programs (python3 and those that packages bring) of an environment with the packages
// of a file of requirements, pinned by hash. It is made once, in the user's cache folder; a test that cannot have it is
// skipped.
func Locked(t testing.TB, requirements string) (bin string) {
	t.Helper()
	list, err := filepath.Abs(requirements)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	dir := filepath.Join(cache, "gleaner-test-python", fmt.Sprintf("%.8x", sha256.Sum256(content)))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// Programs of an environment hold its path, so that it cannot be made elsewhere and moved here.
	done, err := os.OpenFile(filepath.Join(dir, "done"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer done.Close() // and its lock
	if err := lock(done); err != nil {
		t.Fatal(err)
	}
	bin = filepath.Join(dir, "venv", "bin")
	if info, err := done.Stat(); err == nil && info.Size() > 0 {
		return bin
	}
	if out, err := exec.Command("python3", "-m", "venv", "--clear", filepath.Dir(bin)).CombinedOutput(); err != nil {
		t.Skipf("no Python 3 with venv (on Debian, apt-get install python3-venv): %v: %s", err, lastLine(out))
	}
	install := exec.Command(filepath.Join(bin, "python3"), "-m", "pip", "install", "-q", "--require-hashes", "-r", list)
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("the packages of %s cannot be had: %v: %s", filepath.Base(requirements), err, lastLine(out))
	}
	if _, err := done.WriteString("made\n"); err != nil {
		t.Fatal(err)
	}
	return bin
}

// lastLine is the last line of what a program printed, where it says what went wrong.
func lastLine(out []byte) []byte {
	out = bytes.TrimSpace(out)
	return out[bytes.LastIndexByte(out, '\n')+1:]
}
