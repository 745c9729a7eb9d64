package plan_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// TestMake_redoneAfterMerge: a command takes nothing from the units that it does again, whatever made the others.
func TestMake_redoneAfterMerge(t *testing.T) {
	usual := func(*recipe.Recipe) {}
	mime := func(r *recipe.Recipe) { r.Extract = []string{"mime"} }
	index := func(r *recipe.Recipe) { r.Formats = []string{"cdxj"} }
	both := func(r *recipe.Recipe) { r.Formats = []string{"jsonl", "cdxj"} }
	three := func(r *recipe.Recipe) { r.Limit = 3 }
	markdown := func(r *recipe.Recipe) { r.Text = "markdown" }
	chosen := func(r *recipe.Recipe) { r.Where = "status = 200" }
	field := func(r *recipe.Recipe) { r.Select = recipe.Fields{enrich.Field{Name: "price", CSS: "b"}} }
	parquet := func(r *recipe.Recipe) { r.Formats = []string{"parquet"} }
	gzip := func(r *recipe.Recipe) { r.Compression = "gzip" }
	for _, tt := range []struct {
		name              string
		first, then, last func(r *recipe.Recipe) // of a, which is adopted if nil, of b, and of the command for b again
		want              string                 // in the refusal; "" for none
		formats           string                 // of b, if not refused
	}{
		{"fewer extractors", mime, usual, mime, "--extract: its 1 document in 1 unit have text", ""},
		{"fewer extractors than a unit beside adopted ones", nil, usual, mime, "--extract", ""},
		{"an index by fewer extractors", mime, usual, index, "--extract", ""},
		{"a field less beside adopted documents", nil, field, usual, "--select", ""},
		{"an index beside adopted documents", nil, usual, index, "--format=jsonl,cdxj", ""},
		{"an index and documents beside adopted ones", nil, usual, both, "", "jsonl"},
		{"an index beside an index", index, mime, index, "", "jsonl"},
		{"a field less", usual, field, usual, "--select", ""},
		{"another text", usual, markdown, usual, "--text", ""},
		{"another text, beside adopted documents", nil, markdown, usual, "--text", ""},
		{"a limit", three, usual, three, "--limit", ""},
		{"a filter", chosen, usual, chosen, "--where", ""},
		{"more extractors", mime, mime, usual, "", "jsonl"},
		{"the same", mime, usual, usual, "", "jsonl"},
		{"the same beside adopted documents", nil, usual, usual, "", "jsonl"},
		{"another format", usual, parquet, usual, "", "jsonl parquet"},
		{"another format beside adopted documents", nil, parquet, usual, "", "jsonl parquet"},
		{"another compression", usual, gzip, usual, "", "jsonl"},
	} {
		for into, isNew := range map[string]bool{"into it": false, "into a new folder": true} {
			t.Run(tt.name+", "+into, func(t *testing.T) {
				again := mergedAgain(t, isNew, tt.first, tt.then, tt.last)
				if _, err := plan.Make(t.Context(), again); tt.want != "" {
					if err == nil || !isUsage(err) || !strings.Contains(err.Error(), tt.want) {
						t.Errorf("%v, want %s", err, tt.want)
					}
					return
				}
				for _, u := range makeRun(t, again).Units {
					got := strings.Join(holdings.FormatsOf(u.Shards), " ")
					if archiveOf(u.Unit) == "b" && (got != tt.formats || u.Documents != 1) {
						t.Errorf("%d documents as %q, want 1 as %q", u.Documents, got, tt.formats)
					}
				}
			})
		}
	}
}

// mergedAgain merges two collections, and returns a command that reads the archive of the second again.
func mergedAgain(t *testing.T, isNew bool, first, then, last func(r *recipe.Recipe)) plan.Request {
	s, b := newShelf(t), newShelf(t)
	command := func(of shelf, change func(r *recipe.Recipe)) plan.Request {
		c := of.config(plan.Schedule{})
		c.Extract, c.Keep.Add = []string{"mime", "text"}, true
		change(&c.Recipe)
		return c
	}
	if first == nil {
		s.adopt(adoptable(t))
	} else {
		s.put("a", "a", 1)
		makeRun(t, command(s, first))
	}
	b.put("b", "b", 1)
	makeRun(t, command(b, then))
	from := b.out
	if isNew {
		one := s.out
		s.out = newShelf(t).out
		s.merge(one)
	}
	s.merge(from)
	b.out = s.out
	return command(b, last)
}
