package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ text, want string }{
		{"2026-11-01", "2026-11-01T00:00:00Z"},
		{"2026-11-01T12:30:00Z", "2026-11-01T12:30:00Z"},
		{"2026-11-01T12:30:00+02:00", "2026-11-01T10:30:00Z"},
		{"36h", "2026-11-21T00:00:00Z"},
		{"7d", "2026-11-15T12:00:00Z"},
		{"1d12h30m", "2026-11-20T23:30:00Z"},
		{"", ""},
		{"0h", ""},
		{"-3h", ""},
		{"1d-3h", ""},
		{"d", ""},
		{"70000d", ""},
		{"7", ""},
		{"1.11.2026", ""},
		{"2026-13-01", ""},
		{"yesterday", ""},
	} {
		got, err := parseSince(tt.text, now)
		if (err == nil) != (tt.want != "") || err == nil && got.UTC().Format(time.RFC3339) != tt.want {
			t.Errorf("parseSince(%q) = %v, %v, want %q", tt.text, got, err, tt.want)
		}
	}
}

func FuzzParseSpan(f *testing.F) {
	for _, s := range []string{"15m", "7d", "1d12h", "99999d", "d", "1e9h", "-1d", "106751d23h59m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseSpan(s)
		if err == nil && d <= 0 {
			t.Errorf("ParseSpan(%q) = %v", s, d)
		}
	})
}

func TestCheckSchedule(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Request
		want string // in the error; "" for none
	}{
		{"nothing", Request{}, ""},
		{"all that go together", Request{Schedule: Schedule{OnlyNew: true, Since: "7d"}, Inputs: []string{"@list"}}, ""},
		{"fresh since", Request{Schedule: Schedule{Since: "7d"}, Fresh: true}, ""},
		{"stale since", Request{Schedule: Schedule{Stale: true, Since: "2026-11-01"}}, ""},
		{"neither new nor stale", Request{Schedule: Schedule{OnlyNew: true, Stale: true}}, "--only_new"},
		{"fresh and only new", Request{Schedule: Schedule{OnlyNew: true}, Fresh: true}, "--fresh"},
		{"fresh and stale", Request{Schedule: Schedule{Stale: true}, Fresh: true}, "--fresh"},
		{"templates", Request{Schedule: Schedule{Since: "7d"}, Recipe: recipe.Recipe{SiteTemplates: true}}, "--site_templates"},
		{"no time", Request{Schedule: Schedule{Since: "yesterday"}}, "yesterday"},
	} {
		err := tt.c.checkSchedule()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
