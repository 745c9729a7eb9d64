package message

import (
	"testing"
	"time"
)

// The dates do not depend on the zone of the machine.
func TestDate(t *testing.T) {
	here := time.Local
	t.Cleanup(func() { time.Local = here })
	for _, tt := range []struct{ in, want string }{
		{"Mon, 5 Feb 1996 10:11:12 EST", "1996-02-05T10:11:12-05:00"},
		{"Mon, 5 Aug 1996 10:11:12 EDT", "1996-08-05T10:11:12-04:00"},
		{"Mon, 05 Feb 96 10:11 PST", "1996-02-05T10:11:00-08:00"},
		{"5 Jul 1996 10:11:12 GMT", "1996-07-05T10:11:12Z"},
		{"5 Feb 1996 10:11:12 UT", "1996-02-05T10:11:12Z"},
		{"Mon, 5 Feb 1996 10:11:12 MET", "1996-02-05T10:11:12+01:00"},
		{"Mon, 5 Feb 1996 10:00:00 PM -0500", "1996-02-05"},
		{"Mon, 5 Feb 1996 10:11:12 GMT+0100", "1996-02-05T10:11:12+01:00"},
		{"Mon, 5 Feb 1996 10:11:12 -0500 (EST)", "1996-02-05T10:11:12-05:00"},
		{"Mon, 5 Feb 1996 10:11:12 +0100 (CET, Paris)", "1996-02-05T10:11:12+01:00"},
		{"Monday, 5-Feb-96 10:11:12 GMT", "1996-02-05T10:11:12Z"},
		{"Mon Feb  5 10:11:12 1996", "1996-02-05"},
		{"Mon Feb  5 10:11:12 EST 1996", "1996-02-05T10:11:12-05:00"},
		{"Mon, 5 Feb 1996 10:11:12", "1996-02-05"},
		{"Mon, 5 Feb 1996 10:11:12 XYZ", "1996-02-05"},
		{"Mon, 5 Feb 1996 10:11:12 MET DST", "1996-02-05"},
		{"5 Feb 1996", "1996-02-05"},
		{"Mon, 35 Feb 1996 10:11:12 EST", ""},
		{"yesterday", ""},
		{"", ""},
		{"( - ,", ""},
		{"- , :", ""},
	} {
		for _, zone := range []string{"UTC", "America/New_York", "Europe/London"} {
			local, err := time.LoadLocation(zone)
			if err != nil {
				t.Fatal(err)
			}
			time.Local = local
			if got := date(tt.in); got != tt.want {
				t.Errorf("in %s: date(%q) = %q, want %q", zone, tt.in, got, tt.want)
			}
		}
	}
}

func FuzzDate(f *testing.F) {
	for _, s := range []string{"Mon, 5 Feb 1996 10:11:12 EST", "Mon Feb  5 10:11:12 1996", "5-Feb-96 1:2 +", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := date(s)
		if got == "" {
			return
		}
		if _, err := time.Parse(time.RFC3339, got); err != nil && len(got) != len(time.DateOnly) {
			t.Errorf("date(%q) = %q", s, got)
		}
	})
}
