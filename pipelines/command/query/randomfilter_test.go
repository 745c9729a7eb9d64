package query

import (
	"fmt"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// asked is a random filter with the same condition in DuckDB's SQL. The two are made separately.
type asked struct{ filter, sql string }

// quoted returns a text for a filter.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `*`, `\*`).Replace(s) + `"`
}

// sqlText returns a text for SQL.
func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// filter makes a filter of some depth.
func (c chance) filter(depth int) asked {
	if depth == 0 || c.one(6) {
		return c.test()
	}
	switch c.IntN(4) {
	case 0:
		x := c.filter(depth - 1)
		return asked{pick(c, "NOT ", "-", "NOT NOT NOT ") + "(" + x.filter + ")", "NOT (" + x.sql + ")"}
	case 1:
		list := c.list(depth)
		return asked{joined(list, pick(c, " AND ", " ")), sqlJoined(list, " AND ")}
	}
	list := c.list(depth)
	// OR binds tighter than AND, so it needs no parentheses here.
	return asked{joined(list, " OR "), sqlJoined(list, " OR ")}
}

func (c chance) list(depth int) []asked {
	list := make([]asked, 2+c.IntN(2))
	for i := range list {
		list[i] = c.filter(depth - 1)
	}
	return list
}

func joined(list []asked, between string) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = "(" + x.filter + ")"
	}
	return strings.Join(texts, between)
}

func sqlJoined(list []asked, between string) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = "(" + x.sql + ")"
	}
	return strings.Join(texts, between)
}

// test makes a filter of one test.
func (c chance) test() asked {
	switch c.IntN(9) {
	case 8:
		return c.typedTest()
	case 0:
		return c.search()
	case 1, 2:
		return c.numberTest()
	case 3:
		return c.timeTest()
	case 4:
		return c.otherTest()
	}
	return c.textTest()
}

// textFields are text fields, with values of some documents and values of none.
var textFields = []struct {
	field  string
	values []string
}{
	{"url", []string{
		"http://a.example/p1", "https://b.example/0", "dns:a.example", "https://a.example/it's*1",
		"http://m",
	}},
	{"surt", []string{
		"example,a)/p1", "example,a)/", "example,b", "dns:a.example", "test,c:8080)/p0",
		"example,a,sub)/q?x=1",
	}},
	{"host", []string{"a.example", "b.example", "sub.a.example", "c.test", "xn--bcher-kva.example"}},
	{"domain", []string{"a.example", "c.test", "b"}},
	{"language", []string{"fr", "FR", "en", "*", "xx"}},
	{"mime_detected", []string{"text/html", "application/pdf", "image/"}},
	{"title", []string{"Budget", "Budget the", "Été", "été", "the CITY", "100 %", `a\b*`, "it's \"x\""}},
	{"page_type", []string{"article", "forum"}},
	{"source_id", []string{"0a", "0b", "0c"}},
	{"filename", []string{"f0.warc", "f3.warc", "f"}},
	{"record_type", []string{"response", "revisit"}},
	{"publisher", []string{"Gazette", "gazette", "Le Ö"}},
	{"description", []string{"A budget", "50 % off_", `back\slash`}},
	{"digest", []string{"sha1:A", "sha1:B"}},
}

var orders = []string{"=", "!=", "<", "<=", ">", ">="}

// textTest compares a text.
func (c chance) textTest() asked {
	f := pick(c, textFields...)
	v := pick(c, f.values...)
	column := "coalesce(" + f.field + ", '')"
	cut := v[:c.cutAt(v)]
	switch c.IntN(8) {
	case 0:
		return asked{f.field + ":*", column + " <> ''"}
	case 1:
		return asked{f.field + " != *", column + " = ''"}
	case 2:
		return asked{f.field + ":" + quoted(strings.ToUpper(cut)), "contains(lower(" + column + "), lower(" +
			sqlText(cut) + "))"}
	case 3:
		return asked{f.field + " = " + starred(cut, "", "*"), "starts_with(" + column + ", " + sqlText(cut) + ")"}
	case 4:
		end := v[c.cutAt(v)-1:]
		if end == "" || !isStart(end[0]) {
			end = v
		}
		return asked{f.field + " != " + starred(end, "*", ""), "NOT ends_with(" + column + ", " + sqlText(end) + ")"}
	}
	op := pick(c, orders...)
	sql := fmt.Sprintf("%s <> '' AND %s %s %s", column, column, op, sqlText(v))
	if op == "!=" {
		sql = fmt.Sprintf("%s <> %s", column, sqlText(v))
	}
	return asked{f.field + " " + op + " " + quoted(v), sql}
}

