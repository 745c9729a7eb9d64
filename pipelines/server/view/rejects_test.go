package view

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
)

// damaged makes a collection of archives with a reject each, and returns the files of rejects in the order of archives.
func damaged(t *testing.T, archives ...string) (dir string, files []string) {
	t.Helper()
	f := folder.Open(t.Context(), t.TempDir(), nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // the test is over by then
	var units []schemas.Unit
	var keys []string
	for i, name := range archives {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: name, End: 1}}}
		units, keys = append(units, u), append(keys, ledger.Key(u, nil, nil))
	}
	if _, _, err := c.Resume(units, keys, nil); err != nil {
		t.Fatal(err)
	}
	var done []schemas.UnitResult
	for i, u := range units {
		w, err := shard.NewWriter(f, u, keys[i], shard.Options{Formats: []string{holdings.FormatParquet}})
		if err != nil {
			t.Fatal(err)
		}
		r := schemas.Reject{File: archives[i], Stage: "read", Kind: schemas.KindGarbage, Lost: int64(i + 1)}
		if err := w.Reject(r); err != nil {
			t.Fatal(err)
		}
		one, err := w.Commit(schemas.Counts{Rejects: 1}, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, one)
		i := slices.IndexFunc(one.Shards, func(s schemas.Shard) bool { return strings.Contains(s.Name, "rejects-") })
		files = append(files, f.Path(one.Shards[i].Name))
	}
	if _, err := c.Finish(done, collection.Run{Units: len(units)}); err != nil {
		t.Fatal(err)
	}
	return f.Path(""), files
}

// TestRejects_missing: a file of rejects that is gone hides its own damage alone, and a note says so.
func TestRejects_missing(t *testing.T) {
	archives := []string{"a.warc", "b.warc", "c.warc"}
	for _, gone := range [][]int{{}, {0}, {1}, {2}, {0, 1}, {0, 1, 2}} {
		dir, files := damaged(t, archives...)
		want := slices.Clone(archives)
		for _, i := range slices.Backward(gone) {
			if err := os.Remove(files[i]); err != nil {
				t.Fatal(err)
			}
			want = slices.Delete(want, i, i+1)
		}
		s, err := shelf.Open(t.Context(), []string{dir}, nil, shelf.Options{Poll: 10 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() }) // it is only read
		c := s.Find("")
		for !c.State().Ready && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		now, release, _ := c.Hold()
		r, err := rejectsOf(t.Context(), c, now)
		release()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range r.Listed {
			got = append(got, row.File)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) || (r.Note != "") != (len(gone) > 0) || len(r.byFile) != len(want) {
			t.Errorf("without %v: rejects of %v, note %q", gone, got, r.Note)
		}
	}
}
