package unit

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
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

// TestEngine_replacedWhileRead: the fingerprint of a unit is that of the bytes that were read. A file that changes in
// the meantime fails the unit, so that its documents do not count as those of the new file.
func TestEngine_replacedWhileRead(t *testing.T) {
	warc, err := os.ReadFile("../../../testdata/archives/site.warc")
	if err != nil {
		t.Fatal(err)
	}
	other := []byte(strings.Replace(string(warc), "<p>", "<b>", 1))
	for _, tt := range []struct {
		name   string
		change func(path string) error
		want   error
	}{
		{"unchanged", func(string) error { return nil }, nil},
		{"replaced by a file of its length", func(path string) error {
			return errors.Join(os.WriteFile(path+".new", other, 0o644), os.Rename(path+".new", path))
		}, blob.ErrChanged},
		{"written over", func(path string) error { return os.WriteFile(path, other, 0o644) }, blob.ErrChanged},
		{"grown", func(path string) error {
			return os.WriteFile(path, append(other, warc...), 0o644)
		}, blob.ErrChanged},
		{"shorter", func(path string) error { return os.Truncate(path, 1000) }, blob.ErrChanged},
		{"a link to another file", func(path string) error {
			return errors.Join(os.WriteFile(path+".new", other, 0o644), os.Remove(path), os.Symlink(path+".new", path))
		}, blob.ErrChanged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.warc")
			if err := os.WriteFile(path, warc, 0o644); err != nil {
				t.Fatal(err)
			}
			row, err := doOne(t, path, func() error { return tt.change(path) })
			if !errors.Is(err, tt.want) {
				t.Fatalf("%v, want %v", err, tt.want)
			}
			if err == nil && (len(row.Inputs) == 0 || row.Inputs[0].Fingerprint == "") {
				t.Errorf("no fingerprint: %+v", row.Inputs)
			}
		})
	}
}

// doOne does one unit of a whole file, and calls read when it has been read.
func doOne(t *testing.T, path string, read func() error) (report.Row, error) {
	t.Helper()
	store := blob.New(blob.Options{})
	files, err := store.Expand(t.Context(), []string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	units, err := work.Plan(t.Context(), store, files, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	task := Task{Unit: units[0], Key: strings.Repeat("0", 64), Stamps: map[string]string{files[0].Name: files[0].Stamp}}
	o := Job{
		Recipe: recipe.Recipe{
			Formats: []string{"jsonl"}, Compression: "none", Extract: []string{"mime"}, MaxBody: 1 << 20, MaxHead: 1 << 20,
			MaxRatio: 1000,
		},
		Machine: recipe.Machine{Output: t.TempDir(), Workers: 1},
		Run:     Run{Units: 1},
	}
	out, err := collection.Open(folder.Open(t.Context(), o.Output, nil), collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := out.Close(); err != nil {
			t.Error(err)
		}
	}()
	e, err := NewEngine(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	e.sinks = sink.Set{{Name: "afterwards", Sink: afterwards(read)}}
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
