// Package storetest tests the contract of [rowstore.Store]. Every Store has to pass it.
//
//	func TestStore(t *testing.T) {
//		storetest.Test(t, func(t *testing.T) rowstore.Store { return memory.New() })
//	}
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/io/rowstore/memory"
)

// Families are the families that the tests use.
var Families = []string{"a", "b"}

// Test checks that a store keeps the contract. open opens an empty table with Families.
func Test(t *testing.T, open func(*testing.T) rowstore.Store) {
	t.Helper()
	for _, test := range []struct {
		name string
		test func(*testing.T, rowstore.Store)
	}{
		{"empty", testEmpty},
		{"versions", testVersions},
		{"repeated", testRepeated},
		{"keys", testKeys},
		{"values", testValues},
		{"delete", testDelete},
		{"refused", testRefused},
		{"ended", testEnded},
		{"filters", testFilters},
		{"as the reference", testAsReference},
		{"side by side", testSideBySide},
	} {
		// Each test has its own table, so that none depends on another's rows.
		t.Run(test.name, func(t *testing.T) { test.test(t, open(t)) })
	}
}

// day returns a time in March 2025. At noon in UTC the day is the same in all time zones.
func day(d int) time.Time { return time.Date(2025, 3, d, 12, 0, 0, 0, time.UTC) }

func cell(column string, d int, value string) rowstore.Cell {
	family, qualifier, _ := strings.Cut(column, ":")
	return rowstore.Cell{Family: family, Qualifier: qualifier, Time: day(d), Value: []byte(value)}
}

func row(key string, cells ...rowstore.Cell) rowstore.Row {
	return rowstore.Row{Key: key, Cells: cells}
}

