package folder

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestMain is also the process that TestScratch kills.
func TestMain(m *testing.M) {
	if os.Getenv("GLEANER_TEST_SCRATCH") == "" {
		os.Exit(m.Run())
	}
	dir, _, err := Scratch("killed")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "half"), []byte("of a file"), 0o600)
	}
	if err != nil {
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString(dir + "\n")
	select {}
}

// TestScratch: a folder stays while its process lives, goes with remove, and else with a later process; what others
// have put beside it stays.
func TestScratch(t *testing.T) {
	if !locks {
		t.Skip("this system has no locks that go with a process")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	theirs := []string{
		"gleaner-data", "gleaner-scratch-plan", "gleaner-scratch-plan-1.warc", "gleaner-scratch-Plan-12",
		"x",
	}
	for _, name := range theirs {
		if err := os.MkdirAll(filepath.Join(temp, name, "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file, link := filepath.Join(temp, "gleaner-scratch-plan-7"), filepath.Join(temp, "gleaner-scratch-plan-8")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(temp, "x"), link); err != nil {
		t.Fatal(err)
	}
	theirs = append(theirs, filepath.Base(file), filepath.Base(link))
	slices.Sort(theirs)

	kept, remove, err := Scratch("kept")
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0])
	child.Env = append(os.Environ(), "GLEANER_TEST_SCRATCH=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the child made no folder")
	}
	left := lines.Text()
	sweepScratch()
	for _, dir := range []string{kept, left} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("its process lives: %v", err)
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	sweepScratch()
	if _, err := os.Stat(left); err == nil {
		t.Errorf("%s of a process that was killed is there", left)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, theirs) {
		t.Errorf("left are %q, want %q", names, theirs)
	}
}
