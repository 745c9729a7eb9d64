package langid

import "github.com/gleaner-web/gleaner/schemas"

// Detect returns the main language of text as an ISO 639 code such as "en". Result ok is false, and lang is "", if the
// text is too short, in an unknown language or in none. [Detector.Detect] also returns the other languages, with shares
// and confidences.
func Detect(text string) (lang string, ok bool) {
	found := New(Options{}).Detect(text)
	if len(found) == 0 || !schemas.IsLanguage(found[0].Code) {
		return "", false
	}
	return found[0].Code, true
}
