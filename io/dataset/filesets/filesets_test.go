package filesets_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/fileset"
)

// unitKey is the key of a unit of the tests.
func unitKey(c byte) string { return strings.Repeat(string(c), 20) }

// unit writes a unit with a result, a missing URL and a reject.
func unit(t *testing.T, f folder.Folder, key, chunk string, number int) filesets.Row {
	t.Helper()
	w := filesets.NewWriter(f, key, chunk, number)
	size := int64(7)
	out := &fileset.Outcome{
		Result: schemas.FilesetResult{
			Hit: true, Status: "success", Platform: "zenodo", Manifest: []schemas.ManifestFile{
				{Path: "水.csv", Status: fileset.StatusSuccess, Size: &size},
				{Path: "b.csv", Status: "no-capture", Size: &size},
				{Path: "c.csv", Status: fileset.StatusSuccess},
			},
		},
		Missing: []schemas.NeedsCapture{{URL: "http://b.example/", Purpose: "file"}},
	}
	err := errors.Join(w.Result(out), w.Reject(&schemas.Reject{File: "requests.jsonl", Message: "not JSON"}))
	if err != nil {
		t.Fatalf("unit %s: %v", key, err)
	}
	row, err := w.Commit()
	if err != nil {
		t.Fatalf("Commit: %v", err)
	}
	return row
}

