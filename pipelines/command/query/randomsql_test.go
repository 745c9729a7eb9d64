//go:build linux

package query

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/lake"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/contentsql"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// statement is a random statement for gleaner, and for DuckDB if its syntax differs.
type statement struct{ ours, duck string }

// Columns for comparisons, by the type of their values. Names in quotation marks are keywords of DuckDB.
var (
	textColumns = []string{
		"url", "surt", "host", "domain", "language", "mime_detected", "title", "page_type", "filename", "record_type",
		"publisher", "digest", "description",
	}
	numberColumns = []string{
		"status", `"offset"`, "length", "sequence", "body_bytes", "pages", "damaged", "links_internal", "template_blocks",
	}
)

// place returns the columns that identify a document.
func place(table string) string {
	return fmt.Sprintf(`%[1]s.filename, %[1]s."offset", %[1]s.sequence`, table)
}

// statement makes one of several kinds of statements.
func (c chance) statement(t *testing.T) statement {
	t.Helper()
	where := " where " + c.condition("d", 2)
	same := func(s string) statement { return statement{s, s} }
	switch c.IntN(11) {
	case 10:
		return same(c.moments(where))
	case 0, 1:
		return same(fmt.Sprintf("select %s, %s, %s from documents d%s order by 1, 2, 3 limit %d", place("d"),
			c.value("d"),
			c.value("d"), where, 1+c.IntN(60)))
	case 2, 3:
		return same(c.grouped("documents", where))
	case 4:
		return c.filtered(t)
	case 5:
		on := pick(c, "a.surt = b.surt and a.timestamp < b.timestamp", "a.timestamp = b.timestamp and a.host = b.host",
			"a.url = b.url and a.status <> b.status", "b.url < a.url and a.title = b.title")
		return same(fmt.Sprintf("select %s, %s, b.timestamp from documents a %s documents b on %s where %s "+
			"order by 1, 2, 3, 4, 5, 6",
			place("a"), place("b"), pick(c, "join", "left join"), on, c.condition("a", 1)))
	case 6:
		return same(fmt.Sprintf("select %s, row_number() over w, sum(length) over w, lag(timestamp) over w "+
			"from documents d%s "+
			"window w as (partition by %s order by timestamp, %s) order by 1, 2, 3", place("d"), where,
			pick(c, "host", "surt", "language"), place("d")))
	case 7:
		x := pick(c, textColumns...)
		return same(fmt.Sprintf("with x as (select %s as x from documents d%s) "+
			"select %s, timestamp from documents d where %s "+
			"order by 1, 2, 3", x, where, place("d"), pick(c, x+" in (select x from x)",
			"not exists (select 1 from x where x.x = d."+x+")")))
	case 8:
		x := pick(c, append(textColumns, "timestamp")...)
		return same(fmt.Sprintf("select %[1]s from documents d%[2]s %[3]s "+
			"select %[1]s from documents d where %[4]s order by 1", x,
			where, pick(c, "union", "intersect", "except", "union all"), c.condition("d", 1)))
	}
	return same(c.other())
}

// other makes statements on the other tables.
func (c chance) other() string {
	return pick(c,
		"select host, domain, captures, pages, bytes, first, last from hosts order by host",
		"select h.captures, count(*) from hosts h join documents d using (host) where "+c.condition("d",
			1)+" group by 1 order by 1",
		`select type, text, count(*), sum("count"), max(confidence), min(timestamp) from entities where `+
			pick(c, "text < 'b'", "type = 'place' and host < 'b'", "url < 'http' or text = 'Ann'",
				"timestamp > '"+c.stamp()+"'")+
			" group by 1, 2 order by 1, 2",
		"select e.text, count(distinct d.url) from entities e join documents d on e.filename = d.filename and "+
			`e."offset" = d."offset" and e.sequence = d.sequence where `+c.condition("d", 1)+" group by 1 order by 1",
		"select host, text, count(*), max(timestamp) "+
			"from links where timestamp < '"+c.stamp()+"' group by 1, 2 order by 1, 2",
		"select name, type, count(*), count(distinct filename || \"offset\" || sequence) from custom where "+
			pick(c, "name = 'stars' and value > 1", "name = 'stars' and value in (0, 4)", "name = 'stars' and not value < 2",
				"type = 'integer' and host < 'b'", "name = 'stars' and timestamp > '"+c.stamp()+"'")+" group by 1, 2 order by 1, 2",
		"select value, count(*) from custom where name = 'stars' and value "+pick(c, "<", "<=", "=", "<>", ">=")+" "+
			pick(c, "-1", "0", "2.5", "4")+" group by 1 order by 1",
		"with l as (select distinct target from links where url < 'http:') select "+place("d")+
			" from documents d join l on d.url = l.target order by 1, 2, 3",
	)
}

