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

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "saved.json")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	arrive := func(files ...string) []Batch {
		t.Helper()
		list, err := s.Arrived("out", at, files)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	arrive("a", "b")
	one, err := s.Add(Search{Owner: "ada", Name: "Harbour", Collection: "out", Query: "query=harbour", Created: at})
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
	if err := s.Change("eve", one.ID, func(o *Search) { o.Name = "x" }); !errors.Is(err, ErrNone) {
		t.Errorf("somebody else changes it: %v", err)
	}
	if err := s.Change("ada", one.ID, func(o *Search) { o.Name = strings.Repeat("x", 101) }); err == nil {
		t.Error("a long name is accepted")
	}
	if err := s.Change("ada", one.ID, func(o *Search) { o.Name, o.Seen = "Port", 3 }); err != nil {
		t.Fatal(err)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Get(one.ID); err != nil || got.Name != "Port" || got.Seen != 3 || len(again.List("eve")) != 0 {
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
	one, err := s.Add(Search{Owner: "ada", Name: "Harbour"})
	if err != nil {
		t.Fatal(err)
	}
	for range MostSearches - 1 {
		if _, err := s.Add(Search{Owner: "ada", Name: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Add(Search{Owner: "ada", Name: "x"}); !errors.Is(err, ErrMany) {
		t.Errorf("one too many: %v", err)
	}
	if err := s.Remove("ada", one.ID); err != nil || len(s.List("ada")) != MostSearches-1 {
		t.Errorf("removed: %v", err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil {
		t.Error("a damaged file is overwritten")
	}
}
