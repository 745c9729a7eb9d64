package contentdb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// options are those of a manifest: extractors, and then other options by name.
func options(extract string, more ...any) map[string]any {
	o := map[string]any{}
	var list []any
	for _, name := range strings.Fields(extract) {
		list = append(list, name)
	}
	o["extract"] = list
	for i := 0; i < len(more); i += 2 {
		o[more[i].(string)] = more[i+1]
	}
	return o
}

func lacksOf(t *testing.T, m schemas.Manifest, filter string) string {
	t.Helper()
	e, err := query.Parse(filter)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, l := range (&DB{core: &core{manifest: m}}).Lacks(e) {
		list = append(list, l.Field+" "+l.Option)
	}
	return strings.Join(list, ", ")
}

func TestLacks(t *testing.T) {
	ran := options("mime text metadata entities")
	price := map[string]any{"price": ".price"}
	for _, test := range []struct {
		filter  string
		options map[string]any
		want    string
	}{
		{`status = 200 record_type = response`, ran, ""},
		{`title = "a"`, ran, ""},
		{`sentiment.score < 0`, ran, "sentiment.score --extract=sentiment"},
		{
			`sentiment.score < 0 OR sentiment.positive > 1 AND data.type = Product`, ran, "data.type --extract=data, " +
				"sentiment.positive --extract=sentiment, sentiment.score --extract=sentiment",
		},
		{`NOT language = fr`, ran, "language --extract=language"},
		{`lang = fr`, ran, "language --extract=language"},
		{`languages.share < .5`, ran, "languages.share --extract=language"},
		{`"masks"`, options("mime"), "text --extract=text, title --extract=metadata"},
		{`masks`, options("text metadata language"), ""},
		{`masks`, options("text metadata"), "language --extract=language"}, // of other forms of the word
		{`sentiment.score < 0`, nil, ""},

		// A field of an object may need another extractor than the object.
		{`entities.sentiment < 0`, ran, "entities.sentiment --extract=sentiment"},
		{`entities.sentiment < 0`, options("sentiment"), "entities.sentiment --extract=entities"},
		{
			`entities.sentiment < 0`, options("text"),
			"entities.sentiment --extract=entities, entities.sentiment --extract=sentiment",
		},
		{`entities.sentiment < 0`, options("entities sentiment"), ""},
		{`entities.text = Paris entities.type = place entities.count > 1`, ran, ""},
		{`entity = Paris`, options("text sentiment"), "entities.text --extract=entities"},
		{`data.items > 1`, ran, "data.items --extract=data"},
		{`rights.signal = noai`, ran, "rights.signal --extract=rights"},
		{`licenses.name = CC0`, options("rights"), "licenses.name --extract=licenses"},
		{`images.alt = a image.width > 2`, ran, "image.width --extract=images, images.alt --extract=images"},
		{`image.exif:*`, ran, "image.exif --extract=images"},
		{`metadata_sources.title = meta`, options("text"), "metadata_sources.title --extract=metadata"},
		{`quality.words > 2 links_internal > 2`, ran, "links_internal --extract=links, quality.words --extract=quality"},
		{`pages > 2`, options("text"), "pages --extract=metadata"},

		// Custom fields are chosen by users.
		{`custom.price:*`, ran, "custom.price --select"},
		{`custom.price:*`, options("text", "select", price), ""},
		{`custom.size:*`, options("text", "select", price), "custom.size --select"},
		{`custom.size:*`, options("text readability", "select", price), ""},

		// Other options leave out parts.
		{`text:*`, options("text", "text", "none"), "text --text=plain"},
		{`text_source = html`, options("text", "text", "none"), ""},
		{`comments.text:*`, options("text", "text", "none"), "comments.text --text=plain"},
		{`posts.text:*`, options("text", "text", "none"), "posts.text --text=plain"},
		{`comments.count > 1 posts.kind = post`, options("text", "text", "none"), ""},
		{`comments.count > 1`, options("text", "comments", "drop"), "comments.count --comments=separate"},
		{`comments.count > 1`, options("text", "comments", "separate"), ""},
	} {
		m := schemas.Manifest{Options: test.options}
		if got := lacksOf(t, m, test.filter); got != test.want {
			t.Errorf("Lacks(%s) of %v = %q, want %q", test.filter, test.options, got, test.want)
		}
	}
	db := &DB{core: &core{manifest: schemas.Manifest{Options: ran}}}
	if got := db.Lacks(nil); got != nil {
		t.Errorf("Lacks(nil) = %v", got)
	}
	db.o.Files = []schemas.Shard{{Name: "a.parquet"}}
	if got := db.Lacks(&query.Compare{Field: "sentiment.score"}); got != nil {
		t.Errorf("an earlier snapshot: Lacks = %v, and the manifest is about another", got)
	}
}

// TestLacks_units: a field that one unit has is not missing.
func TestLacks_units(t *testing.T) {
	with, without := schemas.UnitResult{MadeWith: options("sentiment")}, schemas.UnitResult{MadeWith: options("text")}
	for _, test := range []struct {
		units []schemas.UnitResult
		run   string // extractors of the last run
		want  bool
	}{
		{nil, "text", true},
		{nil, "sentiment", false},
		{[]schemas.UnitResult{{}}, "text", true},
		{[]schemas.UnitResult{{}, with}, "text", false},
		{[]schemas.UnitResult{with, without}, "text", false},
		{[]schemas.UnitResult{without, without}, "sentiment", true}, // the run added nothing
		{[]schemas.UnitResult{without, {}}, "sentiment", false},
		{[]schemas.UnitResult{without, {}}, "text", true},
		{[]schemas.UnitResult{{}, {MadeWith: map[string]any{"adopted": true}}}, "text", false},
	} {
		m := schemas.Manifest{Options: options(test.run), Units: test.units}
		if got := lacksOf(t, m, "sentiment.score > 0"); (got != "") != test.want {
			t.Errorf("%v, last run %s: Lacks = %q, want some: %v", test.units, test.run, got, test.want)
		}
	}
}

func TestLack_String(t *testing.T) {
	list := []Lack{
		{"entities.sentiment", "sentiment", "--extract=sentiment"}, {"custom.a", "", "--select"}, {Field: "source_id"},
	}
	if got := fmt.Sprint(list[2]); !strings.HasSuffix(got, "source_id: it comes from the database that --sources names") {
		t.Error(got)
	}
	if got := fmt.Sprint(list[0]); !strings.HasPrefix(got, "no capture has the field entities.sentiment, which") {
		t.Error(got)
	}
	if got := fmt.Sprint(list[1]); got != "no capture has the field custom.a, which ingest --select fills" {
		t.Error(got)
	}
}
