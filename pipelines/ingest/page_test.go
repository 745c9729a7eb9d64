package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIngest_reportAsPage: a run with the flag writes the page, even if nothing is left to do. The page shows losses,
// and nothing about the machine. A run that replaces everything removes an earlier page.
func TestIngest_reportAsPage(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	page := filepath.Join(out, "report.html")
	input := filepath.Join(root, damaged) // absolute, because scripts name archives so
	if r := runCommand(t, "--output="+out, input); r.code != 3 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("a page was written, and nobody asked for it")
	}
	if r := runCommand(t, "--output="+out, "--report=html", input); r.code != 3 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, want := range []string{"lost.", "Cost by extractor", "are in no readable record"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	report, err := os.ReadFile(filepath.Join(out, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{root, `"` + host + `"`, `"pid"`, "<script"} {
		if strings.Contains(text, secret) || secret != root && strings.Contains(string(report), secret) {
			t.Errorf("the page or report.json has %q", secret)
		}
	}
	if len(b) > 150_000 {
		t.Errorf("the page has %d bytes, want 150,000 at most", len(b))
	}
	if r := runCommand(t, "--output="+out, "--fresh", input); r.code != 3 {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("the page of the run before is still there")
	}
}
