package langid

// Detect returns the main language of text as an ISO 639 code such as "en". Result ok is false, and lang is "", if the
// text is too short or in an unknown language. [Detector.Detect] also returns the other languages, with shares and
// confidences.
func Detect(text string) (lang string, ok bool) {
	found := New(Options{}).Detect(text)
	if len(found) == 0 || found[0].Code == Unknown {
		return "", false
	}
	return found[0].Code, true
}
