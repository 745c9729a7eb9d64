package sources

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/commandtest"
	"github.com/gleaner-web/gleaner/schemas"
)

// shelf is a collection with its database of sources.
type shelf struct{ collection, sqlite string }

// ask runs the command query.
func (a shelf) ask(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := commandtest.Run(t, "query", append([]string{"--collection=" + a.collection}, args...)...)
	if code != 0 {
		t.Fatalf("query %q: exit code %d\n%s", args, code, stderr)
	}
	return stdout, stderr
}

// documents returns the results of the command.
func (a shelf) documents(t *testing.T, args ...string) (list []schemas.Document) {
	t.Helper()
	out, _ := a.ask(t, append(args, "--sources="+a.sqlite, "--format=jsonl")...)
	for line := range strings.Lines(out) {
		var d schemas.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// TestSources_queryBySource: in every form of a query, the database of sources answers source_id. The results are
// those of a selection by source_id among all documents.
func TestSources_queryBySource(t *testing.T) {
	a := shelf{crawl(t, 1), filepath.Join(t.TempDir(), "s.sqlite")}
	mustRun(t, "--output="+filepath.Join(t.TempDir(), "sources"), "--sqlite="+a.sqlite, a.collection, crawl(t, 0))
	all := a.documents(t)
	bySource := map[string]int{}
	for _, d := range all {
		bySource[d.SourceID]++
	}
	id := all[slices.IndexFunc(all, func(d schemas.Document) bool { return d.SourceID != "" })].SourceID
	of := func(d schemas.Document) bool { return d.SourceID == id }
	for _, tt := range []struct {
		args []string
		take func(schemas.Document) bool
	}{
		{[]string{"--source=" + id}, of},
		{[]string{"--source=" + id, "--no_index"}, of},
		{[]string{"--source=" + id, "--runner=direct"}, of},
		{[]string{"--source=" + id, "--all_versions"}, of},
		{[]string{"--source=" + id, "--at=2030"}, of},
		{
			[]string{"--source=" + id[:6] + "*"},
			func(d schemas.Document) bool { return strings.HasPrefix(d.SourceID, id[:6]) },
		},
		{[]string{"--source=" + id, "--lang=en"}, of},
		{[]string{"--where=NOT source_id = " + id}, func(d schemas.Document) bool { return !of(d) }},
		{[]string{"--where=source_id != " + id, "--no_index"}, func(d schemas.Document) bool { return !of(d) }},
		{[]string{"--where=source_id:*"}, func(d schemas.Document) bool { return d.SourceID != "" }},
		{[]string{"--where=source_id = " + id + " OR quality.words = 200"}, func(d schemas.Document) bool {
			return of(d) || d.Quality != nil && d.Quality.Words == 200
		}},
		{[]string{"--where=source_id = " + id + " OR quality.words = 200", "--no_index"}, func(d schemas.Document) bool {
			return of(d) || d.Quality != nil && d.Quality.Words == 200
		}},
	} {
		var want []schemas.Document
		for _, d := range all {
			if tt.take(d) {
				want = append(want, d)
			}
		}
		got := a.documents(t, tt.args...)
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 || len(want) == len(all) {
			t.Errorf("%q: %d of %d, -want +got:\n%s", tt.args, len(want), len(all), diff)
		}
		if limited := a.documents(t, append(tt.args, "--limit=1")...); len(limited) != 1 ||
			cmp.Diff(want[:1], limited) != "" {
			t.Errorf("%q: with a limit of 1 %d, not the first", tt.args, len(limited))
		}
		count, _ := a.ask(t, append(tt.args, "--sources="+a.sqlite, "--format=count", "--limit=1")...)
		if strings.TrimSpace(count) != strconv.Itoa(len(want)) {
			t.Errorf("%q: counted %s, want %d", tt.args, count, len(want))
		}
	}
	groups, _ := a.ask(t, "--sources="+a.sqlite, "--by=source", "--lang=en")
	if !strings.Contains(groups, id) || !strings.Contains(groups, strconv.Itoa(bySource[id])) {
		t.Errorf("by source: %s\nwant %v", groups, bySource)
	}
	plan, said := a.ask(t, "--sources="+a.sqlite, "--source="+id+",feed-12", "--lang=en", "--explain", "--format=count")
	if !strings.Contains(said, "sources  source_id = ") || !strings.Contains(said, "none by this id") ||
		strings.Contains(plan, "sources") {
		t.Errorf("explained:\n%s", said)
	}
	if out, said := a.ask(t, "--source="+id, "--format=jsonl"); out != "" || !strings.Contains(said, "--sources") {
		t.Errorf("without a database: %s%s", out, said)
	}
}
