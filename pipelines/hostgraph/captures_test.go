package hostgraph

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/derived/linkgraph"
	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/schemas"
)

// sum is the digest of a payload that two pages have.
const sum = "sha1:UG4RMN27U5FZJF545BBASSHEMOY47Q7P"

// recrawled has a crawl of 2020 to 2022, and later ones of which many captures are revisits.
var recrawled = []capture{
	{"a.example", "", "2020-01-01T00:00:00Z", "en", "b.example", "", ""},
	{"a.example", "", "2022-01-01T00:00:00Z", "fr", "c.example", "", ""},
	{"d.example", "", "2021-01-01T00:00:00Z", "en", "e.example", "", ""},
	{"f.example", "", "2021-01-01T00:00:00Z", "en", "g.example", "", ""},
	{"a.example", "", "2024-01-01T00:00:00Z", "", "", "", ""},
	{"a.example", "", "2025-01-01T00:00:00Z", "", "", "", ""},
	{"d.example", "", "2026-01-01T00:00:00Z", "", "", "", ""},
	{"f.example", "", "2026-02-01T00:00:00Z", "", "", "", ""},
	{"h.example", "", "2026-03-01T00:00:00Z", "", "", "", ""},
	{"i.example", "", "2026-04-01T00:00:00Z", "", "", "", ""},
	{"a.example", "", "2026-05-01T00:00:00Z", "", "", "", ""},
}

// openRecrawled makes a collection of recrawled, with more revisits of the last kind.
func openRecrawled(t *testing.T, more int) (*contentdb.DB, *linkindex.Index) {
	t.Helper()
	again := func(d *schemas.Document) { d.RecordType = schemas.TypeRevisit }
	refers := func(at string) func(*schemas.Document) {
		return func(d *schemas.Document) {
			again(d)
			d.RefersTo = &schemas.Reference{URL: d.URL, Timestamp: at}
		}
	}
	withSum := func(d *schemas.Document) { d.Digest = sum }
	byDigest := func(d *schemas.Document) { again(d); withSum(d) }
	change := map[int]func(*schemas.Document){
		0: withSum,
		4: refers("2022-01-01T00:00:00Z"),
		5: byDigest, // of the capture of 2020
		6: refers("2021-01-01T00:00:00Z"),
		7: func(d *schemas.Document) { again(d); d.Status = 304 },
		8: byDigest, // of another page
		9: refers("2019-01-01T00:00:00Z"),
		10: func(d *schemas.Document) {
			again(d)
			d.RefersTo = &schemas.Reference{RecordID: "urn:x:4"} // a revisit itself
		},
	}
	list := recrawled
	for i := range more {
		change[len(list)] = change[9]
		list = append(list, capture{host: fmt.Sprintf("x%d.example", i), at: "2026-06-01T00:00:00Z"})
	}
	return openOf(t, list, change)
}

// TestKeys_revisits: links on the original of a revisit count for the revisit, whether there are few revisits or many.
func TestKeys_revisits(t *testing.T) {
	const ab, ac, de, fg = "a.example→b.example 1", "a.example→c.example 1", "d.example→e.example 1",
		"f.example→g.example 1"
	for _, more := range []int{0, fewRevisits} {
		db, x := openRecrawled(t, more)
		for filter, want := range map[string][]string{
			"":                                       {ab, ac, de, fg},
			"timestamp >= 2020":                      {ab, ac, de, fg},
			"timestamp >= 2024":                      {ab, ac, de, fg},
			"timestamp >= 2024 timestamp < 2025":     {ac},
			"timestamp >= 2025 timestamp < 2026":     {ab},
			"timestamp >= 2026":                      {ac, de, fg},
			"timestamp >= 2026 host = d.example":     {de},
			"timestamp >= 2026 NOT status = 304":     {ac, de},
			"host = h.example":                       {},
			"host = i.example":                       {},
			"timestamp < 2024":                       {ab, ac, de, fg},
			"host = a.example timestamp < 2021":      {ab},
			"record_type = revisit host = a.example": {ab, ac},
		} {
			if diff := cmp.Diff(want, edges(t, db, x, filter, "")); diff != "" {
				t.Errorf("%d more, %q: edges (-want +got):\n%s", more, filter, diff)
			}
		}
		// The originals that a reader may not read are not among them.
		limited, err := db.Limited(t.Context(), contentdb.Limits{Whole: parsed(t, "NOT (host = a.example timestamp < 2021)")})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{ac, de, fg}, edges(t, limited, x, "timestamp >= 2024", "")); diff != "" {
			t.Errorf("%d more, limited (-want +got):\n%s", more, diff)
		}
	}
}

