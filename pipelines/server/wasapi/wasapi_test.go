package wasapi

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"path"
	"slices"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

func manifest(files ...string) (m schemas.Manifest) {
	for _, f := range files {
		m.Units = append(m.Units, schemas.UnitResult{
			Unit: schemas.Unit{Inputs: []schemas.Range{{File: f, Format: "warc", End: 7}}},
		})
	}
	return m
}

// TestIDs: a new archive does not change the addresses of others, and files with the same name are distinguished.
func TestIDs(t *testing.T) {
	before, after := filesOf(manifest("b/x.warc")), filesOf(manifest("a/x.warc", "b/x.warc", "c/y.warc"))
	if len(before) != 1 || len(after) != 3 || idOf(before[0]) != idOf(after[1]) || idOf(after[0]) == idOf(after[1]) {
		t.Errorf("ids of %v and %v", before, after)
	}
	names := namesOf(after)
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != 3 || !slices.Contains(names, "y.warc") {
		t.Errorf("names %v, want three different ones", names)
	}
	for _, n := range names {
		if path.Base(n) != n {
			t.Errorf("name %q has a folder", n)
		}
	}
}

// object is a file in memory.
type object struct {
	*bytes.Reader
	name string
}

func (o object) Name() string { return o.name }
func (o object) Close() error { return nil }

// TestSums_goOn: a request without time makes some progress, and the next one continues there if it has the same
// version of the same file.
func TestSums_goOn(t *testing.T) {
	data := bytes.Repeat([]byte("archive "), 160_000)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	want := fmt.Sprintf("%x", sha1.Sum(data))
	a, b := object{bytes.NewReader(data), "a.warc"}, object{bytes.NewReader(data[:400_000]), "b.warc"}
	for name, between := range map[string]func(s *sums){
		"nothing between": func(*sums) {},
		"another file":    func(s *sums) { _, _ = s.of(over, b, "1") },
		"another version": func(s *sums) { _, _ = s.of(over, a, "2") },
		"a whole file":    func(s *sums) { _, _ = s.of(t.Context(), b, "1") },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSums("")
			for range 3 {
				if _, err := s.of(over, a, "1"); !errors.Is(err, context.Canceled) {
					t.Fatalf("without time: %v", err)
				}
			}
			between(s)
			requests := 1
			for ; ; requests++ {
				sums, err := s.of(over, a, "1")
				if err == nil && sums["sha1"] != want {
					t.Errorf("sha1 %s, want %s", sums["sha1"], want)
				}
				if err == nil || requests > 20 {
					break
				}
			}
			// There are five pieces of 256 kB, three of which were read before.
			if most := map[bool]int{true: 3, false: 6}[name == "nothing between"]; requests > most {
				t.Errorf("%d requests more, want %d at most", requests, most)
			}
		})
	}
	// Without a version, a file is read from the start: it may be another file by now.
	s := newSums("")
	for range 20 {
		if _, err := s.of(over, a, ""); err == nil {
			t.Fatal("a file without a version was put together from several requests")
		}
	}
}
