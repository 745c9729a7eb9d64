package pagemeta

import "testing"

// Years of two digits on Thai pages are mostly of the Buddhist era.
func TestDates_thaiYears(t *testing.T) {
	for _, tt := range []struct{ in, language, want string }{
		{"12/03/49", "th", "2006-03-12"},
		{"12/03/67", "th", "2024-03-12"},
		{"12-03-43", "th", "2000-03-12"},
		{"12/03/24", "th", "2024-03-12"},
		{"12/03/99", "th", "1999-03-12"},
		{"12/03/2549", "th", "2006-03-12"},
		{"12/03/49", "en", "2049-03-12"},
		{"12 มี.ค. 49", "th", "2006-03-12"},
	} {
		got, _ := Dates{locale{language: tt.language}}.In(true).Parse(tt.in)
		if got.String() != tt.want {
			t.Errorf("%s in %s: %s, want %s", tt.in, tt.language, got, tt.want)
		}
	}
}
