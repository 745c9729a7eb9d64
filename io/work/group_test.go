package work

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/ache"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// crawl makes a folder of pages as ACHE does, n of each of some hosts, and returns its name.
func crawl(t testing.TB, hosts, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data_pages")
	sink, err := dump.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sink.Close(); err != nil {
			t.Error(err)
		}
	})
	w := ache.NewFilesystemJSON(sink, dump.WriteOptions{})
	for h := range hosts {
		for i := range n {
			c := &schemas.Capture{URL: fmt.Sprintf("http://host%d.example/%d", h, i), Body: []byte(strings.Repeat("x", i))}
			if err := w.Write(c); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func filesOf(t testing.TB, s *blob.Store, size int64, args ...string) []blob.Info {
	t.Helper()
	infos, err := Files(t.Context(), s, args, nil, size)
	if err != nil {
		t.Fatal(err)
	}
	return infos
}

func TestFiles_foldersOfPagesInUnitsOfAnySize(t *testing.T) {
	dir := crawl(t, 5, 20)
	s := blob.New(blob.Options{})
	whole, counts, rejects := readAll(t, s, plan(t, s, filesOf(t, s, DefaultSize, dir), DefaultSize))
	if len(whole) != 100 || counts.Captures != 100 || len(rejects) > 0 || counts.BytesRead < 10_000 {
		t.Fatalf("%d captures of 100, counts %+v, rejects %v", len(whole), counts, rejects)
	}
	for _, size := range []int64{1, 700, 5000} {
		infos := filesOf(t, s, size, dir)
		units := plan(t, s, infos, size)
		if len(units) < 3 || len(units) != len(infos) {
			t.Errorf("%d units of %d groups for %d bytes", len(units), len(infos), size)
		}
		list, c, _ := readAll(t, s, units)
		if diff := cmp.Diff(whole, list); diff != "" || !cmp.Equal(c, counts) {
			t.Errorf("units of %d bytes, counts %+v, want %+v (-whole +split):\n%s", size, c, counts, diff)
		}
	}
	single, _, _ := readAll(t, s, plan(t, s, filesOf(t, s, DefaultSize, dir+"/*/*"), DefaultSize))
	if diff := cmp.Diff(whole, single); diff != "" {
		t.Errorf("the files one by one (-grouped +single):\n%s", diff)
	}
}

func TestReader_changedGroupFails(t *testing.T) {
	dir := crawl(t, 1, 3)
	s := blob.New(blob.Options{})
	units := plan(t, s, filesOf(t, s, DefaultSize, dir), DefaultSize)
	if err := os.Remove(filepath.Join(dir, "host0.example", ache.Escape("http://host0.example/1"))); err != nil {
		t.Fatal(err)
	}
	var err error
	for _, err = range NewReader(s, units[0], archive.Options{}).All(t.Context()) {
	}
	if err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("error %v, want that the group was changed", err)
	}
}

// TestReader_strangerInGroup: a file that has a page's name and cannot be one is a reject, and its bytes are accounted
// for.
func TestReader_strangerInGroup(t *testing.T) {
	dir := crawl(t, 1, 3)
	broken := filepath.Join(dir, "host0.example", ache.Escape("http://host0.example/2"))
	if err := os.WriteFile(broken, []byte(`{"url":"http://host0.example/2","content":"eHh4`), 0o644); err != nil {
		t.Fatal(err)
	}
	s := blob.New(blob.Options{})
	list, counts, rejects := readAll(t, s, plan(t, s, filesOf(t, s, DefaultSize, dir), DefaultSize))
	if len(list) != 2 || len(rejects) != 1 || rejects[0].Kind != schemas.KindTruncated || rejects[0].File != broken ||
		counts.BytesLost != 47 {
		t.Errorf("captures %v, rejects %+v, %d bytes lost", list, rejects, counts.BytesLost)
	}
}

func TestPlan_unitsOfGroupsAreBounded(t *testing.T) {
	files := make([]schemas.Range, 30)
	for i := range files {
		files[i] = schemas.Range{File: "tree", End: 1, Group: &schemas.Group{First: fmt.Sprint(i), Files: 400}}
	}
	for i, u := range group(files, 1<<20) {
		if len(u.Inputs) > 2 {
			t.Errorf("unit %d has %d groups of 400 files, want at most 2", i, len(u.Inputs))
		}
	}
}

// BenchmarkFiles plans a folder of pages: 2,000 small ones, or what TREE names.
func BenchmarkFiles(b *testing.B) {
	dir := os.Getenv("TREE")
	if dir == "" {
		dir = crawl(b, 50, 40)
	}
	s := blob.New(blob.Options{})
	pages := 0
	b.ReportAllocs()
	for b.Loop() {
		pages = 0
		for _, u := range plan(b, s, filesOf(b, s, DefaultSize, dir), DefaultSize) {
			for _, in := range u.Inputs {
				pages += in.Group.Files
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pages), "ns/page")
}
