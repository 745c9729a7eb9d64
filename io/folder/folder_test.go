package folder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/blob"
	"github.com/gleaner-web/gleaner/io/blob/blobtest"
)

// kinds are the folders that must all behave alike.
var kinds = []string{"local", "gs", "s3"}

// open returns two handles on one empty folder, as two processes would have them.
func open(t *testing.T, kind string, f *blobtest.Faults) (one, two Folder) {
	t.Helper()
	name, o := filepath.Join(t.TempDir(), "out"), blob.Options{}
	if kind != "local" {
		b := blobtest.Start(t, kind, f, nil)
		name = b.Root + "out"
		o = blob.Options{GoogleEndpoint: b.URL + "/storage/v1/", Patience: blob.Patience{First: time.Millisecond, Last: 10 * time.Millisecond, Stall: 2 * time.Second}}
	}
	var all []Folder
	for range 2 {
		store := blob.New(o)
		f := Open(t.Context(), name, store)
		if err := errors.Join(f.Make(""), f.Make(".in")); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := errors.Join(f.Close(), store.Close()); err != nil {
				t.Error(err)
			}
		})
		all = append(all, f)
	}
	return all[0], all[1]
}

func create(t *testing.T, f Folder, name, text string) {
	t.Helper()
	w, err := f.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(w, text)
	if err = errors.Join(err, w.Sync(), w.Close()); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, f Folder, name string) string {
	t.Helper()
	r, err := f.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestFolder(t *testing.T) {
	for _, kind := range kinds {
		for name, faults := range map[string]*blobtest.Faults{"": nil, " with faults": blobtest.NewFaults(7, 12)} {
			t.Run(kind+name, func(t *testing.T) {
				if kind == "local" && faults != nil {
					t.Skip("local disks have no such faults")
				}
				f, other := open(t, kind, faults)
				testFolder(t, f, other)
			})
		}
	}
}

func testFolder(t *testing.T, f, other Folder) {
	create(t, f, "a.tmp", "one")
	if err := f.Rename("a.tmp", "a"); err != nil {
		t.Fatal(err)
	}
	if got := content(t, other, "a") + content(t, other, "a.tmp"); got != "onenone" {
		t.Errorf("renamed: %q", got)
	}
	create(t, f, "b.tmp", "two")
	if err := f.Rename("b.tmp", "a"); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(".in/row", []byte("row")); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(".in/row", []byte("row 2")); err != nil {
		t.Fatal(err)
	}
	if err := other.Rename(".in/row", ".in/held"); err != nil {
		t.Fatal(err)
	}
	if got := content(t, f, "a") + content(t, f, ".in/held") + content(t, f, ".in/row"); got != "tworow 2none" {
		t.Errorf("replaced: %q", got)
	}
	checkNames(t, f, "", ".in", "a")
	checkNames(t, f, ".in", "held")
	checkNames(t, f, "none")
	if stats, err := f.Stats(""); err != nil || len(stats) != 1 || stats["a"].Size != 3 {
		t.Errorf("Stats = %v, %v, want a of 3", stats, err)
	}
	if n, err := f.Size("a"); n != 3 || err != nil {
		t.Errorf("Size = %d, %v", n, err)
	}
	if _, err := f.Size("b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Size of nothing: %v", err)
	}
	create(t, f, "c.tmp", "never")
	for _, name := range []string{"c.tmp", "a", ".in/held", "a"} {
		if err := f.Remove(name); err != nil {
			t.Errorf("Remove(%q): %v", name, err)
		}
	}
	if names, err := other.Names(".in"); len(names) > 0 || err != nil {
		t.Errorf("left: %q, %v", names, err)
	}
	if err := errors.Join(f.Sync(""), f.Sync(".in"), f.Sweep()); err != nil {
		t.Error(err)
	}
}

func checkNames(t *testing.T, f Folder, dir string, want ...string) {
	t.Helper()
	got, err := f.Names(dir)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Names(%q): %v (-want +got):\n%s", dir, err, diff)
	}
}

// hurry makes locks of object stores quick for a test.
func hurry(t *testing.T) {
	r, f, l := renewEvery, freeAfter, lookEvery
	renewEvery, freeAfter, lookEvery = 20*time.Millisecond, 300*time.Millisecond, 5*time.Millisecond
	t.Cleanup(func() { renewEvery, freeAfter, lookEvery = r, f, l })
}

func TestFolder_lock(t *testing.T) {
	hurry(t)
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			f, other := open(t, kind, nil)
			l, err := f.Lock(".in/lock")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := other.Lock(".in/lock"); !errors.Is(err, ErrBusy) {
				t.Errorf("Lock while it is held: %v, want ErrBusy", err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if l, err = other.Lock(".in/lock"); err != nil {
				t.Fatal(err)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFolder_lockOfAKilledRun: nobody renews it. Its owner, should it come back to life, can do nothing more.
func TestFolder_lockOfAKilledRun(t *testing.T) {
	hurry(t)
	for _, kind := range kinds[1:] {
		t.Run(kind, func(t *testing.T) {
			f, other := open(t, kind, nil)
			l, err := f.Lock(".in/lock")
			if err != nil {
				t.Fatal(err)
			}
			dead := l.(*bucketLock)
			close(dead.stop) // it renews no more
			dead.done.Wait()
			taken, err := other.Lock(".in/lock")
			if err != nil {
				t.Fatal(err)
			}
			dead.stop = make(chan struct{})
			dead.renew()
			if err := f.Write("a", nil); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "lock") {
				t.Errorf("Write without the lock: %v, want ErrBusy", err)
			}
			if err := dead.Close(); !errors.Is(err, ErrBusy) {
				t.Errorf("Close of a lost lock: %v", err)
			}
			if err := taken.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFolder_lockOfADeadProcess is free at once on the machine that it was of, and no sooner on others.
func TestFolder_lockOfADeadProcess(t *testing.T) {
	hurry(t)
	dead := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	for host, free := range map[string]bool{hostname(): true, "another": false} {
		f, _ := open(t, "s3", nil)
		freeAfter = time.Hour
		if err := f.Write(".in/lock", fmt.Appendf(nil, lockForm, host, dead.Process.Pid, "1")); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		f.(*bucket).ctx = ctx
		l, err := f.Lock(".in/lock")
		cancel()
		if (err == nil) != free {
			t.Errorf("lock of %s: %v, want free %v", host, err, free)
		}
		if err == nil {
			l.(*bucketLock).done.Wait()
		}
	}
}
