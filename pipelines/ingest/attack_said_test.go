package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAttack10_emptyFoldersAreSaid: an empty folder alone is an error; among other names, it is a warning.
func TestAttack10_emptyFoldersAreSaid(t *testing.T) {
	empty, out := t.TempDir(), t.TempDir()
	r := runCommand(t, "--output="+out, empty)
	if r.code != 2 || !strings.Contains(r.stderr, empty+": holds no file") {
		t.Errorf("exit code %d, want 2\n%s", r.code, r.stderr)
	}
	r = runCommand(t, "--output="+out, "--extract=mime", empty, archives)
	if r.code != 0 || !strings.Contains(r.stderr, empty+": the folder holds no file") {
		t.Errorf("exit code %d, want 0\n%s", r.code, r.stderr)
	}
	r = runCommand(t, "--output="+out, out)
	if r.code != 2 || !strings.Contains(r.stderr, "output folder") {
		t.Errorf("exit code %d, want 2\n%s", r.code, r.stderr)
	}
}

// TestAttack14_namesOfFilesAreNotObeyedByTerminals looks for control characters in all output.
func TestAttack14_namesOfFilesAreNotObeyedByTerminals(t *testing.T) {
	t.Parallel()
	nasty := "\x1b]0;owned\a\x1b[31m\r\n\u202e\u0085\x9b2J\xff"
	files := map[string]string{}
	for i, name := range []string{"a.arc.gz", "b.arc.gz"} {
		files[fmt.Sprintf("%s%d/%s", nasty, i, name)] = "site.arc.gz"
	}
	dir := shelfOf(t, files)
	junk := filepath.Join(dir, nasty+".txt")
	if err := os.WriteFile(junk, []byte("no archive"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, nasty+"dangling")); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	for _, args := range [][]string{
		{"--plan", dir},
		{"--log_level=debug", dir},
		{dir, dir + "/" + nasty + "0/a.arc.gz"},
		{junk},
		{dir + "/" + nasty + "nope"},
		{"@" + junk},
		{dir + "/[" + nasty},
		{"https://" + nasty},
		{"--select", "x", nasty},
		{"--" + nasty},
		{"--runner=" + nasty, dir},
		{"--format=" + nasty, dir},
		{"--cdx=" + junk},
		{"--output=" + dir + nasty, "--log_level=debug", junk},
		{"gs://" + nasty},
		{"--since=" + nasty, dir},
	} {
		r := runCommand(t, append([]string{"--output=" + out, "--extract=mime"}, args...)...)
		for _, text := range []string{r.stdout, r.stderr} {
			if i := obeyed(text); i >= 0 {
				t.Errorf("ingest %q: byte %#x reaches the terminal: %q", args, text[i], text[max(0, i-60):min(len(text), i+20)])
			}
		}
	}
	r := runCommand(t, "--output="+t.TempDir(), "--log_format=json", "--log_level=debug", dir)
	for line := range strings.Lines(r.stderr) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %q", line)
		}
	}
}

// obeyed returns the index of the first character that a terminal may obey, or -1.
func obeyed(text string) int {
	for i, r := range text {
		switch {
		case r == '\n', r == '\t':
		case r < ' ', r >= 0x7f && r <= 0x9f, r == 0xfffd, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return i
		}
	}
	return -1
}
