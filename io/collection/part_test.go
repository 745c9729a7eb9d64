package collection

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
	"github.com/gleaner-web/gleaner/schemas"
)

// gather are the records that a part yields, up to an error.
func gather[T any](records iter.Seq2[T, error]) (list []T, err error) {
	for r, err := range records {
		if err != nil {
			return list, err
		}
		list = append(list, r)
	}
	return list, nil
}

// readAll are the URLs of the documents, the files of the rejects and the SURTs of the captures of a part.
func readAll(t *testing.T, p holdings.Part) (documents, rejects, captures []string) {
	t.Helper()
	for d, err := range p.Documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, d.URL)
	}
	for r, err := range p.Rejects(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		rejects = append(rejects, r.File)
	}
	for l, err := range p.Captures(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		captures = append(captures, l.SURT)
	}
	return documents, rejects, captures
}

func wants(t *testing.T, p holdings.Part, files ...string) {
	t.Helper()
	var documents, captures []string
	for _, f := range files {
		documents, captures = append(documents, "http://"+f+"/"), append(captures, f+")/")
	}
	gotDocuments, gotRejects, gotCaptures := readAll(t, p)
	want, got := [][]string{documents, files, captures}, [][]string{gotDocuments, gotRejects, gotCaptures}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("documents, rejects, captures (-want +got):\n%s", diff)
	}
}

// TestPart_wholeAndUnits reads what runs with different formats wrote, on a disk: all, by unit and by shard.
func TestPart_wholeAndUnits(t *testing.T) {
	for _, formats := range [][]string{
		{holdings.FormatJSONL},
		{holdings.FormatParquet},
		{holdings.FormatJSONL, holdings.FormatParquet},
	} {
		f := local(t.TempDir())
		if _, _, err := runIn(t, f, shard.Options{Formats: formats}, "b", "a"); err != nil {
			t.Fatal(err)
		}
		all, m, err := holdings.Whole(f)
		if err != nil {
			t.Fatal(err)
		}
		wants(t, all, "b", "a")
		wants(t, holdings.Part{Folder: f, Shards: m.Units[1].Shards}, "a")
		for _, s := range m.Units[0].Shards[:len(formats)] {
			docs, err := gather(holdings.Part{Folder: f, Shards: []schemas.Shard{s}}.Documents(t.Context()))
			if err != nil || len(docs) != 1 || docs[0].URL != "http://b/" {
				t.Errorf("%s: %d documents, %v", s.Name, len(docs), err)
			}
		}
	}
}

func TestPart_inABucket(t *testing.T) {
	for _, kind := range []string{"gs", "s3"} {
		b := foldertest.StartBucket(t, kind, nil)
		if _, _, err := runIn(t, b, shard.Options{Formats: []string{holdings.FormatParquet}}, "a", "b"); err != nil {
			t.Fatal(err)
		}
		all, _, err := holdings.Whole(b)
		if err != nil {
			t.Fatal(err)
		}
		wants(t, all, "a", "b")
	}
}

// TestPart_ofLayout1 reads a folder that nobody has opened since: it is as it was.
func TestPart_ofLayout1(t *testing.T) {
	all, m, err := holdings.Whole(local(layout1))
	if err != nil {
		t.Fatal(err)
	}
	documents, _, captures := readAll(t, all)
	if int64(len(documents)) != m.Totals.Documents || int64(len(captures)) != m.Totals.Captures || len(documents) == 0 {
		t.Errorf("%d documents, %d captures; want %d, %d",
			len(documents), len(captures), m.Totals.Documents, m.Totals.Captures)
	}
	var parquet holdings.Part
	for _, s := range all.Shards {
		if filepath.Ext(s.Name) == holdings.ExtParquet {
			parquet.Shards = append(parquet.Shards, s)
		}
	}
	parquet.Folder = all.Folder
	same, _, _ := readAll(t, parquet)
	slices.Sort(documents)
	slices.Sort(same)
	if diff := cmp.Diff(documents, same); diff != "" {
		t.Errorf("documents of JSON lines and of Parquet (-lines +Parquet):\n%s", diff)
	}
}

