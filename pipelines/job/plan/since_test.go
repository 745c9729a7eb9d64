package plan

import (
	"testing"
	"time"
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
