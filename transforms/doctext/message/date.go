package message

import (
	"cmp"
	"net/mail"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// date returns the date of a message in RFC 3339, or only the day if the zone is missing or unknown. It returns "" for
// a text that is not a date. Names of zones become offsets, because package time takes them from the machine.
func date(text string) string {
	text, _, _ = strings.Cut(text, "(") // the name of the zone again
	var day []string
	clock, zone := "", ""
	for _, f := range strings.Fields(text) {
		switch {
		case clock == "" && strings.Contains(f, ":"):
			clock = f
		case clock != "" && !isDigit(f[0]):
			zone += f
		default:
			day = append(day, strings.FieldsFunc(f, func(r rune) bool { return r == ',' || r == '-' })...)
		}
	}
	// The day of the week.
	if len(day) == 4 {
		day = day[1:]
	}
	if len(day) != 3 {
		return ""
	}
	// The C function asctime writes "Mon Feb  5 10:00:00 1996".
	if !isDigit(day[0][0]) {
		day[0], day[1] = day[1], day[0]
	}
	offset, known := offsetOf(zone)
	t, err := mail.ParseDate(strings.Join(day, " ") + " " + cmp.Or(clock, "00:00") + " " + offset)
	switch {
	case err != nil:
		return ""
	case !known || clock == "":
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// offsetOf returns the offset of a zone as in "-0500", and whether it is known.
func offsetOf(zone string) (offset string, known bool) {
	if i := strings.IndexAny(zone, "+-"); i >= 0 {
		if _, known := cldr.Zone(zone[:i]); !known && i > 0 {
			return "+0000", false // "PM -0500" of a clock with twelve hours
		}
		return zone[i:], true // GMT+0100
	}
	d, known := cldr.Zone(zone)
	return time.Time{}.In(time.FixedZone("", int(d.Seconds()))).Format("-0700"), known
}
