package contentdb

import (
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
