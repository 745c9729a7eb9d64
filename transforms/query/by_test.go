package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// groupsOf returns the groups that a document, in JSON, counts for: values separated by |.
func groupsOf(t *testing.T, doc string, names ...string) ([]string, error) {
	t.Helper()
	d := &schemas.Document{}
	if err := json.Unmarshal([]byte(doc), d); err != nil {
		t.Fatal(err)
	}
	by, err := NewBy(names)
	if err != nil {
		return nil, err
	}
	var list []string
	err = by.Each(d, func(values []string) error {
		list = append(list, strings.Join(values, "|"))
		return nil
	})
	return list, err
}

func TestBy(t *testing.T) {
	const doc = `{"url": "http://a.example/", "timestamp": "2026-03-04T10:30:00Z", "status": 200, "filename": "a.warc.gz",
		"authors": ["Li", "Ann", "Li"], "tags": ["x", "y"], "custom": {"price": ["3", "4", "3"], "none": [""], "a.b": ["c"]},
		"entities": [{"type": "place", "text": "Paris"}, {"type": "person", "text": "Ann"}, {"type": "person", "text": "Paris"}],
		"flags": ["truncated"], "quality": {"words": 12, "mean_word_length": 4.5, "gopher_pass": true},
		"languages": [{"code": "fr", "share": 0.5}], "errors": [{"stage": "text", "kind": "decode"}], "pages": 0}`
	for _, tt := range []struct {
		by   string
		want []string
	}{
		{"lang", []string{""}},
		{"status", []string{"200"}},
		{"filename", []string{"a.warc.gz"}},
		{"year month day", []string{"2026|2026-03|2026-03-04"}},
		{"authors", []string{"Ann", "Li"}},
		{"authors tags", []string{"Ann|x", "Ann|y", "Li|x", "Li|y"}},
		{"entity", []string{"Ann", "Paris"}},
		{"entities.type", []string{"person", "place"}},
		{"entities.type entity", []string{"person|Ann", "person|Paris", "place|Paris"}},
		{"entity status entities.type", []string{"Ann|200|person", "Paris|200|person", "Paris|200|place"}},
		{"entities.type entities.id", []string{"person|", "place|"}},
		{"custom.price", []string{"3", "4"}},
		{"custom.price custom.a.b", []string{"3|c", "4|c"}},
		{"custom.none custom.absent", []string{"|"}},
		{"custom", []string{"a.b", "none", "price"}},
		{"flags damaged", []string{"truncated|false"}},
		{"quality.words quality.mean_word_length quality.gopher_pass", []string{"12|4.5|true"}},
		{"languages.code errors.kind", []string{"fr|decode"}},
		{"pages sequence offset", []string{"|0|0"}},
	} {
		got, err := groupsOf(t, doc, strings.Fields(tt.by)...)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("by %s: %v, -want +got:\n%s", tt.by, err, diff)
		}
	}
	got, err := groupsOf(t, `{"url": ""}`, "entities.type", "entity", "authors", "quality.gopher_pass", "custom")
	if err != nil || !slices.Equal(got, []string{"||||"}) {
		t.Errorf("of a document that has nothing: %q, %v", got, err)
	}
}

// TestBy_times: a time counts as in the index, in UTC; other texts have none.
func TestBy_times(t *testing.T) {
	for _, tt := range []struct{ given, month, time string }{
		{"2026-03-01T00:30:00Z", "2026-03", "2026-03-01T00:30:00Z"},
		{"2026-03-01T00:30:00+01:00", "2026-02", "2026-02-28T23:30:00Z"},
		{"2026-03-01T00:30:00.5Z", "2026-03", "2026-03-01T00:30:00.5Z"},
		{"2026-03-01", "2026-03", "2026-03-01T00:00:00Z"},
		{"20260304103000", "", ""},
		{"2026-03-04 10:30:00", "", ""},
		{"", "", ""},
	} {
		for by, want := range map[string]string{"month": tt.month, "timestamp": tt.time} {
			got, err := groupsOf(t, `{"timestamp": "`+tt.given+`"}`, by)
			if err != nil || !slices.Equal(got, []string{want}) {
				t.Errorf("%q by %s: %q, %v, want %q", tt.given, by, got, err, want)
			}
		}
	}
}

