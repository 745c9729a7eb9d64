package filesets_test

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// open opens a new folder of results, or the one at dir.
func open(t *testing.T, dir string) (*filesets.Folder, folder.Folder) {
	t.Helper()
	f := folder.Open(t.Context(), dir, nil)
	c, err := filesets.Open(f, false, nil)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = c.Close() }) // some tests have closed it
	return c, f
}

func request(url string) filesets.Line {
	return filesets.Line{Request: &schemas.FilesetRequest{Type: "dataset", BaseURL: url}}
}

// lines yields requests of URLs, and err at the end if it is not nil.
func lines(err error, urls ...string) iter.Seq2[filesets.Line, error] {
	return func(yield func(filesets.Line, error) bool) {
		for _, u := range urls {
			if !yield(request(u), nil) {
				return
			}
		}
		if err != nil {
			yield(filesets.Line{}, err)
		}
	}
}

// urls are the requests of a unit.
func urls(t *testing.T, f folder.Folder, chunk string) (list []string) {
	t.Helper()
	for line, err := range filesets.ReadChunk(t.Context(), f, chunk) {
		if err != nil {
			t.Fatalf("ReadChunk(%s): %v", chunk, err)
		}
		list = append(list, line.Request.BaseURL)
	}
	return list
}

func TestChunks(t *testing.T) {
	long := "http://a.example/" + strings.Repeat("x", 3<<20)
	tests := []struct {
		name string
		urls []string
		size int
		want []int64 // requests of each unit
	}{
		{"none", nil, 3, nil},
		{"less than one", []string{"a"}, 3, []int64{1}},
		{"exactly two", []string{"a", "b", "c", "d"}, 2, []int64{2, 2}},
		{"a rest", []string{"a", "b", "c"}, 2, []int64{2, 1}},
		{"the same twice", []string{"a", "a", "b"}, 2, []int64{2, 1}},
		{"long requests", []string{long, long, long, "a"}, 1000, []int64{3, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, f := open(t, t.TempDir())
			list, err := c.Chunks(lines(nil, tt.urls...), tt.size, nil)
			if err != nil {
				t.Fatalf("Chunks: %v", err)
			}
			var got []int64
			var back []string
			for _, chunk := range list {
				got, back = append(got, chunk.Requests), append(back, urls(t, f, chunk.Name)...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("requests of units (-want +got):\n%s", diff)
			}
			if !cmp.Equal(back, tt.urls) {
				t.Errorf("the units hold %.60q, want %.60q", back, tt.urls)
			}
		})
	}
}

// TestChunks_names: a unit's name depends on its requests alone, so a later run finds the unit and leaves it.
func TestChunks_names(t *testing.T) {
	dir := t.TempDir()
	c, _ := open(t, dir)
	first, err := c.Chunks(lines(nil, "http://水.example/", "b", "c"), 2, nil)
	if err != nil || len(first) != 2 {
		t.Fatalf("Chunks = %v, %v", first, err)
	}
	path := filepath.Join(dir, filesets.ChunkFile(first[0].Name))
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, filesets.ChunkFile(first[1].Name))
	if err := os.Truncate(cut, 5); err != nil {
		t.Fatal(err)
	}
	again, err := c.Chunks(lines(nil, "http://水.example/", "b", "c"), 2, nil)
	if diff := cmp.Diff(first, again); err != nil || diff != "" {
		t.Errorf("again: %v (-want +got):\n%s", err, diff)
	}
	after, err := os.Stat(path)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the complete unit was written again, %v", err)
	}
	if info, err := os.Stat(cut); err != nil || info.Size() <= 5 {
		t.Errorf("the truncated unit was not written again: %v", err)
	}
	other, err := c.Chunks(lines(nil, "b", "http://水.example/"), 2, nil)
	if err != nil || len(other) != 1 || other[0].Name == first[0].Name {
		t.Errorf("another order has the unit %v, want another name than %s", other, first[0].Name)
	}
}

