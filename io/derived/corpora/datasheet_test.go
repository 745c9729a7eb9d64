package corpora

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// TestDatasheet_says: the datasheet and Croissant name samples, removed kinds of data and steps, and nothing else.
func TestDatasheet_says(t *testing.T) {
	personal := func(numbers map[string]float64) []filter.Step {
		return []filter.Step{{Name: "personal", Settings: filter.Settings{Numbers: numbers}}}
	}
	for _, tt := range []struct {
		o    Options
		got  func(Manifest) string
		want string
	}{
		{Options{}, sampledOf, "No, apart from what filters and duplicates leave out."},
		{Options{Sample: .01}, sampledOf, "Yes, with a share of 0.01."},
		{
			Options{Mix: map[string]float64{"fr": .1, "en": .5}},
			sampledOf,
			"Yes, with a share of 0.5 of the text in language en, with a share of 0.1 of the text in language fr.",
		},
		{
			Options{Sample: .5, Mix: map[string]float64{"fr": .1}},
			sampledOf,
			"Yes, with a share of 0.5, with a share of 0.1 of the text in language fr.",
		},
		{Options{}, personalOf, "Personal information was not removed."},
		{
			Options{Recipe: personal(nil)},
			personalOf,
			"The filter `personal` replaced or removed what it found of: e-mail addresses, public IP addresses, telephone " +
				"numbers, IBANs.",
		},
		{
			Options{Recipe: personal(map[string]float64{"email": 0, "phone": 0, "iban": 0, "ip": 2})},
			personalOf,
			"The filter `personal` replaced or removed what it found of: public IP addresses.",
		},
		{
			Options{Recipe: personal(map[string]float64{"email": 0, "phone": 0, "iban": 0, "ip": 0})},
			personalOf,
			"Personal information was not removed.",
		},
		{Options{}, protocolOf, "Filters: none. Duplicates by nothing are left out."},
		{
			Options{Recipe: personal(nil), Dedup: []string{ByURL}, Paragraphs: 3},
			protocolOf,
			"Filters: personal. Duplicates " +
				"by url are left out. Paragraphs that 3 hosts or more have are left out of all documents but one.",
		},
		{
			Options{Against: []string{"corpus-1", "corpus-2"}},
			protocolOf,
			"Filters: none. Duplicates by nothing are left " +
				"out. Documents of earlier corpora are left out: corpus-1, corpus-2.",
		},
	} {
		m := Manifest{Options: tt.o}
		if got := tt.got(m); got != tt.want {
			t.Errorf("of %+v: %q, want %q", tt.o, got, tt.want)
		}
		if sheet := string(datasheet(m)); !strings.Contains(sheet, tt.want) {
			t.Errorf("the datasheet lacks %q", tt.want)
		}
	}
}
