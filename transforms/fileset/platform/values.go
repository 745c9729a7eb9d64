package platform

import "encoding/json"

// jsonNumber turns a text back into a number.
func jsonNumber(t text) any {
	if digits(string(t)) {
		return json.Number(t)
	}
	return string(t)
}

// day is the date of a time as YYYY-MM-DD, as archive.org needs it, or "".
func day(s string) string {
	if len(s) < len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return ""
	}
	return s[:len("2006-01-02")]
}