func TestChunks_skip(t *testing.T) {
	c, _ := open(t, t.TempDir())
	skip := map[[16]byte]bool{}
	first, err := c.Chunks(lines(nil, "a", "b", "a"), 10, skip)
	if err != nil || len(first) != 1 || first[0].Requests != 2 || len(skip) != 2 {
		t.Fatalf("Chunks = %v, %v, %d ids; want one unit of 2", first, err, len(skip))
	}
	ids, err := c.IDs(t.Context(), map[string]filesets.Row{"k": {Chunk: first[0].Name}})
	if diff := cmp.Diff(skip, ids); err != nil || diff != "" {
		t.Errorf("IDs: %v (-want +got):\n%s", err, diff)
	}
	if more, err := c.Chunks(lines(nil, "b", "c"), 10, ids); err != nil || len(more) != 1 || more[0].Requests != 1 {
		t.Errorf("with earlier requests: %v, %v; want one unit of 1", more, err)
	}
	if more, err := c.Chunks(lines(nil, "a", "b", "c"), 10, ids); err != nil || more != nil {
		t.Errorf("with earlier requests alone: %v, %v; want none", more, err)
	}
}

func TestChunks_errors(t *testing.T) {
	c, f := open(t, t.TempDir())
	bad := errors.New("the input is damaged")
	if list, err := c.Chunks(lines(bad, "a"), 1, nil); !errors.Is(err, bad) || list != nil {
		t.Errorf("Chunks = %v, %v, want %v", list, err, bad)
	}
	list, err := c.Chunks(lines(nil, "a", "b", "c"), 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	name := list[0].Name
	path := f.Path(filesets.ChunkFile(name))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, tt := range map[string]struct {
		body []byte
		bad  bool
	}{
		"truncated": {whole[:len(whole)-4], true}, "zeros": {make([]byte, 50), true},
		"not JSON": {[]byte("[1]\n"), true}, "not compressed": {[]byte("{}\n"), false},
	} {
		if err := os.WriteFile(path, tt.body, 0o600); err != nil {
			t.Fatal(err)
		}
		var last error
		for _, err := range filesets.ReadChunk(t.Context(), f, name) {
			last = err
		}
		if (last != nil) != tt.bad {
			t.Errorf("%s: ReadChunk = %v, want an error: %v", what, last, tt.bad)
		}
		if _, err := c.IDs(t.Context(), map[string]filesets.Row{"k": {Chunk: name}}); (err != nil) != tt.bad {
			t.Errorf("%s: IDs = %v, want an error: %v", what, err, tt.bad)
		}
	}
	for _, err := range filesets.ReadChunk(t.Context(), f, "0123") {
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "run the command again") {
			t.Errorf("a missing unit: %v", err)
		}
	}
}

func TestKey(t *testing.T) {
	base := map[string]any{"a": 1, "b": []string{"x"}}
	key, err := filesets.Key("chunk", base)
	if err != nil || len(key) != 20 {
		t.Fatalf("Key = %q, %v, want 20 digits", key, err)
	}
	for name, tt := range map[string]struct {
		chunk   string
		depends any
		same    bool
	}{
		"another order of members": {"chunk", map[string]any{"b": []string{"x"}, "a": 1}, true},
		"another unit":             {"chunk2", base, false},
		"another value":            {"chunk", map[string]any{"a": 2, "b": []string{"x"}}, false},
		"a member less":            {"chunk", map[string]any{"a": 1}, false},
	} {
		if got, err := filesets.Key(tt.chunk, tt.depends); err != nil || (got == key) != tt.same {
			t.Errorf("%s: Key = %s, %v, base %s, want the same: %v", name, got, err, key, tt.same)
		}
	}
	if _, err := filesets.Key("chunk", fmt.Print); err == nil {
		t.Error("Key of a function succeeded, want an error")
	}
}
