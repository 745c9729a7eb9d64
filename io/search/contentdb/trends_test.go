package contentdb

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestTrends: trends are the counts of documents one by one, over shards of both kinds, with the index and without.
func TestTrends(t *testing.T) {
	docs := corpus(7, 150)
	f := build(t, t.TempDir(), docs, []string{holdings.FormatJSONL}, []string{holdings.FormatParquet})
	series, err := query.ParseSeries(`status = 200, language = fr, NOT mime:pdf, entity:*, title:a`)
	if err != nil {
		t.Fatal(err)
	}
	for _, filter := range []string{"", "status != 404", "timestamp >= 2026-02"} {
		where, err := query.Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		for unit, digits := range map[string]int{"year": 4, "month": 7, "day": 10} {
			want := trendsOf(docs, where, series, digits)
			for _, noIndex := range []bool{false, true} {
				db, err := Open(t.Context(), f, Options{NoIndex: noIndex})
				if err != nil {
					t.Fatal(err)
				}
				got, err := db.Trends(t.Context(), query.Query{Where: where}, series, unit)
				if err = errors.Join(err, db.Close()); err != nil {
					t.Fatal(err)
				}
				list := []map[string]int64{{}}
				for i, period := range got.Periods {
					list[0][period] = got.All[i]
				}
				for _, line := range got.Lines {
					one := map[string]int64{}
					for i, period := range got.Periods {
						if line[i] > 0 {
							one[period] = line[i]
						}
					}
					list = append(list, one)
				}
				if diff := cmp.Diff(want, list); diff != "" {
					t.Errorf("%q by %s, without the index %v: -want +got:\n%s", filter, unit, noIndex, diff)
				}
			}
		}
	}
}

// trendsOf counts documents one by one: all, and those of each series.
func trendsOf(docs []*schemas.Document, where query.Expr, series []query.Series, digits int) []map[string]int64 {
	list := []map[string]int64{{}}
	for range series {
		list = append(list, map[string]int64{})
	}
	for _, d := range docs {
		if !query.Match(where, d) {
			continue
		}
		period := d.Timestamp[:min(digits, len(d.Timestamp))]
		list[0][period]++
		for i, s := range series {
			if query.Match(s.Where, d) {
				list[i+1][period]++
			}
		}
	}
	return list
}
