//go:build linux

package mcp

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnly: another user without any right to write gets the same answers, from a collection without an index.
func TestReadOnly(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may start a process of another user")
	}
	// Folders of tests are closed to other users.
	dir, err := os.MkdirTemp("/tmp", "gleaner-readonly")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // nothing of it is used afterwards
	temp := filepath.Join(dir, "temp")
	must(t, os.Mkdir(temp, 0o777), os.Chmod(temp, 0o1777), os.CopyFS(filepath.Join(dir, "out"), os.DirFS(ingested(t))))
	must(t, filepath.WalkDir(filepath.Join(dir, "out"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(name, 0o555)
		} else if err == nil {
			return os.Chmod(name, 0o444)
		}
		return err
	}))
	program := filepath.Join(dir, "program")
	from, err := os.Open(os.Args[0])
	must(t, err)
	to, err := os.OpenFile(program, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(to, from)
	must(t, err, from.Close(), to.Close(), os.Chmod(dir, 0o555))
	before := listing(t, filepath.Join(dir, "out"))
	cmd := command(t, "mcp", filepath.Join(dir, "out"))
	cmd.Path, cmd.Dir = program, "/"
	cmd.Env = []string{asCommand + "=1", "TMPDIR=" + temp, "PATH=" + os.Getenv("PATH"), "HOME=/nonexistent"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	s := connect(t, cmd)
	for tool, args := range map[string]map[string]any{
		"search": {"query": "harbour"}, "page": {"url": "http://mallory.example/0"}, "facets": {"by": "host"},
		"trends": {"field": "host"}, "versions": {"url": "http://mallory.example/0"}, "collections": {},
		"sql": {"statement": "select count(*) from documents"},
	} {
		if text, failed := call(t, s, tool, args); failed || strings.Contains(text, "Nothing found") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if after := listing(t, filepath.Join(dir, "out")); after != before {
		t.Errorf("the collection has changed: %s", after)
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// listing returns the names of all files of a folder.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	must(t, filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		names = append(names, name)
		return err
	}))
	return strings.Join(names, "\n")
}
