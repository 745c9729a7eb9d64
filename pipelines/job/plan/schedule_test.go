package plan_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/shelftest"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/job"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

// shelf is a folder of small archives and the output of runs over it.
type shelf struct {
	t       *testing.T
	in, out string
}

func newShelf(t *testing.T) shelf { return shelf{t, t.TempDir(), filepath.Join(t.TempDir(), "out")} }

// put writes an archive that was last modified that many days ago.
func (s shelf) put(name, text string, days int) {
	s.t.Helper()
	path := filepath.Join(s.in, name+".warc")
	when := time.Now().Add(-time.Duration(days) * 24 * time.Hour)
	shelftest.Put(s.t, path, name, text)
	if err := os.Chtimes(path, when, when); err != nil {
		s.t.Fatal(err)
	}
}

// config returns the request of a run with one unit per archive.
func (s shelf) config(again plan.Schedule) plan.Request {
	return plan.Request{
		Inputs: []string{s.in}, Runner: "local", UnitSize: 1, Schedule: again,
		Recipe: recipe.Recipe{
			Formats: []string{"jsonl"}, Compression: "none", Extract: []string{"mime"}, MaxBody: 1 << 20, MaxHead: 1 << 20,
			MaxRatio: 1000,
		},
		Machine: recipe.Machine{Output: s.out, Workers: 2},
	}
}

// run runs a request. It returns the processed archives, and those that the manifest has from other versions.
func (s shelf) run(again plan.Schedule) (did, kept, all string) {
	s.t.Helper()
	before := s.rows()
	m := makeRun(s.t, s.config(again))
	for key, r := range s.rows() {
		if _, was := before[key]; !was {
			did += archiveOf(r.Unit)
		}
	}
	for _, u := range m.Units {
		all += archiveOf(u.Unit)
		if u.Versions != nil {
			kept += archiveOf(u.Unit)
		}
	}
	return sorted(did), kept, all
}

func sorted(s string) string {
	return strings.Join(slices.Sorted(slices.Values(strings.Split(s, ""))), "")
}

func archiveOf(u schemas.Unit) string {
	return strings.TrimSuffix(filepath.Base(u.Inputs[0].File), ".warc")
}

func (s shelf) folder() folder.Folder {
	return folder.Open(s.t.Context(), s.out, blob.New(blob.Options{}))
}

func (s shelf) rows() map[string]ledger.Row {
	s.t.Helper()
	rows, err := ledger.Rows(s.folder())
	if err != nil {
		s.t.Fatal(err)
	}
	return rows
}

// age marks the unit of an archive as made by an earlier version of a transform.
func (s shelf) age(name string) {
	s.t.Helper()
	made := s.config(plan.Schedule{}).Recipe
	for _, r := range s.rows() {
		if archiveOf(r.Unit) != name {
			continue
		}
		path := filepath.Join(s.out, ".gleaner", r.Key+".json")
		data, err := os.ReadFile(path)
		if err != nil {
			s.t.Fatal(err)
		}
		old := maps.Clone(r.Versions)
		old["mimetype"] = "0.1"
		key := ledger.Key(schemas.Unit{Inputs: []schemas.Range{standing.Planned(r.Inputs[0])}}, made.UnitNote(""), old)
		text := strings.Replace(string(data), r.Key, key, 1)
		for _, shard := range r.Shards {
			name := strings.Replace(shard.Name, r.Key[:20], key[:20], 1)
			text = strings.Replace(text, shard.Name, name, 1)
			if err := os.Rename(filepath.Join(s.out, shard.Name), filepath.Join(s.out, name)); err != nil {
				s.t.Fatal(err)
			}
		}
		text = strings.Replace(text, fmt.Sprintf(`"mimetype": %q`, r.Versions["mimetype"]), `"mimetype": "0.1"`, 1)
		if err := os.WriteFile(filepath.Join(s.out, ".gleaner", key+".json"), []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	s.t.Fatalf("no unit of %s", name)
}

// TestSchedule: a is stale, b is done, c is new; only c was modified recently.
func TestSchedule(t *testing.T) {
	for _, tt := range []struct {
		name           string
		change         func(s shelf)
		again          plan.Schedule
		did, kept, all string
	}{
		{"all", nil, plan.Schedule{}, "ac", "", "abc"},
		{"only new", nil, plan.Schedule{OnlyNew: true}, "c", "a", "abc"},
		{"stale", nil, plan.Schedule{Stale: true}, "a", "", "ab"},
		{"since", nil, plan.Schedule{Since: "7d"}, "c", "a", "abc"},
		{"since long ago", nil, plan.Schedule{Since: "2020-01-01"}, "ac", "", "abc"},
		{"since now", nil, plan.Schedule{Since: "1s"}, "", "a", "ab"},
		{"only new since now", nil, plan.Schedule{Since: "1s", OnlyNew: true}, "", "a", "ab"},
		{"stale since", nil, plan.Schedule{Since: "7d", Stale: true}, "", "a", "ab"},
		{"stale since long ago", nil, plan.Schedule{Since: "99d", Stale: true}, "a", "", "ab"},
		{"a stale one modified since", func(s shelf) { s.put("a", "a", 0) }, plan.Schedule{Since: "7d"}, "ac", "", "abc"},
		{
			"a stale one touched, only new", func(s shelf) { s.put("a", "a", 0) },
			plan.Schedule{OnlyNew: true},
			"c", "a",
			"abc",
		},
		{
			"a stale one changed, only new", func(s shelf) { s.put("a", "other", 30) },
			plan.Schedule{OnlyNew: true},
			"ac", "",
			"abc",
		},
		{"a done one changed, stale", func(s shelf) { s.put("b", "other", 30) }, plan.Schedule{Stale: true}, "ab", "", "ab"},
		{
			"a done one changed, since", func(s shelf) { s.put("b", "other", 30) },
			plan.Schedule{Since: "7d"},
			"bc", "a",
			"abc",
		},
		{
			"a stale one lost its shard, only new", func(s shelf) { s.loseShard("a") },
			plan.Schedule{OnlyNew: true},
			"ac", "",
			"abc",
		},
		{"one vanished, only new", func(s shelf) { s.vanish("b") }, plan.Schedule{OnlyNew: true}, "c", "a", "abc"},
		{"one vanished, stale", func(s shelf) { s.vanish("b") }, plan.Schedule{Stale: true}, "a", "", "ab"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newShelf(t)
			s.put("a", "a", 30)
			s.put("b", "b", 30)
			s.run(plan.Schedule{})
			s.age("a")
			s.put("c", "c", 2)
			if tt.change != nil {
				tt.change(s)
			}
			for i, did := range []string{tt.did, ""} {
				gotDid, gotKept, gotAll := s.run(tt.again)
				if gotDid != did || gotKept != tt.kept || gotAll != tt.all {
					t.Errorf("run %d did %q and kept %q, all are %q; want %q, %q, %q", i+1, gotDid, gotKept, gotAll, did, tt.kept,
						tt.all)
				}
			}
			last := s.config(plan.Schedule{})
			last.Keep.Prune = true
			makeRun(t, last)
			clean := s
			clean.out = filepath.Join(t.TempDir(), "out")
			clean.run(plan.Schedule{})
			shelftest.SameFiles(t, shelftest.Contents(t, s.out), shelftest.Contents(t, clean.out))
		})
	}
}

// loseShard removes the documents of an archive.
func (s shelf) loseShard(name string) {
	s.t.Helper()
	for _, r := range s.rows() {
		if archiveOf(r.Unit) != name {
			continue
		}
		if err := os.Remove(filepath.Join(s.out, r.Shards[0].Name)); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s shelf) vanish(name string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.in, name+".warc")); err != nil {
		s.t.Fatal(err)
	}
}

