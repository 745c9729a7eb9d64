package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// parsed parses a filter that must be valid.
func parsed(t testing.TB, filter string) Expr {
	t.Helper()
	e, err := Parse(filter)
	if err != nil {
		t.Fatalf("Parse(%q): %v", filter, err)
	}
	return e
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ filter, want string }{
		{``, ``},
		{` language = "fr" `, `language = fr`},
		{`lang=fr AND (mime:pdf OR title:"budget")`, `language = fr AND (mime_detected:pdf OR title:budget)`},
		{`a AND b OR c`, `a AND (b OR c)`},
		{`New York Giants OR Yankees`, `New AND York AND (Giants OR Yankees)`},
		{`a b AND c AND d`, `a AND b AND c AND d`},
		{`(a b) OR c`, `(a AND b) OR c`},
		{`NOT (a OR b) -c -"d e"`, `NOT (a OR b) AND NOT c AND NOT "d e"`},
		{`NOT NOT a`, `NOT NOT a`},
		{`status>=200 status < 300`, `status >= 200 AND status < 300`},
		{`status:404`, `status = 404`},
		{`language = (fr OR de)`, `language = fr OR language = de`},
		{`url = http://example.org/a?b=c`, `url = http://example.org/a?b=c`},
		{`host = *.example.org`, `host = "*.example.org"`},
		{`title = "50\* off*"`, `title = "50\* off*"`},
		{`custom.price:*`, `custom.price:*`},
		{`custom:price`, `custom.price:*`},
		{`custom."a b" = 3`, `custom."a b" = 3`},
		{`custom.a.b = 3`, `custom."a.b" = 3`},
		{`entity = 'O''Hara'`, ``},
		{`entity = "O'Hara"`, `entities.text = O'Hara`},
		{`damaged = true`, `damaged = true`},
		{`timestamp >= 2026-03`, `timestamp >= 2026-03`},
		{`text:"le budget"`, `"le budget"`},
		{`text:budget`, `budget`},
		{`text:*`, `text:*`},
		{`example.org`, `example.org`},
		{`budg*`, `budg*`},
		{`"AND"`, `"AND"`},
	} {
		e, err := Parse(c.filter)
		if err != nil {
			if c.want != "" {
				t.Errorf("Parse(%q): %v", c.filter, err)
			}
			continue
		}
		if e == nil {
			continue
		}
		if got := e.String(); got != c.want {
			t.Errorf("Parse(%q) = %s, want %s", c.filter, got, c.want)
		}
		if diff := cmp.Diff(e, parsed(t, e.String())); diff != "" {
			t.Errorf("Parse(%q): printed and read again (-before +after):\n%s", c.filter, diff)
		}
	}
}

func TestMatch(t *testing.T) {
	d := &schemas.Document{
		URL: "http://www.example.org/a", Host: "www.example.org", Timestamp: "2026-03-04T10:00:00Z", Status: 200,
		MIMEDetected: "application/pdf", Language: "fr", Title: "Le Budget 2026", Text: "Le budget de la commune est voté.",
		Entities: []schemas.Entity{{Type: "place", Text: "Paris", Confidence: 0.5}, {Type: "person", Text: "Ann"}},
		Custom:   map[string][]string{"price": {"3", "4"}},
		Tags:     []string{"politique"},
	}
	for _, c := range []struct {
		filter string
		want   bool
	}{
		{`language = fr AND (mime:pdf OR title:"budget")`, true},
		{`language != fr`, false},
		{`publisher != x`, true},
		{`publisher:*`, false},
		{`title:BUDGET`, true},
		{`title = budget`, false},
		{`title = "Le*"`, true},
		{`title:le*`, true},
		{`title:*le`, false},
		{`status >= 200 status < 300`, true},
		{`timestamp = 2026-03`, true},
		{`timestamp > 2026-03`, false},
		{`timestamp > 2026-03-03`, true},
		{`timestamp <= 2026`, true},
		{`published < 2026`, false},
		{`entities.text = Ann`, true},
		{`entities.text != Ann`, false},
		{`entities.confidence > 0.4`, true},
		{`custom.price = 4`, true},
		{`custom:weight`, false},
		{`custom:*`, true},
		{`sequence = 0`, true},
		{`pages = 0`, false},
		{`damaged = false`, true},
		{`tags:POLI`, true},
		{`budget commune`, true},
		{`"commune est vote"`, true},
		{`"commune vote"`, false},
		{`budg*`, true},
		{`"budget 2026"`, true},
		{`feed:*`, false},
		{`entities:*`, true},
	} {
		if got := Match(parsed(t, c.filter), d); got != c.want {
			t.Errorf("Match(%s) = %v, want %v", c.filter, got, c.want)
		}
	}
}
