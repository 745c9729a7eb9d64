package saved

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var ada, eve = Owner{Name: "ada"}, Owner{Name: "eve"}

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "saved.json")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	arrive := func(files ...string) []Batch {
		t.Helper()
		list, err := s.Arrived("out", 1, at, files)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	arrive("a", "b")
	one, err := s.Add(ada, Search{Name: "Harbour", Collection: "out", Query: "query=harbour", Created: at})
	if err != nil || len(one.ID) != 24 || one.Seen != 1 {
		t.Fatalf("%+v, %v", one, err)
	}
	at = at.AddDate(0, 0, 1)
	arrive("b", "c")
	want := []Batch{{1, at.AddDate(0, 0, -1), []string{"b"}}, {2, at, []string{"c"}}}
	if diff := cmp.Diff(want, arrive("b", "c")); diff != "" {
		t.Error(diff)
	}
	arrive("b")
	if got := arrive("b", "d"); got[len(got)-1].Number != 3 {
		t.Errorf("a number is given twice: %v", got)
	}
	if err := s.Change(eve, one.ID, func(o *Search) { o.Name = "x" }); !errors.Is(err, ErrNone) {
		t.Errorf("somebody else changes it: %v", err)
	}
	if err := s.Change(ada, one.ID, func(o *Search) { o.Name = strings.Repeat("x", 101) }); err == nil {
		t.Error("a long name is accepted")
	}
	if err := s.Change(ada, one.ID, func(o *Search) { o.Name, o.Seen = "Port", 3 }); err != nil {
		t.Fatal(err)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Get(one.ID); err != nil || got.Name != "Port" || got.Seen != 3 || len(again.List(eve)) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestStore_isBounded: a store has at most MostSearches searches, and keeps a damaged file.
func TestStore_isBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "saved.json")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	one, err := s.Add(ada, Search{Name: "Harbour"})
	if err != nil {
		t.Fatal(err)
	}
	for range MostSearches - 1 {
		if _, err := s.Add(ada, Search{Name: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Add(ada, Search{Name: "x"}); !errors.Is(err, ErrMany) {
		t.Errorf("one too many: %v", err)
	}
	if err := s.Remove(ada, one.ID); err != nil || len(s.List(ada)) != MostSearches-1 {
		t.Errorf("removed: %v", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil {
		t.Error("a damaged file is overwritten")
	}
}

// TestStore_laterAccount: searches of a removed account do not belong to a later one of the same name, and go when that
// one saves its first.
func TestStore_laterAccount(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "saved.json"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	first, later := Owner{"ada", at}, Owner{"ada", at.AddDate(0, 0, 2)}
	one, err := s.Add(first, Search{Name: "Harbour", Created: at.AddDate(0, 0, 1)})
	if err != nil || len(s.List(first)) != 1 {
		t.Fatalf("%v, %v", s.List(first), err)
	}
	rename := func(o *Search) { o.Name = "x" }
	if list := s.List(later); len(list) != 0 {
		t.Errorf("the later account sees %v", list)
	}
	if err := s.Change(later, one.ID, rename); !errors.Is(err, ErrNone) {
		t.Errorf("the later account changes a search: %v", err)
	}
	if err := s.Remove(later, one.ID); !errors.Is(err, ErrNone) {
		t.Errorf("the later account removes a search: %v", err)
	}
	if _, err := s.Add(later, Search{Name: "Port", Created: at.AddDate(0, 0, 3)}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(one.ID); !errors.Is(err, ErrNone) {
		t.Errorf("the first account's search is kept: %v", err)
	}
}

// TestStore_oldState: a request with an old state of a collection changes no batches.
func TestStore_oldState(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "saved.json"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	arrive := func(order int64, files ...string) []Batch {
		list, err := s.Arrived("out", order, at, files)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	arrive(1, "a")
	want := arrive(2, "a", "b")
	if diff := cmp.Diff(want, arrive(1, "a")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, arrive(2, "a", "b")); diff != "" {
		t.Error(diff)
	}
}

// TestStore_notSaved: what could not be saved is not there.
func TestStore_notSaved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "saved.json")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := s.Add(ada, Search{Name: "Harbour"})
	if err != nil {
		t.Fatal(err)
	}
	want := s.List(ada)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func() error{
		"add":    func() error { _, err := s.Add(ada, Search{Name: "Port"}); return err },
		"change": func() error { return s.Change(ada, kept.ID, func(o *Search) { o.Name = "Port" }) },
		"remove": func() error { return s.Remove(ada, kept.ID) },
		"later account": func() error {
			_, err := s.Add(Owner{Name: "ada", Since: time.Now()}, Search{Name: "Port", Created: time.Now()})
			return err
		},
		"arrived": func() error { _, err := s.Arrived("out", 1, time.Now(), []string{"a"}); return err },
	} {
		if err := do(); err == nil {
			t.Errorf("%s: saved without a folder", name)
		}
		if diff := cmp.Diff(want, s.List(ada)); diff != "" || len(s.Batches) > 0 {
			t.Errorf("after %s, which was not saved: %s, %v", name, diff, s.Batches)
		}
	}
}
