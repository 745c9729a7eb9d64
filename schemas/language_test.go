package schemas

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/language"
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
		"xx": "[xx]", "eng": "[en]", "ger": "[de]", "deu": "[de]", "chi": "[zh]", "zho": "[zh]", "dan": "[da]",
		"hrv": "[hr]",
		"slk": "[sk]", "slo": "[sk]", "ind": "[id]", "nor": "[no nb nn]", "hbs": "[sh bs hr sr]", "swh": "[sw]",
		"gsw": "[gsw]", "zzz": "[zzz]",
	} {
		if got := fmt.Sprint(LanguageCodes(code)); got != want {
			t.Errorf("LanguageCodes(%q) = %s, want %s", code, got, want)
		}
	}
}

// Each language with two letters has its code of three, as a library knows them.
func TestLanguageCodes_threeLetters(t *testing.T) {
	known := 0
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			code := string(a) + string(b)
			base, err := language.ParseBase(code)
			if err != nil || base.String() != code {
				continue
			}
			known++
			if got, want := LanguageCodes(base.ISO3()), LanguageCodes(code); !cmp.Equal(got, want) {
				t.Errorf("LanguageCodes(%q) = %v, want %v as for %q", base.ISO3(), got, want, code)
			}
		}
	}
	if known < 180 {
		t.Errorf("%d languages are known", known)
	}
}