// starred returns a quoted text with stars before or after it.
func starred(s, before, behind string) string {
	q := quoted(s)
	return `"` + before + q[1:len(q)-1] + behind + `"`
}

// cutAt returns an index in a text, after its first letter and between letters.
func (c chance) cutAt(v string) int {
	n := 1 + c.IntN(len(v))
	for n < len(v) && !isStart(v[n]) {
		n++
	}
	return n
}

// isStart reports whether a byte begins a character in UTF-8.
func isStart(b byte) bool { return b&0xC0 != 0x80 }

// numbers are fields of numbers with their columns in DuckDB: NULL if the field has no value.
var numbers = []struct {
	field, sql string
	values     []string
}{
	{"status", "nullif(status, 0)", []string{"200", "404", "301", "0", "-1", "9223372036854775807"}},
	{"offset", `"offset"`, []string{"0", "100", "1500"}},
	{"length", "length", []string{"0", "50", "100"}},
	{"sequence", "coalesce(sequence, 0)", []string{"0", "1"}},
	{"body_bytes", "body_bytes", []string{"0", "1"}},
	{"pages", "nullif(pages, 0)", []string{"0", "1", "7"}},
	{"template_blocks", "coalesce(template_blocks, 0)", []string{"0", "1"}},
	{"links_internal", "links_internal", []string{"0", "1"}},
	{"quality.words", "quality.words", []string{"0", "1"}},
	{"quality.mean_word_length", "quality.mean_word_length", []string{"0", "4.5", "5"}},
	{"feed.items", "feed.items", []string{"0", "1", "2"}},
}

// numberTest compares a number.
func (c chance) numberTest() asked {
	f := pick(c, numbers...)
	switch c.IntN(10) {
	case 0:
		return asked{f.field + ":*", f.sql + " IS NOT NULL"}
	case 1:
		return asked{f.field + " != *", f.sql + " IS NULL"}
	}
	op, v := pick(c, orders...), pick(c, f.values...)
	if op == "!=" {
		return asked{f.field + " != " + v, f.sql + " IS DISTINCT FROM " + v}
	}
	return asked{f.field + pick(c, " ", "") + op + " " + v, fmt.Sprintf("coalesce(%s %s %s, false)", f.sql, op, v)}
}

// timeTest compares a time with a period.
func (c chance) timeTest() asked {
	f := pick(c, "timestamp", "timestamp", "published", "modified")
	v := pick(c, "2025", "2025-02", "2025-02-28", "2025-03-01T00:00:01Z", "20250228", c.stamp(), c.stamp(),
		"2025-02-01T01:00:00.5+01:00")
	from, to, err := query.Period(v)
	if err != nil {
		panic(err)
	}
	moment := func(t time.Time) string { return "'" + t.Format("2006-01-02T15:04:05.999999Z") + "'::TIMESTAMPTZ" }
	within := fmt.Sprintf("%s >= %s AND %s < %s", f, moment(from), f, moment(to))
	sql := map[string]string{
		"=": within, "<": f + " < " + moment(from), "<=": f + " < " + moment(to),
		">": f + " >= " + moment(to), ">=": f + " >= " + moment(from),
	}
	op := pick(c, append(orders, ":*")...)
	switch op {
	case ":*":
		return asked{f + ":*", f + " IS NOT NULL"}
	case "!=":
		return asked{f + " != " + v, "NOT coalesce(" + within + ", false)"}
	}
	return asked{f + " " + op + " " + v, "coalesce(" + sql[op] + ", false)"}
}

// anyOf returns a condition on the elements of a list.
func anyOf(list, condition string) string {
	return fmt.Sprintf("coalesce(len(list_filter(%s, lambda e: %s)), 0) > 0", list, condition)
}

