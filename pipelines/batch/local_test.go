package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/claim"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
)

func init() { Register[doubling]("doubling") }

// doubling is a work whose units are numbers, and whose rows are twice as much. Its last step writes all rows.
type doubling struct {
	Dir  string // "" for a work without a folder
	Fail string // a unit that fails: its task
	Out  string // file of the last step
}

var workers atomic.Int64 // that are open

func (d doubling) Folder(ctx context.Context) folder.Folder {
	if d.Dir == "" {
		return nil
	}
	return Output(ctx, d.Dir, blob.Options{}, claim.Generation(""))
}

func (d doubling) Open() (Worker, error) {
	if d.Fail == "open" {
		return nil, errUnit
	}
	workers.Add(1)
	return doubler{d}, nil
}

func (d doubling) Finish(_ context.Context, rows *Rows) error {
	list, err := Decode[int](rows)
	if err != nil {
		return err
	}
	slices.Sort(list)
	return os.WriteFile(d.Out, []byte(fmt.Sprint(list)), 0o600)
}

type doubler struct{ d doubling }

var errUnit = errors.New("unit")

func (doubler) AtOnce() int { return 3 }

func (w doubler) Do(ctx context.Context, task []byte) (any, error) {
	if string(task) == w.d.Fail {
		return nil, errUnit
	}
	var n int
	err := json.Unmarshal(task, &n)
	return 2 * n, errors.Join(err, ctx.Err())
}

func (w doubler) Close() error {
	workers.Add(-1)
	if w.d.Fail == "close" {
		return errUnit
	}
	return nil
}

// prepared returns a work in a folder, with a list of the numbers from 1 to n and one of rows of earlier work.
func prepared(t *testing.T, n int, earlier ...int) (d doubling, todo, done Listing) {
	t.Helper()
	d.Dir, d.Out = filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "rows")
	if err := os.MkdirAll(filepath.Join(d.Dir, ".gleaner"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := d.Folder(t.Context())
	defer func() { _ = f.Close() }() // all is written
	var list []int
	for i := range n {
		list = append(list, i+1)
	}
	todo, err := List(f, list)
	if err == nil {
		done, err = List(f, earlier)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d, todo, done
}

// TestRunLocal: the last step gets the rows of all units and those of earlier work, and the lists are removed.
func TestRunLocal(t *testing.T) {
	for _, tt := range []struct {
		n       int
		earlier []int
		want    string
	}{
		{0, nil, "[]"}, {3, nil, "[2 4 6]"}, {0, []int{7, 8}, "[7 8]"}, {2, []int{7}, "[2 4 7]"},
	} {
		d, todo, done := prepared(t, tt.n, tt.earlier...)
		if err := RunLocal(t.Context(), "doubling", d, todo, done); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(d.Out)
		if err != nil || string(got) != tt.want {
			t.Errorf("%d units after %v: %s, %v; want %s", tt.n, tt.earlier, got, err, tt.want)
		}
		left, err := filepath.Glob(filepath.Join(d.Dir, ".gleaner", "listing-*"))
		if err != nil || len(left) > 0 {
			t.Errorf("%q are left, %v", left, err)
		}
	}
	if n := workers.Load(); n != 0 {
		t.Errorf("%d workers are open", n)
	}
}

// TestRunLocal_inline: lists in the graph need no folder.
func TestRunLocal_inline(t *testing.T) {
	todo, err := Inline([]int{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	d := doubling{Out: filepath.Join(t.TempDir(), "rows")}
	if err := RunLocal(t.Context(), "doubling", d, todo, Listing{}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(d.Out); err != nil || string(got) != "[2 4 6]" {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Inline([]any{make(chan int)}); err == nil {
		t.Error("a value that JSON does not have is listed")
	}
	if _, err := List(nil, []any{make(chan int)}); err == nil {
		t.Error("a value that JSON does not have is listed in a file")
	}
}

// TestRunLocal_failed: an error of a unit, a worker or a list ends the work before its last step.
func TestRunLocal_failed(t *testing.T) {
	for name, change := range map[string]func(d *doubling, todo *Listing){
		"a unit":          func(d *doubling, _ *Listing) { d.Fail = "2" },
		"opening":         func(d *doubling, _ *Listing) { d.Fail = "open" },
		"closing":         func(d *doubling, _ *Listing) { d.Fail = "close" },
		"a missing list":  func(_ *doubling, l *Listing) { l.Files = append(l.Files, strings.Repeat("0", 64)) },
		"a damaged list":  func(d *doubling, l *Listing) { damage(t, d, l, func(b []byte) []byte { return b[:len(b)/2] }) },
		"a line less":     func(d *doubling, l *Listing) { damage(t, d, l, func(b []byte) []byte { return b[:len(b)-2] }) },
		"another number":  func(d *doubling, l *Listing) { damage(t, d, l, func(b []byte) []byte { b[0] = '9'; return b }) },
		"an empty list":   func(d *doubling, l *Listing) { damage(t, d, l, func([]byte) []byte { return nil }) },
		"zeros in a list": func(d *doubling, l *Listing) { damage(t, d, l, func(b []byte) []byte { clear(b); return b }) },
	} {
		d, todo, done := prepared(t, 5)
		change(&d, &todo)
		if err := RunLocal(t.Context(), "doubling", d, todo, done); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(d.Out); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the last step was done, %v", name, err)
		}
		if n := workers.Load(); n != 0 {
			t.Errorf("%s: %d workers are open", name, n)
		}
	}
	d, todo, done := prepared(t, 5)
	if err := RunLocal(t.Context(), "unknown", d, todo, done); err == nil {
		t.Error("an unknown kind of work is done")
	}
	errStop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	if err := RunLocal(ctx, "doubling", d, todo, done); !errors.Is(err, errStop) {
		t.Errorf("interrupted: %v, want the cause", err)
	}
}

// damage changes the first file of a listing.
func damage(t *testing.T, d *doubling, l *Listing, change func([]byte) []byte) {
	t.Helper()
	name := filepath.Join(d.Dir, ".gleaner", "listing-"+l.Files[0])
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, change(data), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestRepeated: a call of the last step after its success finds no list, and is not an error if the output is there.
func TestRepeated(t *testing.T) {
	d, todo, done := prepared(t, 2, 7)
	if err := RunLocal(t.Context(), "doubling", d, todo, done); err != nil {
		t.Fatal(err)
	}
	none := func(*[]byte) bool { return false }
	err := finish(t.Context(), d, done, none)
	if !Repeated(err, func() error { return nil }) || Repeated(err, func() error { return errUnit }) ||
		Repeated(errUnit, func() error { return nil }) {
		t.Errorf("a second call: %v", err)
	}
}
