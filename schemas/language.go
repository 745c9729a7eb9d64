package schemas

// IsLanguage reports whether code names a language. It does not if it is empty, "und" (the language is unknown) or
// "zxx" (the text is in no language, such as a program).
func IsLanguage(code string) bool { return code != "" && code != "und" && code != "zxx" }

// languageAliases maps codes of languages to those of documents. They are withdrawn codes, and codes of ISO 639-3 for
// languages with one in ISO 639-1.
var languageAliases = map[string]string{
	"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "fil": "tl", "cmn": "zh", "arb": "ar", "nob": "nb",
	"nno": "nn", "pes": "fa", "khk": "mn", "zsm": "ms",
}

// languageMembers are the languages covered by a code for several.
var languageMembers = map[string][]string{"no": {"nb", "nn"}, "sh": {"bs", "hr", "sr"}}

// LanguageCodes returns the codes that documents may have for a code of ISO 639 in lower case, mostly the same one.
func LanguageCodes(code string) []string {
	if alias := languageAliases[code]; alias != "" {
		code = alias
	}
	// Documents of other programs may have the code for several.
	return append([]string{code}, languageMembers[code]...)
}