// TestPart_feeds: none where they were not asked for, which is not an error.
func TestPart_feeds(t *testing.T) {
	for _, asked := range []bool{true, false} {
		f := local(t.TempDir())
		c, err := Open(f, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		units, keys := unitsOf("a")
		w, err := shard.NewWriter(f, units[0], keys[0], shard.Options{Feeds: asked})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Feed(schemas.FeedCapture{URL: "https://a.example/rss"}); err != nil {
			t.Fatal(err)
		}
		r, err := w.Commit(schemas.Counts{}, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		feeds, err := gather(holdings.Part{Folder: f, Shards: r.Shards}.Feeds(t.Context()))
		if err != nil || (len(feeds) == 1) != asked || asked && feeds[0].URL != "https://a.example/rss" {
			t.Errorf("asked %v: %v, %v", asked, feeds, err)
		}
		shut(t, c)
	}
}

// TestPart_broken: a missing or changed shard of any kind causes an error that says so.
func TestPart_broken(t *testing.T) {
	change := map[string]struct {
		do   func(t *testing.T, path string)
		want error
	}{
		"missing":   {func(t *testing.T, path string) { remove(t, path) }, fs.ErrNotExist},
		"cut":       {func(t *testing.T, path string) { truncate(t, path, -1) }, holdings.ErrChanged},
		"empty":     {func(t *testing.T, path string) { truncate(t, path, 0) }, holdings.ErrChanged},
		"more":      {func(t *testing.T, path string) { extend(t, path) }, holdings.ErrChanged},
		"something": {func(t *testing.T, path string) { write(t, path, "something else\n") }, holdings.ErrChanged},
	}
	for name, tt := range change {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			m, _ := run(t, dir, "a")
			for _, s := range m.Units[0].Shards {
				tt.do(t, filepath.Join(dir, s.Name))
				p := holdings.Part{Folder: local(dir), Shards: []schemas.Shard{s}}
				_, documents := gather(p.Documents(t.Context()))
				_, rejects := gather(p.Rejects(t.Context()))
				_, captures := gather(p.Captures(t.Context()))
				if err := errors.Join(documents, rejects, captures); !errors.Is(err, tt.want) {
					t.Errorf("%s: %v, want %v", s.Name, err, tt.want)
				}
			}
		})
	}
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if size < 0 {
		size += info.Size()
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

func extend(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(data)+"x")
}

// opened counts the files that are open.
type opened struct {
	folder.Folder
	n int
}

type openedReader struct {
	folder.Reader
	f *opened
}

func (f *opened) Open(name string) (folder.Reader, error) {
	r, err := f.Folder.Open(name)
	if err == nil {
		f.n++
	}
	return openedReader{r, f}, err
}

func (r openedReader) Close() error {
	r.f.n--
	return r.Reader.Close()
}

// TestPart_stops: a caller that stops early, or whose context ends, leaves no file open.
func TestPart_stops(t *testing.T) {
	for _, format := range []string{holdings.FormatJSONL, holdings.FormatParquet} {
		dir := t.TempDir()
		if _, _, err := runIn(t, local(dir), shard.Options{Formats: []string{format}}, "a", "b"); err != nil {
			t.Fatal(err)
		}
		f := &opened{Folder: local(dir)}
		all, _, err := holdings.Whole(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range all.Documents(t.Context()) {
			if err != nil {
				t.Error(err)
			}
			break
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := 0
		for _, err := range all.Documents(ctx) {
			if n++; n == 1 {
				cancel()
			} else if !errors.Is(err, context.Canceled) {
				t.Errorf("%s, document %d: %v, want %v", format, n, err, context.Canceled)
			}
		}
		if n != 2 || f.n != 0 {
			t.Errorf("%s: %d documents and %d open files after the end, want a document, an error and none", format, n, f.n)
		}
	}
}

func TestWhole_unfinished(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, OpenOptions{})
	if _, _, err := holdings.Whole(local(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Whole of a folder in which no run has finished: %v, want %v", err, fs.ErrNotExist)
	}
}
