package moremeta

import (
	"strings"
	"testing"
)

// TestAttack17_inputHelpAndVersion: --input names stores as arguments do, -h is short, and --version works.
func TestAttack17_inputHelpAndVersion(t *testing.T) {
	dir, pages := store(t)
	wantCode, want, _ := command(t, "--dry_run", "--pages="+pages, dir)
	if code, got, errs := command(t, "--dry_run", "--pages="+pages, "--input="+dir); code != wantCode || got != want {
		t.Errorf("exit code %d\n%s%s, want %d\n%s", code, got, errs, wantCode, want)
	}
	if code, got, _ := command(t, "-h"); code != 0 || strings.Count(got, "\n") > 20 || !strings.Contains(got, "--pages=") {
		t.Errorf("-h: exit code %d\n%s", code, got)
	}
	if code, got, _ := command(t, "--version"); code != 0 || !strings.Contains(got, "langid ") ||
		!strings.Contains(got, "\ncommit ") {
		t.Errorf("--version: exit code %d\n%s", code, got)
	}
}
