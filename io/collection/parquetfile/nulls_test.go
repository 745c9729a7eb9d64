package parquetfile_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/schemas"
)

// fill fills v and its fields, except for optional fields that keep refuses.
func fill(v reflect.Value, name string, r *rand.Rand, keep func(name string) bool) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			column, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			inner := strings.TrimPrefix(name+"."+column, ".")
			if options != "omitempty" || keep(inner) {
				fill(v.Field(i), inner, r, keep)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name, r, keep)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+r.IntN(9)*r.IntN(20), 200))
		for i := range v.Len() {
			fill(v.Index(i), name, r, keep)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value, name, r, keep)
		v.SetMapIndex(reflect.ValueOf("key"), value)
	case reflect.String:
		v.SetString(fmt.Sprintf("%s %d", name, r.IntN(5)))
		if name == "timestamp" || name == "published" || name == "modified" || name == "custom_times" {
			v.SetString("2026-11-23T08:00:00.123456Z")
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(1 + r.Int64N(9))
	case reflect.Float64:
		v.SetFloat(.5)
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic(v.Kind())
	}
}

// sameRows writes documents in groups of some rows, and reads all columns by a reader that is not parquet-go.
func sameRows(t *testing.T, docs []*schemas.Document, rows int) {
	t.Helper()
	var out bytes.Buffer
	w, err := parquetfile.NewOrderedWriter(&out, parquetfile.OrderNone, parquetfile.Options{RowGroupRows: rows})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		record, err := parquetfile.AppendRecord(nil, d)
		if err == nil {
			err = w.Add(record)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := opened(t, out.Bytes())
	n := 0
	for row, err := range f.Rows(t.Context(), nil, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(docs[n], row.Document); diff != "" {
			t.Fatalf("row %d (-written +read):\n%s", n, diff)
		}
		n++
	}
	found, err := parquetscan.CheckCells[schemas.Document](t.Context(), f)
	if err != nil || n != len(docs) || len(found.Empty) > 0 || found.Checked < int64(50*n) {
		t.Errorf("%d rows in groups of %d: %d cells checked, values for nulls in %s, %v", n, rows, found.Checked,
			found.Columns(), err)
	}
}

func opened(t *testing.T, file []byte) *parquetscan.File {
	t.Helper()
	f, err := parquetscan.Open(bytes.NewReader(file), int64(len(file)), parquetscan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestWriter_nullsOfPatterns writes each pattern of null and value of up to seven rows, in groups of that many rows.
func TestWriter_nullsOfPatterns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	never := func(string) bool { return false }
	always := func(name string) bool { return name != "entities" } // which take their time
	for rows := 3; rows <= 7; rows += 2 {
		var docs []*schemas.Document
		for pattern := range 1 << rows {
			for i := range rows {
				d := &schemas.Document{}
				keep := never
				if pattern>>i&1 == 1 {
					keep = always
				}
				fill(reflect.ValueOf(d).Elem(), "", r, keep)
				docs = append(docs, d)
			}
		}
		sameRows(t, docs, rows)
	}
}

// TestWriter_nullsOfRuns writes k nulls, k values, and nulls up to a batch and beyond.
func TestWriter_nullsOfRuns(t *testing.T) {
	var docs []*schemas.Document
	const rows = 70
	for k := 1; k <= 34; k++ {
		for i := range rows {
			d := &schemas.Document{URL: fmt.Sprint("http://a/", k, i)}
			if i >= k && i < 2*k {
				d.Title, d.Status, d.Damaged, d.Crawl = "title", 200, true, map[string]string{"depth": "1"}
			}
			docs = append(docs, d)
		}
	}
	sameRows(t, docs, rows)
}

// TestWriter_nullsAtRandom writes documents of which each field is there or not, by a likelihood of its own.
func TestWriter_nullsAtRandom(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	likely := map[string]float64{}
	keep := func(name string) bool {
		if _, known := likely[name]; !known {
			likely[name] = []float64{.02, .1, .5, .9, .98}[r.IntN(5)]
		}
		return r.Float64() < likely[name]
	}
	for _, rows := range []int{1000, 64, 6} {
		clear(likely)
		var docs []*schemas.Document
		for range 150 {
			d := &schemas.Document{}
			fill(reflect.ValueOf(d).Elem(), "", r, keep)
			docs = append(docs, d)
		}
		sameRows(t, docs, rows)
	}
}

// TestLinkWriter_nulls writes links that have each field or not, by patterns and at random.
func TestLinkWriter_nulls(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, rows := range []int{5, 64, 1000} {
		var out bytes.Buffer
		w := parquetfile.NewLinkWriter(&out, parquetfile.Options{RowGroupRows: rows, TempDir: t.TempDir()})
		for page := range 300 {
			links := make([]schemas.Link, 1+r.IntN(9))
			for i := range links {
				l := &links[i]
				fill(reflect.ValueOf(l).Elem(), "", r, func(string) bool { return r.IntN(5) < 2 })
				l.SURT, l.URL, l.Host, l.Domain, l.Timestamp = fmt.Sprint("a)/", page), "http://a/", "", "", ""
			}
			if err := w.Write(links); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		found, err := parquetscan.CheckCells[schemas.Link](t.Context(), opened(t, out.Bytes()))
		if err != nil || len(found.Empty) > 0 || found.Checked < 300*8 {
			t.Errorf("%d cells checked, values for nulls in %s, %v", found.Checked, found.Columns(), err)
		}
	}
}
