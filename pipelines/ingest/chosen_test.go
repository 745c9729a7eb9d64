package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// chosenRun is a run with flags that select captures.
type chosenRun struct {
	dir       string
	documents []string // as JSON
	totals    schemas.Counts
	options   map[string]any
}

func ingestChosen(t *testing.T, args ...string) chosenRun {
	t.Helper()
	return ingestChosenTo(t, filepath.Join(t.TempDir(), "out"), args...)
}

func ingestChosenTo(t *testing.T, dir string, args ...string) chosenRun {
	t.Helper()
	args = append([]string{"--extract=mime,text,language,metadata", "--format=jsonl,cdxj", "--output=" + dir}, args...)
	mustRun(t, args...)
	m, err := holdings.ReadManifest(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	c := chosenRun{dir: dir, documents: lines(t, dir, "documents-*"), totals: m.Totals, options: m.Options}
	left := int64(0)
	for _, n := range c.totals.ByFilter {
		left += n
	}
	if c.totals.Documents != int64(len(c.documents)) || c.totals.Captures != c.totals.Documents+left {
		t.Errorf("%v: %d captures, %d documents (%d lines), %v left out", args, c.totals.Captures, c.totals.Documents,
			len(c.documents), c.totals.ByFilter)
	}
	return c
}

// taken returns the documents of a list that match a filter.
func taken(t *testing.T, documents []string, filter string) (list []string) {
	t.Helper()
	e, err := query.Parse(filter)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range documents {
		var d schemas.Document
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		if query.Match(e, &d) {
			list = append(list, text)
		}
	}
	return list
}

// TestWhere_writesWhatTheFilterTakes: the documents are the matching ones of a run without a filter, for any division
// of the archives. The index has only their lines.
func TestWhere_writesWhatTheFilterTakes(t *testing.T) {
	all := ingestChosen(t)
	for _, filter := range []string{
		`status = 200 AND language = en`, `mime:html -title:*`, `the`,
	} {
		want := taken(t, all.documents, filter)
		for _, size := range []string{"64KiB", "64MiB"} {
			got := ingestChosen(t, "--where="+filter, "--unit_size="+size)
			if !slices.Equal(got.documents, want) {
				t.Errorf("--where=%s, units of %s: %d documents, want %d", filter, size, len(got.documents), len(want))
			}
			if n := got.totals.ByFilter["where"]; n != int64(len(all.documents)-len(want)) {
				t.Errorf("--where=%s: %d counted as left out, want %d", filter, n, len(all.documents)-len(want))
			}
		}
		t.Logf("%s: %d of %d", filter, len(want), len(all.documents))
	}
}

func TestSample_isOfPagesAndNested(t *testing.T) {
	half := ingestChosen(t, "--sample=50%")
	quarter := ingestChosen(t, "--sample=0.25", "--unit_size=64KiB")
	if len(quarter.documents) == 0 || len(quarter.documents) >= len(half.documents) {
		t.Errorf("%d documents of a quarter, %d of a half", len(quarter.documents), len(half.documents))
	}
	for _, d := range quarter.documents {
		if !slices.Contains(half.documents, d) {
			t.Errorf("a document of the quarter is not in the half: %.200s", d)
		}
	}
	if half.totals.ByFilter["sample"] == 0 || half.options["sample"] != 500_000.0 {
		t.Errorf("counted %v, noted %v", half.totals.ByFilter, half.options["sample"])
	}
}

// TestLimit_takesTheFirst: for any units, these are the first documents of a run without a limit. A larger limit
// continues from a smaller one.
func TestLimit_takesTheFirst(t *testing.T) {
	for _, where := range []string{"", "language = en"} {
		all := ingestChosen(t, "--where="+where, "--unit_size=64KiB")
		for _, limit := range []int{1, 7, len(all.documents) + 1} {
			for _, size := range []string{"64KiB", "64MiB"} {
				got := ingestChosen(t, "--where="+where, "--limit="+strconv.Itoa(limit), "--unit_size="+size)
				if want := all.documents[:min(limit, len(all.documents))]; !slices.Equal(got.documents, want) {
					t.Errorf("--where=%q --limit=%d, units of %s: %d documents, want the first %d", where, limit, size,
						len(got.documents), len(want))
				}
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "out")
	ingestChosenTo(t, dir, "--limit=3", "--unit_size=64KiB")
	grown := ingestChosenTo(t, dir, "--limit=9", "--unit_size=64KiB")
	fresh := ingestChosen(t, "--limit=9", "--unit_size=64KiB")
	sameFiles(t, contents(t, grown.dir), contents(t, fresh.dir))
}

func TestChosen_indexAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustRun(t, "--format=cdxj", "--where=status = 200", "--limit=5", "--output="+dir)
	m, err := holdings.ReadManifest(local(dir))
	if err != nil {
		t.Fatal(err)
	}
	if kept := m.Totals.Captures - m.Totals.ByFilter["where"] - m.Totals.ByFilter["limit"]; kept != 5 {
		t.Errorf("%d lines, %v", kept, m.Totals.ByFilter)
	}
}

func TestChosen_refused(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--where=langage = fr"}, "stands in quotation marks\nlangage = fr\n^"},
		{[]string{"--where=language = fr", "--extract=text"}, "add language to --extract"},
		{[]string{"--where=entities.sentiment < 0"}, "asks for entities.sentiment, which is not extracted: add sentiment to"},
		{[]string{"--where=entities.sentiment < 0", "--extract=text"}, "add entities,sentiment to --extract"},
		{[]string{"--where=images.alt = a"}, "add images to --extract"},
		{[]string{"--where=budget", "--extract=metadata,language"}, "add text to --extract"},
		{[]string{"--where=entities.sentiment < 0"}, "asks for entities.sentiment, which is not extracted: add sentiment to"},
		{[]string{"--where=entities.sentiment < 0", "--extract=text"}, "add entities,sentiment to --extract"},
		{[]string{"--where=images.alt = a"}, "add images to --extract"},
		{[]string{"--where=budget", "--extract=metadata,text"}, "add language to --extract"}, // for the forms of a word
		{[]string{"--where=source_id = a"}, "which ingest does not make"},
		{[]string{"--where=custom.price = 3"}, `no --select makes the field "price"`},
		{[]string{"--where=custom.price = 3", "--select=cost=b"}, `no --select makes the field "price"`},
		{[]string{"--where=damaged = true", "--format=cdxj"}, "--format=cdxj reads heads alone"},
		{[]string{"--where=language = fr", "--format=cdxj"}, "--format=cdxj makes no documents"},
		{[]string{"--sample=0"}, "is not a share of all pages"},
		{[]string{"--sample=101%"}, "is not a share of all pages"},
		{[]string{"--limit=-1"}, "below 0"},
		{[]string{"--limit=3", "--add"}, "does not go with --add"},
	} {
		r := runCommand(t, append(c.args, "--output="+filepath.Join(t.TempDir(), "out"))...)
		if r.code != 2 || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: exit code %d, %s; want 2 and %s", c.args, r.code, r.stderr, c.want)
		}
	}
}

