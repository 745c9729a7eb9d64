package sourcerow_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/rowstore/memory"
	"github.com/gleaner-web/gleaner/io/rowstore/sourcerow"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

// TestOf: two states of a source are two versions, and each reads as it was written.
func TestOf(t *testing.T) {
	sources := sourcerow.New(new(memory.Database))
	if err := sources.CreateTable(t.Context(), "sources"); err != nil {
		t.Fatal(err)
	}
	s := schemas.Source{
		ID: "0123456789abcdef", URL: "https://a.example/feed", Title: "A", Verdict: "valid", Class: "main", Language: "fr",
		Reasons: []string{}, Refresh: schemas.SourceRefresh{Rate: 2.5, Interval: 3.1, Next: "2026-05-02T00:00:00Z"},
		Pages: []schemas.SourcePage{{URL: "https://a.example/1", Timestamp: "2026-05-01T00:00:00Z"}},
	}
	for day, verdict := range map[int]string{1: "undecided", 2: "valid"} {
		s.Verdict = verdict
		row, err := sourcerow.Of(sources, "example,a)/feed", s, time.Date(2026, 5, day, 0, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		if err := sources.Put(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	s.Verdict = "undecided"
	v, ok, err := sources.At(t.Context(), "example,a)/feed", time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	got, err := v.Row()
	if diff := cmp.Diff(s, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if v.Name() != "A" || v.URL() != s.URL || v.Verdict() != "undecided" || v.MainLanguage() != "fr" ||
		v.RefreshCycle() != 3*time.Hour+6*time.Minute {
		t.Errorf("%q %q %q %q %v", v.Name(), v.URL(), v.Verdict(), v.MainLanguage(), v.RefreshCycle())
	}
}

// TestOf_again: values that a source no longer has are gone after another row of the same time. Times are gone from
// column row.
func TestOf_again(t *testing.T) {
	sources := sourcerow.New(new(memory.Database))
	if err := sources.CreateTable(t.Context(), "sources"); err != nil {
		t.Fatal(err)
	}
	before := schemas.Source{
		URL: "https://a.example/feed", Title: "A", Class: "main", Verdict: "valid", Language: "fr", Publisher: "BLOG",
		SameAs: &schemas.SameAs{URL: "https://b.example/"}, LastItem: "2026-05-01T00:00:00Z",
		LastChanged: "1970-01-01T00:00:00Z", LastRefresh: "2026-05-01T00:00:00Z",
		LastValidation: "2026-05-01T00:00:00Z",
		Refresh:        schemas.SourceRefresh{Rate: 2, Interval: 12, Next: "2026-05-02T00:00:00Z"},
	}
	for _, s := range []schemas.Source{before, {URL: before.URL}} {
		row, err := sourcerow.Of(sources, "example,a)/feed", s, time.Unix(1, 0))
		if err == nil {
			err = sources.Put(t.Context(), row)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	v, ok, err := sources.At(t.Context(), "example,a)/feed", time.Unix(1, 0))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if v.Name() != "" || v.Verdict() != "" || v.MainLanguage() != "" || v.RefreshCycle() != 0 {
		t.Errorf("%q %q %q %v", v.Name(), v.Verdict(), v.MainLanguage(), v.RefreshCycle())
	}
	for _, name := range []string{"link", "class", "health", "sameAs"} {
		if got := odm.Get[string](v.RowVersion, sourcerow.SourceCF, name); got != "" {
			t.Errorf("%s = %q", name, got)
		}
	}
	if rate := odm.Get[float64](v.RowVersion, sourcerow.FeaturesCF, "refreshRate"); rate != 0 {
		t.Errorf("a refresh rate of %v", rate)
	}
	s, err := v.Row()
	if err != nil || s.LastItem+s.LastChanged+s.LastRefresh+s.LastValidation+s.Refresh.Next != "" {
		t.Errorf("the row has times: %+v, %v", s, err)
	}
}

// TestOf_allFields: every field of a source finds its column, each alone and all together.
func TestOf_allFields(t *testing.T) {
	sources := sourcerow.New(new(memory.Database))
	if err := sources.CreateTable(t.Context(), "sources"); err != nil {
		t.Fatal(err)
	}
	put := func(name string, s schemas.Source) {
		t.Helper()
		row, err := sourcerow.Of(sources, "example,a)/"+name, s, time.Unix(1, 0))
		if err == nil {
			err = sources.Put(t.Context(), row)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var all schemas.Source
	whole := reflect.ValueOf(&all).Elem()
	for i := range whole.NumField() {
		fill(whole.Field(i))
		var one schemas.Source
		fill(reflect.ValueOf(&one).Elem().Field(i))
		put(whole.Type().Field(i).Name, one)
	}
	put("all", all)
	v, ok, err := sources.At(t.Context(), "example,a)/all", time.Unix(1, 0))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	got, err := v.Row()
	if diff := cmp.Diff(all, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// fill sets a value, and all that is in it, to something that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.String:
		v.SetString("2026-05-01T00:00:00Z") // also a text, where it is not a time
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(2)
	case reflect.Float64:
		v.SetFloat(1.5)
	default:
		panic("fill: " + v.Kind().String())
	}
}
