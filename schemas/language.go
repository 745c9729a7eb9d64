package schemas

// IsLanguage reports whether code names a language. It does not if it is empty, "und" (the language is unknown) or
// "zxx" (the text is in no language, such as a program).
func IsLanguage(code string) bool { return code != "" && code != "und" && code != "zxx" }
