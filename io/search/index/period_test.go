package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// TestFacets_periods: years and days are counted like the texts of times, also before 1970, without a time, and over
// several shards and volumes.
func TestFacets_periods(t *testing.T) {
	times := []string{
		"", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1969-12-31T00:00:00Z", "2026-03-01T00:00:00Z",
		"2026-03-01T23:59:59.999999Z", "2026-02-28T12:00:00Z", "2024-02-29T12:00:00Z", "1999-12-31T23:59:59Z",
	}
	var docs []*schemas.Document
	for i := range 300 {
		d := &schemas.Document{
			URL: fmt.Sprintf("http://a.example/%d", i), Filename: "f", Offset: int64(i), RecordType: "response",
			Timestamp: times[i*i%len(times)], Text: []string{"dawn", "dusk"}[i%2],
		}
		d.SURT = urlkey.SURT(d.URL)
		docs = append(docs, d)
	}
	for _, o := range []Options{{}, {VolumeRows: 100}} {
		s := newShelf(t)
		for i := range 3 {
			s.put(t, i, docs[100*i:100*i+100])
		}
		x, _ := s.open(t, o)
		for unit, digits := range map[string]int{"year": 4, "day": 10} {
			for _, filter := range []string{"", "dawn", "timestamp < 1970", "timestamp = 2026-03"} {
				where, err := query.Parse(filter)
				if err != nil {
					t.Fatal(err)
				}
				counts := map[string]int64{}
				for _, d := range docs {
					if query.Match(where, d) {
						counts[d.Timestamp[:min(digits, len(d.Timestamp))]]++
					}
				}
				got, err := x.Facets(t.Context(), query.Query{Where: where, AllVersions: true}, []string{unit}, 0, nil)
				if err != nil || len(got) != len(counts) {
					t.Errorf("by %s, %q: %v, %v, want %v", unit, filter, got, err, counts)
				}
				for _, f := range got {
					if counts[f.Values[0]] != f.Count {
						t.Errorf("by %s, %q: %v, want %v", unit, filter, f, counts)
					}
				}
			}
		}
	}
}

// TestFacets_yearBeside counts by year and another field.
func TestFacets_yearBeside(t *testing.T) {
	var docs []*schemas.Document
	for i := range 300 {
		d := &schemas.Document{
			URL: fmt.Sprintf("http://%d.example/%d", i%7, i), Filename: "f", Offset: int64(i), RecordType: "response",
			Host:     []string{"", "a.example", "b.example"}[i%3],
			Language: []string{"", "en", "fr", "de"}[i*i%4], Timestamp: fmt.Sprintf("%d-0%d-03T00:00:00Z", 1999+i%5, 1+i%9),
		}
		if i%11 == 0 {
			d.Timestamp = ""
		}
		d.SURT = urlkey.SURT(d.URL)
		docs = append(docs, d)
	}
	for _, o := range []Options{{}, {VolumeRows: 100}} {
		s := newShelf(t)
		for i := range 3 {
			s.put(t, i, docs[100*i:100*i+100])
		}
		x, _ := s.open(t, o)
		for _, by := range [][]string{{"host", "year"}, {"year", "language"}, {"host", "language"}} {
			want := map[string]int64{}
			for _, d := range docs {
				year := d.Timestamp[:min(4, len(d.Timestamp))]
				of := map[string]string{"host": d.Host, "language": d.Language, "year": year}
				want[of[by[0]]+" "+of[by[1]]]++
			}
			list, err := x.Facets(t.Context(), query.Query{AllVersions: true}, by, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int64{}
			for _, f := range list {
				got[strings.Join(f.Values, " ")] += f.Count
			}
			if diff := cmp.Diff(want, got); diff != "" || len(list) != len(want) {
				t.Errorf("by %v: %s", by, diff)
			}
		}
	}
}

func TestCounts(t *testing.T) {
	for _, by := range [][]string{
		{"year"}, {"day"}, {"month"}, {"language", "month"}, {"host", "year"}, {"flags"}, {"tags", "host"},
	} {
		if !Counts(by) {
			t.Errorf("Counts(%q) = false", by)
		}
	}
	for _, by := range [][]string{
		nil,
		{"title"},
		{"language", "day"},
		{"tags", "year"},
		{"host", "language", "year"},
		slices.Repeat([]string{"year"}, 2),
		{"tags", "flags"},
	} {
		if Counts(by) {
			t.Errorf("Counts(%q) = true", by)
		}
	}
}
