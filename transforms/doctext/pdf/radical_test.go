package pdf

import "testing"

// TestExpand_radicals: letters of Chinese and Japanese are letters, and not the radicals that look alike.
func TestExpand_radicals(t *testing.T) {
	if a, b := len([]rune(radicals)), len([]rune(letters)); a != b || len(letterOf) != a {
		t.Fatalf("%d radicals and %d letters", a, b)
	}
	for text, want := range map[string]string{
		"\u2f47本":            "日本",
		"\u2f08\u2f42\u2f45": "人文方",
		"\u2ed8\u2edd\u2ed1": "青食長",
		"\u2ef0\u2ee2":       "龙马",
		"日本\u00a0人":          "日本 人",
	} {
		if got := expand(text); got != want {
			t.Errorf("%+q: %q, want %q", text, got, want)
		}
	}
}