// otherTest tests lists, objects, maps and booleans.
func (c chance) otherTest() asked {
	entity, author, price := pick(c, "Paris", "paris", "Ann"), pick(c, "Ann", "Zoé", "Li Wei"), pick(c, "3", "40", "L")
	confidence, count := pick(c, ".5", ".6", ".75"), pick(c, "0", "1", "2")
	prices := "map_from_entries(custom)['price']"
	return pick(c,
		asked{"damaged = true", "coalesce(damaged, false)"}, asked{"damaged != true", "NOT coalesce(damaged, false)"},
		asked{"mime_conflict = false", "NOT coalesce(mime_conflict, false)"},
		asked{"quality.gopher_pass = true", "coalesce(quality.gopher_pass, false)"},
		asked{"quality:*", "quality IS NOT NULL"}, asked{"feed != *", "feed IS NULL"},
		asked{"feed.title:*", "coalesce(feed.title, '') <> ''"}, asked{"entities:*", "coalesce(len(entities), 0) > 0"},
		asked{"entity = " + entity, anyOf("entities", "e.text = "+sqlText(entity))},
		asked{"entities.text != " + entity, "NOT (" + anyOf("entities", "e.text = "+sqlText(entity)) + ")"},
		asked{"entities.text:" + entity, anyOf("entities", "contains(lower(e.text), lower("+sqlText(entity)+"))")},
		asked{"entities.count > " + count, anyOf("entities", "coalesce(e.count, 0) <> 0 AND e.count > "+count)},
		asked{"entities.count = " + count, anyOf("entities", "coalesce(e.count, 0) <> 0 AND e.count = "+count)},
		asked{
			"entities.confidence >= " + confidence,
			anyOf("entities", "coalesce(e.confidence, 0) <> 0 AND e.confidence >= "+confidence),
		},
		asked{"authors = " + quoted(author), anyOf("authors", "e = "+sqlText(author))},
		asked{"authors != " + quoted(author), "NOT (" + anyOf("authors", "e = "+sqlText(author)) + ")"},
		asked{"authors > " + quoted(author), anyOf("authors", "e > "+sqlText(author))},
		asked{"tags:*", "coalesce(len(tags), 0) > 0"}, asked{`flags = timestamp`, anyOf("flags", "e = 'timestamp'")},
		asked{"custom.price = " + price, anyOf(prices, "e = "+sqlText(price))},
		asked{"custom.price != " + price, "NOT (" + anyOf(prices, "e = "+sqlText(price)) + ")"},
		asked{"custom:size", "coalesce(len(map_from_entries(custom)['size']), 0) > 0"}, asked{"custom.none:*", "false"},
	)
}

// typedTest compares values of custom columns by their types.
func (c chance) typedTest() asked {
	column := pick(c, "integers.stars", "floats.score", "booleans.sold", "times.seen")
	kind, key, _ := strings.Cut(column, ".")
	list := fmt.Sprintf("map_from_entries(custom_%s)['%s']", kind, key)
	field := "custom_" + column
	switch c.IntN(10) {
	case 0:
		return asked{pick(c, field, "custom."+key) + ":*", "coalesce(len(" + list + "), 0) > 0"}
	case 1:
		return asked{field + " != *", "coalesce(len(" + list + "), 0) = 0"}
	}
	op, v, e := pick(c, orders...), pick(c, "-1", "0", "1", "4"), "e"
	sql := v
	switch kind {
	case "floats":
		v = pick(c, "-.5", "0", ".25", "2")
		sql = v
	case "booleans":
		op, v = pick(c, "=", "!="), pick(c, "true", "false")
		sql = v
	case "times":
		return c.typedTime(field, list)
	}
	if op == "!=" {
		return asked{field + " != " + v, "NOT (" + anyOf(list, e+" = "+sql) + ")"}
	}
	return asked{field + " " + op + " " + v, anyOf(list, e+" "+op+" "+sql)}
}

// typedTime compares times with a period.
func (c chance) typedTime(field, list string) asked {
	v := pick(c, "2025", "2025-02", "2025-03-01T00:00:01Z", c.stamp())
	from, to, err := query.Period(v)
	if err != nil {
		panic(err)
	}
	moment := func(t time.Time) string { return "'" + t.Format("2006-01-02T15:04:05.999999Z") + "'::TIMESTAMPTZ" }
	within := fmt.Sprintf("e >= %s AND e < %s", moment(from), moment(to))
	if c.one(3) {
		return asked{field + " != " + v, "NOT (" + anyOf(list, within) + ")"}
	}
	op := pick(c, "=", "<", "<=", ">", ">=")
	return asked{field + " " + op + " " + v, anyOf(list, map[string]string{
		"=": within, "<": "e < " + moment(from), "<=": "e < " + moment(to), ">": "e >= " + moment(to),
		">=": "e >= " + moment(from),
	}[op])}
}

// search makes a search for words, a prefix, or a phrase.
func (c chance) search() asked {
	padded := func(column, what string) string {
		return fmt.Sprintf("contains(' ' || lower(coalesce(%s, '')) || ' ', %s)", column, sqlText(what))
	}
	either := func(what string) string { return "(" + padded("text", what) + " OR " + padded("title", what) + ")" }
	a, b := pick(c, words...), pick(c, append(words, "absent")...)
	switch c.IntN(5) {
	case 0:
		return asked{`"` + a + " " + b + `"`, either(" " + a + " " + b + " ")}
	case 1:
		return asked{a[:2] + "*", either(" " + a[:2])}
	case 2:
		return asked{a + " " + b, either(" "+a+" ") + " AND " + either(" "+b+" ")}
	}
	return asked{pick(c, "", "text:") + strings.ToUpper(a[:1]) + a[1:], either(" " + a + " ")}
}
