package contentsql

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/shard"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// corpus makes documents in which most fields are there and absent, and times have fractions, zones and none.
func corpus(n int) (list []*schemas.Document) {
	r := rand.New(rand.NewPCG(1, 0))
	links := 3
	for i := range n {
		page := r.IntN(n/4 + 1)
		d := &schemas.Document{
			URL: fmt.Sprintf("http://h%d.example/%d", page%7, page), SURT: fmt.Sprintf("example,h%d)/%d", page%7, page),
			Host: fmt.Sprintf("h%d.example", page%7), RecordType: schemas.TypeResponse, Filename: fmt.Sprintf("a%d.warc", i%5),
			Offset: int64(i * 100), Sequence: i % 2, Status: []int{200, 404, 0}[r.IntN(3)], Damaged: r.IntN(4) == 0,
			MIMEDetected: []string{"text/html", "application/pdf"}[r.IntN(2)],
			Language:     []string{"fr", "FR", "en", "*", ""}[r.IntN(5)],
			Title:        []string{"Budget", "Été", "l'été", ""}[r.IntN(4)], Text: strings.Repeat("le gouvernement ", r.IntN(5)),
			Published: []string{"2026-03-01", "2026-03-01T10:00:00+02:00", ""}[r.IntN(3)],
		}
		if r.IntN(2) == 0 {
			d.Entities = []schemas.Entity{{Type: "place", Text: "Paris", Source: "tagger"}}
			d.LinksInternal, d.Custom = &links, map[string][]string{"price": {"3"}}
		}
		if r.IntN(20) > 0 {
			t := time.Date(2026, time.Month(1+r.IntN(4)), 1, 0, 0, r.IntN(2), r.IntN(2)*5e8, time.UTC)
			d.Timestamp = t.Format(time.RFC3339Nano)
		}
		list = append(list, d)
	}
	return list
}

