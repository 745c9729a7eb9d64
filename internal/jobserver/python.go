//go:build linux

package jobserver

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// requirements pin the Python server and all that it needs, by hash. Made by
//
//	echo apache-beam==2.77.0 | uv pip compile --universal --python-version 3.10 --generate-hashes --no-annotate --no-header -
//
//go:embed requirements.txt
var requirements []byte

// Python starts the job server of Beam's Python SDK. The test is skipped where there is no Python of a fitting version
// and where its packages cannot be fetched.
func Python(t testing.TB) *Server {
	t.Helper()
	dir := pythonPackages(t)
	// The server chooses a port and writes it there when it listens.
	file := filepath.Join(t.TempDir(), "port")
	cmd := exec.Command(filepath.Join(dir, "bin", "python3"), "-m",
		"apache_beam.runners.portability.local_job_service_main",
		"--port_file="+file, "--staging_dir="+t.TempDir())
	cmd.Dir = t.TempDir()
	p := start(t, "python", cmd)
	s := &Server{Process: p}
	// The file is not there before, which is the error that is waited out.
	p.Await(startLimit, func() error {
		port, err := os.ReadFile(file)
		s.Endpoint = "127.0.0.1:" + strings.TrimSpace(string(port))
		return err
	})
	return s
}

// pythonPackages returns a Python environment that has the requirements.
func pythonPackages(t testing.TB) string {
	t.Helper()
	// ensurepip and venv are packages of their own on Debian.
	const check = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))"
	if err := quietly(exec.Command("python3", "-c", check)); err != nil {
		t.Skipf("no Python 3.10 or later with venv: install python3 and python3-venv (%v)", err)
	}
	// The folder has the hash of the requirements in its name, so that other versions get another folder.
	dir, err := once(t, fmt.Sprintf("beam-python-%.6x", sha256.Sum256(requirements)), func(dir string) error {
		list := filepath.Join(dir, "requirements.txt")
		if err := os.WriteFile(list, requirements, 0o644); err != nil {
			return err
		}
		if err := quietly(exec.Command("python3", "-m", "venv", dir)); err != nil {
			return err
		}
		// Packages in binary form only: building from source would take long, and run programs of theirs.
		return quietly(exec.Command(filepath.Join(dir, "bin", "python3"), "-m", "pip", "install", "-q", "--require-hashes",
			"--only-binary=:all:", "-r", list))
	})
	if err != nil {
		// Without a network there is nothing to test with, and that is not a failure.
		t.Skipf("no packages for Beam's Python job server: %v", err)
	}
	return dir
}