// TestBy_emptyElements: an element without the counted values counts only if no other has them.
func TestBy_emptyElements(t *testing.T) {
	for _, tt := range []struct{ doc, by, want string }{
		{`{"entities": [{"text": "Ann"}, {"text": ""}]}`, "entity", "Ann"},
		{`{"entities": [{"type": "person"}, {"text": ""}]}`, "entity", ""},
		{`{"entities": [{"type": "person"}, {"text": "Ann"}]}`, "entities.type entity", "|Ann person|"},
		{`{"entities": [{"count": 1}, {"type": "person"}], "status": 200}`, "status entities.type", "200|person"},
		{`{"languages": [{"code": ""}, {"code": "fr"}, {"code": "de"}]}`, "languages.code", "de fr"},
	} {
		got, err := groupsOf(t, tt.doc, strings.Fields(tt.by)...)
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%s by %s: %q, %v, want %q", tt.doc, tt.by, got, err, tt.want)
		}
	}
}

func TestNewBy_refuses(t *testing.T) {
	for by, want := range map[string]string{
		"entities":    "name one, as entities.text",
		"quality":     "name one, as quality.words",
		"langage":     "did you mean language?",
		"custom.":     "the key of custom is empty",
		"url lang":    "",
		"url url":     `"url" is named twice`,
		"refers_to":   "name one, as refers_to.",
		"authors.foo": "unknown field",
	} {
		_, err := NewBy(strings.Fields(by))
		if err == nil != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("by %s: %v, want %q", by, err, want)
		}
	}
}

// TestBy_bound: combinations of several lists with thousands of values are limited.
func TestBy_bound(t *testing.T) {
	d := schemas.Document{}
	for i := range 1000 {
		d.Tags, d.Authors = append(d.Tags, fmt.Sprint(i)), append(d.Authors, fmt.Sprint(i))
		d.Entities = append(d.Entities, schemas.Entity{Text: fmt.Sprint(i), Type: fmt.Sprint(i)})
	}
	for names, want := range map[string]error{
		"tags authors": ErrCombinations, "tags entity": ErrCombinations, "entity entities.type": nil, "tags": nil,
	} {
		by, err := NewBy(strings.Fields(names))
		if err == nil {
			err = by.Each(&d, func([]string) error { return nil })
		}
		if !errors.Is(err, want) {
			t.Errorf("by %s: %v, want %v", names, err, want)
		}
	}
}

func TestQuery_sampled(t *testing.T) {
	where, err := Parse("status = 200 lang = fr")
	if err != nil {
		t.Fatal(err)
	}
	half := Compile(Query{Where: where, Sample: 500_000}.Sampled().Where)
	tenth := Compile(Query{Where: where, Sample: 100_000}.Sampled().Where)
	var inHalf, inTenth int
	for i := range 10_000 {
		d := &schemas.Document{SURT: fmt.Sprint("org,example)/", i), Status: 200, Language: "fr"}
		h, s := half(d), tenth(d)
		if s && !h {
			t.Fatalf("%s is in the smaller sample alone", d.SURT)
		}
		if h {
			inHalf++
		}
		if s {
			inTenth++
		}
		if d.Language = "de"; half(d) {
			t.Fatal("the filter of a sampled query is lost")
		}
	}
	if inHalf < 4800 || inHalf > 5200 || inTenth < 850 || inTenth > 1150 {
		t.Errorf("%d and %d of 10,000 pages are in samples of a half and a tenth", inHalf, inTenth)
	}
	if all := (Query{Where: where}).Sampled(); all.Where != where {
		t.Errorf("no sample changes the filter: %v", all.Where)
	}
	if err := (Query{Sample: -1}).Check(); err == nil {
		t.Error("a negative sample was taken")
	}
}
