package contentsql

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// shop is a collection with values of all types, and of texts from before the columns had types. Its first units may be
// made with other options.
func shop(t *testing.T, made ...map[string]any) folder.Folder {
	t.Helper()
	var docs []*schemas.Document
	for i, text := range []string{
		`{"custom_integers": {"stars": [4, 10]}, "custom_floats": {"score": [0.5]}, "custom_booleans": {"sold": [true]}}`,
		`{"custom_times": {"seen": ["2026-03-04T10:30:00.5Z"]}, "custom_integers": {"stars": [-3]},
			"custom": {"name": ["tea", "x"]}}`,
		`{"custom": {"stars": ["7", "many"], "score": ["2"], "sold": ["false"], "seen": ["2026-03-05"]}}`,
		`{}`,
		`{"custom_floats": {"score": [9]}, "custom": {"name": ["7"]}, "custom_integers": {"other": [1]}}`,
	} {
		d := &schemas.Document{}
		if err := json.Unmarshal([]byte(text), d); err != nil {
			t.Fatal(err)
		}
		d.URL, d.SURT, d.Filename, d.Offset = "http://a.example/", "example,a)/", "a.warc", int64(i)
		docs = append(docs, d)
	}
	f := build(t, docs, holdings.FormatParquet, holdings.FormatJSONL)
	m, err := holdings.ReadManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	m.Options = map[string]any{holdings.OptionCustomTypes: map[string]schemas.ValueType{
		"stars": schemas.TypeInteger, "score": schemas.TypeFloat, "sold": schemas.TypeBoolean, "seen": schemas.TypeTime,
		"name": schemas.TypeText,
	}}
	for i, options := range made {
		m.Units[i].MadeWith = options
	}
	data, err := ledger.EncodeManifest(m)
	if err == nil {
		err = f.Write(holdings.ManifestFile, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestQuery_custom: values have their types, by the index and without it.
func TestQuery_custom(t *testing.T) {
	f := shop(t)
	for name, o := range map[string]contentdb.Options{"index": {}, "shards": {NoIndex: true}} {
		db, err := contentdb.Open(t.Context(), f, o)
		if err != nil {
			t.Fatal(err)
		}
		const stars = "select offset, value from custom where name = 'stars' and "
		for _, x := range []asks{
			{
				"select offset, position, type, value, typeof(value) from custom where name in ('stars', 'seen') order by 1, 2, 3",
				[]string{
					`[0,0,"integer",4,"integer"]`, `[0,1,"integer",10,"integer"]`, `[1,0,"integer",-3,"integer"]`,
					`[1,0,"time","2026-03-04T10:30:00.500000Z","text"]`, `[2,0,"integer",7,"integer"]`,
					`[2,0,"time","2026-03-05T00:00:00.000000Z","text"]`, `[2,1,"text","many","text"]`,
				},
			},
			{stars + "value > 4 and type = 'integer' order by 2", []string{"[2,7]", "[0,10]"}},
			{stars + "value = 4", []string{"[0,4]"}},
			{stars + "value in (4, 7, 9) order by 2", []string{"[0,4]", "[2,7]"}},
			{stars + "value < 0", []string{"[1,-3]"}},
			{stars + "value > 4.5 and value < 8", []string{"[2,7]"}},
			{stars + "not value > 4 order by 2", []string{"[1,-3]", "[0,4]"}},
			{"select sum(value), max(value) from custom where name = 'stars' and type = 'integer'", []string{"[18,10]"}},
			{"select offset from custom where name = 'score' and value >= 2 order by value", []string{"[2]", "[4]"}},
			{"select offset from custom where name = 'sold' and value = 1", []string{"[0]"}},
			{"select offset from custom where name = 'sold' and value = 0", []string{"[2]"}},
			{
				"select offset from custom where name = 'seen' and value > '2026-03-04T10:30:00Z' order by 1",
				[]string{"[1]", "[2]"},
			},
			{"select offset from custom where name = 'seen' and value = '2026-03-04T11:30:00.5+01:00'", []string{"[1]"}},
			{"select offset from custom where name = 'seen' and value < '2026-03-05'", []string{"[1]"}},
			{
				"select offset, value from custom where name = 'name' and value < 'u' order by 1",
				[]string{`[1,"tea"]`, `[4,"7"]`},
			},
			{"select count(*) from custom where name = 'none'", []string{"[0]"}},
			{"select count(*) from custom('custom.stars > 5') where offset < 9", []string{"[9]"}},
			{"select name, count(*) from custom group by name order by 1", []string{
				`["name",3]`, `["other",1]`, `["score",3]`, `["seen",2]`, `["sold",2]`, `["stars",5]`,
			}},
			{
				"select d.offset, c.value from documents d left join custom c on c.filename = d.filename and c.offset = d.offset " +
					"and c.name = 'score' order by 1",
				[]string{"[0,0.5]", "[1,null]", "[2,2]", "[3,null]", "[4,9]"},
			},
			{"select count(*) from custom where name = 'STARS' collate nocase", []string{"[5]"}},
		} {
			if diff := cmp.Diff(x.want, answer(t, db, x.statement)); diff != "" {
				t.Errorf("%s: %s: (-want, +got)\n%s", name, x.statement, diff)
			}
		}
		for where, want := range map[string]string{
			"name = 'stars' and value > 'many'":           "type integer: compare it with a number",
			"name = 'stars' and value in (4, 'x')":        "type integer",
			"value = '7' and name = 'score'":              "type float",
			"name = 'sold' and value = 'true'":            "type boolean",
			"name = 'seen' and value > 3":                 "custom.seen has values of the type time: compare it with a text",
			"'a' < value and name = 'name' and 7 = value": "custom.name has values of the type text",
			"filter = 'custom.stars = many'":              "custom.stars has values of the type integer",
		} {
			err := failure(t, db, "select * from custom where "+where)
			if !errors.Is(err, ErrStatement) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: %v, want %q", name, where, err, want)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestQuery_customMixed: texts in a typed column are found if another program or extractor may have written them.
func TestQuery_customMixed(t *testing.T) {
	other := map[string]any{"extract": []any{"mime", "mine"}}
	for name, made := range map[string]map[string]any{"adopted": {"adopted": true}, "an extractor of texts": other} {
		f := shop(t, made)
		for _, o := range []contentdb.Options{{}, {NoIndex: true}} {
			db, err := contentdb.Open(t.Context(), f, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range []asks{
				{"select offset, value from custom where name = 'stars' and value = 'many'", []string{`[2,"many"]`}},
				{"select offset, value from custom where name = 'stars' and value = 7", []string{"[2,7]"}},
				{"select offset, value from custom where name = 'stars' and value in (4, 'many') order by 1", []string{
					"[0,4]", `[2,"many"]`,
				}},
				{"select offset, value from custom where name = 'stars' and value >= 100", []string{`[2,"many"]`}},
				{"select offset, value from custom where name || '' = 'stars' and value >= 100", []string{`[2,"many"]`}},
				{"select offset from documents('custom.stars = many')", []string{"[2]"}},
				{"select offset from documents('custom.stars:man')", []string{"[2]"}},
				{"select offset from documents('custom.stars > 5') order by 1", []string{"[0]", "[2]"}},
				{"select count(*) from documents('custom.stars != many')", []string{"[4]"}},
			} {
				if diff := cmp.Diff(x.want, answer(t, db, x.statement)); diff != "" {
					t.Errorf("%s, %v: %s: (-want, +got)\n%s", name, o.NoIndex, x.statement, diff)
				}
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// failure is the error of a statement.
func failure(t *testing.T, db *contentdb.DB, statement string) error {
	t.Helper()
	rows, err := Query(t.Context(), db, statement, Options{})
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return errors.Join(rows.Err(), rows.Close())
}
