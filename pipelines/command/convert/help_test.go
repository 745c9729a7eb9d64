package convert

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestAttack17_inputIsAsAnArgument: --input names archives as arguments do, and both may be used.
func TestAttack17_inputIsAsAnArgument(t *testing.T) {
	one, two := archiveOf(t, pages(3)), archiveOf(t, pages(5))
	dir := t.TempDir()
	mustRun(t, "--to=cdr", "--output="+filepath.Join(dir, "named"), one, two)
	mustRun(t, "--to=cdr", "--output="+filepath.Join(dir, "flag"), "--input="+two, one)
	same(t, filepath.Join(dir, "flag"), filepath.Join(dir, "named"))
	mustRun(t, "--to=cdr", "--output="+filepath.Join(dir, "alone"), "--input="+one+","+two)
	same(t, filepath.Join(dir, "alone"), filepath.Join(dir, "named"))
}

func TestAttack17_helpAndVersion(t *testing.T) {
	if brief := mustRun(t, "-h"); strings.Count(brief, "\n") > 20 || !strings.Contains(brief, "--to=") ||
		!strings.Contains(brief, "go run ") {
		t.Errorf("-h prints\n%s", brief)
	}
	version := mustRun(t, "--version")
	for _, want := range []string{"github.com/gleaner-web/gleaner", "\ncommit ", "\ngo ", "capture ", "conversion "} {
		if !strings.Contains(version, want) {
			t.Errorf("--version does not say %q:\n%s", want, version)
		}
	}
	for arg, want := range map[string]string{
		"--to=ache-wrc": "did you mean ache-warc?", "--from=wacx": "did you mean wacz?", "--compress=onn": "did you mean on?",
		"--inptu=x": "did you mean --input?",
	} {
		if code, text := runCommand(t, arg, "x"); code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: exit code %d, %s; want 2 and %q", arg, code, text, want)
		}
	}
}
