package moremeta

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/io/archive/pagestore"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// manyDays makes a store of some days with pages, feeds and entries of two lines. It returns the paths of the store
// and the table.
func manyDays(t *testing.T, days int) (dir, pages string) {
	t.Helper()
	root := t.TempDir()
	put := func(name, content string) { put(t, filepath.Join(root, filepath.FromSlash(name)), content) }
	put("pages.csv", table+"http://b/,3,url,fr\n")
	a, f, old := pagestore.Hash("http://a/"), pagestore.Hash("http://f/"), strings.Repeat("5f", 16)
	for i := range days {
		day := fmt.Sprintf("store/2008/%d/%d/", i/28+1, i%28+1)
		put(day+"META", a+" http://a/\n"+f+" http://f/\n"+old+" \nhttp://b/\n")
		put(day+a+"/contents.html", "a\n")
		put(day+f+"/contents.html", "<rss/>\n")
		put(day+f+"/META", a+" http://a/\n")
		put(day+f+"/"+a+"/contents.html", "a\n")
		put(day+old+"/contents.html", "b\n")
	}
	return filepath.Join(root, "store"), filepath.Join(root, "pages.csv")
}

// put writes a file, and makes its folders.
func put(t *testing.T, path, content string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err := errors.Join(err, os.WriteFile(path, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// names returns the files of a store, except hidden ones.
func names(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for name := range maps.Keys(metas(t, dir)) {
		all[name] = true
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", "*", "*", "*", "contents.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		all[strings.TrimPrefix(path, dir)] = true
	}
	return all
}

// TestMoremeta_signals: an interrupted run ends soon, with exit code 1 unless it was done. No day stays half done:
// the same command then makes the result of one clean run.
func TestMoremeta_signals(t *testing.T) {
	const days = 56
	clean, pages := manyDays(t, days)
	if code, out, errs := command(t, "--pages="+pages, clean); code != cli.ExitDone {
		t.Fatalf("a clean run: code %d\n%s%s", code, out, errs)
	}
	interrupted := 0
	for sig, after := range map[syscall.Signal]int{syscall.SIGINT: 1, syscall.SIGTERM: 5, syscall.SIGKILL: 3} {
		dir, pages := manyDays(t, days)
		cmd := commandtest.Command(t.Context(), "moremeta", "--pages="+pages, dir)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(time.Millisecond) {
			if done, _ := filepath.Glob(filepath.Join(dir, "*", "*", "*", "META.old")); len(done) >= after {
				break
			}
		}
		_ = cmd.Process.Signal(sig) // it may have ended
		sent := time.Now()
		_ = cmd.Wait() // the exit code shows it
		code := cmd.ProcessState.ExitCode()
		if code == cli.ExitFailed || sig == syscall.SIGKILL && code < 0 {
			interrupted++
		} else if code != cli.ExitDone {
			t.Errorf("%v: exit code %d\n%s", sig, code, &said)
		}
		if code == cli.ExitFailed && !strings.Contains(said.String(), "interrupted") || time.Since(sent) > 20*time.Second {
			t.Errorf("%v: after %v it says\n%s", sig, time.Since(sent), &said)
		}
		if code, out, errs := command(t, "--pages="+pages, dir); code != cli.ExitDone {
			t.Errorf("%v, again: code %d\n%s%s", sig, code, out, errs)
		}
		if diff := cmp.Diff(metas(t, clean), metas(t, dir)); diff != "" {
			t.Errorf("%v: META files (-clean +interrupted):\n%s", sig, diff)
		}
		if diff := cmp.Diff(names(t, clean), names(t, dir)); diff != "" {
			t.Errorf("%v: files (-clean +interrupted):\n%s", sig, diff)
		}
	}
	t.Logf("%d of 3 signals came while it worked", interrupted)
}
