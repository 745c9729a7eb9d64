package contentdb

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/care"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// corpus makes documents of few pages, so that these have many versions, with times that repeat.
func corpus(seed uint64, n int) (list []*schemas.Document) {
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		page := r.IntN(n/4 + 1)
		d := &schemas.Document{
			URL: fmt.Sprintf("http://h%d.example/%d", page%7, page), SURT: fmt.Sprintf("example,h%d)/%d", page%7, page),
			Host: fmt.Sprintf("h%d.example", page%7), RecordType: schemas.TypeResponse, Filename: fmt.Sprintf("a%d.warc", i%5),
			Offset: int64(i * 100), Sequence: i % 2, Status: []int{200, 404, 0}[r.IntN(3)],
			MIMEDetected: []string{"text/html", "application/pdf"}[r.IntN(2)], Language: []string{"fr", "en", ""}[r.IntN(3)],
			Title: []string{"Budget", "Été", "=1+1", ""}[r.IntN(4)], Text: strings.Repeat("le gouvernement ", r.IntN(5)),
			Length: []int64{0, 512, 513, 1 << 40}[i%4], Tags: []string{"a", "b", "a"}[:i%4],
		}
		if i%3 > 0 {
			d.Custom = map[string][]string{"price": []string{fmt.Sprint(i % 5), "9"}[:i%3]}
			d.Entities = []schemas.Entity{
				{Type: "place", Text: fmt.Sprint("P", i%4), Source: "rule"}, {Type: "person", Text: "P0", Source: "rule"},
			}[:i%3]
		}
		if r.IntN(20) > 0 {
			d.Timestamp = time.Date(2026, time.Month(1+r.IntN(12)), 1, 0, 0, r.IntN(2), 0, time.UTC).Format(time.RFC3339)
		}
		list = append(list, d)
	}
	return list
}

// build writes the documents as a collection of units, whose formats alternate.
func build(t *testing.T, dir string, docs []*schemas.Document, formats ...[]string) folder.Folder {
	t.Helper()
	f := folder.Open(t.Context(), dir, nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // the test is over by then
	var units []schemas.Unit
	var keys []string
	for i := range 2 * len(formats) {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: fmt.Sprintf("unit%d", i), End: 1}}}
		units, keys = append(units, u), append(keys, ledger.Key(u, nil, nil))
	}
	_, done, err := c.Resume(units, keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range units[len(done):] {
		w, err := shard.NewWriter(f, u, keys[i], shard.Options{Formats: formats[i%len(formats)]})
		if err != nil {
			t.Fatal(err)
		}
		n := int64(0)
		for j, d := range docs {
			if j%len(units) != i {
				continue
			}
			if err := w.Document(d); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(formats[i%len(formats)], holdings.FormatLinks) {
				if err := w.Links([]schemas.Link{{SURT: d.SURT, URL: d.URL, Timestamp: d.Timestamp, Target: d.URL}}); err != nil {
					t.Fatal(err)
				}
			}
			n++
		}
		r, err := w.Commit(schemas.Counts{Documents: n}, ledger.Note{})
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, r)
	}
	if _, err := c.Finish(done, collection.Run{Units: len(units)}); err != nil {
		t.Fatal(err)
	}
	return f
}

// reference answers a question in memory, by the words of query.Query alone.
func reference(q query.Query, docs []*schemas.Document) []*schemas.Document {
	q = q.Sampled()
	newest := map[string]*schemas.Document{}
	var list []*schemas.Document
	for _, d := range docs {
		k := query.KeyOf(d)
		if !q.At.IsZero() && k.Timestamp.After(q.At) || q.At.IsZero() && !query.Match(q.Where, d) {
			continue
		}
		if q.AllVersions {
			list = append(list, d)
		} else if o := newest[d.SURT]; o == nil || k.Newer(query.KeyOf(o)) {
			newest[d.SURT] = d
		}
	}
	for _, d := range newest {
		list = append(list, d)
	}
	list = slices.DeleteFunc(list, func(d *schemas.Document) bool { return !query.Match(q.Where, d) })
	slices.SortFunc(list, func(a, b *schemas.Document) int { return q.Order.Compare(query.KeyOf(a), query.KeyOf(b)) })
	if q.Limit > 0 && len(list) > q.Limit {
		list = list[:q.Limit]
	}
	return list
}

// questions are asked on every way.
func questions(t testing.TB) (list []query.Query) {
	at := time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)
	for i, where := range []string{
		"", `language = "fr"`, `lang = "fr" AND mime:pdf AND timestamp >= 2026-03 AND timestamp < 2026-05`, `gouvernement`,
		`ete OR title:"Budget"`, `surt = "example,h1)/*"`, `host = "h2.example"`, `NOT status = 200`,
		`url = "http://h3.example/3"`,
		`"le gouvernement le"`, `status = 200 AND gouvernement`, `language = "xx"`,
	} {
		e, err := query.Parse(where)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		for _, q := range []query.Query{
			{Where: e},
			{Where: e, AllVersions: true},
			{Where: e, At: at},
			{Where: e, Order: query.Oldest, Limit: 7},
			{Where: e, Order: query.SURT},
			{Where: e, AllVersions: true, Limit: 3},
			{Where: e, AllVersions: true, Order: query.SURT, Limit: 1000},
			{Where: e, At: at, Limit: 5, Order: query.Oldest},
			{Where: e, Order: query.Length},
			{Where: e, AllVersions: true, Order: query.Length, Limit: 9},
			{Where: e, Sample: 300_000},
			{Where: e, At: at, Order: query.Length, Sample: 500_000},
			{Where: e, AllVersions: true, Sample: 200_000},
		} {
			// all of them for some filters, one or two for the others: each reads all shards
			if plain := q.AllVersions == (i%2 == 0) && q.Order == query.Newest && q.Limit == 0; i%4 == 0 || plain {
				list = append(list, q)
			}
		}
	}
	return list
}

