package langid

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// declaredCodes returns the languages in declarations: BCP 47 tags, lists of them separated by commas, or locales with
// an underscore. Regions and scripts are left out.
func declaredCodes(declared []string) []string {
	var codes []string
	for _, list := range declared {
		for tag := range strings.SplitSeq(list, ",") {
			code, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"), "-")
			code = strings.ToLower(code)
			if len(code) == 2 || len(code) == 3 {
				codes = append(codes, schemas.LanguageCodes(code)...)
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
	return !slices.Contains(codes, languages[0].Code)
}
