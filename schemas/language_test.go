package schemas

import "testing"

func TestIsLanguage(t *testing.T) {
	for code, want := range map[string]bool{"en": true, "gl": true, "ckb": true, "": false, "und": false, "zxx": false} {
		if got := IsLanguage(code); got != want {
			t.Errorf("IsLanguage(%q) = %v, want %v", code, got, want)
		}
	}
}
