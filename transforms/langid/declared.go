package langid

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// aliases maps codes that pages declare to the codes used here. They are withdrawn codes, and codes of ISO 639-3 for
// languages with one in ISO 639-1.
var aliases = map[string]string{
	"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "fil": "tl", "cmn": "zh", "arb": "ar", "nob": "nb",
	"nno": "nn", "pes": "fa", "khk": "mn", "zsm": "ms",
}

// members are the languages covered by a code for several.
var members = map[string][]string{"no": {"nb", "nn"}, "sh": {"bs", "hr", "sr"}}

// declaredCodes returns the languages in declarations: BCP 47 tags, lists of them separated by commas, or locales with
// an underscore. Regions and scripts are left out.
func declaredCodes(declared []string) []string {
	var codes []string
	for _, list := range declared {
		for tag := range strings.SplitSeq(list, ",") {
			code, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"), "-")
			code = strings.ToLower(code)
			if alias := aliases[code]; alias != "" {
				code = alias
			}
			if len(code) == 2 || len(code) == 3 {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

// Conflicts reports whether a page's declaration names languages, but not the text's main language. A text in an
// unknown language, in none, or one too short to judge, contradicts nothing.
func Conflicts(languages []schemas.Language, declared string) bool {
	codes := declaredCodes([]string{declared})
	if len(languages) == 0 || len(codes) == 0 || !schemas.IsLanguage(languages[0].Code) {
		return false
	}
	for _, code := range codes {
		if code == languages[0].Code || slices.Contains(members[code], languages[0].Code) {
			return false
		}
	}
	return true
}