func put(t *testing.T, s rowstore.Store, rows ...rowstore.Row) {
	t.Helper()
	if err := s.Put(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
}

func scan(t *testing.T, s rowstore.Store, r rowstore.Range) (rows []rowstore.Row) {
	// Rows belong to the receiver: they are kept here after the iteration.
	t.Helper()
	for row, err := range s.Scan(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// asBytes compares values at once, where cmp would compare a million bytes one by one.
var asBytes = cmp.Comparer(func(a, b []byte) bool { return bytes.Equal(a, b) })

func same(t *testing.T, what string, want, got []rowstore.Row) {
	t.Helper()
	// nil and an empty list are the same to a caller. The text is cut, because values have megabytes.
	if diff := cmp.Diff(want, got, asBytes); diff != "" && len(want)+len(got) > 0 {
		t.Errorf("%s (-want +got):\n%.3000s", what, diff)
	}
}

func testEmpty(t *testing.T, s rowstore.Store) {
	// None of the three is an error: a table may be read before anything is in it.
	same(t, "an empty table", nil, scan(t, s, rowstore.Range{}))
	got, err := s.Get(t.Context(), "nowhere", rowstore.Range{})
	if err != nil || got.Key != "nowhere" || len(got.Cells) > 0 {
		t.Errorf("a row that is not there: %v, %v", got, err)
	}
	// A Put of no rows is allowed.
	put(t, s)
	if err := s.Delete(t.Context(), "nowhere", time.Time{}); err != nil {
		t.Error(err)
	}
	if _, err := s.Splits(t.Context()); err != nil {
		t.Error(err)
	}
}

// testVersions tests that versions are newest first, and that times select among them.
func testVersions(t *testing.T, s rowstore.Store) {
	// Two writes of one row out of order: the store sorts versions, not the caller.
	put(t, s, row("k", cell("a:x", 2, "two"), cell("a:y", 1, "y"), cell("b:x", 3, "b")))
	put(t, s, row("k", cell("a:x", 1, "one"), cell("a:x", 3, "three")))
	one, two, three := cell("a:x", 1, "one"), cell("a:x", 2, "two"), cell("a:x", 3, "three")
	y, b := cell("a:y", 1, "y"), cell("b:x", 3, "b")
	for _, test := range []struct {
		name string
		r    rowstore.Range
		want []rowstore.Cell
	}{
		// Without Versions only the newest of each column.
		{"newest", rowstore.Range{}, []rowstore.Cell{three, y, b}},
		{"two", rowstore.Range{Versions: 2}, []rowstore.Cell{three, two, y, b}},
		{"all", rowstore.Range{Versions: -1}, []rowstore.Cell{three, two, one, y, b}},
		// Till is exclusive, and Since inclusive.
		{"till", rowstore.Range{Till: day(3)}, []rowstore.Cell{two, y}},
		{"since", rowstore.Range{Since: day(2), Versions: -1}, []rowstore.Cell{three, two, b}},
		{"between", rowstore.Range{Since: day(2), Till: day(3)}, []rowstore.Cell{two}},
		{"family", rowstore.Range{Families: []string{"b"}}, []rowstore.Cell{b}},
		{"families", rowstore.Range{Families: []string{"b", "a"}}, []rowstore.Cell{three, y, b}},
	} {
		// Get and Scan are different requests to most servers, and have to agree.
		got, err := s.Get(t.Context(), "k", test.r)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "Get: "+test.name, []rowstore.Row{row("k", test.want...)}, []rowstore.Row{got})
		same(t, "Scan: "+test.name, []rowstore.Row{row("k", test.want...)}, scan(t, s, test.r))
	}
	// No version is before 1970, but a limit there is valid, although servers use 0 for none.
	for _, r := range []rowstore.Range{
		{Since: day(4)},
		{Till: rowstore.At(0)},
		{Till: rowstore.At(-5)},
		{Since: day(2), Till: day(2)},
		{Since: day(3), Till: day(2)},
	} {
		same(t, "nothing of the time", nil, scan(t, s, r))
	}
}

// testRepeated tests that repeated writes change nothing, and that overwritten values are gone, also in one Put.
func testRepeated(t *testing.T, s rowstore.Store) {
	// The second has an empty qualifier and an empty value, which are both allowed.
	rows := []rowstore.Row{row("k1", cell("a:x", 1, "v")), row("k2", cell("a:x", 1, "v"), cell("b:", 2, ""))}
	put(t, s, rows...)
	// A killed run writes its rows again, which must change nothing.
	put(t, s, rows...)
	same(t, "written twice", rows, scan(t, s, rowstore.Range{Versions: -1}))
	put(t, s, row("k1", cell("a:x", 1, "w")))
	// Of two cells with one version in one Put the later one counts. Two rows of one key are one row.
	put(t, s, row("k2", cell("a:x", 1, "no"), cell("a:x", 1, "w")), row("k2", cell("a:y", 1, "y")))
	same(t, "written over", []rowstore.Row{
		row("k1", cell("a:x", 1, "w")), row("k2", cell("a:x", 1, "w"), cell("a:y", 1, "y"), cell("b:", 2, "")),
	}, scan(t, s, rowstore.Range{Versions: -1}))
}

// testKeys tests that rows come in the order of their keys as bytes, and that limits are kept.
func testKeys(t *testing.T, s rowstore.Store) {
	// Keys as SURT makes them, a NUL, letters beyond ASCII, and invalid UTF-8.
	keys := []string{
		"com,example)/", "com,example)/a", "com,example)/a\x00", "com,example)/ä", "com,example,www)/", "org",
		"é", "\xff", "\xff\xff",
		strings.Repeat("k", 2000),
	}
	for _, k := range keys {
		put(t, s, row(k, cell("a:x", 1, k)))
	}
	// Go compares strings by bytes, as stores compare keys.
	slices.Sort(keys)
	for _, test := range []struct {
		name string
		r    rowstore.Range
		want func(string) bool
	}{
		{"all", rowstore.Range{}, func(string) bool { return true }},
		// A prefix has to become a range, whose end is the prefix with its last byte raised.
		{"prefix", rowstore.Prefix("com,example)"), func(k string) bool { return strings.HasPrefix(k, "com,example)") }},
		// 0xff cannot be raised: the range has no end.
		{"highest prefix", rowstore.Prefix("\xff"), func(k string) bool { return strings.HasPrefix(k, "\xff") }},
		{"from", rowstore.Range{Span: rowstore.Span{From: "org"}}, func(k string) bool { return k >= "org" }},
		{"to", rowstore.Range{Span: rowstore.Span{To: "org"}}, func(k string) bool { return k < "org" }},
		{
			// Spans that overlap and come out of order: each row comes once.
			"among",
			rowstore.Range{Among: []rowstore.Span{
				{From: "o", To: "p"}, {From: "com,example,", To: "com,example-"}, {From: "or", To: "os"},
			}},
			func(k string) bool { return k == "org" || k == "com,example,www)/" },
		},
		// An empty list of spans means nothing, not everything.
		{"among none", rowstore.Range{Among: []rowstore.Span{}}, func(string) bool { return false }},
		{"nothing", rowstore.Range{Span: rowstore.Span{From: "x", To: "y"}}, func(string) bool { return false }},
		{"backwards", rowstore.Range{Span: rowstore.Span{From: "y", To: "a"}}, func(string) bool { return false }},
	} {
		var want, got []string
		for _, k := range keys {
			if test.want(k) {
				want = append(want, k)
			}
		}
		for _, r := range scan(t, s, test.r) {
			got = append(got, r.Key)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%.2000s", test.name, diff)
		}
	}
	// The limit counts rows, not cells.
	if got := scan(t, s, rowstore.Range{Limit: 3}); len(got) != 3 || got[2].Key != keys[2] {
		t.Errorf("three rows: %d", len(got))
	}
}

// testValues tests that values are any bytes, also empty and large ones, and qualifiers any text.
func testValues(t *testing.T, s rowstore.Store) {
	// 3 MiB exceed all buffers on the way.
	large := make([]byte, 3<<20)
	// Random, so that no layer can compress it.
	for i := range large {
		large[i] = byte(rand.IntN(256))
	}
	want := row(
		// Quotes, blanks, line ends and invalid UTF-8 go through every encoding of a server's protocol.
		"k", cell("a:", 1, ""), cell("a:#1 =:\"'\n", 1, "\x00\xff"), cell("a:lang=fr", 1, "1"),
		cell("a:large", 1, string(large)), cell("b:ünicode", 1, "x"),
	)
	put(t, s, want)
	same(t, "values", []rowstore.Row{want}, scan(t, s, rowstore.Range{}))
}

// testDelete tests that versions before a time are removed, and that later writes stay.
func testDelete(t *testing.T, s rowstore.Store) {
	for _, k := range []string{"k1", "k2"} {
		put(t, s, row(k, cell("a:x", 1, "1"), cell("a:x", 2, "2"), cell("b:y", 1, "1"), cell("b:y", 3, "3")))
	}
	// Delete removes versions before till; the zero time means the whole row.
	remove := func(key string, till time.Time) {
		t.Helper()
		if err := s.Delete(t.Context(), key, till); err != nil {
			t.Fatal(err)
		}
	}
	remove("k1", day(2))
	remove("k2", time.Time{})
	// Times before day(2) are gone, and day(2) itself stays: the limit is exclusive.
	left := row("k1", cell("a:x", 2, "2"), cell("b:y", 3, "3"))
	same(t, "versions before a day are gone, and a row", []rowstore.Row{left}, scan(t, s, rowstore.Range{Versions: -1}))
	// A server's own deletion marks have the current time, so a version in the future would survive them.
	future := rowstore.Cell{Family: "a", Qualifier: "x", Time: rowstore.At(1 << 42), Value: []byte("f")} // in 2109
	put(t, s, row("k1", future))
	remove("k1", time.Time{})
	same(t, "versions of the future are gone, too", nil, scan(t, s, rowstore.Range{}))
	// A deletion must not hide later writes, as marks of HBase do until a compaction.
	later := rowstore.Cell{Family: "a", Qualifier: "x", Time: rowstore.At(1<<42 + 1), Value: []byte("g")}
	put(t, s, row("k1", later))
	same(t, "what is written later", []rowstore.Row{row("k1", later)}, scan(t, s, rowstore.Range{}))
}

func testRefused(t *testing.T, s rowstore.Store) {
	for name, r := range map[string]rowstore.Row{
		// Servers refuse these in different ways, or not at all. The store has to refuse them alike everywhere.
		"no key":      row("", cell("a:x", 1, "v")),
		"long key":    row(strings.Repeat("k", rowstore.MaxKey+1), cell("a:x", 1, "v")),
		"no family":   row("k", cell(":x", 1, "v")),
		"before 1970": row("k", rowstore.Cell{Family: "a", Time: time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)}),
	} {
		// The good row comes first: a refusal has its kind, whatever else is in the request.
		err := s.Put(t.Context(), []rowstore.Row{row("good", cell("a:x", 1, "v")), r})
		if !errors.Is(err, rowstore.ErrRefused) {
			t.Errorf("%s: %v, want ErrRefused", name, err)
		}
	}
}

// testEnded tests that a scan ends with its receiver and with its context.
func testEnded(t *testing.T, s rowstore.Store) {
	// More rows than are taken, so that some remain.
	for i := range 20 {
		put(t, s, row(fmt.Sprintf("k%02d", i), cell("a:x", 1, "v")))
	}
	n := 0
	// A receiver that stops early causes no error.
	for _, err := range s.Scan(t.Context(), rowstore.Range{}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 5 {
			break
		}
	}
	// Canceled before it begins, so that the result does not depend on time.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rows := 0
	var failed error
	for _, err := range s.Scan(ctx, rowstore.Range{}) {
		// The last error is kept: rows after an error would show in the count.
		if failed = err; err == nil {
			rows++
		}
	}
	// The cause must be found in the error of a server's client.
	if !errors.Is(failed, context.Canceled) || rows > 0 {
		t.Errorf("a cancelled scan: %d rows, %v", rows, failed)
	}
	if err := s.Put(ctx, []rowstore.Row{row("k", cell("a:x", 1, "v"))}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Put: %v", err)
	}
}

// testFilters tests that rows are selected by any version in the range, of read and unread families.
func testFilters(t *testing.T, s rowstore.Store) {
	// k1 has French and a PDF; k2 French, then an English page; k3 a PDF that became a page.
	put(
		t, s, row("k1", cell("a:lang=fr", 1, ""), cell("a:mime", 1, "pdf"), cell("b:text", 1, "un")),
		row("k2", cell("a:lang=fr", 1, ""), cell("a:lang=en", 3, ""), cell("a:mime", 3, "html"), cell("b:text", 3, "two")),
		row("k3", cell("a:lang=en", 1, ""), cell("a:mime", 1, "pdf"), cell("a:mime", 2, "html"), cell("b:text", 1, "three")),
	)
	// A column without a value only has to exist.
	french := rowstore.Column{Family: "a", Qualifier: "lang=fr"}
	pdf := rowstore.Column{Family: "a", Qualifier: "mime", Value: []byte("pdf")}
	html := rowstore.Column{Family: "a", Qualifier: "mime", Value: []byte("html")}
	for _, test := range []struct {
		name string
		r    rowstore.Range
		want string
	}{
		{"there", rowstore.Range{Where: french}, "k1 k2"},
		// A filter tests any version in the range, not only the newest.
		{"value of an older version", rowstore.Range{Where: pdf}, "k1 k3"},
		{"all", rowstore.Range{Where: rowstore.All{french, pdf}}, "k1"},
		{"any", rowstore.Range{Where: rowstore.Any{rowstore.All{french, html}, pdf}}, "k1 k2 k3"},
		{"any of none", rowstore.Range{Where: rowstore.Any{}}, ""},
		// As in logic: all of nothing is true, and any of nothing is false.
		{"all of none", rowstore.Range{Where: rowstore.All{}}, "k1 k2 k3"},
		{"of the time", rowstore.Range{Where: pdf, Since: day(2)}, ""},
		{"until then", rowstore.Range{Where: html, Till: day(3)}, "k3"},
		// The filter needs a family that is not read.
		{"another family", rowstore.Range{Where: french, Families: []string{"b"}}, "k1 k2"},
		{"limited", rowstore.Range{Where: pdf, Limit: 1}, "k1"},
		{
			"limited beyond what is left out",
			rowstore.Range{Where: pdf, Limit: 2, Families: []string{"b"}, Till: day(2)},
			"k1 k3",
		},
		{"among", rowstore.Range{Where: html, Among: []rowstore.Span{{From: "k1", To: "k2"}, {From: "k3"}}}, "k3"},
		{"nothing", rowstore.Range{Where: rowstore.Column{Family: "a", Qualifier: "none"}}, ""},
	} {
		// Only keys are compared here, not the returned cells.
		var keys []string
		for _, r := range scan(t, s, test.r) {
			keys = append(keys, r.Key)
			for _, c := range r.Cells {
				// Cells that only a filter needed must not reach the caller.
				if test.r.Families != nil && !slices.Contains(test.r.Families, c.Family) {
					t.Errorf("%s: a cell of the family %s", test.name, c.Family)
				}
			}
		}
		if got := strings.Join(keys, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	got := scan(t, s, rowstore.Range{Where: pdf, Families: []string{"b"}})
	same(t, "what a filter needs does not come along", []rowstore.Row{
		row("k1", cell("b:text", 1, "un")), row("k3", cell("b:text", 1, "three")),
	}, got)
}

// testAsReference performs random operations on the store and on the reference, and compares.
func testAsReference(t *testing.T, s rowstore.Store) {
	// A fixed seed makes failures repeatable.
	random := rand.New(rand.NewPCG(1, 19))
	want := memory.New()
	// Few keys, columns and times, so that writes collide.
	key := func() string { return fmt.Sprintf("k%02d", random.IntN(60)) }
	for range 20 {
		var rows []rowstore.Row
		for range 20 {
			column := fmt.Sprintf("%s:q%d", Families[random.IntN(2)], random.IntN(4))
			rows = append(rows, row(key(), cell(column, 1+random.IntN(6), fmt.Sprint(random.IntN(3)))))
		}
		// The reference is package memory, which is small enough to be reviewed.
		put(t, s, rows...)
		put(t, want, rows...)
	}
	for n := range 60 {
		r := rowstore.Range{Versions: random.IntN(4) - 1, Limit: random.IntN(3) * random.IntN(20)}
		// Limits in any order: a backward range is empty.
		if random.IntN(2) == 0 {
			r.From, r.To = key(), key()
		}
		if random.IntN(3) == 0 {
			// Spans that may overlap, be backward, or have no end.
			r.Among = []rowstore.Span{{From: key(), To: key()}, {From: key(), To: key()}, {From: key()}}
		}
		if random.IntN(2) == 0 {
			r.Since, r.Till = day(random.IntN(4)), day(3+random.IntN(4))
		}
		// Both families, or the second alone.
		if random.IntN(2) == 0 {
			r.Families = Families[random.IntN(2):]
		}
		if random.IntN(2) == 0 {
			column := func() rowstore.Filter {
				return rowstore.Column{
					Family: Families[random.IntN(2)], Qualifier: fmt.Sprint("q", random.IntN(4)),
					Value: []byte(fmt.Sprint(random.IntN(3))),
				}
			}
			r.Where = rowstore.Any{rowstore.All{column(), column()}, column()}
		}
		// The failure's text has the query, so that it can become its own test.
		same(t, fmt.Sprintf("scan %d of %+v", n, r), scan(t, want, r), scan(t, s, r))
	}
}

// testSideBySide writes the same rows, and parts of one row, from several goroutines.
func testSideBySide(t *testing.T, s rowstore.Store) {
	var wg sync.WaitGroup
	// Eight writers of one hundred rows each: all of them write every row.
	for g := range 8 {
		wg.Go(func() {
			var rows []rowstore.Row
			for i := range 100 {
				// One column that all write alike, and one for each writer: none may be lost.
				rows = append(rows, row(fmt.Sprintf("k%02d", i), cell("a:same", 1, "v"), cell(fmt.Sprint("b:", g), 1, "v")))
			}
			if err := s.Put(t.Context(), rows); err != nil {
				t.Error(err)
			}
		})
	}
	// All writers end before the reading, because the test compares the result.
	wg.Wait()
	got := scan(t, s, rowstore.Range{Versions: -1})
	// The same column once, and one for each of eight writers.
	if len(got) != 100 || len(got[99].Cells) != 9 {
		t.Errorf("%d rows", len(got))
	}
}
