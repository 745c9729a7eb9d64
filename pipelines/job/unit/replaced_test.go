package unit

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/pipelines/report"
	"github.com/gleaner-web/gleaner/schemas"
)

// afterwards is a sink that calls a function when a unit has been read.
type afterwards func() error

func (f afterwards) Encode(*sink.Page) (*sink.Message, error) { return nil, nil }

func (f afterwards) Begin(context.Context, func(schemas.Reject) error) (sink.Writer, error) {
	return f, nil
}

func (f afterwards) Write(*sink.Message) error { return nil }

func (f afterwards) Commit() error { return f() }

func (f afterwards) Abort() {}

func (f afterwards) Close() error { return nil }

// TestEngine_replacedWhileRead: the fingerprint of a unit is that of the bytes that were read. If the file changes in
// the meantime, the unit has no fingerprint and the stamp of the plan. So the next run reads the file again.
func TestEngine_replacedWhileRead(t *testing.T) {
	warc, err := os.ReadFile("../../../testdata/archives/site.warc")
	if err != nil {
		t.Fatal(err)
	}
	other := []byte(strings.Replace(string(warc), "<p>", "<b>", 1))
	touched := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		change func(path string) error
		again  bool // the next run reads the file
	}{
		{"unchanged", func(string) error { return nil }, false},
		{"replaced by a file of its length", func(path string) error {
			return errors.Join(os.WriteFile(path+".new", other, 0o644), os.Rename(path+".new", path))
		}, true},
		{"written over", func(path string) error { return os.WriteFile(path, other, 0o644) }, true},
		{"appended to", func(path string) error { return appendTo(path, warc) }, true},
		{"grown, with other bytes", func(path string) error {
			return os.WriteFile(path, append(other, warc...), 0o644)
		}, true},
		{"shorter", func(path string) error { return os.Truncate(path, 1000) }, true},
		{"empty", func(path string) error { return os.Truncate(path, 0) }, true},
		{"another time", func(path string) error { return os.Chtimes(path, touched, touched) }, true},
		{"a link to another file", func(path string) error {
			return errors.Join(os.WriteFile(path+".new", other, 0o644), os.Remove(path), os.Symlink(path+".new", path))
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.warc")
			if err := os.WriteFile(path, warc, 0o644); err != nil {
				t.Fatal(err)
			}
			store := blob.New(blob.Options{})
			task := taskOf(t, store, path)
			row, out := doOne(t, task, func() error { return tt.change(path) })
			if row.Captures == 0 || len(row.Inputs) != 1 {
				t.Fatalf("the unit has no captures: %+v", row.UnitResult)
			}
			// The next run compares stamps, and then the bytes.
			next := taskOf(t, store, path)
			_, done, err := shard.Committed(out, task.Unit, task.Key, next.Stamps)
			if err != nil {
				t.Fatal(err)
			}
			same, err := standing.SameBytes(t.Context(), store, row.Inputs[0], next.Stamps[row.Inputs[0].File])
			if err != nil || done == tt.again || same == tt.again {
				t.Errorf("the stamps are equal: %v, the bytes too: %v; want %v, error %v", done, same, !tt.again, err)
			}
		})
	}
}

// TestEngine_grownBefore: a file that has grown since the plan is read to its planned end. So it is with several units
// of one file. Any other change fails the unit.
func TestEngine_grownBefore(t *testing.T) {
	warc, err := os.ReadFile("../../../testdata/archives/site.warc")
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "a.warc")
	if err := os.WriteFile(plain, warc, 0o644); err != nil {
		t.Fatal(err)
	}
	want, _ := doOne(t, taskOf(t, blob.New(blob.Options{}), plain), func() error { return nil })
	for _, tt := range []struct {
		name   string
		change func(path string) error
		fails  bool
	}{
		{"a record more", func(path string) error { return appendTo(path, warc) }, false},
		{"a byte more", func(path string) error { return appendTo(path, warc[:1]) }, false},
		{"half a record more", func(path string) error { return appendTo(path, warc[:300]) }, false},
		{"other bytes after it", func(path string) error { return appendTo(path, make([]byte, 1000)) }, false},
		{"shorter", func(path string) error { return os.Truncate(path, 1000) }, true},
		{"the same length", func(path string) error {
			return errors.Join(os.WriteFile(path, warc, 0o644), os.Chtimes(path, time.Time{}, time.Unix(1, 0)))
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.warc")
			if err := os.WriteFile(path, warc, 0o644); err != nil {
				t.Fatal(err)
			}
			task := taskOf(t, blob.New(blob.Options{}), path)
			if err := tt.change(path); err != nil {
				t.Fatal(err)
			}
			e, _ := engineFor(t, func() error { return nil })
			row, err := do(t, e, task)
			switch {
			case tt.fails:
				if !errors.Is(err, blob.ErrChanged) {
					t.Errorf("%v, want %v", err, blob.ErrChanged)
				}
			case err != nil:
				t.Error(err)
			case row.Inputs[0].Fingerprint != "" || row.Captures != want.Captures || row.Rejects != want.Rejects ||
				row.BytesRead != want.BytesRead || row.BytesLost != want.BytesLost:
				t.Errorf("%+v, want the counts of %+v", row.UnitResult, want.UnitResult)
			}
		})
	}
}

func appendTo(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// taskOf plans one unit of a whole file.
func taskOf(t *testing.T, store *blob.Store, path string) Task {
	t.Helper()
	files, err := store.Expand(t.Context(), []string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	units, err := work.Plan(t.Context(), store, files, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return Task{Unit: units[0], Key: strings.Repeat("0", 64), Stamps: map[string]string{files[0].Name: files[0].Stamp}}
}

// doOne does one unit, and calls read when it has been read. It returns the row and the folder.
func doOne(t *testing.T, task Task, read func() error) (report.Row, folder.Folder) {
	t.Helper()
	e, out := engineFor(t, read)
	row, err := do(t, e, task)
	if err != nil {
		t.Fatal(err)
	}
	return row, out
}

func do(t *testing.T, e *Engine, task Task) (report.Row, error) {
	t.Helper()
	element, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	row, err := e.Do(t.Context(), element)
	if err != nil {
		return report.Row{}, err
	}
	return row.(report.Row), nil
}

// engineFor returns an engine that calls read when a unit has been read, and its folder.
func engineFor(t *testing.T, read func() error) (*Engine, folder.Folder) {
	t.Helper()
	o := Job{
		Recipe: recipe.Recipe{
			Formats: []string{"jsonl"}, Compression: "none", Extract: []string{"mime"}, MaxBody: 1 << 20, MaxHead: 1 << 20,
			MaxRatio: 1000,
		},
		Machine: recipe.Machine{Output: t.TempDir(), Workers: 1},
		Run:     Run{Units: 1},
	}
	f := folder.Open(t.Context(), o.Output, nil)
	out, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := out.Close(); err != nil {
			t.Error(err)
		}
	})
	e, err := NewEngine(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	e.sinks = sink.Set{{Name: "afterwards", Sink: afterwards(read)}}
	return e, f
}