// grouped makes statements that count and sum rows by some columns.
func (c chance) grouped(table, where string) string {
	by := pick(c, textColumns...)
	if c.one(2) {
		by += ", " + pick(c, "timestamp", "status", "damaged")
	}
	n := pick(c, numberColumns...)
	list := []string{
		"count(*)", "count(" + n + ")", "sum(" + n + ")", "median(" + n + ")", "quantile(" + n + ", " + pick(c, "0", ".3",
			".5", ".9", "1") +
			")", "quantile_cont(" + n + ", .25)", "min(timestamp)", "max(timestamp)", "count(distinct timestamp)", "avg(" +
			n + ")",
		"count(distinct " + pick(c, textColumns...) + ")", "min(" + pick(c, textColumns...) + ")", "max(title)",
	}
	c.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	having := pick(c, "", " having count(*) > 2", " having max(length) >= 100")
	return fmt.Sprintf("select %s, %s from %s d%s group by %[1]s%[5]s order by %[1]s", by, strings.Join(list[:4], ", "),
		table, where,
		having)
}

// moments compares times from functions.
func (c chance) moments(where string) string {
	by, op := pick(c, "host", "surt", "language"), pick(c, "=", "<>", "<", "<=", ">", ">=")
	newest := pick(c, "max(timestamp)", "min(timestamp)")
	inner := fmt.Sprintf("select %s as b, %s as m from documents d%s group by %[1]s", by, newest, where)
	return pick(c,
		inner+" having "+c.timeCondition(newest, op)+" order by "+newest+", 1",
		"select b, m from ("+inner+") where "+c.timeCondition("m", op)+" order by 1, 2",
		"select b, m, "+place("d")+" from ("+inner+") x join documents d on d.timestamp = x.m order by 1, 2, 3, 4, 5",
		fmt.Sprintf("select %s, timestamp from documents d where %s order by 1, 2, 3", place("d"),
			c.timeCondition(pick(c, "coalesce(timestamp, (select max(timestamp) from documents))",
				"case when length > 50 then timestamp end", "nullif(timestamp, (select min(timestamp) from documents))"), op)),
		fmt.Sprintf("select m from (select %s as m from documents union select timestamp from documents d%s) x where %s "+
			"order by m", newest, where, c.timeCondition("m", op)))
}

// filtered makes statements with a filter of the query language on the table.
func (c chance) filtered(t *testing.T) statement {
	t.Helper()
	x := c.filter(2)
	if _, err := query.Parse(x.filter); err != nil {
		t.Fatalf("%s: %v", x.filter, err)
	}
	where := " where " + c.condition("d", 1)
	chosen := `(select * from documents where (filename, "offset", sequence) in ` +
		`(select (filename, "offset", coalesce(sequence, 0)) ` +
		"from main.documents where " + x.sql + "))"
	select_ := c.grouped("@", where)
	return statement{
		strings.Replace(select_, "@ d", "documents("+sqlText(x.filter)+") d", 1), strings.Replace(select_, "@ d",
			chosen+" d", 1),
	}
}

// value returns a value of a row.
func (c chance) value(table string) string {
	text, number := table+"."+pick(c, textColumns...), table+"."+pick(c, numberColumns...)
	return pick(c, text, number, table+".timestamp", "length("+text+")", "coalesce("+text+", '-') || 'x'",
		number+" * 2 + 1",
		"case when "+c.condition(table, 0)+" then 1 else 2 end", "substr("+text+", 2, 3)", "nullif("+number+", 0)",
		text+" is null")
}

