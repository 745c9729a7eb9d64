package collection

import (
	"errors"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestKeepRun(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	if list, err := holdings.ReadRuns(f); err != nil || len(list) != 0 {
		t.Fatalf("an empty folder has runs %v, %v", list, err)
	}
	if err := f.Make(holdings.HiddenDir); err != nil {
		t.Fatal(err)
	}
	c := Attach(f)
	for _, r := range []holdings.KeptRun{
		{Started: "2026-01-01T00:00:00Z", After: 10, Added: schemas.Counts{Captures: 10}},
		{Started: "2026-01-02T00:00:00Z", Before: 10, After: 14, Added: schemas.Counts{Captures: 7}},
		{Started: "2026-01-02T00:00:00Z", Before: 10, After: 15, Added: schemas.Counts{Captures: 7}}, // ended twice
		{Started: "2026-01-03T00:00:00Z", Before: 15, After: 16, Asked: strings.Repeat("a", 10_000)},
	} {
		if err := c.KeepRun(r); err != nil {
			t.Fatal(err)
		}
	}
	list, err := holdings.ReadRuns(f)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d runs, %v", len(list), err)
	}
	for i, want := range []int64{0, 2, 0} {
		if list[i].Number != i+1 || list[i].Replaced() != want {
			t.Errorf("run %d has number %d and replaced %d, want %d", i, list[i].Number, list[i].Replaced(), want)
		}
	}
	if n := len(list[2].Asked); n != holdings.MaxAskedText {
		t.Errorf("a command of %d bytes", n)
	}
	if err := f.Write(holdings.Hidden(holdings.RunsFile), []byte("[{")); err != nil {
		t.Fatal(err)
	}
	if list, err := holdings.ReadRuns(f); err != nil || list != nil {
		t.Errorf("a damaged list: %v, %v", list, err)
	}
}

// TestKeepRun_most: only the newest runs are kept, with their numbers.
func TestKeepRun_most(t *testing.T) {
	f := folder.Open(t.Context(), t.TempDir(), nil)
	var many []holdings.KeptRun
	for i := range holdings.MaxRuns {
		many = append(many, holdings.KeptRun{Number: i + 1})
	}
	data, err := folder.EncodeJSON(many)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Make(holdings.HiddenDir), f.Write(holdings.Hidden(holdings.RunsFile), data)); err != nil {
		t.Fatal(err)
	}
	if err := Attach(f).KeepRun(holdings.KeptRun{Started: "2026-01-01T00:00:00Z"}); err != nil {
		t.Fatal(err)
	}
	list, err := holdings.ReadRuns(f)
	if n := len(list); err != nil || n != holdings.MaxRuns || list[0].Number != 2 || list[n-1].Number != n+1 {
		t.Errorf("%d runs, %v", len(list), err)
	}
}
