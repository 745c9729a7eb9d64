package contentdb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestLimits_text: limits are read as they were written, or not written at all.
func TestLimits_text(t *testing.T) {
	for _, rule := range []string{
		"", `surt = "example,h1)*"`, `NOT host = h2.example`, `NOT (timestamp >= 2026-05 OR language = fr)`,
		`mime:pdf NOT custom.price = 3`, `NOT gouvernement`, `NOT "le \"gouvernement\" le"`, `entities.text = P0 title:"a*"`,
		`url = "http://a.example/\*?b=(1, 2)" OR (NOT title:* AND -budg*)`, `timestamp < 2026-03-04T10:30:00+02:00`,
	} {
		l := Limits{Listed: filter(t, rule), Whole: filter(t, rule)}
		text, err := l.Text()
		if err != nil {
			t.Fatalf("%s: %v", rule, err)
		}
		again, err := ParseLimits(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if rule == "" {
			if again.Listed != nil || again.Whole != nil {
				t.Errorf("%s accepts not everything", text)
			}
			continue
		}
		if again.Listed.String() != l.Listed.String() || again.Whole.String() != l.Whole.String() {
			t.Errorf("%s: %v", text, again)
		}
	}
	// A filter that matches nothing has no text, and must not become one that matches everything.
	for _, e := range []query.Expr{
		&query.Or{}, &query.Not{X: &query.And{}}, &query.Not{X: &query.Or{}},
		&query.And{List: []query.Expr{filter(t, "a"), &query.Or{}}}, &query.Or{List: []query.Expr{&query.Or{}}},
	} {
		if text, err := (Limits{Listed: e}).Text(); err == nil {
			again, err := ParseLimits(text)
			if err != nil || again.Listed == nil || strings.TrimSpace(again.Listed.String()) == "" {
				t.Errorf("%#v: %q", e, text)
			}
		}
	}
	if _, err := ParseLimits("host = a"); err == nil {
		t.Error("ParseLimits() reads what is not JSON")
	}
}

// TestLimits_textOfManyRules: as many rules as a file may have can be written and read. So can a thousand rules, each
// an exception to those after it.
func TestLimits_textOfManyRules(t *testing.T) {
	var beside query.Or
	var within query.Expr
	for i := range 5_000 {
		one := filter(t, fmt.Sprintf(`surt = "example,host-number-%d)/folder/*"`, i))
		beside.List = append(beside.List, one)
		switch {
		case i == 0:
			within = one
		case i < 1_000 && i%2 == 0:
			within = &query.Or{List: []query.Expr{one, within}}
		case i < 1_000:
			within = &query.And{List: []query.Expr{&query.Not{X: one}, within}}
		}
	}
	for _, e := range []query.Expr{&beside, within} {
		text, err := (Limits{Listed: &query.Not{X: e}}).Text()
		if err != nil {
			t.Fatal(err)
		}
		if len(text) < 32<<10 {
			t.Errorf("%d bytes are too few for this test", len(text))
		}
		again, err := ParseLimits(text)
		if err != nil || again.Listed.String() != (&query.Not{X: e}).String() {
			t.Errorf("other limits are read: %v", err)
		}
	}
}
