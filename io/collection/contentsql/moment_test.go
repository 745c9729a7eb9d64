package contentsql

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/contentdb"
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
	f := build(t, docs, collection.FormatParquet, collection.FormatJSONL)
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

// TestQuery_emptyTexts: the empty text is a value where a field is never absent, and stands before all others.
func TestQuery_emptyTexts(t *testing.T) {
	docs := []*schemas.Document{
		{URL: "", Filename: "", Offset: 1},
		{URL: "http://a.example/", Filename: "b", Offset: 2, RecordType: "response"},
		{URL: "", Filename: "a", Offset: 3, RecordType: "response", SURT: "x"},
		{URL: "urn:x", Filename: "a", Offset: 4, Entities: []schemas.Entity{{Text: "", Source: "z"}, {Text: "b"}}},
	}
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