// TestBuild_yearsOfRevisits: links count in the year of their capture, or of the first revisit if only these are found.
func TestBuild_yearsOfRevisits(t *testing.T) {
	db, x := openRecrawled(t, 0)
	for filter, want := range map[string]string{
		"":                                   "2020 2022 2021 2021",
		"timestamp >= 2021":                  "2025 2022 2021 2021",
		"timestamp >= 2024":                  "2025 2024 2026 2026",
		"timestamp >= 2026":                  "2026 2026 2026",
		"timestamp >= 2022 host = a.example": "2025 2022",
	} {
		keys, err := Keys(t.Context(), db, parsed(t, filter))
		if err != nil {
			t.Fatal(err)
		}
		b := linkgraph.NewBuilder(linkgraph.Options{TempDir: t.TempDir()})
		defer func() { _ = b.Close() }() // the graph is in memory
		tally := b.Tally()
		if err := Build(t.Context(), x, keys, "", tally); err != nil {
			t.Fatal(err)
		}
		g, err := tally.Hosts()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := g.WriteAs(&out, linkgraph.FormatCSV); err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			if i > 0 {
				got = append(got, strings.Split(line, ",")[3])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: years %s, want %s\n%s", filter, got, want, out.String())
		}
	}
}

// TestKeys_candidates: a candidate that leads nowhere leaves the next, whether there are few revisits or many.
func TestKeys_candidates(t *testing.T) {
	list := []capture{
		{"a.example", "", "2020-01-01T00:00:00Z", "", "b.example", "", ""},
		{"a.example", "", "2021-01-01T00:00:00Z", "", "", "", ""},
		{"a.example", "", "2022-01-01T00:00:00Z", "", "", "", ""},
	}
	for range fewRevisits {
		list = append(list, capture{host: "x.example", at: "2025-01-01T00:00:00Z"})
	}
	to := func(r schemas.Reference) func(*schemas.Document) {
		return func(d *schemas.Document) { d.RecordType, d.RefersTo = schemas.TypeRevisit, &r }
	}
	same := func(r schemas.Reference) func(*schemas.Document) {
		return func(d *schemas.Document) { to(r)(d); d.Digest = sum }
	}
	toID := func(id string) func(*schemas.Document) { return to(schemas.Reference{RecordID: "urn:x:" + id}) }
	const first = "2020-01-01T00:00:00Z"
	for _, tt := range []struct {
		name          string
		second, third func(*schemas.Document)
		want          bool // the third capture has the links of the first
	}{
		{"to the first", to(schemas.Reference{Timestamp: first}), to(schemas.Reference{Timestamp: first}), true},
		{"by way of the second", to(schemas.Reference{Timestamp: first}), toID("1"), true},
		{"the second leads nowhere", toID("none"), same(schemas.Reference{RecordID: "urn:x:1"}), true},
		{"the second leads to itself", toID("1"), same(schemas.Reference{RecordID: "urn:x:1"}), true},
		{"they lead to each other", toID("2"), toID("1"), false},
		{"to nothing", toID("1"), toID("none"), false},
	} {
		change := map[int]func(*schemas.Document){
			0: func(d *schemas.Document) { d.Digest = sum }, 1: tt.second, 2: tt.third,
		}
		for i := 3; i < len(list); i++ {
			change[i] = toID("none")
		}
		db, x := openOf(t, list, change)
		want := []string{}
		if tt.want {
			want = []string{"a.example→b.example 1"}
		}
		for _, filter := range []string{"timestamp >= 2022", "timestamp >= 2022 timestamp < 2025"} {
			if diff := cmp.Diff(want, edges(t, db, x, filter, "")); diff != "" {
				t.Errorf("%s, %q: edges (-want +got):\n%s", tt.name, filter, diff)
			}
		}
	}
}

// TestNewLookup_few: for few revisits, nothing is listed but their pages.
func TestNewLookup_few(t *testing.T) {
	db, _ := openRecrawled(t, 0)
	limited, err := db.Limited(t.Context(), contentdb.Limits{Whole: parsed(t, "NOT host = d.example")})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		db       *contentdb.DB
		revisits int
		want     int // lists of readable captures
	}{
		{"one", limited, 1, 0},
		{"few", limited, fewRevisits, 0},
		{"many", limited, fewRevisits + 1, 1},
		{"many of all", db, fewRevisits + 1, 0},
	} {
		lists := 0
		if _, err := NewLookup(t.Context(), tt.db, tt.revisits, func() (Captures, error) {
			lists++
			return Captures{}, nil
		}); err != nil || lists != tt.want {
			t.Errorf("%s: %d lists, want %d: %v", tt.name, lists, tt.want, err)
		}
	}
}

// TestOriginalsOnPage: originals of other pages are searched by Originals only.
func TestOriginalsOnPage(t *testing.T) {
	db, _ := openRecrawled(t, 0)
	for filter, want := range map[string][2]int{ // on the page, and in the whole collection
		"host = a.example timestamp >= 2024 timestamp < 2025": {1, 1},
		"host = a.example timestamp >= 2025 timestamp < 2026": {1, 1},
		"host = d.example timestamp >= 2026":                  {1, 1},
		"host = h.example":                                    {0, 1},
		"host = i.example":                                    {0, 0},
	} {
		for d, err := range db.Each(t.Context(), parsed(t, filter), revisit.Columns) {
			if err != nil {
				t.Fatal(err)
			}
			near, err := db.OriginalsOnPage(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			all, err := db.Originals(t.Context(), d)
			if err != nil || len(near) != want[0] || len(all) != want[1] {
				t.Errorf("%s: %d on the page, %d in all, want %v: %v", filter, len(near), len(all), want, err)
			}
		}
	}
}
