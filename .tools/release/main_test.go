package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// packed packs a script as the program of a platform, and returns the folder of the packages.
func packed(t *testing.T, system string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"program": "#!/bin/sh\necho \"$@\"\n", "extras/man/gleaner.1": ".TH GLEANER 1\n",
		"extras/completions/gleaner.bash": "bash\n", "extras/completions/gleaner.zsh": "zsh\n",
		"extras/completions/gleaner.fish": "fish\n", "out/": "",
	} {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if content != "" {
			err = errors.Join(err, os.WriteFile(path, []byte(content), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	r := request{
		version: "1.2.3", os: system, arch: "amd64", time: time.Unix(1700000000, 0).UTC(), root: "../..", out: out,
		extras: filepath.Join(dir, "extras"), program: filepath.Join(dir, "program"),
	}
	if err := r.pack(); err != nil {
		t.Fatal(err)
	}
	return out
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPack_sameBytes: the same files give the same packages.
func TestPack_sameBytes(t *testing.T) {
	for system, names := range map[string][]string{
		"linux":   {"gleaner-1.2.3-linux-amd64.tar.gz", "gleaner_1.2.3_amd64.deb"},
		"darwin":  {"gleaner-1.2.3-darwin-amd64.tar.gz"},
		"windows": {"gleaner-1.2.3-windows-amd64.zip"},
	} {
		a, b := packed(t, system), packed(t, system)
		for _, name := range names {
			if !bytes.Equal(content(t, filepath.Join(a, name)), content(t, filepath.Join(b, name))) {
				t.Errorf("%s differs from run to run", name)
			}
		}
		if list, err := os.ReadDir(a); err != nil || len(list) != len(names) {
			t.Errorf("%s: %v, %v, want %q", system, list, err, names)
		}
	}
}

// TestPack_archives: archives have the program, which may be run, and what belongs to it.
func TestPack_archives(t *testing.T) {
	modes := map[string]os.FileMode{}
	whole := content(t, filepath.Join(packed(t, "linux"), "gleaner-1.2.3-linux-amd64.tar.gz"))
	z, err := gzip.NewReader(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		modes[strings.TrimPrefix(h.Name, "./")] = h.FileInfo().Mode().Perm()
	}
	zipped, err := zip.OpenReader(filepath.Join(packed(t, "windows"), "gleaner-1.2.3-windows-amd64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := zipped.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, f := range zipped.File {
		modes[f.Name] = f.Mode().Perm()
	}
	for name, want := range map[string]os.FileMode{
		"gleaner": 0o755, "gleaner.exe": 0o755, "LICENSE": 0o644, "CHANGELOG.md": 0o644, "man/gleaner.1": 0o644,
		"completions/gleaner.zsh": 0o644,
	} {
		if got := modes["gleaner-1.2.3/"+name]; got != want {
			t.Errorf("%s has the mode %v, want %v", name, got, want)
		}
	}
}

// TestPack_installs: dpkg installs the package into an empty root, and verifies its files.
func TestPack_installs(t *testing.T) {
	if _, err := exec.LookPath("dpkg"); err != nil || os.Getuid() != 0 {
		t.Skip("dpkg is not there, or this is not root")
	}
	deb := filepath.Join(packed(t, "linux"), "gleaner_1.2.3_amd64.deb")
	root := t.TempDir()
	for _, dir := range []string{"var/lib/dpkg/updates", "var/lib/dpkg/info"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--force-architecture", "--install", deb}, {"--verify", "gleaner"}} {
		out, err := exec.Command("dpkg", append([]string{"--root=" + root, "--log=/dev/null"}, args...)...).CombinedOutput()
		if err != nil || args[0] == "--verify" && len(out) > 0 {
			t.Fatalf("dpkg %q: %v\n%s", args, err, out)
		}
	}
	out, err := exec.Command(filepath.Join(root, "usr/bin/gleaner"), "it", "runs").Output()
	if err != nil || string(out) != "it runs\n" {
		t.Errorf("the program says %q, %v", out, err)
	}
	for _, name := range []string{"usr/share/man/man1/gleaner.1.gz", "etc/default/gleaner"} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
}
