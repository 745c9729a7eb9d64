package enrich

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// made is an extractor of a test, of one column, its name.
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
		{"an error", func(*Page) (map[string][]string, error) { return nil, errors.New("no") }, nil, schemas.KindDecode, "no"},
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
			if tt.kind == "" != (len(d.Errors) == 0) || tt.kind != "" && (d.Errors[0].Stage != "mine" || d.Errors[0].Kind != tt.kind ||
				!strings.HasPrefix(d.Errors[0].Message, tt.message)) {
				t.Errorf("errors %v, want %s: %s", d.Errors, tt.kind, tt.message)
			}
			if v := e.Versions(); v["extractor:mine"] != "7" || v["maintext"] == "" {
				t.Errorf("versions %v", v)
			}
		})
	}
}

// TestMustRegister_refuses: names and columns that are there, or cannot be.
func TestMustRegister_refuses(t *testing.T) {
	with(t, made{"first", nil})
	for _, name := range []string{"first", "text", "select", "", "Upper", "sentiment_words", "with blank"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q was registered", name)
				}
			}()
			MustRegister(made{name, nil})
		}()
	}
	if _, err := New(Options{Select: []Field{{"first", "p"}}}); err == nil || !strings.Contains(err.Error(), "the extractor first makes it") {
		t.Errorf("--select of an extractor's column: %v", err)
	}
	if _, err := New(Options{Extract: []string{"mime"}, Select: []Field{{"first", "p"}}}); err != nil {
		t.Errorf("--select of the column of an extractor that is not asked for: %v", err)
	}
}

func TestTriggers(t *testing.T) {
	with(t, made{"mine", func(*Page) (map[string][]string, error) { return map[string][]string{"mine": {"ran"}}, nil }})
	page := &schemas.Capture{
		URL: "http://example.org/a", Status: 200, MIMEDeclared: "text/html",
		Body: []byte("<html><head><title>A title</title></head><body><p>This is the text of a page in the English language.</p></body></html>"),
	}
	for _, tt := range []struct {
		extractor, filter string
		runs              bool
		err               string
	}{
		{"mine", `language = "en"`, true, ""},
		{"mine", `language = "fr"`, false, ""},
		{"mine", `status = 200 AND title:title AND custom.price = "1"`, false, ""},
		{"language", `host = "example.org"`, true, ""},
		{"language", `url:"/b"`, false, ""},
		{"text", `mime_detected = "text/plain"`, false, ""},
		{"text", `language = "en"`, false, "which is not known yet when text runs"},
		{"language", `quality.words > 3`, false, "which is not known yet when language runs"},
		{"metadata", `simhash:*`, false, "which is not known yet"},
		{"mine", `entities.text = "x"`, false, "which entities finds, and that is not asked for"},
		{"language", `custom.mine:*`, false, "which is not known yet"},
		{"links", `status = 200`, false, "this extractor is not asked for"},
		{"nonsense", `status = 200`, false, "this extractor is not asked for"},
		{"mine", ``, false, "it is empty"},
		{"mine", `status = `, false, "column"},
	} {
		e, err := New(Options{
			Extract: []string{"mime", "text", "language", "metadata", "quality", "neardup", "mine"}, Triggers: map[string]string{tt.extractor: tt.filter},
		})
		if tt.err != "" || err != nil {
			if err == nil || tt.err == "" || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s when %s: %v, want %q", tt.extractor, tt.filter, err, tt.err)
			}
			continue
		}
		for range 2 { // compiled once, and asked again
			d := e.Document(page)
			ran := map[string]bool{"mine": d.Custom != nil, "language": d.Language != "", "text": d.Text != ""}
			if ran[tt.extractor] != tt.runs {
				t.Errorf("%s when %s: it ran: %v", tt.extractor, tt.filter, ran[tt.extractor])
			}
		}
		if v := e.Versions(); v["query"] == "" {
			t.Errorf("versions %v", v)
		}
	}
}

// TestExtractors_order: registered ones come last, by their names.
func TestExtractors_order(t *testing.T) {
	with(t, made{"b", nil}, made{"a", nil})
	if got := Extractors(); !slices.Equal(got[len(extractors):], []string{"a", "b", "sentiment"}) {
		t.Errorf("Extractors() = %v", got)
	}
}
