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

// requirements pin the Python server and its dependencies by hash. Made by
//
//	echo apache-beam==2.77.0 | uv pip compile --universal --python-version 3.10 --generate-hashes --no-annotate --no-header -
//
//go:embed requirements.txt
var requirements []byte

// Python starts the job server of Beam's Python SDK. It skips the test without a suitable Python or its packages.
func Python(t testing.TB) *Server {
	t.Helper()
	dir := pythonPackages(t)
	// The server chooses a port and writes it there.
	file := filepath.Join(t.TempDir(), "port")
	cmd := exec.Command(filepath.Join(dir, "bin", "python3"), "-m",
		"apache_beam.runners.portability.local_job_service_main",
		"--port_file="+file, "--staging_dir="+t.TempDir())
	cmd.Dir = t.TempDir()
	p := start(t, "python", cmd)
	s := &Server{Process: p}
	// Until then the file does not exist.
	p.Await(startLimit, func() error {
		port, err := os.ReadFile(file)
		s.Endpoint = "127.0.0.1:" + strings.TrimSpace(string(port))
		return err
	})
	return s
}

// pythonPackages returns a Python environment with the requirements.
func pythonPackages(t testing.TB) string {
	t.Helper()
	// ensurepip and venv are separate packages on Debian.
	const check = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))"
	if err := quietly(exec.Command("python3", "-c", check)); err != nil {
		t.Skipf("no Python 3.10 or later with venv: install python3 and python3-venv (%v)", err)
	}
	// The hash in the folder's name gives each version its own folder.
	dir, err := once(t, fmt.Sprintf("beam-python-%.6x", sha256.Sum256(requirements)), func(dir string) error {
		list := filepath.Join(dir, "requirements.txt")
		if err := os.WriteFile(list, requirements, 0o644); err != nil {
			return err
		}
		if err := quietly(exec.Command("python3", "-m", "venv", dir)); err != nil {
			return err
		}
		// Binary packages only: building would take long and run foreign code.
		return quietly(exec.Command(filepath.Join(dir, "bin", "python3"), "-m", "pip", "install", "-q", "--require-hashes",
			"--only-binary=:all:", "-r", list))
	})
	if err != nil {
		// Without a network the test cannot run, which is not a failure.
		t.Skipf("no packages for Beam's Python job server: %v", err)
	}
	return dir
}
