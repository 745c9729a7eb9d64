package enrich

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// made is an extractor of a test. Its only column has its name.
type made struct {
	name    string
	extract func(p *Page) (map[string][]string, error)
}

func (m made) Name() string                                 { return m.name }
func (m made) Version() string                              { return "7" }
func (m made) Columns() []string                            { return []string{m.name} }
func (m made) Extract(p *Page) (map[string][]string, error) { return m.extract(p) }

// with registers extractors for a test.
func with(t *testing.T, list ...Extractor) {
	t.Helper()
	MustRegister(list...)
	t.Cleanup(func() {
		for _, x := range list {
			delete(registry.own, x.Name())
		}
	})
}

func TestOwn(t *testing.T) {
	says := func(values ...string) func(*Page) (map[string][]string, error) {
		return func(*Page) (map[string][]string, error) { return map[string][]string{"mine": values}, nil }
	}
	for _, tt := range []struct {
		name    string
		extract func(p *Page) (map[string][]string, error)
		custom  map[string][]string
		kind    schemas.Kind
		message string
	}{
		{"a value", says("a", "b"), map[string][]string{"mine": {"a", "b"}}, "", ""},
		{"none", says(), nil, "", ""},
		{"what it sees", func(p *Page) (map[string][]string, error) {
			return map[string][]string{"mine": {p.Capture().URL, p.Document().MIMEDetected, p.Text(), string(p.HTML()[:6])}}, nil
		}, map[string][]string{"mine": {"http://example.org/", "text/html", "The text of this page.", "<html>"}}, "", ""},
		{
			"another's column", func(*Page) (map[string][]string, error) { return map[string][]string{"other": {"x"}}, nil },
			nil, schemas.KindDecode, `"other" is none of its columns, mine`,
		},
		{
			"an error", func(*Page) (map[string][]string, error) { return nil, errors.New("no") }, nil, schemas.KindDecode,
			"no",
		},
		{"a panic", func(*Page) (map[string][]string, error) { panic("oh") }, nil, schemas.KindPanic, "oh"},
		{"too long", says(strings.Repeat("x", maxValue+1)), nil, schemas.KindDecode, "mine has a value of 65537 bytes"},
		{"no UTF-8", says("\xff"), nil, schemas.KindDecode, "mine has a value of 1 bytes"},
		{"too many", says(make([]string, maxValues+1)...), nil, schemas.KindDecode, "mine has 1001 values"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			with(t, made{"mine", tt.extract})
			e, err := New(Options{Extract: []string{"mine", "mime"}})
			if err != nil {
				t.Fatal(err)
			}
			d := e.Document(&schemas.Capture{
				URL: "http://example.org/", MIMEDeclared: "text/html",
				Body: []byte("<html><body><p>The text of this page.</p></body></html>"),
			})
			if diff := cmp.Diff(tt.custom, d.Custom); diff != "" {
				t.Errorf("custom: -want +got:\n%s", diff)
			}
			if tt.kind == "" != (len(d.Errors) == 0) || tt.kind != "" &&
				(d.Errors[0].Stage != "mine" || d.Errors[0].Kind != tt.kind ||
					!strings.HasPrefix(d.Errors[0].Message, tt.message)) {
				t.Errorf("errors %v, want %s: %s", d.Errors, tt.kind, tt.message)
			}
			if v := e.Versions(); v["extractor:mine"] != "7" || v["maintext"] == "" {
				t.Errorf("versions %v", v)
			}
		})
	}
}

// typedMade is an extractor of a test whose column has a type.
type typedMade struct {
	made
	of schemas.ValueType
}

func (m typedMade) Types() map[string]schemas.ValueType {
	return map[string]schemas.ValueType{m.name: m.of}
}

// TestOwn_types: values are stored with their type. A value that does not fit becomes an error of the document.
func TestOwn_types(t *testing.T) {
	for _, tt := range []struct {
		of            schemas.ValueType
		values        []string
		want, message string
	}{
		{schemas.TypeInteger, []string{"3", "-4"}, `{"custom_integers":{"mine":[3,-4]}}`, ""},
		{schemas.TypeFloat, []string{"1", "2.5"}, `{"custom_floats":{"mine":[1.0,2.5]}}`, ""},
		{schemas.TypeBoolean, []string{"true"}, `{"custom_booleans":{"mine":[true]}}`, ""},
		{schemas.TypeTime, []string{"2026-03-04"}, `{"custom_times":{"mine":["2026-03-04T00:00:00Z"]}}`, ""},
		{schemas.TypeText, []string{"3"}, `{"custom":{"mine":["3"]}}`, ""},
		{schemas.TypeInteger, nil, `{}`, ""},
		{schemas.TypeInteger, []string{"3", "three"}, `{}`, `mine: "three" is not a whole number of 64 bits`},
		{schemas.TypeTime, []string{"soon"}, `{}`, `mine: "soon" is not a time`},
	} {
		with(t, typedMade{made{"mine", func(*Page) (map[string][]string, error) {
			return map[string][]string{"mine": tt.values}, nil
		}}, tt.of})
		e, err := New(Options{Extract: []string{"mine"}})
		if err != nil {
			t.Fatal(err)
		}
		d := e.Document(&schemas.Capture{URL: "http://example.org/", MIMEDeclared: "text/plain", Body: []byte("x")})
		b, err := json.Marshal(map[string]any{})
		if d.HasCustom() {
			b, err = json.Marshal(struct {
				A map[string][]string        `json:"custom,omitempty"`
				B map[string][]int64         `json:"custom_integers,omitempty"`
				C map[string][]schemas.Float `json:"custom_floats,omitempty"`
				D map[string][]bool          `json:"custom_booleans,omitempty"`
				E map[string][]string        `json:"custom_times,omitempty"`
			}{d.Custom, d.CustomIntegers, d.CustomFloats, d.CustomBooleans, d.CustomTimes})
		}
		if err != nil || string(b) != tt.want {
			t.Errorf("%s %q: %s, %v, want %s", tt.of, tt.values, b, err, tt.want)
		}
		if tt.message == "" != (len(d.Errors) == 0) || tt.message != "" &&
			!strings.HasPrefix(d.Errors[0].Message, tt.message) {
			t.Errorf("%s %q: errors %v, want %q", tt.of, tt.values, d.Errors, tt.message)
		}
		types := TypesOf([]string{"mine", "text"})
		if want := map[string]schemas.ValueType{"mine": tt.of}; tt.of != schemas.TypeText && !maps.Equal(types, want) ||
			tt.of == schemas.TypeText && types != nil || TypesOf([]string{"text"}) != nil {
			t.Errorf("types %v", types)
		}
		delete(registry.own, "mine")
	}
	defer func() {
		if recover() == nil {
			t.Error("a type that there is not was registered")
		}
	}()
	MustRegister(typedMade{made{"mine", nil}, "number"})
}

