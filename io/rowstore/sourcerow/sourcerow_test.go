package sourcerow_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/io/rowstore/sourcerow"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestOf: two states of a source are two versions, and each reads as it was written.
func TestOf(t *testing.T) {
	sources := sourcerow.New(new(memory.Database))
	if err := sources.CreateTable(t.Context(), "sources"); err != nil {
		t.Fatal(err)
	}
	s := schemas.Source{
		ID: "0123456789abcdef", URL: "https://a.example/feed", Title: "A", Verdict: "valid", Class: "main", Language: "fr",
		Reasons: []string{}, Refresh: schemas.SourceRefresh{Rate: 2.5, Interval: 3.1, Next: "2026-05-02T00:00:00Z"},
		Pages: []schemas.SourcePage{{URL: "https://a.example/1", Timestamp: "2026-05-01T00:00:00Z"}},
	}
	for day, verdict := range map[int]string{1: "undecided", 2: "valid"} {
		s.Verdict = verdict
		row, err := sourcerow.Of(sources, "example,a)/feed", s, time.Date(2026, 5, day, 0, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		if err := sources.Put(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	s.Verdict = "undecided"
	v, ok, err := sources.At(t.Context(), "example,a)/feed", time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	got, err := v.Row()
	if diff := cmp.Diff(s, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if v.Name() != "A" || v.URL() != s.URL || v.Verdict() != "undecided" || v.MainLanguage() != "fr" ||
		v.RefreshCycle() != 3*time.Hour+6*time.Minute {
		t.Errorf("%q %q %q %q %v", v.Name(), v.URL(), v.Verdict(), v.MainLanguage(), v.RefreshCycle())
	}
}