func texts(t testing.TB, docs iter.Seq2[*schemas.Document, error]) (list []string) {
	t.Helper()
	for d, err := range docs {
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(b))
	}
	return list
}

func all(docs []*schemas.Document) iter.Seq2[*schemas.Document, error] {
	return func(yield func(*schemas.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func describe(q query.Query) string {
	where := "all"
	if q.Where != nil {
		where = q.Where.String()
	}
	return fmt.Sprintf("%s at=%v all=%v order=%v limit=%d sample=%d", where, q.At, q.AllVersions, q.Order, q.Limit,
		q.Sample)
}

// TestFind_sameRowsOnEveryWay compares each way to an answer with the words of query.Query, in little memory.
func TestFind_sameRowsOnEveryWay(t *testing.T) {
	docs := corpus(1, 160)
	lines, columns := []string{holdings.FormatJSONL}, []string{holdings.FormatParquet}
	for name, formats := range map[string][][]string{
		"lines": {lines}, "parquet": {columns}, "both": {{holdings.FormatJSONL, holdings.FormatParquet}},
		"mixed": {lines, columns, {holdings.FormatJSONL, holdings.FormatParquet}},
		"links": {{holdings.FormatParquet, holdings.FormatLinks}, {holdings.FormatJSONL, holdings.FormatLinks}},
	} {
		t.Run(name, func(t *testing.T) {
			f := build(t, t.TempDir(), docs, formats...)
			compare(t, f, docs)
			c, err := collection.Open(f, collection.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := care.Compact(t.Context(), c, care.CompactOptions{}); err != nil {
				t.Fatal(err)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			compare(t, f, docs)
		})
	}
}

func compare(t *testing.T, f folder.Folder, docs []*schemas.Document) {
	t.Helper()
	for name, o := range map[string]Options{
		"shards": {NoIndex: true}, "little memory": {NoIndex: true, MemoryBytes: 8 << 10}, "index": {},
	} {
		db, err := Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range questions(t) {
			want := reference(q, docs)
			if diff := cmp.Diff(texts(t, all(want)), texts(t, db.Find(t.Context(), q, nil))); diff != "" {
				t.Fatalf("%s, %s: -want +got:\n%s", name, describe(q), diff)
			}
			if q.Limit > 0 || q.Order != query.Newest {
				continue
			}
			if n, err := db.Count(t.Context(), q); err != nil || n != int64(len(reference(q, docs))) {
				t.Errorf("%s, %s: Count = %d, %v, want %d", name, describe(q), n, err, len(reference(q, docs)))
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFind_columns(t *testing.T) {
	docs := corpus(2, 20)
	db, err := Open(t.Context(), build(t, t.TempDir(), docs, []string{holdings.FormatParquet}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	for d, err := range db.Find(t.Context(), query.Query{}, []string{"url"}) {
		if err != nil || d.URL == "" || d.Text != "" || d.Title != "" {
			t.Fatalf("%+v, %v", d, err)
		}
	}
	for _, err := range db.Find(t.Context(), query.Query{}, []string{"nonsense"}) {
		if err == nil || !strings.Contains(err.Error(), "nonsense") {
			t.Errorf("a column that does not exist: %v", err)
		}
	}
}

func TestFacets(t *testing.T) {
	docs := corpus(3, 300)
	db, err := Open(t.Context(), build(t, t.TempDir(), docs, []string{holdings.FormatJSONL}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	want := map[string]int64{}
	for _, d := range docs {
		month := ""
		if d.Timestamp != "" {
			month = d.Timestamp[:7]
		}
		want[d.Language+" "+month]++
	}
	groups, err := db.Facets(t.Context(), query.Query{AllVersions: true}, []string{"lang", "month"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for i, g := range groups {
		got[g.Values[0]+" "+g.Values[1]] = g.Count
		if i > 0 && g.Count > groups[i-1].Count {
			t.Errorf("group %d is larger than the one before it", i)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	few, err := db.Facets(t.Context(), query.Query{AllVersions: true}, []string{"lang", "month"}, 3)
	if diff := cmp.Diff(groups[:3], few); diff != "" || err != nil {
		t.Errorf("top 3: %v\n%s", err, diff)
	}
	for _, by := range []string{"nonsense", "entities", "quality"} {
		if _, err := db.Facets(t.Context(), query.Query{}, []string{by}, 0); err == nil {
			t.Errorf("by %s: no error", by)
		}
	}
}

func TestFind_interrupted(t *testing.T) {
	db, err := Open(t.Context(), build(t, t.TempDir(), corpus(4, 50), []string{holdings.FormatJSONL}),
		Options{NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range db.Find(ctx, query.Query{}, nil) {
		if err == nil {
			t.Fatal("a row in spite of the interrupt")
		}
	}
}
