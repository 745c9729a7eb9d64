package work

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

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/schemas"
)

// store returns a store and the files that it finds: archives, damaged archives, and this source file, which is not an
// archive.
func store(t testing.TB) (*blob.Store, []blob.Info) {
	t.Helper()
	s := blob.New(blob.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	infos, err := s.Expand(t.Context(), []string{"../../testdata/archives", "../../testdata/damaged", "work_test.go"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(infos) < 10 {
		t.Fatalf("%d files", len(infos))
	}
	return s, infos
}

func plan(t testing.TB, s *blob.Store, infos []blob.Info, size int64) []schemas.Unit {
	t.Helper()
	units, err := Plan(t.Context(), s, infos, size)
	if err != nil {
		t.Fatal(err)
	}
	return units
}

// readAll returns a line for each capture of the units, the counts and the rejects.
func readAll(t testing.TB, s *blob.Store, units []schemas.Unit) (list []string, counts schemas.Counts,
	rejects []schemas.Reject,
) {
	t.Helper()
	for _, u := range units {
		r := NewReader(s, u, archive.Options{})
		for item, err := range r.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if item.Reject != nil {
				rejects = append(rejects, *item.Reject)
				continue
			}
			c := item.Capture
			list = append(list, fmt.Sprint(c.URL, c.Origin, c.Flags, len(c.Body)))
		}
		counts.Add(r.Counts())
	}
	return list, counts, rejects
}

func TestPlan_unitsCoverTheFilesInOrder(t *testing.T) {
	s, infos := store(t)
	for _, size := range []int64{1, 5000, 70_001, DefaultSize} {
		units := plan(t, s, infos, size)
		if again := plan(t, s, infos, size); !cmp.Equal(units, again) {
			t.Errorf("two plans of %d bytes differ", size)
		}
		file, at := -1, int64(0)
		for i, u := range units {
			if u.ID != i || len(u.Inputs) == 0 {
				t.Errorf("unit %d: %+v", i, u)
			}
			for _, in := range u.Inputs {
				if in.Start == 0 {
					file, at = file+1, 0
				}
				if in.File != infos[file].Name || in.Start != at || in.End < in.Start {
					t.Fatalf("range %+v, want %s from %d", in, infos[file].Name, at)
				}
				if at = in.End; in.Format == "" {
					at = infos[file].Size
				}
			}
		}
		if file != len(infos)-1 || at != infos[file].Size {
			t.Errorf("the plan ends in file %d at %d", file, at)
		}
		if size == DefaultSize && len(units) != 1 {
			t.Errorf("%d units for small files", len(units))
		}
	}
}

func TestReader_unitsOfAnySizeReadTheSame(t *testing.T) {
	s, infos := store(t)
	whole, counts, rejects := readAll(t, s, plan(t, s, infos, DefaultSize))
	if len(whole) < 100 || counts.Captures != int64(len(whole)) || counts.Rejects != int64(len(rejects)) {
		t.Fatalf("%d captures, counts %+v", len(whole), counts)
	}
	if last := rejects[len(rejects)-1]; last.Kind != schemas.KindUnsupported || last.File != "work_test.go" {
		t.Errorf("last reject %+v", last)
	}
	for _, size := range []int64{1, 5000, 70_001} {
		list, c, r := readAll(t, s, plan(t, s, infos, size))
		if diff := cmp.Diff(whole, list); diff != "" {
			t.Errorf("units of %d bytes (-whole +split):\n%s", size, diff)
		}
		if !cmp.Equal(counts, c) || !cmp.Equal(rejects, r) {
			t.Errorf("units of %d bytes: %+v %+v, want %+v %+v", size, c, r, counts, rejects)
		}
	}
}

func TestPlan_groupsAtMostMaxFiles(t *testing.T) {
	files := make([]schemas.Range, maxFiles+1)
	for i := range files {
		files[i] = schemas.Range{File: fmt.Sprint(i), End: 1}
	}
	if units := group(files, DefaultSize); len(units) != 2 || len(units[0].Inputs) <= maxFiles/2 {
		t.Errorf("%d units", len(units))
	}
	if units := group(files[1:], DefaultSize); len(units) != 1 {
		t.Errorf("%d units of files that one could hold", len(units))
	}
}

// TestGroup_addedFileChangesFewUnits: whichever file comes to a thousand others, most units are what they were.
func TestGroup_addedFileChangesFewUnits(t *testing.T) {
	var files []schemas.Range
	for i := range 1000 {
		files = append(files, schemas.Range{File: fmt.Sprintf("crawl/%04d.warc.gz", i), End: int64(1 + i*7919%40)})
	}
	const size = 100
	before := map[string]bool{}
	for _, u := range group(files, size) {
		before[fmt.Sprint(u.Inputs)] = true
		if u.Bytes() > size {
			t.Errorf("a unit of %d bytes", u.Bytes())
		}
	}
	if n := len(before); n < 200 || n > 500 {
		t.Fatalf("%d units", n)
	}
	total := 0
	for i := range files {
		other := 0
		more := slices.Insert(slices.Clone(files), i, schemas.Range{File: files[i].File[:10] + "-new", End: 30})
		for _, u := range group(more, size) {
			if !before[fmt.Sprint(u.Inputs)] {
				other++
			}
		}
		if total += other; other > 30 {
			t.Errorf("a file before the %d-th made %d units others", i, other)
		}
	}
	if mean := float64(total) / 1000; mean > 4 {
		t.Errorf("an added file makes %.1f units others", mean)
	}
}

func TestReader_errors(t *testing.T) {
	s, _ := store(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "a.warc")
	text := strings.Repeat("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\nx\r\n\r\n", 3)
	if err := os.WriteFile(name, bytes.Repeat([]byte(text), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	size := int64(len(text))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
		in   schemas.Range
		want string
	}{
		{"no such format", t.Context(), schemas.Range{File: name, End: size, Format: "zip"}, "unknown archive format"},
		{
			"shorter than planned", t.Context(),
			schemas.Range{File: name, End: size + 9, Format: "warc+plain"},
			"was the file changed",
		},
		{"canceled", canceled, schemas.Range{File: name, End: size, Format: "warc+plain"}, context.Canceled.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var last error
			for _, err := range NewReader(s, schemas.Unit{Inputs: []schemas.Range{tt.in}}, archive.Options{}).All(tt.ctx) {
				last = err
			}
			if last == nil || !strings.Contains(last.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", last, tt.want)
			}
		})
	}
	if _, err := Plan(canceled, s, []blob.Info{{Name: name, Size: size}}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Plan: %v", err)
	}
}

func TestReader_stopsWhenAsked(t *testing.T) {
	s, infos := store(t)
	n := 0
	for _, err := range NewReader(s, plan(t, s, infos, DefaultSize)[0], archive.Options{}).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d captures", n)
	}
}

func ExamplePlan() {
	ctx := context.Background()
	s := blob.New(blob.Options{})
	defer s.Close()
	infos, err := s.Expand(ctx, []string{"../../testdata/archives/*.arc*"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	units, err := Plan(ctx, s, infos, 10_000)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, u := range units {
		n := 0
		for _, err := range NewReader(s, u, archive.Options{}).Captures(ctx) {
			if err != nil {
				fmt.Println(err)
				return
			}
			n++
		}
		fmt.Println(u.ID, u.Bytes(), n)
	}
	// Output:
	// 0 10008 4
	// 1 5698 1
	// 2 7545 6
}
