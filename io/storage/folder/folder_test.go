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
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/blob/blobtest"
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
		o = blob.Options{GoogleEndpoint: b.URL + "/storage/v1/", Patience: blob.Patience{
			First: time.Millisecond,
			Last:  10 * time.Millisecond, Stall: 2 * time.Second,
		}}
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
	testTrees(t, f, other)
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

// testTrees leaves the folder as it was.
func testTrees(t *testing.T, f, other Folder) {
	t.Helper()
	temp, err := f.Temp(".in/temp")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(temp) }() // a local one has another name by then
	for name, text := range map[string]string{"last": "row", "a+b/%41/1": "one", "a+b/2": "two"} {
		name = filepath.Join(temp, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Adopt(temp, ".in/unit-1", "last"); err != nil {
		t.Fatal(err)
	}
	if got := content(t, other, ".in/unit-1/last") + content(t, other, ".in/unit-1/a+b/%41/1") +
		content(t, other, ".in/unit-1/a+b/2"); got != "rowonetwo" {
		t.Errorf("adopted: %q", got)
	}
	for _, name := range []string{"unit-1", ".in/other", ".in/unit-2"} {
		create(t, f, "temp", "")
		if err := f.Rename("temp", name); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		pattern string
		want    []string // in .in
	}{
		{".in/unit", []string{"other", "unit-1", "unit-2"}},
		{".in/*/b*", []string{"other", "unit-1", "unit-2"}},
		{"*/unit-[23]", []string{"other", "unit-1"}},
		{".in/unit-*", []string{"other"}},
	} {
		if err := f.RemoveAll(test.pattern); err != nil {
			t.Errorf("RemoveAll(%q): %v", test.pattern, err)
		}
		checkNames(t, other, ".in", test.want...)
	}
	checkNames(t, other, "", ".in", "unit-1")
	if err := errors.Join(f.RemoveAll("unit-1"), f.RemoveAll("*/other")); err != nil {
		t.Error(err)
	}
}

// TestFolder_writeNew: of many who write one name at once one succeeds, and its bytes are there.
func TestFolder_writeNew(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			one, two := open(t, kind, nil)
			var all sync.WaitGroup
			var won atomic.Pointer[string]
			for i := range 10 {
				all.Go(func() {
					text, f := fmt.Sprint("text ", i), one
					if i%2 == 0 {
						f = two
					}
					switch err := f.WriteNew(".in/v1", []byte(text)); {
					case err == nil && !won.CompareAndSwap(nil, &text):
						t.Error("two have written it")
					case err != nil && !errors.Is(err, fs.ErrExist):
						t.Errorf("WriteNew = %v, want %v", err, fs.ErrExist)
					}
				})
			}
			all.Wait()
			if won.Load() == nil || content(t, two, ".in/v1") != *won.Load() {
				t.Errorf("it holds %q, want what was written by the one who could", content(t, two, ".in/v1"))
			}
			if names, err := two.Names(".in"); err != nil || len(names) != 1 {
				t.Errorf("files are %v, %v; want v1 alone", names, err)
			}
		})
	}
}

func TestEach(t *testing.T) {
	errItem, errCall := errors.New("item"), errors.New("call")
	for _, test := range []struct {
		name        string
		n           int
		item, call  int // which one is an error; of a hundred
		want        error
		least, most int // calls
	}{
		{"in order", 1, -1, -1, nil, 100, 100},
		{"several", 4, -1, -1, nil, 100, 100},
		{"item", 1, 50, -1, errItem, 50, 50},
		{"item of several", 4, 50, -1, errItem, 50, 50},
		{"call", 1, -1, 50, errCall, 51, 51},
		{"call of several", 4, -1, 50, errCall, 48, 100},
		{"last call", 1, -1, 99, errCall, 100, 100},
		{"last call of several", 4, -1, 99, errCall, 97, 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			items := func(yield func(int, error) bool) {
				for i := range 100 {
					if i == test.item {
						yield(0, errItem)
						return
					}
					if !yield(i, nil) {
						return
					}
				}
			}
			var mu sync.Mutex
			var calls []int
			now := 0
			err := Each(test.n, items, func(i int) error {
				mu.Lock()
				if calls, now = append(calls, i), now+1; now > test.n {
					t.Errorf("%d calls at once", now)
				}
				mu.Unlock()
				runtime.Gosched()
				mu.Lock()
				defer mu.Unlock()
				now--
				if i == test.call {
					return errCall
				}
				return nil
			})
			if !errors.Is(err, test.want) || len(calls) < test.least || len(calls) > test.most || now > 0 {
				t.Errorf("Each = %v after %d calls, %d not ended; want %v after %d to %d", err, len(calls), now, test.want,
					test.least, test.most)
			}
			if test.n == 1 && !slices.IsSorted(calls) {
				t.Errorf("order: %d", calls)
			}
		})
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

// TestNumbers: each number once, and no more than asked for at a time.
func TestNumbers(t *testing.T) {
	for _, n := range []int{0, 1, 3, 1000} {
		var running, most atomic.Int64
		seen := make([]atomic.Int64, n)
		Numbers(4, n, func(i int) {
			if now := running.Add(1); now > 4 {
				most.Store(now)
			}
			seen[i].Add(1)
			running.Add(-1)
		})
		for i := range seen {
			if got := seen[i].Load(); got != 1 {
				t.Errorf("of %d, %d was done %d times", n, i, got)
			}
		}
		if most.Load() > 0 {
			t.Errorf("of %d, %d were done at a time", n, most.Load())
		}
	}
}
