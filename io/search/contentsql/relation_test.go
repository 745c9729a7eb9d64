package contentsql

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// site makes a collection of one unit with pages, what they name, their links and feeds.
func site(t *testing.T, formats ...string) (f folder.Folder) {
	t.Helper()
	f = folder.Open(t.Context(), t.TempDir(), nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // the test is over by then
	u := schemas.Unit{Inputs: []schemas.Range{{File: "a.warc", End: 1}}}
	_, _, err = c.Resume([]schemas.Unit{u}, []string{ledger.Key(u, nil, nil)}, nil)
	var w *shard.Writer
	if err == nil {
		w, err = shard.NewWriter(f, u, ledger.Key(u, nil, nil), shard.Options{
			Formats: formats,
			Feeds:   true,
		})
	}
	for i := 0; err == nil && i < 6; i++ {
		err = page(w, i, slices.Contains(formats, holdings.FormatLinks))
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Commit(schemas.Counts{Documents: 6}, ledger.Note{})
	if err == nil {
		_, err = c.Finish([]schemas.UnitResult{r}, collection.Run{Units: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// page writes the i-th page.
func page(w *shard.Writer, i int, links bool) error {
	host := []string{"a.example", "b.example"}[i%2]
	at := fmt.Sprintf("2026-03-01T00:00:0%d.5Z", i/2)
	d := &schemas.Document{
		URL: fmt.Sprintf("http://%s/%d", host, i/4), SURT: fmt.Sprintf("example,%s)/%d", host[:1], i/4), Host: host,
		Domain: host, Timestamp: at, Filename: "a.warc", Offset: int64(i), Length: int64(10 * i),
		Language: []string{"fr", "en"}[i/3],
		Entities: []schemas.Entity{
			{Type: "place", Text: "Paris", Source: "tagger", Count: i, Confidence: .5},
			{Type: "person", Text: "Ann", Source: "jsonld", Mentions: []schemas.Span{{Start: 1, End: 4}}},
		}[:i%3],
	}
	if err := w.Document(d); err != nil {
		return err
	}
	if i == 0 {
		f := schemas.FeedCapture{
			Kind: "feed", URL: d.URL, Type: "rss", Timestamp: at, Newest: "2026-02-28T23:00:00Z", Filename: "a.warc",
			Count: 2,
			Items: []schemas.FeedItem{{URL: "http://a.example/i"}},
		}
		if err := w.Feed(f); err != nil {
			return err
		}
	}
	if !links {
		return nil
	}
	return w.Links([]schemas.Link{
		{
			SURT: d.SURT, URL: d.URL, Host: host, Timestamp: at, Target: "http://a.example/1", TargetHost: "a.example",
			Place: "main",
		},
		{SURT: d.SURT, URL: d.URL, Host: host, Timestamp: at, Target: "http://c.example/", Text: "c", Place: "other"},
	})
}

// shelfOfSources is a database of sources.
type shelfOfSources struct{}

func (shelfOfSources) All(context.Context) iter.Seq2[schemas.Source, error] {
	return func(yield func(schemas.Source, error) bool) {
		_ = yield(schemas.Source{
			ID: "0a", URL: "http://a.example/rss", Host: "a.example", Verdict: "valid",
			LastItem: "2026-03-01T00:00:00Z",
		}, nil) &&
			yield(schemas.Source{
				ID: "0b", URL: "http://b.example/rss", Host: "b.example", Verdict: "rejected",
				Reasons: []string{"list"},
			}, nil)
	}
}

func (shelfOfSources) SourceOf(_ context.Context, url string) (string, bool, error) {
	ok := strings.HasPrefix(url, "http://a.")
	return map[bool]string{true: "0a"}[ok], ok, nil
}

// tableQuestions are of the tables of site and shelfOfSources.
var tableQuestions = []asks{
	{
		"select type, text, sum(count), count(*) from entities group by 1, 2 order by 1",
		[]string{`["person","Ann",null,2]`, `["place","Paris",12,4]`},
	},
	{
		"select offset, timestamp, confidence from entities where text = 'Paris' and host = 'a.example' order by 1",
		[]string{`[2,"2026-03-01T00:00:01.500000Z",0.5]`, `[4,"2026-03-01T00:00:02.500000Z",0.5]`},
	},
	{"select count(*) from entities('lang = en') where type = 'place'", []string{`[2]`}},
	{
		"select mentions ->> '$[0].end' from entities where id is null and source = 'jsonld' limit 1",
		[]string{`[4]`},
	},
	{
		"select a.text from entities a join entities b on a.row_key = b.row_key " +
			"where a.offset = 2 or b.offset = 2 order by 1",
		[]string{`["Ann"]`, `["Paris"]`},
	},
	{"select * from hosts order by host", []string{
		`["a.example","a.example",3,2,60,"2026-03-01T00:00:00.500000Z","2026-03-01T00:00:02.500000Z"]`,
		`["b.example","b.example",3,2,90,"2026-03-01T00:00:00.500000Z","2026-03-01T00:00:02.500000Z"]`,
	}},
	{
		"select count(*) from hosts where first > '2026-03-01T00:00:00Z' and last = '2026-03-01T01:00:02.5+01:00'",
		[]string{`[2]`},
	},
	{
		"select target, count(*), min(timestamp) from links where place = 'main' group by 1",
		[]string{`["http://a.example/1",6,"2026-03-01T00:00:00.500000Z"]`},
	},
	{"select distinct d.offset from links l join documents d on d.url = l.target order by 1", []string{`[4]`}},
	{"select count(*) from links where text is null and timestamp > '2026-03-01T00:00:01.5Z'", []string{`[2]`}},
	{
		"select url, newest, timestamp, count, items ->> '$[0].url' from feeds",
		[]string{`["http://a.example/0","2026-02-28T23:00:00.000000Z","2026-03-01T00:00:00.500000Z",2,"http://a.example/i"]`},
	},
	{
		"select source_id, last_item, reasons from sources order by 1",
		[]string{`["0a","2026-03-01T00:00:00.000000Z",null]`, `["0b",null,"[\"list\"]"]`},
	},
	{
		"select s.verdict, count(*) from documents d left join sources s using (source_id) group by 1 order by 1",
		[]string{`[null,3]`, `["valid",3]`},
	},
	{"select offset from documents where source_id = '0a' and status is null order by 1 limit 1", []string{`[0]`}},
	{"select count(*) from documents('NOT (source = 0a OR lang = en)')", []string{`[1]`}},
}

// TestQuery_tables: each table has what documents, links, feeds and sources say, and they can be joined.
func TestQuery_tables(t *testing.T) {
	f := site(t, holdings.FormatParquet, holdings.FormatLinks)
	for name, o := range map[string]contentdb.Options{"index": {}, "shards": {NoIndex: true}} {
		db, err := contentdb.Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range tableQuestions {
			if diff := cmp.Diff(x.want, answerOf(t, db, x.statement, Options{Sources: shelfOfSources{}})); diff != "" {
				t.Errorf("%s: %s (-want, +got)\n%s", name, x.statement, diff)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestQuery_tablesNotThere: a table that a collection lacks causes a message, and not an empty table.
func TestQuery_tablesNotThere(t *testing.T) {
	f := site(t, holdings.FormatParquet)
	db, err := contentdb.Open(t.Context(), f, contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	earlier, err := contentdb.Open(t.Context(), f, contentdb.Options{Files: []schemas.Shard{}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = earlier.Close() }() // the test is over by then
	without, err := contentdb.Open(t.Context(), build(t, corpus(8), holdings.FormatParquet), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = without.Close() }() // the test is over by then
	for _, x := range []struct {
		db              *contentdb.DB
		statement, want string
	}{
		{db, "select * from links", "--format=links"},
		{without, "select * from feeds", "--extract=feeds"},
		{earlier, "select * from links", "documents alone"},
		{earlier, "select count(*) from feeds", "documents alone"},
		{db, "select 1 from sources", "--sources"},
		{db, "select * from feeds('lang = fr')", "documents and entities"},
	} {
		rows, err := Query(t.Context(), x.db, x.statement, Options{})
		if err == nil {
			for rows.Next() {
				t.Errorf("%s: %v", x.statement, rows.Values())
			}
			err = errors.Join(rows.Err(), rows.Close())
		}
		if !errors.Is(err, ErrStatement) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.statement, err, x.want)
		}
	}
}

// TestQuery_leavesNothing: a question that has ended is forgotten.
func TestQuery_leavesNothing(t *testing.T) {
	db, err := contentdb.Open(t.Context(), site(t, holdings.FormatParquet), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	answer(t, db, "select * from documents limit 1")
	if _, err := Query(t.Context(), db, "select nothing from documents", Options{}); err == nil {
		t.Error("no error")
	}
	questions.Range(func(n, _ any) bool {
		t.Errorf("question %v is kept", n)
		return true
	})
}
