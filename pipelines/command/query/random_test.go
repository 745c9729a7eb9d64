//go:build linux

package query

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/gleaner-web/gleaner/io/beam/contentio"
	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/testdata/pythontest"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// seedVariable is the environment variable with the seed of random tests. A failing test prints its seed.
// questionsVariable is the one with the number of filters; there are three statements for eight filters.
const (
	seedVariable      = "GLEANER_SEED"
	questionsVariable = "GLEANER_QUESTIONS"
)

// seeded returns random choices with a new seed in each run, unless the variable has one.
func seeded(t *testing.T) chance {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(seedVariable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: %v", seedVariable, err)
		}
	}
	t.Logf("%s=%d gives these questions again", seedVariable, seed)
	return chance{rand.New(rand.NewPCG(seed, 45))}
}

// questionCount returns the number of filters.
func questionCount(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv(questionsVariable))
	if err != nil && os.Getenv(questionsVariable) != "" {
		t.Fatal(err)
	}
	if n == 0 {
		n = 400
	}
	return n
}

// duck runs statements in DuckDB after script has made the tables of the folder. Each result is a list of rows.
func duck(t *testing.T, script, dir string, statements []string, more ...string) (answers [][]json.RawMessage) {
	t.Helper()
	python := pythontest.Interpreter(
		t, "import pyarrow, duckdb, pytz", "pyiceberg[pyarrow]==0.12.0", "duckdb==2.0.0", "pytz")
	input, err := json.Marshal(statements)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, append([]string{script, dir}, more...)...)
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &answers)
	}
	if err != nil {
		t.Fatalf("DuckDB: %v\n%s", err, stderr.Bytes())
	}
	return answers
}

// question is a query with its statement for DuckDB.
type question struct {
	asked
	q query.Query
}

func (x question) String() string {
	return fmt.Sprintf("%s (all %v, at %v, %v, limit %d)", x.filter, x.q.AllVersions, x.q.At, x.q.Order, x.q.Limit)
}

// question makes a random query.
func (c chance) question(t *testing.T) question {
	t.Helper()
	x := question{asked: c.filter(c.IntN(4))}
	var err error
	if x.q.Where, err = query.Parse(x.filter); err != nil {
		t.Fatalf("%s: %v", x.filter, err)
	}
	x.q.Order = pick(c, query.Newest, query.Oldest, query.SURT)
	switch c.IntN(4) {
	case 0:
	case 1:
		x.q.At = time.Date(2025, time.Month(pick(c, 2, 3)), pick(c, 1, 28), 0, 0, c.IntN(3), pick(c, 0, 250_000_000),
			time.UTC)
	default:
		x.q.AllVersions = true
	}
	if c.one(4) {
		x.q.Limit = 1 + c.IntN(9)
	}
	return x
}

// statement returns the SQL for DuckDB. It selects the newest version of each page and then filters, or it filters
// first.
func (x question) statement() string {
	where, versions := "WHERE "+x.sql, "documents"
	if !x.q.At.IsZero() {
		at := x.q.At.Format("'2006-01-02T15:04:05.999999Z'")
		versions = "(SELECT * FROM documents WHERE timestamp IS NULL OR timestamp <= " + at + "::TIMESTAMPTZ)"
	} else {
		versions, where = "(SELECT * FROM documents "+where+")", ""
	}
	if !x.q.AllVersions {
		versions = "(SELECT * FROM " + versions + " QUALIFY row_number() OVER (PARTITION BY coalesce(surt, '') " +
			"ORDER BY timestamp DESC NULLS LAST, filename DESC, \"offset\" DESC, coalesce(sequence, 0) DESC) = 1)"
	}
	surt, place := "coalesce(surt, '')", `filename, "offset", coalesce(sequence, 0)`
	order := map[query.Order]string{
		query.Newest: "timestamp DESC NULLS LAST, " + surt, query.Oldest: "timestamp NULLS FIRST, " + surt,
		query.SURT: surt + ", timestamp NULLS FIRST",
	}[x.q.Order]
	limit := ""
	if x.q.Limit > 0 {
		limit = fmt.Sprintf(" LIMIT %d", x.q.Limit)
	}
	return fmt.Sprintf("SELECT filename || ' ' || \"offset\" || ' ' || coalesce(sequence, 0) "+
		"FROM %s %s ORDER BY %s, %s%s",
		versions, where, order, place, limit)
}

func placeOf(d *schemas.Document) string {
	return fmt.Sprintf("%s %d %d", d.Filename, d.Offset, d.Sequence)
}

// placesOf returns the places of captures in order.
func placesOf(t *testing.T, docs iter.Seq2[*schemas.Document, error]) (list []string) {
	t.Helper()
	for d, err := range docs {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, placeOf(d))
	}
	return list
}

