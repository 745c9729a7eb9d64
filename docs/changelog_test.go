package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// TestChangelog: the newest version is the one that programs print, and each version is short and in three parts.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	versions := strings.Split(string(text), "\n## ")[1:]
	if len(versions) == 0 || !strings.HasPrefix(versions[0], cli.Release+"\n") {
		t.Errorf("CHANGELOG.md does not begin with version %s", cli.Release)
	}
	heading := regexp.MustCompile(`(?m)^### (.*)$`)
	for _, v := range versions {
		name, body, _ := strings.Cut(v, "\n")
		if n := strings.Count(strings.TrimSpace(body), "\n") + 1; n > 60 {
			t.Errorf("%s: %d lines, want 60 at most", name, n)
		}
		order := []string{"Added", "Changed", "Fixed"}
		last := -1
		for _, m := range heading.FindAllStringSubmatch(body, -1) {
			i := slices.Index(order, m[1])
			if i <= last {
				t.Errorf("%s: heading %q: want %q, each once and in this order", name, m[1], order)
			}
			last = i
		}
		if last < 0 {
			t.Errorf("%s: no heading, want some of %q", name, order)
		}
	}
}

// TestRelease_saysVersion: make release prints the version before it builds.
func TestRelease_saysVersion(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	cmd := exec.Command("make", "-n", "release")
	cmd.Dir = root
	plan, err := cmd.CombinedOutput()
	if want := "echo 'Gleaner " + cli.Release + "'"; err != nil || !strings.Contains(string(plan), want) {
		t.Errorf("make -n release: %v, want %q in\n%s", err, want, plan)
	}
}
