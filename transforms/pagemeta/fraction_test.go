package pagemeta

import "testing"

// TestParseDate_fraction: ISO 8601 prefers the comma before fractions of a second.
func TestParseDate_fraction(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"2012-05-03T10:15:00,000+0200", "2012-05-03T10:15:00+02:00"},
		{"2012-05-03T10:15:00,25Z", "2012-05-03T10:15:00Z"},
		{"2012-05-03 10:15:07,123456 +0200", "2012-05-03T10:15:07+02:00"},
		{"2012-05-03T10:15:00.000+0200", "2012-05-03T10:15:00+02:00"},
		{"10:15:00, 3 May 2012", "2012-05-03"},
		{"10:15,3 May 2012", "2012-05-03"},
		{"3 May 2012,10:15", "2012-05-03"},
		{"2012-05-03T10:15:00,", "2012-05-03"},
	} {
		d, ok := ParseDate(tt.in)
		if got := d.String(); !ok || got != tt.want {
			t.Errorf("ParseDate(%q) = %q, %v, want %q", tt.in, got, ok, tt.want)
		}
	}
}
