package enrich

import (
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// counting is a Batched extractor that notes its calls.
type counting struct {
	name        string
	panics      bool
	kept, asked int
}

func (c *counting) Name() string      { return c.name }
func (c *counting) Version() string   { return "1" }
func (c *counting) Columns() []string { return []string{c.name} }
func (c *counting) Batch() int        { return 8 }
func (c *counting) KeepsPages() bool  { return false }

func (c *counting) Extract(*Page) (map[string][]string, error) { return nil, nil }

func (c *counting) Keep(*Page) any {
	c.kept++
	if c.panics {
		panic("odd")
	}
	return nil
}

func (c *counting) ExtractAll(pages []Kept) []Values {
	c.asked += len(pages)
	all := make([]Values, len(pages))
	for i := range all {
		all[i].ByColumn = map[string][]string{c.name: {"1"}}
	}
	return all
}

// TestBatched_chosen: a page that the trigger leaves out costs nothing. A trigger that tests another extractor's column
// is decided later. After a panic the page has an error and no values.
func TestBatched_chosen(t *testing.T) {
	for name, tt := range map[string]struct {
		trigger           string
		panics            bool
		kept, asked, errs int
	}{
		"all":               {"", false, 2, 2, 0},
		"none":              {"mime = text/csv", false, 0, 0, 0},
		"by another column": {"custom.first = 1", false, 2, 2, 0},
		"by no value of it": {"custom.first = 2", false, 2, 0, 0},
		"a panic":           {"", true, 2, 0, 2},
	} {
		first, last := &counting{name: "first"}, &counting{name: "last", panics: tt.panics}
		o := Options{Extract: []string{"mime", "first", "last"}}
		if tt.trigger != "" {
			o.Triggers = map[string]string{"last": tt.trigger}
		}
		MustRegister(first, last)
		e, err := New(o)
		if err != nil {
			t.Fatal(name, err)
		}
		var rests []*Rest
		errs := 0
		var docs []*schemas.Document
		for range 2 {
			c := &schemas.Capture{URL: "http://a.example/", MIMEDeclared: "text/plain", Status: 200, Body: []byte("a")}
			r := e.Enrich(c, Extra{Later: true})
			docs, rests = append(docs, r.Document), append(rests, r.Rest)
		}
		e.Finish(rests)
		for _, d := range docs {
			errs += len(d.Errors)
			if has := d.CustomTexts("last") != nil; has != (tt.asked > 0) {
				t.Errorf("%s: has values: %v", name, has)
			}
		}
		if last.kept != tt.kept || last.asked != tt.asked || errs != tt.errs || first.asked != 2 {
			t.Errorf("%s: kept %d, asked %d, %d errors, the first asked %d; want %d, %d, %d, 2", name, last.kept, last.asked,
				errs, first.asked, tt.kept, tt.asked, tt.errs)
		}
		Unregister("first")
		Unregister("last")
	}
}