// TestSchedule_nothingYet: a run can continue an empty folder.
func TestSchedule_nothingYet(t *testing.T) {
	s := newShelf(t)
	s.put("a", "a", 30)
	if did, _, all := s.run(plan.Schedule{Since: "7d"}); did+all != "" {
		t.Errorf("did %q of %q, want nothing of an archive that is too old", did, all)
	}
	if did, _, all := s.run(plan.Schedule{Stale: true}); did+all != "" {
		t.Errorf("did %q of %q, want nothing where nothing was done", did, all)
	}
	if did, _, all := s.run(plan.Schedule{}); did != "a" || all != "a" {
		t.Errorf("did %q of %q, want a", did, all)
	}
}

// TestSchedule_anotherRunMeanwhile: if another run has changed the folder, a plan fails that depends on its earlier
// content.
func TestSchedule_anotherRunMeanwhile(t *testing.T) {
	s := newShelf(t)
	s.put("a", "a", 1)
	s.run(plan.Schedule{})
	s.put("b", "b", 1)
	c := s.config(plan.Schedule{Stale: true})
	p, err := plan.Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	s.run(plan.Schedule{})
	if _, err := job.Run(t.Context(), p); err == nil || isUsage(err) || !strings.Contains(err.Error(), "another run") {
		t.Errorf("%v, want an error about another run, and not one of usage", err)
	}
	if _, _, all := s.run(plan.Schedule{Stale: true}); all != "ab" {
		t.Errorf("the folder has %q, want ab", all)
	}
}

// known returns what the folder holds, divided as for a request.
func (s shelf) known(c plan.Request) *standing.Folder {
	s.t.Helper()
	h, err := standing.Read(s.folder())
	if err != nil {
		s.t.Fatal(err)
	}
	h.Divide(c.Division())
	return h
}

// TestSchedule_knownDivision: the division of archives from the folder equals the one from reading the archives.
func TestSchedule_knownDivision(t *testing.T) {
	s := newShelf(t)
	c := s.config(plan.Schedule{})
	c.Inputs, c.UnitSize = []string{"../../../testdata/archives", "../../../testdata/damaged", "plan.go"}, 64<<10
	first, err := plan.Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Run(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	second, err := plan.Make(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.Units, second.Units); diff != "" {
		t.Errorf("units (-looked +known):\n%s", diff)
	}
	store := blob.New(blob.Options{})
	files, err := store.Expand(t.Context(), c.Inputs, nil)
	if err != nil {
		t.Fatal(err)
	}
	known := s.known(c)
	for _, f := range files {
		if known.Known(f) == nil {
			t.Errorf("nothing is known of %s", f.Name)
		}
		other := f
		other.Stamp += "0"
		if known.Known(other) != nil {
			t.Errorf("%s has changed, and is known", f.Name)
		}
	}
	c.UnitSize = 128 << 10
	if s.known(c).Known(files[0]) != nil {
		t.Error("the units have another size, and divisions are known")
	}
}

// TestAttack01_stalesThatAreGoneStay: units of earlier versions whose archives are gone are kept, and the manifest
// has their versions.
func TestAttack01_stalesThatAreGoneStay(t *testing.T) {
	s := newShelf(t)
	s.put("a", "a", 30)
	s.put("b", "b", 30)
	s.run(plan.Schedule{})
	s.age("a")
	s.vanish("a")
	s.put("c", "c", 2)
	for i, did := range []string{"c", ""} {
		if got, kept, all := s.run(plan.Schedule{}); got != did || kept != "a" || all != "abc" {
			t.Errorf("run %d did %q, kept %q of %q; want %q, a, abc", i, got, kept, all, did)
		}
	}
}
