package standing_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/job/standing"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestReport_Lines(t *testing.T) {
	documents := func(n int64) ledger.Row {
		var r ledger.Row
		r.Documents = n
		return r
	}
	tests := []struct {
		name     string
		outcomes []standing.Outcome
		want     []string
	}{
		{"nothing", []standing.Outcome{{}, {}}, nil},
		{"one is gone", []standing.Outcome{{Gone: 1}}, []string{
			"1 unit of archives that are no longer there stays; --prune removes them",
		}},
		{"of two classes", []standing.Outcome{{Gone: 1, Unnamed: 1}, {Gone: 1}}, []string{
			"2 units of archives that are no longer there stay; --prune removes them",
			"1 unit of archives that this command does not name stays",
		}},
		{"pruned and done again", []standing.Outcome{{
			Pruned: []ledger.Row{documents(2), documents(3)}, Redone: 1, Removed: 4,
		}}, []string{
			"--prune removes 9 documents of archives that are no longer there, and does 1 unit again for the others in them",
		}},
		{
			"waiting",
			[]standing.Outcome{{Waiting: []string{"b"}, Waits: "/b"}, {Waiting: []string{"a"}, Waits: "/a"}},
			[]string{
				"2 units of a run that was interrupted wait, of archives such as /a: --add with these takes them in, and " +
					"--prune removes those whose archives are gone",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r standing.Report
			for _, o := range tt.outcomes {
				r.Add(o)
			}
			if got, want := strings.Join(r.Lines(), "\n"), strings.Join(tt.want, "\n"); got != want {
				t.Errorf("lines:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// TestReport_Compare: rows with other options count once for any number of comparisons.
func TestReport_Compare(t *testing.T) {
	var r standing.Report
	other := ledger.Row{}
	other.Options = "other"
	r.Add(standing.Outcome{Stay: []ledger.Row{other, {}}, Unnamed: 2})
	for range 2 {
		r.Compare("", []string{holdings.FormatCDXJ, holdings.FormatParquet})
	}
	got := strings.Join(r.Lines(), "\n")
	if !strings.Contains(got, "1 of these with the options that made them") ||
		!strings.Contains(got, "1 of these without parquet") || strings.Contains(got, "cdxj") {
		t.Errorf("lines:\n%s", got)
	}
}

func TestMissing(t *testing.T) {
	asked := func(dir string, inputs ...string) holdings.LastRun { return holdings.LastRun{Dir: dir, Inputs: inputs} }
	index := holdings.LastRun{Dir: "/w", Indexes: []string{"i.cdxj"}, Lookup: schemas.Lookup{Filter: "status=200"}}
	other := index
	other.Lookup.Filter = "status=404"
	tests := []struct {
		name      string
		then, now holdings.LastRun
		want      string
	}{
		{"the same", asked("/w", "a"), asked("/w", "a"), ""},
		{"the same name in another folder", asked("/v", "a"), asked("/w", "a"), "a"},
		{"the same path", asked("/v", "/x/a"), asked("/w", "/x/a"), ""},
		{"a folder around it", asked("/w", "/in/a"), asked("/w", "/in"), ""},
		{"one of two", asked("/w", "a", "b"), asked("/w", "a"), "b"},
		{"a list", asked("/w", "@list"), asked("/w", "a"), "@list"},
		{"nothing was named", asked("/w"), asked("/w", "a"), "the default"},
		{"the same index", index, index, ""},
		{"other lines of an index", index, other, "i.cdxj"},
	}
	for _, tt := range tests {
		if got := standing.Missing(tt.then, tt.now, "the default", place{covered: "/in"}); got != tt.want {
			t.Errorf("%s: %q is missing, want %q", tt.name, got, tt.want)
		}
	}
}

// TestTaken: ranges that units cover completely are left out, and ranges that they cover in part are refused.
func TestTaken(t *testing.T) {
	taken := standing.NewTaken(place{}.ID)
	taken.Add(row("a", "whole"))
	half := row("b", "half")
	half.Inputs[0].End = 50
	taken.Add(half)
	tests := []struct {
		in           schemas.Range
		has, refused bool
	}{
		{schemas.Range{File: "whole", End: 100}, true, true},
		{schemas.Range{File: "whole", Start: 20, End: 60}, true, true},
		{schemas.Range{File: "half", End: 100}, false, true},
		{schemas.Range{File: "half", Start: 50, End: 100}, false, false},
		{schemas.Range{File: "half", Unreadable: "permission denied"}, true, true},
		{schemas.Range{File: "other", End: 100}, false, false},
	}
	for _, tt := range tests {
		if got := taken.Has(tt.in); got != tt.has {
			t.Errorf("Has(%+v) = %t, want %t", tt.in, got, tt.has)
		}
		err := taken.Check([]schemas.Unit{{Inputs: []schemas.Range{tt.in}}})
		if (err != nil) != tt.refused {
			t.Errorf("Check(%+v) = %v, want an error: %t", tt.in, err, tt.refused)
		}
	}
}
