//go:build unix

package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestAttack20_runnableBlocksRun: each block that is marked does what its page says, as it is written there. README and
// all pages are followed one after another in one checkout, as a reader does: what one leaves does not hinder the next.
func TestAttack20_runnableBlocksRun(t *testing.T) { runPages(t, false) }

// TestAttack21_storiesRunAsWritten: so do the tutorials, in a checkout of theirs.
func TestAttack21_storiesRunAsWritten(t *testing.T) { runPages(t, true) }

const tutorials = "docs/tutorials/"

// runPages runs the marked blocks of the tutorials, or of all other pages, README first, in one checkout. The two sets
// run side by side, which keeps both processors of continuous integration busy.
func runPages(t *testing.T, stories bool) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Parallel()
	all := pages(t)
	slices.SortStableFunc(all, func(a, b page) int {
		return strings.Compare(strings.TrimPrefix(a.name, "README.md"), strings.TrimPrefix(b.name, "README.md"))
	})
	dir, ran := checkout(t), 0
	for _, p := range all {
		marked := slices.ContainsFunc(p.blocks, func(b block) bool { return strings.HasPrefix(b.mark, "run") })
		if !marked || strings.HasPrefix(p.name, tutorials) != stories {
			continue
		}
		ran++
		t.Run(strings.TrimPrefix(p.name, "docs/"), func(t *testing.T) {
			newSession(t, p, dir).run(t)
		})
	}
	if ran < 4 {
		t.Errorf("%d pages have blocks that are marked as runnable; does the test still see them?", ran)
	}
}

// built is a folder with the programs.
var built string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if built, err = os.MkdirTemp("", "gleaner-docs-"); err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(built) }() // a temporary folder
		return m.Run()
	}())
}

// goFlags make the same program of equal sources in any folder. So a page that calls go build finds the program done.
// The Makefile sets the first flag too: otherwise all programs would be compiled once more.
const goFlags = "GOFLAGS=-trimpath -buildvcs=false '-ldflags=-s -w'"

// build builds the programs once for all pages.
var build = sync.OnceValues(func() (printed []byte, err error) {
	cmd := exec.Command("go", "build", "-o", built, "./pipelines/ingest", "./pipelines/convert")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), goFlags)
	return cmd.CombinedOutput()
})

// parts are what a copy of the checkout has, without what runs have left in the original.
var parts = []string{
	"LICENSE", "Makefile", "README.md", "docs", "go.mod", "go.sum", "internal", "io", "pipelines", "python", "schemas",
	"testdata", "transforms",
}

// checkout makes a copy of the checkout, with the programs in it.
func checkout(t *testing.T) (dir string) {
	t.Helper()
	if out, err := build(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	dir = t.TempDir()
	for _, name := range parts {
		from, to := filepath.Join(root, name), filepath.Join(dir, name)
		info, err := os.Stat(from)
		if err == nil && info.IsDir() {
			err = os.CopyFS(to, os.DirFS(from))
		} else if err == nil {
			var b []byte
			if b, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, b, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{"ingest", "convert"} {
		if err := os.Link(filepath.Join(built, program), filepath.Join(dir, program)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