// condition returns a condition on a row.
func (c chance) condition(table string, depth int) string {
	if depth > 0 && !c.one(4) {
		a, b := c.condition(table, depth-1), c.condition(table, depth-1)
		return pick(c, "("+a+" and "+b+")", "("+a+" or "+b+")", "not ("+a+" or "+b+")", "not ("+a+" and "+b+")", "not "+a)
	}
	op := pick(c, "=", "<>", "<", "<=", ">", ">=")
	switch c.IntN(8) {
	case 0, 1:
		return c.timeCondition(table+".timestamp", op)
	case 2, 3:
		f := pick(c, numberColumns...)
		v := pick(c, "0", "1", "100", "200", "404", "1500", "-1")
		return pick(c, table+"."+f+" "+op+" "+v, v+" "+op+" "+table+"."+f, table+"."+f+" in (1, 200, "+v+")",
			table+"."+f+" between 1 and "+v, table+"."+f+" is null")
	}
	f := pick(c, textFields...)
	if !slices.Contains(textColumns, f.field) {
		f = textFields[0]
	}
	column, v := table+"."+f.field, pick(c, append(f.values, "")...)
	prefix := strings.Map(func(r rune) rune {
		return map[bool]rune{true: '?', false: r}[strings.ContainsRune(`*[\`,
			r)]
	}, v)
	return pick(c, column+" "+op+" "+sqlText(v), column+" "+op+" "+sqlText(v), sqlText(v)+" "+op+" "+column,
		column+" is not null",
		column+" in ("+sqlText(v)+", 'http', "+sqlText(f.values[0])+")", column+" between '' and "+sqlText(v),
		column+" between "+sqlText(f.values[0])+" and "+sqlText(v), column+" glob "+sqlText(prefix+"*"))
}

// timeCondition compares times, which may differ by less than a second.
func (c chance) timeCondition(column, op string) string {
	a, b := sqlText(c.stamp()), pick(c, sqlText(c.stamp()), "'2025-02-01T01:00:00.5+01:00'",
		"'2025-03-01T00:00:00+00:00'")
	return pick(c, column+" "+op+" "+b, a+" "+op+" "+column, column+" in ("+a+", "+b+")",
		column+" between "+a+" and "+b,
		column+" is null", column+" > "+a+" and "+column+" <= "+b)
}

// sqlRows returns the rows of a statement as texts.
func sqlRows(t *testing.T, db *contentdb.DB, text string) (list []string) {
	t.Helper()
	rows, err := contentsql.Query(t.Context(), db, text, contentsql.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer func() { _ = rows.Close() }() // the test is over by then
	for rows.Next() {
		list = append(list, rowText(rows.Values()))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return list
}

// rowText returns a row as text. Whole and fractional numbers have the same form, rounded so that the order of a sum
// does not matter. true is 1.
func rowText(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case int64:
			texts[i] = fmt.Sprintf("%.9g", float64(v))
		case float64:
			texts[i] = fmt.Sprintf("%.9g", v)
		case bool:
			texts[i] = map[bool]string{false: "0", true: "1"}[v]
		case string:
			texts[i] = fmt.Sprintf("%q", v)
		default:
			texts[i] = fmt.Sprint(v)
		}
	}
	return strings.Join(texts, " ")
}

// TestRandom_sql: random statements have the same rows with and without the index, by the Iceberg table and in
// DuckDB.
func TestRandom_sql(t *testing.T) {
	t.Parallel()
	c := seeded(t)
	dir := shelve(t, c.docs(240), "parquet")
	f := folder.Open(t.Context(), dir, nil)
	if _, err := lake.Sync(t.Context(), f, lake.Options{}); err != nil {
		t.Fatal(err)
	}
	files, _, err := filesOf(t.Context(), config{snapshot: newest}, f)
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]*contentdb.DB{
		"the index": opened(t, dir, contentdb.Options{}), "--no_index": opened(t, dir, contentdb.Options{NoIndex: true}),
		"--snapshot=newest": opened(t, dir, contentdb.Options{Files: files}),
	}
	var list []statement
	var duckList []string
	for range questionCount(t) * 3 / 8 {
		s := c.statement(t)
		list, duckList = append(list, s), append(duckList, s.duck)
	}
	answers := duck(t, filepath.Join("testdata", "answers.py"), dir, duckList, "sql")
	empty := 0
	for i, s := range list {
		var want []string
		for _, raw := range answers[i] {
			var values []any
			if err := json.Unmarshal(raw, &values); err != nil {
				t.Fatal(err)
			}
			want = append(want, rowText(values))
		}
		if len(want) == 0 {
			empty++
		}
		for name, db := range ways {
			if name == "--snapshot=newest" && strings.Contains(s.ours, "links") {
				continue // a snapshot has only documents
			}
			if got := sqlRows(t, db, s.ours); !slices.Equal(want, got) {
				t.Errorf("%s\n%s\n%s: %s", s.ours, s.duck, name, firstOther(want, got))
			}
		}
	}
	if empty > len(list)/2 {
		t.Errorf("%d of %d statements have no rows", empty, len(list))
	}
}

// firstOther describes the first row that differs.
func firstOther(want, got []string) string {
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			return fmt.Sprintf("%d rows, DuckDB %d; row %d is\n%v\n%v", len(got), len(want), i, got[i:min(i+1, len(got))],
				want[min(i, len(want)):min(i+1, len(want))])
		}
	}
	return "equal"
}