// opened opens a collection.
func opened(t *testing.T, dir string, o contentdb.Options) *contentdb.DB {
	t.Helper()
	db, err := contentdb.Open(t.Context(), folder.Open(t.Context(), dir, nil), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, note := range db.Notes() {
		t.Error(note)
	}
	t.Cleanup(func() { _ = db.Close() }) // the test is over by then
	return db
}

// way runs a query in one of several ways.
type way struct {
	name  string
	every int // one query of this many runs this way
	find  func(query.Query) []string
}

// waysOf returns the ways in this process: with the index, with the shards of either format, and with the table.
func waysOf(t *testing.T, docs []*schemas.Document, dir string) []way {
	t.Helper()
	find := func(db *contentdb.DB) func(query.Query) []string {
		return func(q query.Query) []string {
			list := placesOf(t, db.Find(t.Context(), q, []string{}))
			if q.Limit > 0 || len(list)%4 > 0 { // counted sometimes: it takes as long as a search
				return list
			}
			if n, err := db.Count(t.Context(), q); err != nil || n != int64(len(list)) {
				t.Errorf("%v: the count is %d, %v, and there are %d", q.Where, n, err, len(list))
			}
			return list
		}
	}
	lines := shelve(t, docs, "jsonl")
	f := folder.Open(t.Context(), dir, nil)
	if _, err := lake.Sync(t.Context(), f, lake.Options{}); err != nil {
		t.Fatal(err)
	}
	table, err := lake.Open(t.Context(), f, lake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	snapshot := func(q query.Query) []string {
		files, whole, err := filesIn(t.Context(), table, lake.Point{}, q)
		if err != nil {
			t.Fatal(err)
		}
		db, err := contentdb.Open(t.Context(), f, contentdb.Options{Files: files, Whole: whole})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }() // read only
		return placesOf(t, db.Find(t.Context(), q, []string{}))
	}
	return []way{
		{"--no_index", 1, find(opened(t, dir, contentdb.Options{NoIndex: true}))},
		{"the index", 1, find(opened(t, dir, contentdb.Options{}))},
		{"--snapshot=newest", 1, snapshot},
		{"JSON lines", 8, find(opened(t, lines, contentdb.Options{NoIndex: true}))},
		{"JSON lines by the index", 4, find(opened(t, lines, contentdb.Options{}))},
	}
}

// found holds the places from the newest pipeline, by the number of the query.
var found struct {
	sync.Mutex
	pipeline int
	places   map[int][]string
}

func init() {
	beam.RegisterDoFn(&foundFn{})
}

// foundFn records the results of a query.
type foundFn struct{ Pipeline, Question int }

// ProcessElement records one capture, unless its pipeline has failed and another one was started.
func (f *foundFn) ProcessElement(_ context.Context, d schemas.Document) {
	found.Lock()
	defer found.Unlock()
	if f.Pipeline == found.pipeline {
		found.places[f.Question] = append(found.places[f.Question], placeOf(&d))
	}
}

// byPrism runs several queries in one pipeline. On a busy machine, prism of Beam 2.77 may panic if one of its steps
// takes more than .1 s. See worker.go:153, progress of a bundle without a worker. Then byPrism tries again.
func byPrism(t *testing.T, dir string, questions []question) map[int][]string {
	t.Helper()
	run.Init()
	var err error
	for range 4 {
		p, s := beam.NewPipelineWithRoot()
		found.Lock()
		found.pipeline++
		found.places = map[int][]string{}
		for i, x := range questions {
			found.places[i] = nil // for queries without results
			beam.ParDo0(s, &foundFn{found.pipeline, i}, contentio.Query(s, dir, x.q, "url"))
		}
		found.Unlock()
		if _, err = beam.Run(t.Context(), "prism", p); err == nil {
			return found.places
		}
	}
	t.Fatal(err)
	return nil
}

// TestRandom_filters: random filters give the same results with and without the index, by the Iceberg table, in JSON
// lines and by a pipeline. DuckDB, which reads the shards itself, returns them too.
func TestRandom_filters(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	docs := c.docs(240)
	dir := shelve(t, docs, "parquet")
	ways := waysOf(t, docs, dir)
	var questions []question
	var statements []string
	for range questionCount(t) {
		x := c.question(t)
		questions, statements = append(questions, x), append(statements, x.statement())
	}
	answers := duck(t, filepath.Join("testdata", "answers.py"), dir, statements)
	empty := 0
	for i, x := range questions {
		want := textsOf(t, answers[i])
		if len(want) == 0 {
			empty++
		}
		for _, w := range ways {
			if i%w.every > 0 {
				continue
			}
			if got := w.find(x.q); !slices.Equal(want, got) {
				t.Errorf("%v\n%s: %s", x, w.name, differing(docs, want, got))
			}
		}
	}
	if empty > len(questions)/2 {
		t.Errorf("%d of %d questions find nothing", empty, len(questions))
	}
	if os.Getenv("GLEANER_SLOW") == "" {
		questions = questions[:min(len(questions), 40)] // a query takes prism .1 s
	}
	const atOnce = 10
	for from := 0; from < len(questions); from += atOnce {
		part := questions[from:min(from+atOnce, len(questions))]
		for i, got := range byPrism(t, dir, part) {
			want := textsOf(t, answers[from+i])
			slices.Sort(want)
			if slices.Sort(got); !slices.Equal(want, got) {
				t.Errorf("%v\nprism: %s", part[i], differing(docs, want, got))
			}
		}
	}
}

// textsOf returns rows of one text.
func textsOf(t *testing.T, rows []json.RawMessage) (list []string) {
	t.Helper()
	for _, r := range rows {
		var row []string
		if err := json.Unmarshal(r, &row); err != nil {
			t.Fatal(err)
		}
		list = append(list, row...)
	}
	return list
}

// differing describes the first capture that is only in one of two results.
func differing(docs []*schemas.Document, want, got []string) string {
	text := fmt.Sprintf("%d captures, DuckDB %d", len(got), len(want))
	for _, d := range docs {
		if p := placeOf(d); slices.Contains(want, p) != slices.Contains(got, p) {
			b, err := json.Marshal(d)
			return fmt.Sprintf("%s; found %v: %s%v", text, slices.Contains(got, p), b, err)
		}
	}
	return text + "; in another order: " + strings.Join(got, ", ") + " for " + strings.Join(want, ", ")
}
