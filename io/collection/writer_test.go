package collection

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestWriter_emptyUnitHasAllFiles(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, OpenOptions{})
	emptyKey := Key(schemas.Unit{}, 1, 1)
	w, err := NewWriter(local(dir), schemas.Unit{}, Key(schemas.Unit{}, 1, 1), both)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(schemas.Counts{}, Note{}); err != nil {
		t.Fatal(err)
	}
	files := tree(t, dir)
	unit := nameOf(emptyKey)
	magic := map[string]string{
		"documents-" + unit + ".jsonl.zst": "\x28\xb5\x2f\xfd",
		"documents-" + unit + ".parquet":   "PAR1",
		"rejects-" + unit + ".jsonl.zst":   "\x28\xb5\x2f\xfd",
		"captures-" + unit + ".cdxj.gz":    "\x1f\x8b",
	}
	for name, want := range magic {
		if !strings.HasPrefix(files[name], want) {
			t.Errorf("%s begins %.8q, want %q: empty files are valid ones", name, files[name], want)
		}
	}
	if len(files) != len(magic) {
		t.Errorf("files = %q", slices.Sorted(maps.Keys(files)))
	}
}

func TestWriter_compressions(t *testing.T) {
	for c, ext := range map[jsonl.Compression]string{"": ".jsonl.zst", jsonl.Gzip: ".jsonl.gz", jsonl.None: ".jsonl"} {
		dir := t.TempDir()
		open(t, dir, OpenOptions{})
		units, keys := unitsOf("a")
		r := do(t, dir, units[0], keys[0], Options{Compression: c})
		if got, want := r.Shards[0].Name, shard("a", holdings.KindDocuments, ext); got != want {
			t.Errorf("shard of compression %q = %s, want %s", c, got, want)
		}
	}
}

func TestWriter_feeds(t *testing.T) {
	for _, asked := range []bool{true, false} {
		dir := t.TempDir()
		c := open(t, dir, OpenOptions{})
		units, keys := unitsOf("a")
		w, err := NewWriter(local(dir), units[0], keys[0], Options{Compression: jsonl.None, Feeds: asked})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Feed(schemas.FeedCapture{Kind: "feed", URL: "https://a.example/rss", Type: "rss"}); err != nil {
			t.Fatal(err)
		}
		r, err := w.Commit(schemas.Counts{}, Note{})
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if asked {
			want = `{"kind":"feed","url":"https://a.example/rss","type":"rss","filename":"","offset":0}` + "\n"
		}
		if got := tree(t, dir)[shard("a", holdings.KindFeeds, ".jsonl")]; got != want {
			t.Errorf("asked %v: feeds = %q, want %q", asked, got, want)
		}
		if todo, _, err := c.Resume(units, keys, nil); err != nil || len(todo) != 0 {
			t.Errorf("asked %v: %d units to do again, %v; shards %v", asked, len(todo), err, r.Shards)
		}
	}
}

func TestNewWriter_refuses(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, OpenOptions{})
	units, keys := unitsOf("a")
	for _, tt := range []struct {
		name, dir string
		key       string
		options   Options
	}{
		{"a folder that is no collection", t.TempDir(), keys[0], Options{}},
		{"a key that is none", dir, "../../etc/passwd", Options{}},
		{"an unknown format", dir, keys[0], Options{Formats: []string{"xml"}}},
		{"an unknown compression", dir, keys[0], Options{Compression: "rar"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := NewWriter(local(tt.dir), units[0], tt.key, tt.options); err == nil {
				t.Error("NewWriter took it")
			}
			if files := tree(t, tt.dir); len(files) != 0 {
				t.Errorf("files are left: %q", slices.Sorted(maps.Keys(files)))
			}
		})
	}
}

func TestWriter_abort(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, OpenOptions{})
	units, keys := unitsOf("a")
	w, err := NewWriter(local(dir), units[0], keys[0], both)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, w, units[0])
	w.Abort()
	w.Abort()
	if files, hidden := tree(t, dir), hiddenFiles(t, dir); len(files)+len(hidden) != 0 {
		t.Errorf("after Abort there are %q and %q", slices.Sorted(maps.Keys(files)), hidden)
	}
	_, err = w.Commit(schemas.Counts{}, Note{})
	for _, err := range []error{
		err, w.Document(&schemas.Document{}), w.Reject(schemas.Reject{}),
		w.Feed(schemas.FeedCapture{}), w.CDX(cdx.Line{}),
	} {
		if !errors.Is(err, errEnded) {
			t.Errorf("after Abort: %v, want %v", err, errEnded)
		}
	}
}

