package contentdb

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/collectiontest"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/meaning/standard"
	"github.com/gleaner-web/gleaner/transforms/query"
)

func trendsRequest(text, unit, where string, t *testing.T) AboutTrendsRequest {
	t.Helper()
	e, err := query.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	return AboutTrendsRequest{About: AboutRequest{Text: text, Query: query.Query{Where: e}}, Unit: unit}
}

func TestAboutTrends(t *testing.T) {
	indexed, scanned := openAbout(t, Options{}), openAbout(t, Options{NoIndex: true})
	series, err := query.ParseSeries("masks, language = fr, final match")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		change  func(*AboutTrendsRequest)
		periods []string
		all     []int64
		lines   [][]int64
	}{
		{"years", nil, []string{"2020", "2021"}, []int64{4, 1}, [][]int64{{3, 1}}},
		{
			"a filter", func(r *AboutTrendsRequest) { *r = trendsRequest("hospital masks", "year", "language = fr", t) },
			[]string{"2020"},
			[]int64{1},
			[][]int64{{1}},
		},
		{
			"months", func(r *AboutTrendsRequest) { r.Unit = "month" },
			[]string{"2020-01", "2020-03", "2021-01"},
			[]int64{2, 2, 1},
			[][]int64{{1, 2, 1}},
		},
		{
			"series", func(r *AboutTrendsRequest) { r.Series = series },
			[]string{"2020", "2021"},
			[]int64{4, 1},
			[][]int64{{3, 1}, {1, 1}, {1, 0}, {1, 0}},
		},
		{
			"no capture", func(r *AboutTrendsRequest) { *r = trendsRequest("hospital masks", "year", "status = 404", t) },
			nil, nil,
			[][]int64{nil},
		},
		{
			"a high bound", func(r *AboutTrendsRequest) { r.Bound = .99 },
			[]string{"2020", "2021"},
			[]int64{4, 1},
			[][]int64{{0, 0}},
		},
		{"like another", func(r *AboutTrendsRequest) {
			r.About.Text = ""
			r.About.Like = &schemas.Document{SURT: "org,example)/hopital", Timestamp: "2020-03-01T00:00:00Z"}
		}, []string{"2020", "2021"}, []int64{4, 1}, [][]int64{{3, 1}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := trendsRequest("masks in hospitals", "year", "", t)
			r.Bound = .25
			if test.change != nil {
				test.change(&r)
			}
			if r.Bound == 0 {
				r.Bound = .25
			}
			for name, db := range map[string]*DB{"index": indexed, "shards": scanned} {
				if r.About.Like != nil && name == "shards" {
					continue
				}
				got, err := db.AboutTrends(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				want := Trends{Periods: test.periods, All: test.all, Lines: test.lines}
				if diff := cmp.Diff(want, got.Trends); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

// TestAboutTrends_versions: the newest capture of a page in a period stands for the others of that period.
func TestAboutTrends_versions(t *testing.T) {
	const about, other = "The hospital's staff put on masks.", "The team won the final match."
	var docs []*schemas.Document
	for i, d := range []struct{ page, at, text string }{
		{"a", "2020-01-01T00:00:00Z", about},
		{"a", "2020-01-31T23:59:59Z", other},
		{"a", "2020-02-01T00:00:00Z", about},
		{"b", "2020-01-15T00:00:00Z", about},
		{"b", "2020-01-15T00:00:01Z", about},
		{"c", "", about},
	} {
		docs = append(docs, &schemas.Document{
			URL: "http://example.org/" + d.page, SURT: "org,example)/" + d.page, Timestamp: d.at, Text: d.text,
			Filename: "a", Offset: int64(i), Status: 200, RecordType: schemas.TypeResponse,
		})
	}
	db, err := OpenPath(t.Context(), collectiontest.Make(t, "a", docs...), Options{Meaning: standard.Model})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	periods := []string{"", "2020-01", "2020-02"}
	for all, want := range map[bool]Trends{
		false: {Periods: periods, All: []int64{1, 2, 1}, Lines: [][]int64{{1, 1, 1}}},
		true:  {Periods: periods, All: []int64{1, 4, 1}, Lines: [][]int64{{1, 3, 1}}},
	} {
		r := trendsRequest("masks in hospitals", "month", "", t)
		r.About.Query.AllVersions, r.Bound = all, .3
		a, err := db.AboutTrends(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, a.Trends); diff != "" {
			t.Errorf("all versions %v (-want +got):\n%s", all, diff)
		}
	}
}

func TestAboutTrends_empty(t *testing.T) {
	db := openAbout(t, Options{})
	for _, test := range []struct{ text, where, want string }{
		{"masks in hospitals", "", ""},
		{"masks in hospitals", "language = de", "No capture with a text"},
		{"quarks and gluons", "", "the nearest passage has a cosine of"},
		{"xqzvw", "", "no known word"},
	} {
		a, err := db.AboutTrends(t.Context(), trendsRequest(test.text, "year", test.where, t))
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Empty(); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
	for text, want := range map[string]error{"?!": ErrNoWord, "x": nil} {
		if _, err := db.AboutTrends(t.Context(), trendsRequest(text, "year", "", t)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// TestAboutTrends_limits: captures that a reader may not see or read are not counted.
func TestAboutTrends_limits(t *testing.T) {
	db := openAbout(t, Options{})
	open, err := query.Parse(`NOT url:secret`)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []Limits{{Listed: open}, {Whole: open}, {Listed: open, Whole: open}} {
		limited, err := db.Limited(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		r := trendsRequest("secret plans of the ministry", "month", "", t)
		r.Bound = .2
		r.Series, _ = query.ParseSeries("secret")
		a, err := limited.AboutTrends(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		for i, period := range a.Periods {
			if a.Lines[1][i] != 0 || period == "2020-03" && a.All[i] != 1 {
				t.Errorf("%+v: %s has %d, %d", by, period, a.All[i], a.Lines[1][i])
			}
		}
	}
}
