package contentsql

import (
	stdcmp "cmp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/schemas"
)

// asks is a statement and the rows that it has, by the index and without it.
type asks struct {
	statement string
	want      []string
}

// askBoth asks statements in both ways.
func askBoth(t *testing.T, docs []*schemas.Document, list []asks) {
	t.Helper()
	f := build(t, docs, holdings.FormatParquet, holdings.FormatJSONL)
	for name, o := range map[string]contentdb.Options{"index": {}, "shards": {NoIndex: true}} {
		db, err := contentdb.Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			if diff := cmp.Diff(x.want, answer(t, db, x.statement)); diff != "" {
				t.Errorf("%s: %s: (-want, +got)\n%s", name, x.statement, diff)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestQuery_withinASecond: times are compared, ordered, grouped and joined as moments, however a capture or a
// statement writes them.
func TestQuery_withinASecond(t *testing.T) {
	var docs []*schemas.Document
	for i, at := range []string{
		"2026-03-01T00:00:00Z", "2026-03-01T00:00:00.5Z", "2026-03-01T00:00:00.500001Z", "2026-03-01T00:00:01Z",
		"2026-03-01T01:00:00.25+01:00", "2026-02-28T23:59:59.9999999Z", "", "no time", "2026-03-01T00:00:00.50Z",
	} {
		docs = append(docs, &schemas.Document{
			URL: "http://a.example/", SURT: "example,a)/", Filename: "a.warc", Offset: int64(i), Timestamp: at,
			Published: []string{"2026-03-01T00:30:00+01:00", "2026-03-01", "2026-02-28T23:30:00.5Z"}[i%3],
		})
	}
	const offsets = "select json_group_array(offset order by offset) from documents where "
	askBoth(t, docs, []asks{
		{
			"select offset, timestamp from documents order by timestamp, offset",
			[]string{
				`[6,null]`, `[5,"2026-02-28T23:59:59.999999Z"]`, `[0,"2026-03-01T00:00:00.000000Z"]`,
				`[4,"2026-03-01T00:00:00.250000Z"]`,
				`[1,"2026-03-01T00:00:00.500000Z"]`, `[8,"2026-03-01T00:00:00.500000Z"]`, `[2,"2026-03-01T00:00:00.500001Z"]`,
				`[3,"2026-03-01T00:00:01.000000Z"]`, `[7,"no time"]`,
			},
		},
		{offsets + "timestamp = '2026-03-01T00:00:00Z'", []string{`["[0]"]`}},
		{offsets + "timestamp = '2026-03-01T00:00:00.5Z'", []string{`["[1,8]"]`}},
		{offsets + "timestamp in ('2026-03-01T00:00:00.5Z', '2026-03-01T00:00:01.000Z')", []string{`["[1,3,8]"]`}},
		{
			offsets + "timestamp > '2026-03-01T00:00:00Z' and timestamp < '2026-03-01T00:00:01Z'",
			[]string{`["[1,2,4,8]"]`},
		},
		{offsets + "timestamp <= '2026-03-01T00:00:00.500000Z'", []string{`["[0,1,4,5,8]"]`}},
		{
			offsets + "timestamp between '2026-03-01T01:00:00.25+01:00' and '2026-02-28T19:00:00.5-05:00'",
			[]string{`["[1,4,8]"]`},
		},
		{offsets + "'2026-03-01T00:00:00.500000Z' < timestamp and timestamp < '2026-04'", []string{`["[2,3]"]`}},
		{offsets + "timestamp < '2026-03-01' or timestamp = '2026-03-01T00:00:01Z'", []string{`["[3,5]"]`}},
		{offsets + "timestamp glob '2026-03-01T00:00:00.*'", []string{`["[0,1,2,4,8]"]`}},
		{offsets + "case timestamp when '2026-03-01T00:00:01Z' then 1 end", []string{`["[3]"]`}},
		{
			"select a.offset, b.offset from documents a join documents b using (timestamp) where a.offset < b.offset",
			[]string{`[1,8]`},
		},
		{
			"select count(distinct timestamp), min(timestamp) from documents",
			[]string{`[7,"2026-02-28T23:59:59.999999Z"]`},
		},
		{
			"with d as (select timestamp as t from documents) select count(*) from d where t = '2026-03-01T00:00:01Z'",
			[]string{`[1]`},
		},
		// Dates of pages stay as they are stated, and are compared as the moments that they are.
		{
			"select distinct published from documents order by published",
			[]string{`["2026-03-01T00:30:00+01:00"]`, `["2026-02-28T23:30:00.5Z"]`, `["2026-03-01"]`},
		},
		{offsets + "published = '2026-02-28T23:30:00Z'", []string{`["[0,3,6]"]`}},
		{offsets + "published = '2026-03-01'", []string{`["[1,4,7]"]`}},
	})
}

// TestQuery_momentsOfExpressions: values of functions, of CASE and of parts of a union have no collation of their own,
// but are compared as moments.
func TestQuery_momentsOfExpressions(t *testing.T) {
	var docs []*schemas.Document
	for i, at := range []string{
		"2026-03-01T00:00:00Z", "2026-03-01T00:00:00.5Z", "2026-03-01T00:00:00.500001Z", "2026-03-01T00:00:01Z",
		"2026-03-01T00:00:00.25Z", "2026-02-28T23:59:59.9999999Z", "",
	} {
		docs = append(docs, &schemas.Document{
			URL: "http://a.example/", SURT: "example,a)/", Filename: "a.warc", Offset: int64(i), Timestamp: at,
			Published: []string{"2026-03-01T00:30:00+01:00", "2026-03-01", "2026-02-28T23:30:00.5Z"}[i%3],
		})
	}
	const all = " from documents"
	const offsets = "select json_group_array(offset order by offset) from documents where "
	askBoth(t, docs, []asks{
		{
			"select max(timestamp) > '2026-03-01T00:00:01Z', max(timestamp) >= '2026-03-01T00:00:01Z'" + all,
			[]string{"[0,1]"},
		},
		{
			"select host is null, min(timestamp) from documents where offset in (1, 2) group by 1 " +
				"having min(timestamp) >= '2026-03-01T00:00:00.5Z'",
			[]string{`[1,"2026-03-01T00:00:00.500000Z"]`},
		},
		{
			"select offset % 2 as odd from documents where offset < 4 group by odd " +
				"having max(timestamp) <= '2026-03-01T00:00:00.500001Z' and '2026-03-01T00:00:00Z' <= min(timestamp)",
			[]string{"[0]"},
		},
		{
			"select m from (select offset, max(timestamp) as m from documents group by offset) " +
				"where m > '2026-03-01T00:00:00.50Z' order by m",
			[]string{`["2026-03-01T00:00:00.500001Z"]`, `["2026-03-01T00:00:01.000000Z"]`},
		},
		{offsets + "coalesce(timestamp, '2026-03-01T00:00:01Z') = '2026-03-01T01:00:01+01:00'", []string{`["[3,6]"]`}},
		{
			offsets + "case when offset < 5 then timestamp end between '2026-03-01T00:00:00.5Z' and '2026-03-01T00:00:01Z'",
			[]string{`["[1,2,3]"]`},
		},
		{offsets + "case timestamp || '' when '2026-03-01T00:00:01Z' then 1 end", []string{`["[3]"]`}},
		{offsets + "(timestamp || '') in ('2026-03-01T00:00:01Z', '2026-03-01T00:00:00.5Z')", []string{`["[1,3]"]`}},
		{offsets + "offset < 4 and timestamp || '' not  in('x', '2026-03-01T00:00:01Z')", []string{`["[0,1,2]"]`}},
		{"select (select max(timestamp)" + all + ") in ('it''s', '2026-03-01T00:00:01Z', 3)", []string{"[1]"}},
		{"select (select max(timestamp)" + all + ") < '2026-03-01T00:00:01Z'", []string{"[0]"}},
		{
			"select max(timestamp, '2026-03-01T00:00:00Z') from documents where offset = 0",
			[]string{`["2026-03-01T00:00:00.000000Z"]`},
		},
		{"select nullif(timestamp || '', '2026-03-01T00:00:01Z') from documents where offset = 3", []string{"[null]"}},
		{
			"select count(*) from (select max(timestamp) as t from documents union select '2026-03-01T00:00:01Z')",
			[]string{"[1]"},
		},
		{
			"with w(t) as (values ('2026-03-01T00:00:01Z')) select offset from documents join w on timestamp = t",
			[]string{"[3]"},
		},
		{
			"select b.offset from (select max(timestamp) as m from documents) a join documents b on b.timestamp = a.m",
			[]string{"[3]"},
		},
		{
			"select offset from documents where offset in (1, 2, 3) group by offset order by max(timestamp) desc",
			[]string{"[3]", "[2]", "[1]"},
		},
		{
			"select max(published) < '2026-02-28T23:30:00.6Z' from documents where offset % 3 <> 1",
			[]string{"[1]"},
		},
		// As SQLite's datetime writes moments.
		{offsets + "timestamp > '2026-03-01 00:00:00' and timestamp < '2026-03-01T00:00:01'", []string{`["[1,2,4]"]`}},
		{offsets + "timestamp = datetime('2026-03-01 00:00:01')", []string{`["[3]"]`}},
		{"select max(timestamp) > datetime('2026-03-01 00:00:01')" + all, []string{"[0]"}},
		// No value changes, and nothing within other texts, names and comments.
		{
			"select '2026-03-01T00:00:00Z', replace('a2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z', 'b')",
			[]string{`["2026-03-01T00:00:00Z","ab"]`},
		},
		{
			"select \"2026-03-01T00:00:00Z\" /* in ('2026-03-01T00:00:00Z') */ " +
				"from (select 2 as \"2026-03-01T00:00:00Z\") -- '2026-03-01T00:00:00Z'",
			[]string{"[2]"},
		},
		{
			"select 'x in (''2026-03-01T00:00:00Z'')', '''2026-03-01T00:00:00Z''', '2026-03-01T00:00:00Z' like '2026-%', " +
				"'2026-03-01T00:00:00Z' glob '*Z'",
			[]string{`["x in ('2026-03-01T00:00:00Z')","'2026-03-01T00:00:00Z'",1,1]`},
		},
	})
}

// TestQuery_momentsInNames: a column without a name has that of its expression, as the statement writes it.
func TestQuery_momentsInNames(t *testing.T) {
	docs := []*schemas.Document{{URL: "http://a.example/", Timestamp: "2026-03-01T00:00:00Z"}}
	db, err := contentdb.Open(t.Context(), build(t, docs, holdings.FormatJSONL), contentdb.Options{NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	for expression, want := range map[string]string{
		"max(timestamp) > '2026-03-01T00:00:00Z'":            "",
		"count(*) as '2026-03-01T00:00:00Z'":                 "2026-03-01T00:00:00Z",
		"count(*) in ('2026-03-01T00:00:00Z')":               "",
		"count(*) as \"'2026-03-01T00:00:00Z'\", url in (1)": "'2026-03-01T00:00:00Z'",
	} {
		rows, err := Query(t.Context(), db, "select "+expression+" from documents", Options{})
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if got := rows.Columns()[0]; got != stdcmp.Or(want, expression) {
			t.Errorf("column %q, want %q", got, stdcmp.Or(want, expression))
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
	err = failure(t, db, "select '2026-03-01T00:00:00Z' frm documents x")
	if err == nil || strings.Contains(err.Error(), "collate") {
		t.Errorf("the error is of another statement: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// TestQuery_emptyTexts: the empty text is a value where a field is never absent, and is before all others.
func TestQuery_emptyTexts(t *testing.T) {
	unkind := schemas.Float(-.5)
	docs := []*schemas.Document{
		{URL: "", Filename: "", Offset: 1},
		{URL: "http://a.example/", Filename: "b", Offset: 2, RecordType: "response"},
		{URL: "", Filename: "a", Offset: 3, RecordType: "response", SURT: "x"},
		{URL: "urn:x", Filename: "a", Offset: 4, Entities: []schemas.Entity{
			{Text: "", Source: "z"}, {Text: "b", Sentiment: &unkind},
		}},
	}
	const moods = "select text, sentiment from entities where "
	const offsets = "select json_group_array(offset order by offset) from documents where "
	askBoth(t, docs, []asks{
		{offsets + "url < 'http:'", []string{`["[1,3]"]`}},
		{offsets + "url <= 'http://a.example/'", []string{`["[1,2,3]"]`}},
		{offsets + "url between '' and 'i'", []string{`["[1,2,3]"]`}},
		{offsets + "not url >= 'http:'", []string{`["[1,3]"]`}},
		{offsets + "url < 'http:' and offset > 1", []string{`["[3]"]`}},
		{offsets + "url = ''", []string{`["[1,3]"]`}},
		{offsets + "url is not null", []string{`["[1,2,3,4]"]`}},
		{offsets + "url >= ''", []string{`["[1,2,3,4]"]`}},
		{offsets + "url glob '*'", []string{`["[1,2,3,4]"]`}},
		{offsets + "filename < 'b' and record_type < 's'", []string{`["[1,3,4]"]`}},
		{offsets + "record_type < 'r'", []string{`["[1,4]"]`}},
		{offsets + "surt < 'y'", []string{`["[3]"]`}}, // absent where it is empty, and NULL
		{"select source from entities where text < 'b'", []string{`["z"]`}},
		{"select text from entities where source < 'a' and url < 'v'", []string{`["b"]`}},
		{moods + "sentiment < 0", []string{`["b",-0.5]`}},
		{moods + "sentiment > 0", nil},
		{moods + "sentiment is null", []string{`["",null]`}},
	})
}

// TestMoment: texts that are one moment are one text, and the order is one.
func TestMoment(t *testing.T) {
	list := []string{
		"", "2026", "2026-03-01", "2026-03-01T00:00", "2026-03-01T00:00:00", "2026-03-01T00:00:00Z",
		"2026-03-01T00:00:00.1Z",
		"2026-03-01T00:00:01+00:00", "2026-03-01T00:00:02-00:00", "2026-03-01T01:00:02.5+01:00", "2026-03-02T", "x",
	}
	if !slices.IsSortedFunc(list, compareMoments) {
		t.Errorf("%q are not in order", list)
	}
	for _, pair := range [][2]string{
		{"2026-03-01T00:00:00Z", "2026-03-01T00:00:00.000Z"}, {
			"2026-03-01T00:00:00.1Z",
			"2026-03-01T01:00:00.100000000+01:00",
		},
	} {
		if compareMoments(pair[0], pair[1]) != 0 {
			t.Errorf("%q are not one moment", pair)
		}
	}
}
