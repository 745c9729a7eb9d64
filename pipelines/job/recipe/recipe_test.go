package recipe

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/sinks"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// usual are the options of a command without flags.
func usual() Recipe {
	return Recipe{
		Formats: []string{"jsonl"}, Compression: "zstd", Extract: []string{"mime", "text", "links"}, Accuracy: "default",
		MaxBody: 32 << 20, MaxHead: 1 << 20, MaxRatio: 1000, Text: TextPlain, Profile: "balanced", Comments: "separate",
	}
}

// sent returns the sinks that these settings describe.
func sent(t *testing.T, settings string) (s sinks.Sinks) {
	t.Helper()
	if err := json.Unmarshal([]byte(settings), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRecipe_keysOfEarlierVersions: units of earlier versions are found by their keys, which have not changed. A
// changed key here means that all folders would be ingested again.
func TestRecipe_keysOfEarlierVersions(t *testing.T) {
	for _, tt := range []struct {
		name, templates string
		change          func(r *Recipe)
		want            string // the keys of the options, of a unit with them, and of the manifest's options
	}{
		{"usual", "", func(*Recipe) {}, "2fe90042 3d3e376c 2fe90042"},
		{"index alone", "", func(r *Recipe) { r.Formats, r.Extract = []string{"cdxj"}, nil }, "3d992c87 3cc12fa0 3d992c87"},
		{
			"an index beside", "", func(r *Recipe) { r.Formats = []string{"cdxj", "jsonl", "links"} },
			"feb5b90b ff50f961 2723e13d",
		},
		{"nothing extracted", "", func(r *Recipe) { r.Extract = []string{} }, "8f16316c 36ab9207 8f16316c"},
		{"chosen", "", func(r *Recipe) {
			r.Where, r.Sample, r.Limit = "status = 200 AND host:<a&b>", 10_000, 1000
			r.Triggers = map[string]string{"text": "language = fr", "names": "status = 200"}
		}, "3529f8d6 a65e4c07 0d4548c7"},
		{"texts", "", func(r *Recipe) {
			r.Text, r.Profile, r.Comments, r.Without = TextMarkdown, "recall", "keep", []string{"main_html"}
			r.Accuracy = "high"
		}, "81021e6a 394a7c94 81021e6a"},
		{"fields", "", func(r *Recipe) {
			r.Select = []enrich.Field{{Name: "title", CSS: "h1 > b"}, {Name: "price", CSS: "span.price"}}
		}, "bfde5f89 c9f2f3d2 bfde5f89"},
		{"sources", "", func(r *Recipe) { r.SourcesMade = "12" }, "9b431914 568fa914 9b431914"},
		{"templates", "0123", func(r *Recipe) { r.SiteTemplates = true }, "97b83ec6 4574a810 f2933a1a"},
		{"templates before the first pass", "", func(r *Recipe) { r.SiteTemplates = true }, "d8ed7a4c dd7a2238 f2933a1a"},
		{"large numbers", "", func(r *Recipe) { r.MaxBody, r.MaxRatio = 1<<62+1, 1<<53+1 }, "fafb8891 4ecdc043 fafb8891"},
		{"a sink", "", func(r *Recipe) {
			r.Sinks = sent(t, `{"elastic": {"Hosts": ["http://127.0.0.1:9200"], "Model": "ache", "Index": "pages"}}`)
		}, "8c3b42b5 707f601d 8c3b42b5"},
		{"nothing at all", "", func(r *Recipe) { *r = Recipe{} }, "b4ce7fb4 7288d1b8 b4ce7fb4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := usual()
			tt.change(&r)
			u := schemas.Unit{ID: 3, Inputs: []schemas.Range{{File: "a.warc.gz", Start: 7, End: 100}}}
			got := strings.Join([]string{
				r.UnitKey(tt.templates)[:8],
				ledger.Key(u, r.UnitNote(tt.templates), map[string]string{"capture": "1"})[:8],
				ledger.Key(schemas.Unit{}, r.Note(), nil)[:8],
			}, " ")
			if got != tt.want {
				t.Errorf("the keys are %s, want %s", got, tt.want)
			}
		})
	}
}

// set gives a field of a recipe a value that is not its default.
func set(t *testing.T, field reflect.Value, name string) {
	t.Helper()
	values := map[string]any{
		"Extract": []string{"links", "mime", "text", "feeds"}, "Select": Fields{{Name: "price", CSS: "b"}},
		"Triggers": map[string]string{"text": "status = 200"},
		"Sinks":    sent(t, `{"elastic": {"Hosts": ["http://127.0.0.1:9200"]}}`),
	}
	switch value := values[name]; {
	case value != nil:
		field.Set(reflect.ValueOf(value))
	case field.Kind() == reflect.String:
		field.SetString("x")
	case field.Kind() == reflect.Bool:
		field.SetBool(true)
	case field.CanInt():
		field.SetInt(1<<31 - 1)
	default:
		field.Set(reflect.ValueOf([]string{"x"}))
	}
}

// TestRecipe_eachFieldIsNoted: a field that notes forgot would leave units as they are that another value changes. It
// would also be lost for runs that take the options from a folder.
func TestRecipe_eachFieldIsNoted(t *testing.T) {
	none := ledger.Key(schemas.Unit{}, Recipe{}.Note(), nil)
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Recipe]()) {
		var r Recipe
		field := reflect.ValueOf(&r).Elem().FieldByIndex(f.Index)
		set(t, field, f.Name)
		note := r.Note()
		if ledger.Key(schemas.Unit{}, note, nil) == none {
			t.Errorf("%s is not in notes", f.Name)
		}
		back, err := Noted(note)
		if f.Name == "Sinks" { // of which notes have no more than what affects units
			r.Sinks = sinks.Sinks{}
		}
		if err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%s: %+v is read from a note of %+v, %v", f.Name, back, r, err)
		}
	}
}

func TestRecipe_feeds(t *testing.T) {
	for _, tt := range []struct {
		formats, extract []string
		want             bool
	}{
		{[]string{"jsonl"}, []string{"text", "feeds"}, true},
		{[]string{"parquet", "cdxj"}, []string{"feeds"}, true},
		{[]string{"jsonl"}, []string{"text"}, false},
		{[]string{"cdxj"}, []string{"feeds"}, false},
	} {
		if got := (Recipe{Formats: tt.formats, Extract: tt.extract}).Collection(nil).Feeds; got != tt.want {
			t.Errorf("feeds are written for %v, %v: %v, want %v", tt.formats, tt.extract, got, tt.want)
		}
	}
}

// TestRecipe_takesAway: a command may only add to documents. Any other field that differs is refused.
func TestRecipe_takesAway(t *testing.T) {
	adding := []string{"Formats", "Extract", "Select", "Triggers", "SourcesMade", "Sinks"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Recipe]()) {
		other := usual()
		field := reflect.ValueOf(&other).Elem().FieldByIndex(f.Index)
		set(t, field, f.Name)
		if refused := other.TakesAway(usual()) != ""; refused == slices.Contains(adding, f.Name) {
			t.Errorf("another %s is refused: %v", f.Name, refused)
		}
	}
}
