package query

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

func TestColumns(t *testing.T) {
	got := Columns(parsed(t, `lang = fr (entity = X OR custom.a = 3) -word feed.items > 2`))
	if want := []string{
		"custom", "custom_booleans", "custom_floats", "custom_integers", "custom_times", "entities", "feed", "language",
		"text",
		"title",
	}; !slices.Equal(got, want) {
		t.Errorf("Columns = %v, want %v", got, want)
	}
	if got := Columns(nil); len(got) != 0 || got == nil { // nil would mean all
		t.Errorf("Columns(nil) = %#v", got)
	}
}

// only keeps comparisons of one field, and the expressions around them.
func only(field string) func(Expr) bool {
	return func(e Expr) bool {
		switch e := e.(type) {
		case *Compare:
			return e.Field == field
		case *Text:
			return false
		}
		return true
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct{ filter, pushed, rest string }{
		{`language = fr status = 200`, `language = fr`, `status = 200`},
		{`language = fr`, `language = fr`, ``},
		{`word`, ``, `word`},
		{`language = (fr OR de) word`, `language = fr OR language = de`, `word`},
		{`language = fr OR status = 200`, ``, `language = fr OR status = 200`},
		{`NOT (language = fr OR status = 200)`, `NOT language = fr`, `NOT status = 200`},
		{`NOT (language = fr AND status = 200)`, ``, `NOT (language = fr AND status = 200)`},
		{`NOT NOT (language = fr AND status = 200)`, `language = fr`, `status = 200`},
		{`NOT (NOT (language = fr AND status = 200) OR word)`, `language = fr`, `status = 200 AND NOT word`},
		{`NOT (word OR (language = fr OR status = 200))`, `NOT language = fr`, `NOT word AND NOT status = 200`},
	} {
		pushed, rest := Split(parsed(t, c.filter), only("language"))
		if got := text(pushed); got != c.pushed {
			t.Errorf("Split(%s) pushes %q, want %q", c.filter, got, c.pushed)
		}
		if got := text(rest); got != c.rest {
			t.Errorf("Split(%s) leaves %q, want %q", c.filter, got, c.rest)
		}
	}
}

func text(e Expr) string {
	if e == nil {
		return ""
	}
	return e.String()
}

func TestFields(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Fields() {
		if f.Kind == 0 || seen[f.Name] {
			t.Errorf("%s has no kind, or is there twice", f.Name)
		}
		seen[f.Name] = true
	}
	for alias, name := range aliases {
		if !seen[name] || seen[alias] {
			t.Errorf("the alias %s of %s", alias, name)
		}
	}
	for name, want := range map[string]Field{
		"entities.mentions.start": {Kind: Integer, Repeated: true},
		"custom":                  {Kind: String, Repeated: true, Map: true},
		"metadata_confidence":     {Kind: Real, Map: true},
		"flags":                   {Kind: String, Repeated: true},
		"links_internal":          {Kind: Integer},
		"refers_to":               {Kind: Message},
		"refers_to.timestamp":     {Kind: Time},
		"custom_times":            {Kind: Time, Repeated: true, Map: true},
		"template_blocks":         {Kind: Integer, Zero: true},
	} {
		f, _, err := Lookup(name)
		if err != nil || f.Kind != want.Kind || f.Repeated != want.Repeated || f.Map != want.Map ||
			f.Zero != want.Zero {
			t.Errorf("Lookup(%s) = %+v, %v", name, f, err)
		}
	}
}

func TestOrder(t *testing.T) {
	at := func(timestamp, file string, offset int64) Key {
		return KeyOf(&schemas.Document{SURT: "s", Timestamp: timestamp, Filename: file, Offset: offset})
	}
	old, fraction := at("2026-03-04T10:00:00Z", "a", 5), at("2026-03-04T10:00:00.5Z", "a", 1)
	if !fraction.Newer(old) || Newest.Compare(fraction, old) >= 0 || Oldest.Compare(fraction, old) <= 0 {
		t.Error("a fraction of a second later is newer")
	}
	twin := at("2026-03-04T10:00:00Z", "a", 6)
	if !twin.Newer(old) || Newest.Compare(old, twin) >= 0 || SURT.Compare(old, old) != 0 {
		t.Error("of the same moment the later record is newer, and orders put the earlier one first")
	}
	if unknown := at("", "z", 0); unknown.Newer(old) {
		t.Error("a capture without a time is older than all")
	}
}

func BenchmarkMatch(b *testing.B) {
	d := &schemas.Document{
		URL: "http://www.example.org/a", Host: "www.example.org", Timestamp: "2026-03-04T10:00:00Z", Status: 200,
		MIMEDetected: "application/pdf", Language: "fr", Title: "Le Budget 2026",
		Text:     strings.Repeat("Le conseil municipal a voté la délibération. ", 200),
		Entities: []schemas.Entity{{Type: "place", Text: "Paris"}, {Type: "person", Text: "Ann"}},
	}
	for _, filter := range []string{
		`language = fr mime = application/pdf timestamp >= 2026-03 timestamp <= 2026-04`,
		`mime:pdf host = *.example.org`, `entities.text = Ann`, `title:budget`, `"le budget"`, `absent`,
	} {
		b.Run(filter, func(b *testing.B) {
			match := Compile(parsed(b, filter))
			b.ReportAllocs()
			for b.Loop() {
				match(d)
			}
		})
	}
}

func TestTested(t *testing.T) {
	for filter, want := range map[string]string{
		"":                                   "",
		"status = 200":                       "status",
		"lang = fr entity = Paris":           "entities.text language",
		"entities.sentiment < 0":             "entities.sentiment",
		"NOT (custom.price > 2 OR harbour)":  "custom.price language text title",
		`"fish auction" title = b text = c`:  "text title",
		"entities.type = place OR lang = en": "entities.type language",
	} {
		e, err := Parse(filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(Tested(e), " "); got != want {
			t.Errorf("Tested(%s) = %s, want %s", filter, got, want)
		}
	}
	if got := Tested(&Compare{Field: "unknown"}); len(got) > 0 {
		t.Errorf("an unknown field: %v", got)
	}
}
