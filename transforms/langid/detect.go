package langid

// Detect returns the language that most of text is in, as an ISO 639 code such as "en". ok is false if the text is too
// short to say, or in a language that the package does not know; lang is then "". [Detector.Detect] also returns the
// other languages, with shares and confidences.
func Detect(text string) (lang string, ok bool) {
	found := New(Options{}).Detect(text)
	if len(found) == 0 || found[0].Code == Unknown {
		return "", false
	}
	return found[0].Code, true
}