// names are the visible files of a folder.
func names(t *testing.T, f folder.Folder, dir string) []string {
	t.Helper()
	list, err := f.Names(dir)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestWriter(t *testing.T) {
	_, f := open(t, t.TempDir())
	key := unitKey('a')
	row := unit(t, f, key, "chunk", 3)
	want := filesets.Counts{
		Requests: 2, Results: 1, Hits: 1, Rejects: 1, Missing: 1, Files: 3, Verified: 1, Bytes: 7,
		Statuses: map[string]int64{"success": 1}, Platform: map[string]int64{"zenodo": 1},
	}
	if diff := cmp.Diff(want, row.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	files := []string{
		"fileset-results-" + key + ".jsonl.zst", "needs-capture-" + key + ".jsonl", "rejects-" + key + ".jsonl.zst",
	}
	got := slices.DeleteFunc(names(t, f, ""), func(n string) bool { return strings.HasPrefix(n, ".") })
	if !cmp.Equal(files, got) {
		t.Errorf("files %q, want %q", got, files)
	}
	back, ok, err := filesets.Done(f, key)
	if diff := cmp.Diff(row, back); err != nil || !ok || diff != "" {
		t.Errorf("Done = %v, %v (-want +got):\n%s", ok, err, diff)
	}
	plain, err := os.ReadFile(f.Path(files[1]))
	if err != nil || !strings.Contains(string(plain), `"url":"http://b.example/"`) {
		t.Errorf("the URLs that need a capture are %q, %v; want plain JSON lines", plain, err)
	}
	// A unit written again has the same bytes.
	if again := unit(t, f, key, "chunk", 3); !cmp.Equal(row, again) {
		t.Errorf("the unit again: %s", cmp.Diff(row, again))
	}
}

func TestWriter_abort(t *testing.T) {
	_, f := open(t, t.TempDir())
	before := names(t, f, ".gleaner")
	w := filesets.NewWriter(f, unitKey('a'), "chunk", 0)
	if err := w.Reject(&schemas.Reject{Message: "x"}); err != nil {
		t.Fatal(err)
	}
	w.Abort()
	w.Abort()
	if after := names(t, f, ".gleaner"); !cmp.Equal(before, after) {
		t.Errorf("after Abort the folder has %q, before %q", after, before)
	}
	if _, ok, err := filesets.Done(f, unitKey('a')); ok || err != nil {
		t.Errorf("Done = %v, %v, want false", ok, err)
	}
	empty, err := filesets.NewWriter(f, unitKey('b'), "chunk", 0).Commit()
	if err != nil || empty.Shards != nil {
		t.Errorf("a unit without lines has %v, %v; want no files", empty.Shards, err)
	}
	if _, ok, err := filesets.Done(f, unitKey('b')); !ok || err != nil {
		t.Errorf("a unit without lines: Done = %v, %v, want true", ok, err)
	}
}

func TestDone_damaged(t *testing.T) {
	key := unitKey('a')
	result := "fileset-results-" + key + ".jsonl.zst"
	tests := []struct {
		name   string
		damage func(path func(string) string) error
		bad    bool // Done returns an error
	}{
		{"a file is missing", func(p func(string) string) error { return os.Remove(p(result)) }, false},
		{"a file is truncated", func(p func(string) string) error { return os.Truncate(p(result), 3) }, false},
		{"a file has grown", func(p func(string) string) error { return os.Truncate(p(result), 1<<20) }, false},
		{"the row is missing", func(p func(string) string) error {
			return os.Remove(p(".gleaner/row-" + key + ".json"))
		}, false},
		{"the row is truncated", func(p func(string) string) error {
			return os.Truncate(p(".gleaner/row-"+key+".json"), 20)
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, f := open(t, t.TempDir())
			unit(t, f, key, "chunk", 0)
			if err := tt.damage(f.Path); err != nil {
				t.Fatal(err)
			}
			if _, ok, err := filesets.Done(f, key); ok || (err != nil) != tt.bad {
				t.Errorf("Done = %v, %v, want false and an error: %v", ok, err, tt.bad)
			}
		})
	}
}

func TestFinish(t *testing.T) {
	c, f := open(t, t.TempDir())
	a, b := unit(t, f, unitKey('a'), "one", 0), unit(t, f, unitKey('b'), "two", 1)
	old := unit(t, f, unitKey('c'), "three", 0) // of other captures
	for _, name := range []string{
		"needs-capture-all.jsonl", "rejects-mine.jsonl.zst", "notes.txt", ".gleaner/captures-old.cdxj",
		".gleaner/captures-new.cdxj", ".gleaner/verified-1.json",
	} {
		if err := f.Write(name, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := filesets.ReadManifest(f); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before: ReadManifest = %v, want %v", err, fs.ErrNotExist)
	}
	m := filesets.Manifest{Captures: filesets.Captures{Index: "captures-new", Rejects: 5}}
	if _, err := filesets.Finish(f, []filesets.Row{a}, 2, m); !errors.Is(err, filesets.ErrIncomplete) {
		t.Errorf("a unit is missing: Finish = %v, want %v", err, filesets.ErrIncomplete)
	}
	for _, number := range []int{-1, 2} {
		if _, err := filesets.Finish(f, []filesets.Row{{Key: "x", Number: number}}, 2, m); err == nil {
			t.Errorf("unit %d of 2: Finish succeeded", number)
		}
	}
	m, err := filesets.Finish(f, []filesets.Row{b, {}, a, b}, 2, m)
	if err != nil || m.Totals.Requests != 4 || m.Totals.Rejects != 2+5 || m.Totals.Statuses["success"] != 2 {
		t.Fatalf("Finish = %+v, %v", m.Totals, err)
	}
	back, err := filesets.ReadManifest(f)
	if diff := cmp.Diff(m, back); err != nil || diff != "" {
		t.Errorf("ReadManifest: %v (-want +got):\n%s", err, diff)
	}
	all := strings.Join(append(names(t, f, ""), names(t, f, ".gleaner")...), " ")
	for name, kept := range map[string]bool{
		a.Shards[0].Name: true, b.Shards[1].Name: true, old.Shards[0].Name: false, "row-" + old.Key: false,
		"row-" + a.Key: true, "needs-capture-all.jsonl": true, "rejects-mine.jsonl.zst": true, "notes.txt": true,
		"captures-old.cdxj": false, "captures-new.cdxj": true, "verified-1.json": false,
	} {
		if strings.Contains(all, name) != kept {
			t.Errorf("after Finish %s is there: %v, want %v", name, !kept, kept)
		}
	}
	rows, err := c.Rows()
	if diff := cmp.Diff([]filesets.Row{a, b}, filesets.InOrder(rows)); err != nil || diff != "" {
		t.Errorf("Rows: %v (-want +got):\n%s", err, diff)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	c, f := open(t, dir)
	row := unit(t, f, unitKey('a'), "one", 0)
	if _, err := filesets.Finish(f, []filesets.Row{row}, 1, filesets.Manifest{}); err != nil {
		t.Fatal(err)
	}
	if err := filesets.SaveReport(f, map[string]int{"seconds": 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := filesets.Open(f, false, nil); !errors.Is(err, folder.ErrBusy) {
		t.Errorf("a second run: Open = %v, want %v", err, folder.ErrBusy)
	}
	for _, name := range []string{"needs-capture-all.jsonl", "rejects-mine.jsonl.zst", ".gleaner/tmp-1"} {
		if err := f.Write(name, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		fresh bool
		want  []string
	}{
		{false, []string{
			"fileset-results-" + row.Key + ".jsonl.zst", "manifest.json", "needs-capture-" + row.Key + ".jsonl",
			"needs-capture-all.jsonl", "rejects-" + row.Key + ".jsonl.zst", "rejects-mine.jsonl.zst", "report.json",
		}},
		{true, []string{"needs-capture-all.jsonl", "rejects-mine.jsonl.zst"}},
	} {
		c, err := filesets.Open(f, tt.fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.DeleteFunc(names(t, f, ""), func(n string) bool { return strings.HasPrefix(n, ".") })
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("fresh %v (-want +got):\n%s", tt.fresh, diff)
		}
		if slices.Contains(names(t, f, ".gleaner"), "tmp-1") {
			t.Errorf("fresh %v: the file of a killed run is still there", tt.fresh)
		}
		if rows, err := c.Rows(); err != nil || (len(rows) == 0) != tt.fresh {
			t.Errorf("fresh %v: %d rows, %v", tt.fresh, len(rows), err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOpen_otherFolders(t *testing.T) {
	for name, tt := range map[string]struct {
		file, text string
		want       error
	}{
		"of somebody else":  {"thesis.txt", "x", filesets.ErrForeign},
		"of a collection":   {".gleaner/collection", holdings.MarkerText, filesets.ErrForeign},
		"of a later layout": {".gleaner/filesets", "gleaner filesets, layout 9\n", holdings.ErrLayout},
	} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, ".gleaner"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, tt.file), []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := filesets.Open(folder.Open(t.Context(), dir, nil), true, nil); !errors.Is(err, tt.want) {
			t.Errorf("%s: Open = %v, want %v", name, err, tt.want)
		}
		if _, err := os.Stat(filepath.Join(dir, tt.file)); err != nil {
			t.Errorf("%s: the folder was changed: %v", name, err)
		}
	}
}

func TestReadManifest_otherLayout(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	for text, want := range map[string]string{`{"layout":"2"}`: `layout "2" is not known`, `{"layout":`: "manifest.json"} {
		if err := f.Write("manifest.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, err := filesets.ReadManifest(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ReadManifest(%s) = %v, want %q", text, err, want)
		}
	}
}

func TestLedger(t *testing.T) {
	_, f := open(t, t.TempDir())
	l := filesets.NewLedger(f)
	small, large := schemas.FileMeta{Size: 64<<20 - 1, SHA1: "a"}, schemas.FileMeta{Size: 64 << 20, SHA1: "b"}
	if err := errors.Join(l.Note("small", small), l.Note("large", large)); err != nil {
		t.Fatal(err)
	}
	if got, ok := l.Seen("small"); ok {
		t.Errorf("a small file was recorded: %v", got)
	}
	if got, ok := l.Seen("large"); !ok || got != large {
		t.Errorf("Seen = %v, %v, want %v", got, ok, large)
	}
	files := slices.DeleteFunc(names(t, f, ".gleaner"), func(n string) bool { return !strings.HasPrefix(n, "verified-") })
	if len(files) != 1 {
		t.Fatalf("records %q, want one", files)
	}
	if err := os.Truncate(f.Path(".gleaner/"+files[0]), 10); err != nil {
		t.Fatal(err)
	}
	if got, ok := l.Seen("large"); ok {
		t.Errorf("a truncated record was read: %v", got)
	}
}

func TestRejects(t *testing.T) {
	_, f := open(t, t.TempDir())
	none := filesets.NewRejects(f, unitKey('a'))
	if shards, err := none.Commit(); err != nil || shards != nil {
		t.Errorf("without rejects: %v, %v, want no file", shards, err)
	}
	r := filesets.NewRejects(f, unitKey('b'))
	if err := r.Write(&schemas.Reject{File: "a.warc", Message: "x"}); err != nil {
		t.Fatal(err)
	}
	shards, err := r.Commit()
	r.Abort()
	if err != nil || len(shards) != 1 || shards[0].Name != "rejects-"+unitKey('b')+".jsonl.zst" {
		t.Fatalf("Commit = %v, %v", shards, err)
	}
	if size, err := f.Size(shards[0].Name); err != nil || size != shards[0].Bytes {
		t.Errorf("the file has %d bytes, %v; want %d", size, err, shards[0].Bytes)
	}
	c := filesets.Captures{Shards: []schemas.Shard{{Name: "b"}, {Name: "a"}}}
	if c.Sort(); c.Shards[0].Name != "a" {
		t.Errorf("Sort gives %v", c.Shards)
	}
}

func TestCounts(t *testing.T) {
	var c filesets.Counts
	c.Add(filesets.Counts{Requests: 1, Statuses: map[string]int64{"b": 1, "a": 1}})
	c.Add(filesets.Counts{Requests: 2, Statuses: map[string]int64{"c": 3, "b": 0}})
	if got, want := c.StatusNames(), []string{"c", "a", "b"}; c.Requests != 3 || !cmp.Equal(got, want) {
		t.Errorf("%d requests, statuses %q; want 3, %q", c.Requests, got, want)
	}
}
