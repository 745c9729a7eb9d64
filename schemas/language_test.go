package schemas

import (
	"fmt"
	"testing"
)

func TestIsLanguage(t *testing.T) {
	for code, want := range map[string]bool{"en": true, "gl": true, "ckb": true, "": false, "und": false, "zxx": false} {
		if got := IsLanguage(code); got != want {
			t.Errorf("IsLanguage(%q) = %v, want %v", code, got, want)
		}
	}
}

func TestLanguageCodes(t *testing.T) {
	for code, want := range map[string]string{
		"fr": "[fr]", "no": "[no nb nn]", "sh": "[sh bs hr sr]", "cmn": "[zh]", "arb": "[ar]", "fil": "[tl]", "iw": "[he]",
		"xx": "[xx]",
	} {
		if got := fmt.Sprint(LanguageCodes(code)); got != want {
			t.Errorf("LanguageCodes(%q) = %s, want %s", code, got, want)
		}
	}
}
