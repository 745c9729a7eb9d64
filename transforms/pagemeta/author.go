package pagemeta

// authors weighs what the page declares against the by-line that readers see: where "By" says so, readers see the right
// names, since what is declared is often who entered the text.
func (f *finder) authors() answer {
	if f.isProduct() {
		return answer{} // what is said there is its maker, or who reviewed it
	}
	declared := f.first(declaredAuthors)
	if declared.values != nil {
		declared.confidence = declaredAuthor
	}
	if f.by.names == "" || !f.by.spoken && f.shown.published == nil && !f.article() {
		return declared
	}
	shown := answer{fromText, f.people([]string{f.by.names}), hintedAuthor}
	if f.by.spoken {
		shown.confidence = spokenAuthor
	}
	if shown.values == nil {
		return declared
	}
	for _, v := range declared.values {
		if alike(v, shown.values[0]) {
			declared.confidence = sureAuthor
			return declared
		}
	}
	if f.by.spoken || declared.values == nil {
		return shown
	}
	return declared
}

// Confidences are the shares of right authors among those of the tuning part of the benchmark that are given for the
// same reason (TestExtract_benchmark).
const (
	sureAuthor     = 0.98 // declared and shown
	spokenAuthor   = 0.75 // shown behind "By"
	declaredAuthor = 0.76
	hintedAuthor   = 0.65 // shown in an element that is called so
)
