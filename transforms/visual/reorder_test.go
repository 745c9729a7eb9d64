package visual

import (
	"strings"
	"testing"
)

// TestReorder_bidi: lines are given as they are shown from left to right, with the reading that UAX #9 has for them.
func TestReorder_bidi(t *testing.T) {
	for _, tt := range []struct {
		name, shown, want string
		rtl               bool
	}{
		{"one number", "וה 42 גבא", "אבג 42 הו", true},
		{"three numbers", "30 20 10 גבא", "אבג 10 20 30", true},
		{"years", "2000 – 1990 תונש", "שנות 1990 – 2000", true},
		{"years with a dash alone", "2000–1990 תונש", "שנות 1990–2000", true},
		{"a hyphen joins", "1990-2000 תונש", "שנות 1990-2000", true},
		{"Arabic digits are not joined by a hyphen", "٢٠٠٠-١٩٩٠ ةنس", "سنة ١٩٩٠-٢٠٠٠", true},
		{"digits after Arabic letters neither", "2000-1990 ةنس", "سنة 1990-2000", true},
		{"a date", "12/05/2020 םוי", "יום 12/05/2020", true},
		{"a time, and a price", "1,234.50 10:30 גבא", "אבג 10:30 1,234.50", true},
		{"Arabic decimals", "٣٫٥ ١٠:٣٠ ةنس", "سنة ١٠:٣٠ ٣٫٥", true},
		{"two signs do not join", "20..10 גבא", "אבג 10..20", true},
		{"per cent", "12% גבא", "אבג 12%", true},
		{"a currency", "$5 €10 גבא", "אבג €10 $5", true},
		{"per cent of Arabic digits", "٪١٢ ةنس", "سنة ١٢٪", true},
		{"signs between numbers", "5%6 7% 8 גבא", "אבג 8 7% 5%6", true},
		{"a telephone number", "555-1234 03 לט", "טל 03 555-1234", true},
		{"numbers with letters stay", "abc 42 גבא", "אבג abc 42", true},
		{"per cent after letters", "abc 5% גבא", "אבג abc 5%", true},
		{"a number in a line of Latin", "abc והד 42 גבא xyz", "abc אבג 42 דהו xyz", false},
		{"numbers in a line of Latin", "abc והד 20 10 גבא xyz", "abc אבג 10 20 דהו xyz", false},
		{"a number beside a word", "abc 42 גבא xyz", "abc 42 אבג xyz", false},
		{"words in a line of Latin", "abc והד גבא xyz", "abc אבג דהו xyz", false},
		{"brackets by shape", "(בא)", "(אב)", true},
		{"brackets by character", ")בא(", "(אב)", true},
		{"brackets by shape around Latin", "(abc) גבא", "אבג (abc)", true},
		{"brackets by character around Latin", ")abc( גבא", "אבג (abc)", true},
		{"brackets in brackets", "[(בא) ג]", "[ג (אב)]", true},
		{"quotes by shape", "«بب» اا", "اا «بب»", true},
		{"brackets of a part", "abc ד (גב) א xyz", "abc א (בג) ד xyz", false},
		{"brackets of the line", "abc (בא) xyz", "abc (אב) xyz", false},
		{"one bracket stays", "גבא (1", "1( אבג", true},
		{"brackets of a number", "גבא (1)", "(1) אבג", true},
		{"Latin brackets", "f(x) גבא", "אבג f(x)", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			texts := strings.Split(tt.shown, "")
			Reorder(texts, tt.rtl)
			if got := strings.Join(texts, ""); got != tt.want {
				t.Errorf("Reorder(%+q) = %+q, want %+q", tt.shown, got, tt.want)
			}
		})
	}
}

// FuzzReorder: no glyph is lost or added, apart from brackets that are exchanged for their partners.
func FuzzReorder(f *testing.F) {
	for _, s := range []string{"abc והד 42 גבא xyz", "(בא) 1-2 %3", "٢٠٠٠-١٩٩٠ ةنس"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, shown string, rtl bool) {
		count := map[string]int{}
		add := func(texts []string, n int) {
			for _, s := range texts {
				if m := mirrored[s]; m != "" {
					s = min(s, m)
				}
				count[s] += n
			}
		}
		texts := strings.Split(shown, "")
		add(texts, 1)
		Reorder(texts, rtl)
		add(texts, -1)
		for s, n := range count {
			if n != 0 {
				t.Errorf("%q: %d more of %q", shown, n, s)
			}
		}
	})
}
