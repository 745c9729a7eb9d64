package cldr

import "testing"

// TestForeignDate: only texts that are foreign have something for PlainDate's long way.
func TestForeignDate(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "3 May 2020": false,
		"août – “x”… •": false, "мая": false, "€ 5": false, "a\xe2": false, "\xe2\x80": false,
		"\u200e3.5.2020": true,
		"3\u200f":        true, "2020年": true, "א": true, "٣": true, "３": true, "\u061c": true, "😀": true,
	} {
		if got := foreignDate(s); got != want {
			t.Errorf("foreignDate(%q) = %v, want %v", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"“12. 3. 2020”": "“12.3.2020”", "•\u200e2020年5月3日": "•2020-5-3 ", "1404/3/12 – x": "2025-06-02  – x",
	} {
		if got := PlainDate(s); got != want {
			t.Errorf("PlainDate(%q) = %q, want %q", s, got, want)
		}
	}
}
