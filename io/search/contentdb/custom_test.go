package contentdb

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestCustomTypes: some shards have typed values, others were written before their extractor had types. Both give one
// answer in every way: in filters, in counts and in the rows.
func TestCustomTypes(t *testing.T) {
	docs := corpus(6, 120)
	types := map[string]schemas.ValueType{
		"price": schemas.TypeInteger, "score": schemas.TypeFloat, "sold": schemas.TypeBoolean, "seen": schemas.TypeTime,
	}
	for i, d := range docs {
		d.Custom = nil
		for column, of := range types {
			if i%5 == 0 {
				continue
			}
			if i%2 == 0 {
				of = schemas.TypeText // of an earlier run
			}
			if err := d.SetCustom(column, of, valuesOf(column, i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, formats := range map[string][][]string{
		"lines": {{holdings.FormatJSONL}}, "parquet": {{holdings.FormatParquet}},
		"mixed": {{holdings.FormatJSONL}, {holdings.FormatParquet}},
	} {
		for _, noIndex := range []bool{false, true} {
			db, err := Open(t.Context(), build(t, t.TempDir(), docs, formats...), Options{NoIndex: noIndex})
			if err != nil {
				t.Fatal(err)
			}
			db.types = types
			for _, filter := range []string{
				"custom.price > 9", "custom.price = 10", "custom.price != 10", "custom.score < 2.5", "custom.sold = false",
				"custom.seen >= 2026-01-05 custom.seen < 2026-02", "custom:price", "NOT custom.price > 9",
				"custom_integers.price <= 3",
			} {
				where, err := query.Parse(filter)
				if err != nil {
					t.Fatal(err)
				}
				bound, err := query.Bind(where, types)
				if err != nil {
					t.Fatal(err)
				}
				if settled, err := db.settled(query.Query{Where: where}); err != nil || !noIndex && db.verify(settled) != nil {
					t.Errorf("%s: %v, or the index leaves it to the documents", filter, err)
				}
				q := query.Query{Where: where, AllVersions: true}
				want := reference(query.Query{Where: bound, AllVersions: true}, docs)
				if len(want) == 0 || len(want) == len(docs) {
					t.Fatalf("%s takes %d of %d documents", filter, len(want), len(docs))
				}
				if diff := cmp.Diff(texts(t, all(want)), texts(t, db.Find(t.Context(), q, nil))); diff != "" {
					t.Errorf("%s, no index %v, %s: -want +got:\n%s", name, noIndex, filter, diff)
				}
				if n, err := db.Count(t.Context(), q); err != nil || n != int64(len(want)) {
					t.Errorf("%s, no index %v, %s: %d, %v, want %d", name, noIndex, filter, n, err, len(want))
				}
				for _, by := range []string{"custom.price", "custom_integers.price", "custom"} {
					groups, err := db.Facets(t.Context(), q, []string{by}, 0)
					if diff := cmp.Diff(groupsOf(t, []string{by}, want), groups); diff != "" || err != nil {
						t.Errorf("%s, no index %v, %s by %s: %v, -want +got:\n%s", name, noIndex, filter, by, err, diff)
					}
				}
			}
			where, err := query.Parse("custom.price = cheap")
			if err != nil {
				t.Fatal(err)
			}
			var typed *query.TypeError
			if _, err := db.Count(t.Context(), query.Query{Where: where}); !errors.As(err, &typed) {
				t.Errorf("%s: a text compared with a number: %v", name, err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// valuesOf are the values of a column of the i-th document, as texts of their type.
func valuesOf(column string, i int) []string {
	return map[string][]string{
		"price": {strconv.Itoa(i % 13), "1"}, "score": {strconv.FormatFloat(float64(i%9)/2, 'g', -1, 64)},
		"sold": {strconv.FormatBool(i%3 == 0)}, "seen": {fmt.Sprintf("2026-%02d-%02dT00:00:00.5Z", 1+i%2, 1+i%28)},
	}[column]
}

// TestCustomTypes_several: a filter of a column with values of several types finds those of each, in every way.
func TestCustomTypes_several(t *testing.T) {
	docs := corpus(6, 60)
	for i, d := range docs {
		d.Custom = nil
		of := []schemas.ValueType{schemas.TypeInteger, schemas.TypeFloat}[i%2]
		if err := d.SetCustom("stars", of, []string{strconv.Itoa(i % 5)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, noIndex := range []bool{false, true} {
		f := build(t, t.TempDir(), docs, []string{holdings.FormatParquet})
		db, err := Open(t.Context(), f, Options{NoIndex: noIndex})
		if err != nil {
			t.Fatal(err)
		}
		for filter, want := range map[string]int64{
			"custom.stars > 3": 12, "custom.stars = 0": 12, "custom.stars != 0": 48, "NOT custom.stars >= 1": 12,
			"custom:stars": 60,
		} {
			where, err := query.Parse(filter)
			if err != nil {
				t.Fatal(err)
			}
			n, err := db.Count(t.Context(), query.Query{Where: where, AllVersions: true})
			if err != nil || n != want {
				t.Errorf("no index %v, %s: %d, %v, want %d", noIndex, filter, n, err, want)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
