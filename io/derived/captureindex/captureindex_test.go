package captureindex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/folder/foldertest"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
)

func local(dir string) folder.Folder { return folder.Open(context.Background(), dir, nil) }

// made returns n lines of an archive, from the first page on, each a step of pages after the one before.
func made(archive string, first, n, step int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf(`com,example)/page/%06d 20200101000000 {"url": "http://example.com/page/%06d", `+
			`"filename": "%s"}`, first+i*step, first+i*step, archive))
	}
	return list
}

// update merges lines into the index in a folder.
func update(t *testing.T, f folder.Folder, lines []string, drop func([]byte) bool, sources ...Source) (Done, error) {
	t.Helper()
	x, err := Open(f)
	if err != nil {
		return Done{}, err
	}
	defer func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}()
	s := extsort.New(extsort.Options{})
	for _, l := range lines {
		if err := s.Add([]byte(l), nil); err != nil {
			t.Fatal(err)
		}
	}
	return x.Update(t.Context(), Update{Lines: s, Drop: drop, Sources: append(slices.Clone(x.Sources()), sources...)})
}

// read returns all lines of the index, and checks that blocks have at most the usual lines.
func read(t *testing.T, dir string) (all []string) {
	t.Helper()
	x, err := zipnum.Open(dir, zipnum.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	for line, err := range x.Lines("", "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(line))
	}
	for i := range x.Blocks() {
		if b, err := x.BlockLines(i); err != nil || len(b) > zipnum.BlockLines {
			t.Errorf("block %d has %d lines: %v", i, len(b), err)
		}
	}
	return all
}

func sorted(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// TestUpdate_mergesLikeSortedAtOnce: merging in steps has the lines of all at once, and copies blocks between them.
func TestUpdate_mergesLikeSortedAtOnce(t *testing.T) {
	first := made("a.warc.gz", 0, 20_000, 2)
	for _, tt := range []struct {
		name   string
		second []string
		copied int // at least
	}{
		{"before", made("b.warc.gz", 1, 1, 1), 5},
		{"everywhere", made("b.warc.gz", 1, 15_000, 2), 0},
		{"one place", made("b.warc.gz", 20_001, 10, 2), 5},
		{"after", made("b.warc.gz", 50_000, 7000, 1), 6},
		{"the same", first[1000:2000], 5},
		{"none", nil, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := update(t, local(dir), first, nil, Source{Name: "a", Archives: []string{"a.warc.gz"}}); err != nil {
				t.Fatal(err)
			}
			done, err := update(t, local(dir), tt.second, nil, Source{Name: "b"})
			if err != nil {
				t.Fatal(err)
			}
			want := sorted(first, tt.second)
			if got := read(t, dir); !slices.Equal(got, want) {
				t.Errorf("%d lines, want %d", len(got), len(want))
			}
			if done.Copied < tt.copied || int(done.Added) != len(want)-len(first) ||
				int(done.Added+done.Twice) != len(tt.second) {
				t.Errorf("%+v", done)
			}
			x, err := Open(local(dir))
			if err != nil {
				t.Fatal(err)
			}
			if s := x.State(); s.Update != 2 || s.Lines != int64(len(want)) || len(x.Sources()) != 2 {
				t.Errorf("%+v, %d sources", s, len(x.Sources()))
			}
			if err := errors.Join(x.WritePlain("plain.cdxj"), x.Close()); err != nil {
				t.Fatal(err)
			}
			plain, err := os.ReadFile(filepath.Join(dir, "plain.cdxj"))
			if err != nil || string(plain) != strings.Join(want, "\n")+"\n" {
				t.Errorf("plain differs: %v", err)
			}
		})
	}
}

// TestUpdate_manySmallMerges: blocks do not become small by merging again and again.
func TestUpdate_manySmallMerges(t *testing.T) {
	dir := t.TempDir()
	want := made("a.warc.gz", 0, 30_000, 10)
	if _, err := update(t, local(dir), want, nil); err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		more := made("b.warc.gz", i*9001+1, 40, 10)
		want = sorted(want, more)
		if _, err := update(t, local(dir), more, nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, dir); !slices.Equal(got, want) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
	x, err := zipnum.Open(dir, zipnum.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	for i := range x.Blocks() - 1 {
		if b, err := x.BlockLines(i); err != nil || len(b) < zipnum.BlockLines/2 {
			t.Errorf("block %d of %d has %d lines: %v", i, x.Blocks(), len(b), err)
		}
	}
}

// TestUpdate_dropped: lines of an archive leave, down to an empty index, which takes lines again.
func TestUpdate_dropped(t *testing.T) {
	dir := t.TempDir()
	a, b := made("a.warc.gz", 0, 5000, 2), made("b.warc.gz", 1, 5000, 2)
	if _, err := update(t, local(dir), append(slices.Clone(a), b...), nil); err != nil {
		t.Fatal(err)
	}
	of := func(name string) func([]byte) bool {
		return func(line []byte) bool { return bytes.Contains(line, []byte(name)) }
	}
	if done, err := update(t, local(dir), nil, of("b.warc.gz")); err != nil || done.Dropped != 5000 {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := read(t, dir); !slices.Equal(got, a) {
		t.Errorf("%d lines are left", len(got))
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.gz"))
	if err != nil || len(files) != 1 {
		t.Errorf("parts: %q, %v", files, err)
	}
	if _, err := update(t, local(dir), nil, of("a.warc.gz")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir); len(got) > 1 || len(got) == 1 && got[0] != "!" {
		t.Errorf("lines of an empty index: %q", got)
	}
	if _, err := update(t, local(dir), b, nil); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir); !slices.Equal(got, b) {
		t.Errorf("%d lines, want %d", len(got), len(b))
	}
}

// TestNote: the list of sources is replaced, and lines and later updates are as before.
func TestNote(t *testing.T) {
	dir, lines := t.TempDir(), made("a.warc.gz", 0, 5000, 2)
	if _, err := update(t, local(dir), lines, nil, Source{Name: "a", Archives: []string{"a.warc.gz"}}); err != nil {
		t.Fatal(err)
	}
	for i, list := range [][]Source{{{Name: "a", Path: "/x/a"}}, {{Name: "a"}, {Name: "b", Path: "/b"}}, nil} {
		x, err := Open(local(dir))
		if err != nil {
			t.Fatal(err)
		}
		before := x.State()
		if err := errors.Join(x.Note(list), x.Close()); err != nil {
			t.Fatal(err)
		}
		if x, err = Open(local(dir)); err != nil {
			t.Fatal(err)
		}
		if got := x.Sources(); fmt.Sprint(got) != fmt.Sprint(list) || fmt.Sprint(x.State()) != fmt.Sprint(before) {
			t.Errorf("%d: %v and %v, want %v and %v", i, got, x.State(), list, before)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		if got := read(t, dir); !slices.Equal(got, lines) {
			t.Errorf("%d: %d lines, want %d", i, len(got), len(lines))
		}
	}
	if _, err := update(t, local(dir), made("b.warc.gz", 1, 10, 2), nil, Source{Name: "b"}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir); len(got) != len(lines)+10 {
		t.Errorf("%d lines after an update", len(got))
	}
}

// TestUpdate_faults: whichever call fails, readers have the old index or the new one, and the next update goes on.
func TestUpdate_faults(t *testing.T) {
	old, more := made("a.warc.gz", 0, 4000, 2), made("b.warc.gz", 1, 10, 2)
	both := sorted(old, more)
	undisturbed := &foldertest.Fault{}
	for at := int64(0); at <= undisturbed.Calls(); at++ {
		for _, rest := range []bool{false, true} {
			dir := t.TempDir()
			if _, err := update(t, local(dir), old, nil, Source{Name: "a"}); err != nil {
				t.Fatal(err)
			}
			fault := undisturbed
			if at > 0 {
				fault = &foldertest.Fault{At: at, Rest: rest}
			}
			_, err := update(t, fault.Wrap(local(dir)), more, nil, Source{Name: "b"})
			if at == 0 && err != nil {
				t.Fatal(err)
			}
			got := read(t, dir)
			if !slices.Equal(got, old) && !slices.Equal(got, both) {
				t.Errorf("call %d: %d lines after %v", at, len(got), err)
			}
			if err == nil && !slices.Equal(got, both) {
				t.Errorf("call %d: no error, and %d lines", at, len(got))
			}
			if _, err := update(t, local(dir), more, nil, Source{Name: "b"}); err != nil {
				t.Fatal(err)
			}
			if got := read(t, dir); !slices.Equal(got, both) {
				t.Errorf("call %d: %d lines at last", at, len(got))
			}
			names, err := os.ReadDir(dir)
			if err != nil || len(names) != 5 {
				t.Errorf("call %d: files %v, %v", at, names, err)
			}
			if at == 0 {
				break
			}
		}
	}
	if undisturbed.Calls() < 15 {
		t.Errorf("%d calls", undisturbed.Calls())
	}
}

// TestUpdate_interrupted: an interrupt ends the merge, and the old index stays.
func TestUpdate_interrupted(t *testing.T) {
	dir := t.TempDir()
	old := made("a.warc.gz", 0, 10, 1)
	if _, err := update(t, local(dir), old, nil); err != nil {
		t.Fatal(err)
	}
	x, err := Open(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	s := extsort.New(extsort.Options{})
	for _, l := range made("b.warc.gz", 0, 5000, 1) {
		if err := s.Add([]byte(l), nil); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Update(ctx, Update{Lines: s}); !errors.Is(err, context.Canceled) {
		t.Errorf("Update: %v", err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir); !slices.Equal(got, old) {
		t.Errorf("%d lines", len(got))
	}
}

// TestOpen_sweeps: files of other updates are removed, and files that only have similar names are not.
func TestOpen_sweeps(t *testing.T) {
	dir := t.TempDir()
	if _, err := update(t, local(dir), made("a.warc.gz", 0, 10, 1), nil, Source{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	left := []string{"cdx-00000.cdxj.gz", "cdx-00007.cdxj.gz", "sources-00002.jsonl"}
	others := []string{"cdx-1.cdxj.gz", "cdx-00007.cdxj", "cdx-notes.txt", "sources-old.jsonl", "sources-"}
	for _, name := range slices.Concat(left, others) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x, err := Open(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range left {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	for _, name := range append(others, partFile(1), sourcesFile(1)) {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestOpen_foreignFolder(t *testing.T) {
	dir := t.TempDir()
	line := []byte("a)/ 2020\tcdx-00000.gz\t0\t9\t1\n")
	if err := os.WriteFile(filepath.Join(dir, "cluster.idx"), line, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(local(dir)); !errors.Is(err, ErrForeign) {
		t.Errorf("Open: %v", err)
	}
}

func TestOpen_damagedSources(t *testing.T) {
	dir := t.TempDir()
	if _, err := update(t, local(dir), made("a", 0, 3, 1), nil); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "sources-00001.jsonl")
	if err := os.WriteFile(name, []byte("{\"update\": 1}\n{]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(local(dir)); !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "line 2 at byte 14") {
		t.Errorf("Open: %v", err)
	}
}

func BenchmarkUpdate(b *testing.B) {
	lines := made("a.warc.gz", 0, 100_000, 2)
	for b.Loop() {
		x, err := Open(local(b.TempDir()))
		if err != nil {
			b.Fatal(err)
		}
		s := extsort.New(extsort.Options{})
		for _, l := range lines {
			if err := s.Add([]byte(l), nil); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := x.Update(b.Context(), Update{Lines: s}); err != nil {
			b.Fatal(err)
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(lines)*b.N)/b.Elapsed().Seconds(), "lines/s")
}