// TestWhere_anotherFilterIsRefused: a folder does not mix documents of different filters.
func TestWhere_anotherFilterIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	first := ingestChosenTo(t, dir, "--where=status = 200")
	if r := runCommand(t, "--extract=mime,text,language,metadata", "--output="+dir); r.code != 2 ||
		!strings.Contains(r.stderr, "--where: ") {
		t.Errorf("without the filter: exit code %d, %s", r.code, r.stderr)
	}
	again := ingestChosenTo(t, dir, `--where=status="200"`)
	if !slices.Equal(first.documents, again.documents) {
		t.Error("the same filter in other words gives other documents")
	}
}

// TestLimit_smallerTakesNothingAway: a lower --limit leaves a folder with more documents unchanged.
func TestLimit_smallerTakesNothingAway(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	all := ingestChosenTo(t, dir)
	before := contents(t, all.dir)
	r := runCommand(t, "--limit=2", "--output="+dir, archives)
	if r.code != 2 || !strings.Contains(r.stderr, "--limit") {
		t.Errorf("exit code %d, want a refusal\n%s", r.code, r.stderr)
	}
	sameFiles(t, contents(t, dir), before)
	if r := runCommand(t, "--sample=1%", "--output="+dir, archives); r.code != 2 || !strings.Contains(r.stderr, "has 1%") {
		t.Errorf("a share: exit code %d\n%s", r.code, r.stderr)
	}
	limited := filepath.Join(t.TempDir(), "out")
	ingestChosenTo(t, limited, "--limit=9")
	if r := runCommand(t, "--limit=3", "--output="+limited, archives); r.code != 2 {
		t.Errorf("a smaller limit: exit code %d, want 2\n%s", r.code, r.stderr)
	}
}
