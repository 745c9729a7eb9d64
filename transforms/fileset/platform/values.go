package platform

import "encoding/json"

// jsonNumber is a text that was a number as a number again.
func jsonNumber(t text) any {
	if digits(string(t)) {
		return json.Number(t)
	}
	return string(t)
}

// day is the date of a time, "" of what has none: archive.org takes YYYY-MM-DD.
func day(s string) string {
	if len(s) < len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return ""
	}
	return s[:len("2006-01-02")]
}