func TestWriter_twoWorkersAtOneUnit(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, OpenOptions{})
	units, keys := unitsOf("a", "b")
	results := make([]schemas.UnitResult, 8)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i] = do(t, dir, units[i%2], keys[i%2], both) })
	}
	wg.Wait()
	if _, err := c.Finish(results, runOf(2)); err != nil {
		t.Fatal(err)
	}
	same(t, dir, "a", "b")
}

// fullDisk is a folder that takes a number of bytes and then has no room, as a disk that all files of a unit share.
type fullDisk struct {
	folder.Folder
	mu   sync.Mutex
	room int
	at   string // "write", "sync" or "close"
}

var errFull = errors.New("no space left on device")

func (d *fullDisk) Create(name string) (folder.File, error) {
	f, err := d.Folder.Create(name)
	if err != nil || d.at == "create" && d.take(1) {
		return nil, errors.Join(err, errFull, d.Remove(name))
	}
	return &fullFile{File: f, disk: d}, nil
}

// take reports whether n more bytes are too many.
func (d *fullDisk) take(n int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room -= n
	return d.room < 0
}

type fullFile struct {
	folder.File
	disk *fullDisk
}

func (f *fullFile) Write(p []byte) (int, error) {
	if f.disk.at == "write" && f.disk.take(len(p)) {
		return 0, errFull
	}
	return f.File.Write(p)
}

func (f *fullFile) Sync() error {
	if f.disk.at == "sync" && f.disk.take(1) {
		return errFull
	}
	return nil
}

func (f *fullFile) Close() error {
	err := f.File.Close()
	if f.disk.at == "close" && f.disk.take(1) {
		return errFull
	}
	return err
}

func TestWriter_fullDiskLeavesNothing(t *testing.T) {
	units, keys := unitsOf("a")
	for _, at := range []string{"create", "write", "sync", "close"} {
		failures := 0
		for room := range 40 {
			disk := &fullDisk{room: room, at: at}
			if at == "write" {
				disk.room *= 1000
			}
			dir := t.TempDir()
			c := open(t, dir, OpenOptions{})
			err := attempt(t, dir, units[0], keys[0], disk)
			if err == nil {
				break
			}
			failures++
			if !errors.Is(err, errFull) || !strings.Contains(err.Error(), "-"+nameOf(keys[0])+".") {
				t.Errorf("%s %d: error = %v, want one that names the file", at, room, err)
			}
			if files, hidden := tree(t, dir), hiddenFiles(t, dir); len(files)+len(hidden) != 0 {
				t.Errorf("%s %d: left are %q and %q", at, room, slices.Sorted(maps.Keys(files)), hidden)
			}
			shut(t, c)
		}
		if failures == 0 || failures == 40 {
			t.Errorf("%s: %d of 40 failed, the test tests nothing", at, failures)
		}
	}
}

func attempt(t *testing.T, dir string, u schemas.Unit, key string, disk *fullDisk) error {
	disk.Folder = local(dir)
	w, err := NewWriter(disk, u, key, both)
	if err != nil {
		return err
	}
	fill(t, w, u)
	_, err = w.Commit(oneOfEach, Note{})
	return err
}

// TestWriter_content: records are written where they are asked for, and one that is too long for a line costs no
// other.
func TestWriter_content(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, OpenOptions{})
	units, keys := unitsOf("a")
	w, err := NewWriter(local(dir), units[0], keys[0], Options{
		Formats:     []string{holdings.FormatContent},
		Compression: jsonl.None,
	})
	if err != nil {
		t.Fatal(err)
	}
	long := &datastreamer.Content{HTML: strings.Repeat("\x00", jsonl.MaxLineBytes/6+1)}
	for _, r := range []*datastreamer.Content{{Title: "a"}, long, {Title: "b"}} {
		if err := w.Content(r); (r == long) != errors.Is(err, lines.ErrTooLong) || r != long && err != nil {
			t.Fatalf("Content(%q…): %v", r.Title, err)
		}
	}
	if _, err := w.Commit(schemas.Counts{}, Note{}); err != nil {
		t.Fatal(err)
	}
	if got, want := tree(t, dir)[shard("a", holdings.KindContent, ".jsonl")],
		"{\"title\":\"a\"}\n{\"title\":\"b\"}\n"; got != want {
		t.Errorf("records are %.200q, want %q", got, want)
	}
	w, err = NewWriter(local(dir), units[0], keys[0], Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Content(long); err != nil {
		t.Errorf("Content, which nobody asked for: %v", err)
	}
}
