package view

import "time"

// layouts are the formats of years, months and days.
var layouts = map[string]string{"year": "2006", "month": "2006-01", "day": time.DateOnly}

// Labels come from the index; time.Parse does not accept a year with five digits.
func timeOf(unit, label string) (time.Time, error) { return time.Parse(layouts[unit], label) }

func nextOf(unit string, t time.Time) time.Time { return shifted(unit, t, 1) }

func previousOf(unit string, t time.Time) time.Time { return shifted(unit, t, -1) }

func shifted(unit string, t time.Time, n int) time.Time {
	// AddDate follows the calendar: months have 28 to 31 days. Labels begin on a first, so no day overflows.
	switch unit {
	case "year":
		return t.AddDate(n, 0, 0)
	case "month":
		return t.AddDate(0, n, 0)
	}
	return t.AddDate(0, 0, n)
}
