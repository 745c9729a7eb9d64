package shard

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/io/stream/lines"
	"github.com/gleaner-web/gleaner/schemas"
)

var bothFormats = Options{Formats: []string{holdings.FormatJSONL, holdings.FormatParquet}}

// unitA is a unit of one file, and keyA its key.
var (
	unitA = schemas.Unit{Inputs: []schemas.Range{{File: "a", Start: 10, End: 20}}}
	keyA  = ledger.Key(unitA, "options", "versions")
)

func local(dir string) folder.Folder { return folder.Open(context.Background(), dir, nil) }

// begun is a folder in which a run has begun.
func begun(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := local(dir).Make(holdings.HiddenDir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// hiddenFiles lists the hidden folder.
func hiddenFiles(t *testing.T, dir string) []string {
	t.Helper()
	names, err := local(dir).Names(holdings.HiddenDir)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// shardOf is the name of a shard of unitA.
func shardOf(kind, ext string) string {
	return holdings.FileType{Kind: kind, Ext: ext}.Name(ledger.UnitOfKey(keyA)).String()
}

// fill writes a document and a line of the index.
func fill(t *testing.T, w *Writer, u schemas.Unit) {
	t.Helper()
	d := &schemas.Document{URL: "http://a/", SURT: "a)/", Filename: "a", Text: strings.Repeat("text", 50)}
	if err := errors.Join(w.Document(d), w.CDX(cdx.Line{SURT: d.SURT, URL: d.URL, Filename: "a"})); err != nil {
		t.Fatal(err)
	}
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

func TestWriter_emptyUnitHasAllFiles(t *testing.T) {
	dir := begun(t)
	emptyKey := ledger.Key(schemas.Unit{}, 1, 1)
	w, err := NewWriter(local(dir), schemas.Unit{}, ledger.Key(schemas.Unit{}, 1, 1), bothFormats)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(schemas.Counts{}, ledger.Note{}); err != nil {
		t.Fatal(err)
	}
	files := shelftest.Contents(t, dir)
	unit := ledger.UnitOfKey(emptyKey)
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
		dir := begun(t)
		w, err := NewWriter(local(dir), unitA, keyA, Options{Compression: c})
		if err != nil {
			t.Fatal(err)
		}
		r, err := w.Commit(schemas.Counts{}, ledger.Note{})
		if want := shardOf(holdings.KindDocuments, ext); err != nil || r.Shards[0].Name != want {
			t.Errorf("shard of compression %q = %v, %v, want %s", c, r.Shards, err, want)
		}
	}
}

func TestWriter_feeds(t *testing.T) {
	for _, asked := range []bool{true, false} {
		dir := begun(t)
		w, err := NewWriter(local(dir), unitA, keyA, Options{Compression: jsonl.None, Feeds: asked})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Feed(schemas.FeedCapture{Kind: "feed", URL: "https://a.example/rss", Type: "rss"}); err != nil {
			t.Fatal(err)
		}
		r, err := w.Commit(schemas.Counts{}, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if asked {
			want = `{"kind":"feed","url":"https://a.example/rss","type":"rss","filename":"","offset":0}` + "\n"
		}
		if got := shelftest.Contents(t, dir)[shardOf(holdings.KindFeeds, ".jsonl")]; got != want {
			t.Errorf("asked %v: feeds = %q, want %q", asked, got, want)
		}
		if _, done, err := Committed(local(dir), unitA, keyA, nil); err != nil || !done {
			t.Errorf("asked %v: committed %v, %v; shards %v", asked, done, err, r.Shards)
		}
	}
}

func TestNewWriter_refuses(t *testing.T) {
	dir := begun(t)
	for _, tt := range []struct {
		name, dir string
		key       string
		options   Options
	}{
		{"a folder that is no collection", t.TempDir(), keyA, Options{}},
		{"a key that is none", dir, "../../etc/passwd", Options{}},
		{"an unknown format", dir, keyA, Options{Formats: []string{"xml"}}},
		{"an unknown compression", dir, keyA, Options{Compression: "rar"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := NewWriter(local(tt.dir), unitA, tt.key, tt.options); err == nil {
				t.Error("NewWriter took it")
			}
			if files := shelftest.Contents(t, tt.dir); len(files) != 0 {
				t.Errorf("files are left: %q", slices.Sorted(maps.Keys(files)))
			}
		})
	}
}

func TestWriter_abort(t *testing.T) {
	dir := begun(t)
	w, err := NewWriter(local(dir), unitA, keyA, bothFormats)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, w, unitA)
	w.Abort()
	w.Abort()
	if files, hidden := shelftest.Contents(t, dir), hiddenFiles(t, dir); len(files)+len(hidden) != 0 {
		t.Errorf("after Abort there are %q and %q", slices.Sorted(maps.Keys(files)), hidden)
	}
	_, err = w.Commit(schemas.Counts{}, ledger.Note{})
	for _, err := range []error{
		err, w.Document(&schemas.Document{}), w.Reject(schemas.Reject{}),
		w.Feed(schemas.FeedCapture{}), w.CDX(cdx.Line{}),
	} {
		if err == nil || !strings.Contains(err.Error(), "the writer has ended") {
			t.Errorf("after Abort: %v, want that the writer has ended", err)
		}
	}
}

func TestWriter_fullDiskLeavesNothing(t *testing.T) {
	for _, at := range []string{"create", "write", "sync", "close"} {
		failures := 0
		for room := range 40 {
			disk := &fullDisk{room: room, at: at}
			if at == "write" {
				disk.room *= 1000
			}
			dir := begun(t)
			err := attempt(t, dir, unitA, keyA, disk)
			if err == nil {
				break
			}
			failures++
			if !errors.Is(err, errFull) || !strings.Contains(err.Error(), "-"+ledger.UnitOfKey(keyA)+".") {
				t.Errorf("%s %d: error = %v, want one that names the file", at, room, err)
			}
			if files, hidden := shelftest.Contents(t, dir), hiddenFiles(t, dir); len(files)+len(hidden) != 0 {
				t.Errorf("%s %d: left are %q and %q", at, room, slices.Sorted(maps.Keys(files)), hidden)
			}
		}
		if failures == 0 || failures == 40 {
			t.Errorf("%s: %d of 40 failed, the test tests nothing", at, failures)
		}
	}
}

func attempt(t *testing.T, dir string, u schemas.Unit, key string, disk *fullDisk) error {
	disk.Folder = local(dir)
	w, err := NewWriter(disk, u, key, bothFormats)
	if err != nil {
		return err
	}
	fill(t, w, u)
	_, err = w.Commit(schemas.Counts{}, ledger.Note{})
	return err
}

// TestWriter_content: records are written where they are asked for, and one that is too long for a line costs no
// other.
func TestWriter_content(t *testing.T) {
	dir := begun(t)
	w, err := NewWriter(local(dir), unitA, keyA, Options{
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
	if _, err := w.Commit(schemas.Counts{}, ledger.Note{}); err != nil {
		t.Fatal(err)
	}
	if got, want := shelftest.Contents(t, dir)[shardOf(holdings.KindContent, ".jsonl")],
		"{\"title\":\"a\"}\n{\"title\":\"b\"}\n"; got != want {
		t.Errorf("records are %.200q, want %q", got, want)
	}
	w, err = NewWriter(local(dir), unitA, keyA, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Content(long); err != nil {
		t.Errorf("Content, which nobody asked for: %v", err)
	}
}
