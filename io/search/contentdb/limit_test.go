package contentdb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

func filter(t testing.TB, text string) query.Expr {
	t.Helper()
	e, err := query.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestLimited: a collection with limits answers each question like a collection that only has the listed captures,
// however it is read.
func TestLimited(t *testing.T) {
	docs := corpus(7, 160)
	f := build(t, t.TempDir(), docs, []string{holdings.FormatParquet}, []string{holdings.FormatJSONL})
	for _, o := range []Options{{NoIndex: true}, {}} {
		db, err := Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range []string{
			`surt = "example,h1)*"`, `NOT host = h2.example`, `NOT (timestamp >= 2026-05 OR language = fr)`,
			`mime:pdf NOT custom.price = 3`, `NOT gouvernement`, `NOT "le gouvernement le"`, `entities.text = P0`,
		} {
			t.Run(fmt.Sprint(o.NoIndex, " ", rule), func(t *testing.T) {
				listed := filter(t, rule)
				limited, err := db.Limited(t.Context(), Limits{Listed: listed})
				if err != nil {
					t.Fatal(err)
				}
				var kept []*schemas.Document
				for _, d := range docs {
					if query.Match(listed, d) {
						kept = append(kept, d)
					}
				}
				sameAnswers(t, limited, kept)
			})
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// sameAnswers compares the answers of a limited collection with those about the captures that it lists.
func sameAnswers(t *testing.T, db *DB, kept []*schemas.Document) {
	t.Helper()
	for _, q := range questions(t) {
		if !q.At.IsZero() {
			continue
		}
		want := reference(q, kept)
		if diff := cmp.Diff(texts(t, all(want)), texts(t, db.Find(t.Context(), q, nil))); diff != "" {
			t.Fatalf("%s: -want +got:\n%s", describe(q), diff)
		}
		if q.Limit > 0 || q.Order != query.Newest {
			continue
		}
		if n, err := db.Count(t.Context(), q); err != nil || n != int64(len(want)) {
			t.Errorf("%s: Count = %d, %v, want %d", describe(q), n, err, len(want))
		}
		for _, by := range []string{"lang", "year", "host", "entity", "tags"} {
			wanted, err := CountBy(t.Context(), Options{}, []string{by}, 0, inOrder(want))
			if err != nil {
				t.Fatal(err)
			}
			got, err := db.Facets(t.Context(), q, []string{by}, 0)
			if diff := cmp.Diff(wanted, got); diff != "" || err != nil {
				t.Fatalf("%s by %s: %v\n%s", describe(q), by, err, diff)
			}
		}
		if !q.AllVersions {
			continue
		}
		n := 0
		for _, err := range db.Each(t.Context(), q.Sampled().Where, []string{"url"}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != len(want) {
			t.Errorf("%s: Each has %d, want %d", describe(q), n, len(want))
		}
	}
}

// TestLimited_catalogueOnly: captures that may only be listed show no content, and their words find nothing.
func TestLimited_catalogueOnly(t *testing.T) {
	docs := corpus(8, 120)
	for i, d := range docs {
		d.Text = fmt.Sprintf("secret%d %s", i%7, d.Text)
	}
	f := build(t, t.TempDir(), docs, []string{holdings.FormatParquet}, []string{holdings.FormatJSONL})
	whole := filter(t, `NOT host = h2.example NOT pages = 7`)
	for _, o := range []Options{{NoIndex: true}, {}} {
		db, err := Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		limited, err := db.Limited(t.Context(), Limits{Whole: whole})
		if err != nil {
			t.Fatal(err)
		}
		all := query.Query{AllVersions: true}
		if n, err := limited.Count(t.Context(), all); err != nil || n != int64(len(docs)) {
			t.Errorf("%d captures, %v: all are listed", n, err)
		}
		for d, err := range limited.Find(t.Context(), all, nil) {
			if err != nil {
				t.Fatal(err)
			}
			may := d.Host != "h2.example"
			if limited.MayRead(d) != may || (d.Text != "") != may || !may && (d.Entities != nil || d.Custom != nil) ||
				d.URL == "" {
				t.Errorf("%+v", d)
			}
		}
		onlyWhole(t, limited, docs)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// onlyWhole checks that content is searched, counted and excerpted in readable captures only.
func onlyWhole(t *testing.T, db *DB, docs []*schemas.Document) {
	t.Helper()
	for _, words := range []string{
		"secret1", `"secret1"`, `text:secret1`, "custom.price = 3", "entity = P0", "NOT NOT secret1", "-(-secret1)",
		`secret1 OR host = nowhere.example`, "tags != a", "quality.words < 5", "description != x",
	} {
		where := filter(t, words)
		want := int64(0)
		for _, d := range docs {
			if d.Host != "h2.example" && query.Match(where, d) {
				want++
			}
		}
		q := query.Query{Where: where, AllVersions: true, Limit: 100}
		a, err := db.Ask(t.Context(), Request{
			Query: q, Columns: []string{"url"}, Excerpt: 80, Count: true,
			Facets: []string{"host"},
		})
		if err != nil || a.Count != want {
			t.Errorf("%s: %d found, %v, want %d", words, a.Count, err, want)
			continue
		}
		for _, g := range a.Facets["host"] {
			if g.Values[0] == "h2.example" {
				t.Errorf("%s counts the host", words)
			}
		}
	}
	hidden := query.Query{Where: filter(t, "host = h2.example"), AllVersions: true, Limit: 100}
	a, err := db.Ask(t.Context(), Request{
		Query: hidden, Columns: []string{"url", "text"}, Excerpt: 80,
		Facets: []string{"entity"},
	})
	if err != nil || len(a.Rows) == 0 || len(a.Facets["entity"]) > 0 {
		t.Errorf("%d rows, %v, %v", len(a.Rows), a.Facets, err)
	}
	for _, r := range a.Rows {
		if r.Text != "" || strings.Contains(r.Excerpt.Text, "secret") || db.MayRead(r.Document) {
			t.Errorf("%+v", r)
		}
	}
}

// TestLimited_refuses: what can only be said of the whole collection is an error.
func TestLimited_refuses(t *testing.T) {
	db, err := Open(t.Context(), build(t, t.TempDir(), corpus(9, 20), []string{holdings.FormatParquet}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	limited, err := db.Limited(t.Context(), Limits{Listed: filter(t, "host = h1.example")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := limited.Overview(t.Context(), 3); !errors.Is(err, ErrLimited) {
		t.Errorf("an overview: %v", err)
	}
	q := query.Query{At: time.Now()}
	if _, err := limited.Count(t.Context(), q); !errors.Is(err, ErrLimited) {
		t.Errorf("a moment: %v", err)
	}
	if _, err := db.Limited(t.Context(), Limits{Whole: filter(t, "NOT secret")}); err == nil {
		t.Error("limits by the words of what must not be read")
	}
	if limited.MayRead(&schemas.Document{}) || !limited.IsLimited() || db.IsLimited() {
		t.Error("a document without anything may be read")
	}
	if err := limited.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Count(context.Background(), query.Query{}); err != nil {
		t.Errorf("closing a view closed the collection: %v", err)
	}
}

// TestLimited_links: pages that may not be read have no links, whatever the rule reads.
func TestLimited_links(t *testing.T) {
	docs := corpus(10, 80)
	db, err := Open(t.Context(), build(t, t.TempDir(), docs, []string{holdings.FormatParquet, holdings.FormatLinks}),
		Options{NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	for _, rule := range []string{
		"NOT surt = \"example,h2)*\"", "NOT mime:pdf", "timestamp < 2026-06",
		"NOT mime:nothing",
	} {
		limited, err := db.Limited(t.Context(), Limits{Whole: filter(t, rule)})
		if err != nil {
			t.Fatal(err)
		}
		blocked := map[[2]string]bool{}
		for _, d := range docs {
			if !query.Match(filter(t, rule), d) {
				blocked[[2]string{d.SURT, d.Timestamp}] = true
			}
		}
		want := 0
		for _, d := range docs {
			if !blocked[[2]string{d.SURT, d.Timestamp}] {
				want++
			}
		}
		n := 0
		for l, err := range limited.Links(t.Context()) {
			if err != nil || blocked[[2]string{l.SURT, l.Timestamp}] {
				t.Fatalf("%s: %v %v", rule, l, err)
			}
			n++
		}
		if n != want || rule != "NOT mime:nothing" && n == len(docs) {
			t.Errorf("%s: %d links, want %d", rule, n, want)
		}
	}
}

func inOrder(docs []*schemas.Document) func([]string) iter.Seq2[*schemas.Document, error] {
	return func([]string) iter.Seq2[*schemas.Document, error] { return all(docs) }
}

// TestLimited_revisits: a revisit has the title of its original, and is not listed if the original is not.
func TestLimited_revisits(t *testing.T) {
	page := func(host string, offset int64) *schemas.Document {
		return &schemas.Document{
			URL: "http://" + host + ".example/a", SURT: "example," + host + ")/a", Host: host + ".example", Filename: "a.warc",
			Timestamp: "2024-01-01T00:00:00Z", Offset: offset, RecordType: schemas.TypeResponse, Title: host + " title",
			Digest: "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" + string(rune('A'+offset)), RecordID: fmt.Sprint("urn:x:", offset),
		}
	}
	revisit := func(host string, offset int64, of *schemas.Document, to *schemas.Reference) *schemas.Document {
		d := page(host, offset)
		d.Timestamp, d.RecordType, d.Title, d.Digest, d.RefersTo = "2024-02-01T00:00:00Z", schemas.TypeRevisit, "", of.Digest,
			to
		return d
	}
	closed, open := page("closed", 0), page("open", 1)
	docs := []*schemas.Document{
		closed, open,
		revisit("url", 2, closed, &schemas.Reference{URL: closed.URL, Timestamp: closed.Timestamp}),
		revisit("digest", 3, closed, nil),
		revisit("id", 4, closed, &schemas.Reference{RecordID: closed.RecordID}),
		revisit("open", 5, open, &schemas.Reference{URL: open.URL, Timestamp: open.Timestamp}),
		revisit("other", 6, open, nil),
		revisit("false", 7, closed, &schemas.Reference{URL: open.URL, Timestamp: open.Timestamp}),
	}
	f := build(t, t.TempDir(), docs, []string{holdings.FormatParquet}, []string{holdings.FormatJSONL})
	for _, o := range []Options{{NoIndex: true}, {}} {
		db, err := Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		limited, err := db.Limited(t.Context(), Limits{Listed: filter(t, "NOT host = closed.example")})
		if err != nil {
			t.Fatal(err)
		}
		groups, err := limited.Facets(t.Context(), query.Query{AllVersions: true}, []string{"title"}, 0)
		if diff := cmp.Diff([]Group{{[]string{"open title"}, 3}}, groups); diff != "" || err != nil {
			t.Errorf("%v: %v\n%s", o.NoIndex, err, diff)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
