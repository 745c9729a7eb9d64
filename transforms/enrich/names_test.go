package enrich

import "testing"

func TestNamesReason(t *testing.T) {
	for _, tt := range []struct{ text, language, want string }{
		{"a text", "en", ""},
		{"un texte", "fr", ""},
		{"maandishi", "sw", "language"},
		{"zxcv", "und", "unknown_language"},
		{"zxcv", "", "unknown_language"},
		{" \n", "sw", ""},
		{"", "", ""},
	} {
		if got := namesReason(tt.text, tt.language); got != tt.want {
			t.Errorf("namesReason(%q, %q) = %q, want %q", tt.text, tt.language, got, tt.want)
		}
	}
}
