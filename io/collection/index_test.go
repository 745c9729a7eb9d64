package collection

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// indexed does a unit a file of archives of that many captures each, and finishes with an index. Captures are spread,
// so that neighbours in the index are of different units; each is there twice.
func indexed(t *testing.T, dir string, files, captures int) (units []schemas.Unit, results []schemas.UnitResult) {
	t.Helper()
	c := open(t, dir, OpenOptions{})
	defer shut(t, c)
	for i := range files {
		file := fmt.Sprintf("shelf/%d/a.warc.gz", i)
		units = append(units, schemas.Unit{ID: i, Inputs: []schemas.Range{{File: file, End: 10, Format: "warc+gzip"}}})
	}
	for _, u := range units {
		w, err := shard.NewWriter(local(dir), u, ledger.Key(u, "", ""), shard.Options{Formats: []string{holdings.FormatCDXJ}})
		if err != nil {
			t.Fatal(err)
		}
		for n := range captures {
			line := cdx.Line{SURT: fmt.Sprintf("com,example)/%d", n*7919%captures), Filename: u.Inputs[0].File}
			if err := errors.Join(w.CDX(line), w.CDX(line)); err != nil {
				t.Fatal(err)
			}
		}
		r, err := w.Commit(oneOfEach, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if _, err := c.Finish(results, Run{Units: files, Index: true}); err != nil {
		t.Fatal(err)
	}
	return units, results
}

func TestIndex_allLinesSorted(t *testing.T) {
	const files, captures = 300, 5 // More shards than are ever open
	dir := t.TempDir()
	indexed(t, dir, files, captures)
	index := shelftest.Contents(t, dir)[ledger.IndexFile]
	lines := strings.Split(strings.TrimSuffix(index, "\n"), "\n")
	if len(lines) != 2*files*captures || !slices.IsSorted(lines) {
		t.Errorf("%d lines, sorted %v, want %d sorted lines", len(lines), slices.IsSorted(lines), 2*files*captures)
	}
	if want := `com,example)/0 - {"offset": "0", "filename": "0/a.warc.gz"}`; lines[0] != want || lines[1] != want {
		t.Errorf("begins with %q, %q, want %q twice", lines[0], lines[1], want)
	}
	m, err := holdings.ReadManifest(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	size, sum, err := ledger.HashFile(local(dir), ledger.IndexFile)
	if want := (schemas.Shard{Name: ledger.IndexFile, Bytes: size, SHA256: sum}); err != nil ||
		!slices.Equal(m.Files, []schemas.Shard{want}) {
		t.Errorf("the manifest lists %v, want %v; %v", m.Files, want, err)
	}
	for _, u := range m.Units {
		if len(u.Shards) != 2 {
			t.Fatalf("unit %d has %v, want rejects and captures only", u.ID, u.Shards)
		}
	}
	if left := hiddenFiles(t, dir); len(left) != files {
		t.Errorf("%d hidden files, want the %d rows", len(left), files)
	}
}

// TestIndex_keptMadeOrRemoved finishes a folder that has an index again and again.
func TestIndex_keptMadeOrRemoved(t *testing.T) {
	dir := t.TempDir()
	units, results := indexed(t, dir, 2, 3)
	want := shelftest.Contents(t, dir)
	at := filepath.Join(dir, ledger.IndexFile)
	finish := func(index bool) {
		t.Helper()
		c := open(t, dir, OpenOptions{})
		defer shut(t, c)
		keys := []string{ledger.Key(units[0], "", ""), ledger.Key(units[1], "", "")}
		todo, _, err := c.Resume(units, keys, nil)
		if err != nil || len(todo) > 0 {
			t.Fatalf("Resume: %d to do, %v", len(todo), err)
		}
		if _, err := c.Finish(results, Run{Units: 2, Index: index}); err != nil {
			t.Fatal(err)
		}
	}
	before := modified(t, at)
	finish(true)
	if !modified(t, at).Equal(before) {
		t.Error("an index that was right was made again")
	}
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	finish(true)
	if got := shelftest.Contents(t, dir); got[ledger.IndexFile] != want[ledger.IndexFile] ||
		got[holdings.ManifestFile] != want[holdings.ManifestFile] {
		t.Error("an index that was missing was made otherwise")
	}
	finish(false)
	got := shelftest.Contents(t, dir)
	if _, there := got[ledger.IndexFile]; there || strings.Contains(got[holdings.ManifestFile], ledger.IndexFile) {
		t.Error("an index that was not asked for is there or in the manifest")
	}
	finish(true)
	write(t, at, "a line of mine\n")
	if _, _, err := open(t, dir, OpenOptions{}).Resume(units,
		[]string{ledger.Key(units[0], "", ""), ledger.Key(units[1], "", "")},
		nil); !errors.Is(err, holdings.ErrChanged) {
		t.Errorf("Resume with an index that was changed: %v, want ErrChanged", err)
	}
}

func modified(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

func TestIndex_freshRemovesIt(t *testing.T) {
	dir := t.TempDir()
	indexed(t, dir, 1, 1)
	write(t, filepath.Join(dir, ledger.TempName(ledger.IndexFile, folder.Unique())), "half")
	open(t, dir, OpenOptions{Fresh: true})
	if left := shelftest.Contents(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestIndex_refusesShardsThatChanged: neither a damaged shard nor one of the same size with other lines goes into an
// index unnoticed.
func TestIndex_refusesShardsThatChanged(t *testing.T) {
	dir := t.TempDir()
	_, results := indexed(t, dir, 2, 3)
	before := shelftest.Contents(t, dir)[holdings.ManifestFile]
	shard := filepath.Join(dir, results[1].Shards[1].Name)
	sound, err := os.ReadFile(shard)
	if err != nil {
		t.Fatal(err)
	}
	flipped, cut := bytes.Clone(sound), sound[:len(sound)-9]
	flipped[len(flipped)/2] ^= 1
	for name, data := range map[string][]byte{
		"damaged": flipped, "cut": append(cut[:len(cut):len(cut)], make([]byte, 9)...),
		"no index":    bytes.Repeat([]byte("x"), len(sound)),
		"other lines": sameSize(t, sound), "empty": make([]byte, len(sound)),
	} {
		t.Run(name, func(t *testing.T) {
			write(t, shard, string(data))
			if err := os.Remove(filepath.Join(dir, ledger.IndexFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			_, err := Attach(local(dir)).Finish(results, Run{Units: 2, Index: true})
			if !errors.Is(err, holdings.ErrChanged) || !strings.Contains(err.Error(), results[1].Shards[1].Name) {
				t.Errorf("Finish = %v, want ErrChanged and the shard's name", err)
			}
			files := shelftest.Contents(t, dir)
			_, index := files[ledger.IndexFile]
			if index || files[holdings.ManifestFile] != before || len(files) != 5 {
				t.Errorf("an index, another manifest or a temporary file is there: %d files", len(files))
			}
		})
	}
}

// sameSize returns a shard of another line that is as long as sound; the gzip header's comment fills it up.
func sameSize(t *testing.T, sound []byte) []byte {
	t.Helper()
	for fill := range len(sound) {
		var b bytes.Buffer
		zw := gzip.NewWriter(&b)
		zw.Comment = strings.Repeat("x", fill)
		if _, err := zw.Write(cdx.Line{SURT: "a"}.AppendTo(nil)); err != nil {
			t.Fatal(err)
		}
		if err := zw.Close(); err != nil {
			t.Fatal(err)
		}
		if b.Len() == len(sound) {
			return b.Bytes()
		}
	}
	t.Fatal("no other shard of this size")
	return nil
}

func TestArchiveDir(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  string
	}{
		{"nothing", nil, ""},
		{"one", []string{"shelf/a.warc.gz"}, "shelf/"},
		{"one in the working folder", []string{"a.warc.gz"}, ""},
		{"one folder", []string{"/data/shelf/a", "/data/shelf/b"}, "/data/shelf/"},
		{"folders", []string{"shelf/2024/a", "shelf/2025/a"}, "shelf/"},
		{"names that begin alike", []string{"shelf/crawl", "shelf/crawl-2/b"}, "shelf/"},
		{"nothing in common", []string{"a/x", "b/x"}, ""},
		{"a bucket", []string{"gs://bucket/a/x", "gs://bucket/b/x"}, "gs://bucket/"},
		{"here and there", []string{"gs://bucket/x", "shelf/x"}, ""},
		{"a file that is no archive", []string{"shelf/warc/a", "shelf/warc/b", "-shelf/README"}, "shelf/warc/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var units []schemas.UnitResult
			for _, f := range tt.files {
				in := schemas.Range{File: f, Format: "warc+plain"}
				if strings.HasPrefix(f, "-") {
					in = schemas.Range{File: f[1:]}
				}
				units = append(units, schemas.UnitResult{Unit: schemas.Unit{Inputs: []schemas.Range{in}}})
			}
			if got := holdings.ArchiveDir(units); got != tt.want {
				t.Errorf("ArchiveDir(%q) = %q, want %q", tt.files, got, tt.want)
			}
		})
	}
}

func BenchmarkIndex(b *testing.B) {
	dir := b.TempDir()
	c, err := Open(local(dir), OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	const files, captures = 20, 10_000
	var results []schemas.UnitResult
	for i := range files {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: fmt.Sprintf("shelf/%d.warc.gz", i), Format: "warc+gzip"}}}
		w, err := shard.NewWriter(local(dir), u, ledger.Key(u, "", ""), shard.Options{Formats: []string{holdings.FormatCDXJ}})
		if err != nil {
			b.Fatal(err)
		}
		for n := range captures {
			url := fmt.Sprintf("http://example.com/%d/some/page-%d.html", n*7919%captures, i)
			err := w.CDX(cdx.Line{
				SURT: "com,example)" + url[18:], URL: url, MIME: "text/html", Status: 200, Length: 40_000,
				Digest: "sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A", Offset: int64(n) * 40_000, Filename: u.Inputs[0].File,
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		r, err := w.Commit(schemas.Counts{}, ledger.Note{})
		if err != nil {
			b.Fatal(err)
		}
		results = append(results, r)
	}
	b.ReportAllocs()
	for b.Loop() {
		made, _, err := c.makeIndex(results)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(made.Bytes)
	}
	b.ReportMetric(float64(files*captures*b.N)/b.Elapsed().Seconds(), "lines/s")
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
}
