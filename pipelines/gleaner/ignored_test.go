package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestDockerignore: the context of an image has the files of the repository, and not the output of runs, which may be
// large. Docker's patterns are those of Git with another start: without a slash in front, they match at the top alone.
func TestDockerignore(t *testing.T) {
	list := func(name string) (lines []string) {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				lines = append(lines, line)
			}
		}
		return lines
	}
	var want []string
	for _, line := range list(".gitignore") {
		line = strings.TrimSuffix(line, "/")
		if top, is := strings.CutPrefix(line, "/"); is {
			want = append(want, top)
		} else {
			want = append(want, "**/"+line)
		}
	}
	if got := list(".dockerignore"); !slices.Equal(got, want) {
		t.Errorf(".dockerignore has %q, and by .gitignore it is %q", got, want)
	}
	// A file of the repository that is left out would make the program's version a changed one.
	out, err := exec.CommandContext(t.Context(), "git", "-C", "../..", "ls-files", "-ci", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("no repository: %v", err)
	}
	if len(out) > 0 {
		t.Errorf("files of the repository are left out: %s", out)
	}
}