// build writes the documents as a collection of a unit for each format.
func build(t *testing.T, docs []*schemas.Document, formats ...string) folder.Folder {
	t.Helper()
	f := folder.Open(t.Context(), t.TempDir(), nil)
	c, err := collection.Open(f, collection.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // the test is over by then
	var units []schemas.Unit
	var keys []string
	for i := range formats {
		u := schemas.Unit{ID: i, Inputs: []schemas.Range{{File: fmt.Sprintf("unit%d", i), End: 1}}}
		units, keys = append(units, u), append(keys, ledger.Key(u, nil, nil))
	}
	_, done, err := c.Resume(units, keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range units {
		w, err := shard.NewWriter(f, u, keys[i], shard.Options{Formats: []string{formats[i]}})
		if err != nil {
			t.Fatal(err)
		}
		var counts schemas.Counts
		for j := i; j < len(docs); j += len(units) {
			if err := w.Document(docs[j]); err != nil {
				t.Fatal(err)
			}
			counts.Documents++
		}
		r, err := w.Commit(counts, ledger.Note{})
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

// plainTable is an ordinary table of SQLite with the same rows: what the virtual one is compared with.
func plainTable(t *testing.T, docs []*schemas.Document) *sql.DB {
	t.Helper()
	d, err := openDriver() // which has the collation of times
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector{d})
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	// With row numbers: SQLite 3.54.1 joins tables without them, by an automatic index, to one row where several fit.
	if _, err := db.Exec(strings.NewReplacer(" hidden", "", " without rowid",
		"").Replace(relationOf("documents").declaration())); err != nil {
		t.Fatal(err)
	}
	marks := strings.Repeat("?, ", len(documentColumns)) + "null, ?"
	for n, d := range docs {
		values := make([]any, len(documentColumns)+1)
		values[len(documentColumns)] = n
		for i, c := range documentColumns {
			if values[i], err = c.of(reflect.ValueOf(d).Elem()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.Exec("insert into documents values("+marks+")", values...); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// answer is what a statement gives, a line a row.
func answer(t *testing.T, db *contentdb.DB, statement string) (lines []string) {
	t.Helper()
	return answerOf(t, db, statement, Options{})
}

func answerOf(t *testing.T, db *contentdb.DB, statement string, o Options) (lines []string) {
	t.Helper()
	rows, err := Query(t.Context(), db, statement, o)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer func() { _ = rows.Close() }() // the test is over by then
	for rows.Next() {
		lines = append(lines, line(t, rows.Values()))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return lines
}

func line(t *testing.T, values []any) string {
	t.Helper()
	b, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// plainAnswer is what SQLite alone gives.
func plainAnswer(t *testing.T, db *sql.DB, statement string) (lines []string) {
	t.Helper()
	rows, err := db.Query(statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	defer func() { _ = rows.Close() }() // the test is over by then
	names, err := rows.Columns()
	for err == nil && rows.Next() {
		values, to := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			to[i] = &values[i]
		}
		if err = rows.Scan(to...); err == nil {
			lines = append(lines, line(t, values))
		}
	}
	if err = errors.Join(err, rows.Err()); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return lines
}

// allColumns are all but the hidden ones, which SQLite's own table does not hide.
func allColumns() string {
	return `"` + strings.Join(contentdb.Columns(), `", "`) + `"`
}

// others is how many of conditions are not comparisons of a column with a value.
const others = 16

// conditions are what may stand after where: all kinds of columns, operators and values, also of other types.
func conditions() (list []string) {
	values := map[string][]string{
		"language":    {"'fr'", "'FR'", "'*'", "''", "5", "null"},
		"url":         {"'http://h3.example/3'", "'http://h3.example/*'"},
		"surt":        {"'example,h2)/'", "'example,h2)/16'"},
		"title":       {"'Budget'", "'l''été'"},
		"status":      {"200", "'200'", "200.0", "199.5", "404", "0", "-1", "9223372036854775807"},
		"sequence":    {"0", "1"},
		"damaged":     {"0", "1", "2", "true"},
		"offset":      {"0", "500"},
		"published":   {"'2026-03-01'"},
		"record_type": {"'response'"},
		"timestamp": {
			"'2026'", "'2026-02'", "'2026-02-01'", "'2026-02-01T00:00:00Z'", "'2026-02-01T00:00:00.5Z'",
			"'2026-02-01T00:00:01Z'",
			"'2026-02-01T00:00:01.5Z'", "'2026-02-01T01:00:00+01:00'", "'20260201'", "'9'", "'2026-02-31'", "5",
		},
		"entities":       {`'[{"type":"place","text":"Paris","source":"tagger"}]'`},
		"links_internal": {"3"},
	}
	for column, all := range values {
		for _, v := range all {
			for _, op := range []string{"=", "<", "<=", ">", ">=", "<>", "is", "glob"} {
				list = append(list, fmt.Sprintf("%s %s %s", column, op, v))
			}
		}
	}
	slices.Sort(list)
	return append(list, "title is null", "status is not null", "language in ('fr', 'en')",
		"url glob 'http://h3.example/1*'",
		"url glob '*3'", "title like 'budget'", "language = 'fr' collate nocase", "language > 'fr' collate nocase",
		"language = 'fr' or status = 404", "not language = 'fr'", "5 < status", "timestamp between '2026-02' and '2026-03'",
		"(language, status) = ('fr', 200)", "date(timestamp) = '2026-02-01'", "entities ->> '$[0].text' = 'Paris'")
}

// TestQuery_isSQLite: whatever a statement asks, with the index or by shards of either form, it gives what it gives in
// a table of SQLite's own.
func TestQuery_isSQLite(t *testing.T) {
	docs := corpus(300)
	f := build(t, docs, holdings.FormatParquet, holdings.FormatJSONL)
	plain := plainTable(t, docs)
	var statements []string
	list := conditions()
	r := rand.New(rand.NewPCG(3, 3))
	for i, c := range list {
		if os.Getenv("GLEANER_SLOW") == "" && i%10 != 0 && i < len(list)-others {
			continue
		}
		statements = append(statements, "select filename, offset, sequence, title from documents where "+c+
			" order by 1, 2, 3")
		and := fmt.Sprintf("select count(*), min(offset) from documents where %s and %s or %s", c, list[r.IntN(len(list))],
			list[r.IntN(len(list))])
		if i%20 == 0 {
			statements = append(statements, and)
		}
	}
	statements = append(statements, "select count(*) from documents", "select "+allColumns()+
		" from documents order by offset",
		"select language, count(*), sum(length(text)) from documents group by language order by 1",
		"select url, max(timestamp || offset), status from documents where sequence = 0 group by surt order by surt",
		"with d as (select * from documents where language = 'fr') select count(*) from d join documents using (surt)",
		"select a.url, b.status from documents a left join documents b on b.surt = a.surt and b.status = 404 order by 1, "+
			"a.offset, 2, b.offset",
		"select count(*), min(a.offset), max(b.offset) from documents a join documents b "+
			"on a.published = b.published and a.entities = b.entities",
		"select offset, row_number() over (partition by host order by offset) from documents order by 1 limit 20",
		"select e.value ->> '$.text', count(*) from documents, json_each(entities) e group by 1",
		"select (select count(*) from documents b where b.host = a.host) from documents a order by 1 limit 3",
		"values (1, 2.5, 'x', null)", "select 1; -- the end")
	for name, o := range map[string]contentdb.Options{"index": {}, "shards": {NoIndex: true}} {
		t.Run(name, func(t *testing.T) {
			db, err := contentdb.Open(t.Context(), f, o)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }() // the test is over by then
			for _, s := range statements {
				if diff := cmp.Diff(plainAnswer(t, plain, s), answer(t, db, s)); diff != "" {
					t.Errorf("%s: (-SQLite, +ours)\n%s", s, diff)
				}
			}
		})
	}
}

// TestQuery_filter: parentheses after the table's name hold a filter of the query language.
func TestQuery_filter(t *testing.T) {
	docs := corpus(300)
	db, err := contentdb.Open(t.Context(), build(t, docs, holdings.FormatParquet), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	for _, pair := range [][2]string{
		{"select count(*) from documents('language = fr')", "select count(*) from documents where language = 'fr'"},
		{"select count(*) from documents('gouvernement')", "select count(*) from documents where text like '%gouvernement%'"},
		{
			"select count(*) from documents('gouvernement') where status = 200",
			"select count(*) from documents where text like '%gouvernement%' and status = 200",
		},
		{
			"select count(*) from documents where filter = 'entity = Paris'",
			"select count(*) from documents where entities is not null",
		},
		{"select count(*) from documents('')", "select count(*) from documents"},
		{"select count(*) from documents(null)", "select 0"},
		{
			"with f(x) as (values ('language = fr'), ('language = en')) select x, count(*) from f, documents(f.x) group by 1 " +
				"order by 1",
			"select 'language = ' || language, count(*) from documents where language in ('fr', 'en') group by 1 order by 1",
		},
	} {
		if diff := cmp.Diff(answer(t, db, pair[1]), answer(t, db, pair[0])); diff != "" {
			t.Errorf("%s: %s", pair[0], diff)
		}
	}
}

// TestQuery_lists: the signs of HTML in lists and maps are found as they are in documents.
func TestQuery_lists(t *testing.T) {
	docs := []*schemas.Document{{
		URL: "http://a.example/", SURT: "example,a)/", Filename: "a.warc", Tags: []string{"R&D"},
		Authors:  []string{"<Ann> \u2028 \"B\""},
		Images:   []schemas.PageImage{{URL: "http://a.example/photo?id=1&size=2"}},
		Custom:   map[string][]string{"a<b": {"x>y"}},
		Entities: []schemas.Entity{{Type: "organization", Text: "AT&T"}},
	}}
	for _, format := range []string{holdings.FormatJSONL, holdings.FormatParquet} {
		db, err := contentdb.Open(t.Context(), build(t, docs, format), contentdb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }() // it is only read
		for _, where := range []string{
			"images like '%id=1&size=2%'", `tags = '["R&D"]'`, "tags glob '*R&D*'", "instr(entities, 'AT&T') > 0",
			"authors like '%<Ann>%'", `custom = '{"a<b":["x>y"]}'`, "json_extract(tags, '$[0]') = 'R&D'",
			"length(tags) = 7",
		} {
			if got := answer(t, db, "select count(*) from documents where "+where); !slices.Equal(got, []string{"[1]"}) {
				t.Errorf("%s, %s: %v", format, where, got)
			}
		}
	}
}

// TestQuery_refused: nothing is written, opened or answered in part.
func TestQuery_refused(t *testing.T) {
	db, err := contentdb.Open(t.Context(), build(t, corpus(20), holdings.FormatParquet), contentdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // the test is over by then
	dir := t.TempDir()
	for _, s := range []string{
		"", " ; ", "-- nothing", "select", "select * from nowhere", "select nothing from documents",
		`select * from documents where language = "fr"`,
		"select 1; select 2", "select 1;;/* a */ drop table documents", "attach '" + dir + "/x.db' as x", "vacuum into '" +
			dir + "/y.db'",
		"create table x(y)", "create temp table x(y)", "drop table documents", "delete from documents",
		"insert into documents(url) values('x')",
		"update documents set url = 'x'", "pragma temp_store_directory = '" + dir + "'", "select * from pragma_database_list",
		"select load_extension('x')", "select count(*) from documents('langage = fr')", "select count(*) from documents(5)",
		"select zeroblob(1000000000)", "begin", "commit", "select 1 \x00 drop",
	} {
		err := func() error {
			rows, err := Query(t.Context(), db, s, Options{})
			if err != nil {
				return err
			}
			defer func() { _ = rows.Close() }() // the test is over by then
			for rows.Next() {
				continue
			}
			return rows.Err()
		}()
		if !errors.Is(err, ErrStatement) {
			t.Errorf("%s: %v, want ErrStatement", s, err)
		}
	}
	if got := answer(t, db, "select count(*) from documents"); got[0] != "[20]" {
		t.Errorf("%v documents are left", got)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("%v, %v in the folder", names, err)
	}
}
