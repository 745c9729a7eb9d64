package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAttack23_ciRunsWhatReadmeSays: the command that README names runs format, linters and every test, and continuous
// integration runs that command.
func TestAttack23_ciRunsWhatReadmeSays(t *testing.T) {
	const command = "make test"
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^` + command + `\b`).Match(readme) {
		t.Errorf("README.md does not name the command %q", command)
	}
	script, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(script), "\n"+command+"\n") {
		t.Errorf(".ci/run does not end with %q", command)
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	cmd := exec.Command("make", "-n", "test")
	cmd.Dir = root
	plan, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("make -n test: %v: %s", err, plan)
	}
	for _, step := range []string{"gofumpt -l", "go vet", "staticcheck", "errcheck", "deadcode -test", "go test -json"} {
		if !strings.Contains(string(plan), step) {
			t.Errorf("make test does not run %s", step)
		}
	}
}