// TestMustRegister_refuses: names and columns that exist already, or are invalid.
func TestMustRegister_refuses(t *testing.T) {
	with(t, made{"first", nil})
	for _, name := range []string{"first", "text", "select", "", "Upper", "praise_words", "with blank"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q was registered", name)
				}
			}()
			MustRegister(made{name, nil})
		}()
	}
	if _, err := New(Options{Select: []Field{{"first", "p"}}}); err == nil ||
		!strings.Contains(err.Error(), "the extractor first makes it") {
		t.Errorf("--select of an extractor's column: %v", err)
	}
	if _, err := New(Options{Extract: []string{"mime"}, Select: []Field{{"first", "p"}}}); err != nil {
		t.Errorf("--select of the column of an extractor that is not asked for: %v", err)
	}
}

func TestTriggers(t *testing.T) {
	for _, name := range []string{"early", "mine", "zero"} {
		with(t, made{name, func(*Page) (map[string][]string, error) { return map[string][]string{name: {"ran"}}, nil }})
	}
	page := &schemas.Capture{
		URL: "http://example.org/a", Status: 200, MIMEDeclared: "text/html",
		Body: []byte("<html><head><title>A title</title></head><body><p>This is the text of a page in the English " +
			"language.</p></body></html>"),
	}
	for _, tt := range []struct {
		extractor, filter string
		runs              bool
		err               string
	}{
		{"mine", `language = "en"`, true, ""},
		{"mine", `language = "fr"`, false, ""},
		{"mine", `status = 200 AND title:title AND custom.price = "1"`, false, ""},
		{"mine", `custom.early = "ran"`, true, ""},
		{"mine", `NOT custom.early = "ran"`, false, ""},
		{"mine", `custom.mispelt = "1"`, false, "custom.mispelt, which no --select makes"},
		{"mine", `custom.zero > 0`, false, "no custom extractor that runs before mine"},
		{"mine", `status = 200 OR custom.mine = "ran"`, false, "custom.mine, which no"},
		{"language", `host = "example.org"`, true, ""},
		{"language", `url:"/b"`, false, ""},
		{"text", `mime_detected = "text/plain"`, false, ""},
		{"text", `language = "en"`, false, "which is not known yet when text runs"},
		{"language", `quality.words > 3`, false, "which is not known yet when language runs"},
		{"metadata", `simhash:*`, false, "which is not known yet"},
		{"mine", `entities.text = "x"`, false, "which entities finds, and that is not asked for"},
		{"mine", `entities.sentiment > 0`, false, "entities.sentiment, which entities finds"},
		{"language", `languages.share > .5`, false, "which is not known yet when language runs"},
		{"language", `custom.mine:*`, false, "which is not known yet"},
		{"links", `status = 200`, false, "this extractor is not asked for"},
		{"nonsense", `status = 200`, false, "this extractor is not asked for"},
		{"mine", ``, false, "it is empty"},
		{"mine", `status = `, false, "column"},
	} {
		e, err := New(Options{
			Extract:  []string{"mime", "text", "language", "metadata", "quality", "neardup", "early", "mine", "zero"},
			Triggers: map[string]string{tt.extractor: tt.filter}, Select: []Field{{"price", "b"}},
		})
		if tt.err != "" || err != nil {
			if err == nil || tt.err == "" || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s when %s: %v, want %q", tt.extractor, tt.filter, err, tt.err)
			}
			continue
		}
		for range 2 { // it is compiled once and used twice
			d := e.Document(page)
			ran := map[string]bool{"mine": d.Custom["mine"] != nil, "language": d.Language != "", "text": d.Text != ""}
			if ran[tt.extractor] != tt.runs {
				t.Errorf("%s when %s: it ran: %v", tt.extractor, tt.filter, ran[tt.extractor])
			}
		}
		if v := e.Versions(); v["query"] == "" {
			t.Errorf("versions %v", v)
		}
	}
}

// TestExtractors_order: registered extractors come last, sorted by name.
func TestExtractors_order(t *testing.T) {
	with(t, made{"b", nil}, made{"a", nil})
	if got := Extractors(); !slices.Equal(got[len(extractors):], []string{"a", "b", "praise"}) {
		t.Errorf("Extractors() = %v", got)
	}
}
