package cldr_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

func TestMonth(t *testing.T) {
	tests := []struct {
		word, language string
		want           int
	}{
		{"January", "", 1},
		{"JUIL.", "", 7},
		{"décembre", "fr", 12},
		{"decembre", "", 12}, // without its accent
		{"de\u0301cembre", "", 12},
		{"ágúst", "is", 8},
		{"gusht", "sq", 8},
		{"agost", "ca", 8},
		{"আগস্ট", "bn", 8},
		{"ส.ค.", "", 8},
		{"สิงหาคม", "", 8},
		{"ΑΥΓΟΥΣΤΟΥ", "el", 8},
		{"Αυγούστου", "", 8},
		{"KASIM", "tr", 11},
		{"EKİM", "tr", 10},
		{"באוגוסט", "he", 8},
		{"abuztuaren", "eu", 8},
		{"jan", "", 1}, // June in Sesotho; English names are used everywhere
		{"jan", "st", 6},
		{"listopad", "hr", 10},
		{"listopad", "pl", 11},
		{"listopad", "", 0},
		{"listopad", "en", 0},
		{"lip", "hr", 6},
		{"lip", "pl", 7},
		{"mars", "", 3},
		{"mardi", "", 0},
		{"crore", "", 0},
		{"", "", 0},
		{".", "", 0},
	}
	for _, tt := range tests {
		if got := cldr.Month(tt.word, tt.language); got != tt.want {
			t.Errorf("Month(%q, %q) = %d, want %d", tt.word, tt.language, got, tt.want)
		}
	}
}

func TestCommonMonth(t *testing.T) {
	for word, want := range map[string]int{"März": 3, "août": 8, "listopada": 0, "set": 9, "mac": 0, "ira": 0, "in": 0} {
		if got := cldr.CommonMonth(word); got != want {
			t.Errorf("CommonMonth(%q) = %d, want %d", word, got, want)
		}
	}
}

func TestWeekday(t *testing.T) {
	for _, word := range []string{
		"Mon", "mar.", "mardi", "Dienstag", "hétfő", "HÉTFŐ", "Pzt", "niedz.", "Παρασκευή", "शुक्रवार", "شنبه", "jum", "вт",
		"金曜日",
	} {
		if !cldr.Weekday(word) {
			t.Errorf("Weekday(%q) = false", word)
		}
	}
	for _, word := range []string{"juillet", "Oct", "million", "the", ""} {
		if cldr.Weekday(word) {
			t.Errorf("Weekday(%q) = true", word)
		}
	}
}

func TestScale(t *testing.T) {
	tests := []struct {
		word, language string
		want           int
	}{
		{"crore", "en", 7},
		{"Mio.", "de", 6},
		{"juta", "id", 6},
		{"mil", "es", 3},
		{"mil.", "cs", 6},
		{"mil", "en", 0},
		{"bin", "tr", 3},
		{"bin", "de", 0},
		{"लाख", "hi", 5},
		{"億", "ja", 8},
		{"tys.", "pl", 3},
		{"billion", "en", 9},
		{"billion", "de", 12},
		{"M", "fr", 6},
		{"M", "id", 9},
		{"hundred", "en", 2},
		{"June", "en", 0},
	}
	for _, tt := range tests {
		if got := cldr.Scale(tt.word, tt.language); got != tt.want {
			t.Errorf("Scale(%q, %q) = %d, want %d", tt.word, tt.language, got, tt.want)
		}
	}
	if zeros, known := cldr.AnyScale("mil"); zeros != 0 || !known {
		t.Errorf("AnyScale(mil) = %d, %v, want 0, true: a thousand or a million", zeros, known)
	}
	if zeros, known := cldr.AnyScale("juta"); zeros != 6 || !known {
		t.Errorf("AnyScale(juta) = %d, %v, want 6, true", zeros, known)
	}
}

func TestDigits(t *testing.T) {
	for in, want := range map[string]string{
		"16.8.2019": "16.8.2019", "١٦ أغسطس ٢٠١٩": "16 أغسطس 2019", "۱۶": "16", "१६": "16", "১৬": "16", "๑๖": "16",
		"２０１９年": "2019年", "ᠠ᠑": "ᠠ1", "é": "é", "": "", "\xd9": "\xd9",
	} {
		if got := cldr.Digits(in); got != want {
			t.Errorf("Digits(%q) = %q, want %q", in, got, want)
		}
	}
	// Eight bytes of ASCII are skipped at once.
	for before := range 20 {
		for after := range 20 {
			plain, rest := strings.Repeat("a", before), strings.Repeat("é", after)
			if got, want := cldr.Digits(plain+"٣"+rest+"٤"), plain+"3"+rest+"4"; got != want {
				t.Errorf("Digits of %d and %d letters = %q, want %q", before, after, got, want)
			}
		}
	}
	// Each range of digits begins with a zero, as Digits requires.
	n := 0
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if !unicode.IsDigit(r) {
			continue
		}
		if got, want := cldr.Digits(string(r)), string('0'+rune(n%10)); got != want {
			t.Fatalf("Digits(%U) = %q, want %q", r, got, want)
		}
		n++
	}
}
