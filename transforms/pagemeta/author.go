package pagemeta

// authors weighs what the page declares against the by-line that readers see: where "By" says so, readers see the right
// names, since what is declared is often who entered the text. Products have no authors here: reviewers and brands
// would be taken for them.
func (f *finder) authors() answer {
	if f.isProduct() {
		return answer{} // what is said there is its maker, or who reviewed it
	}
	// The confidence is that of a declared author alone, until the page confirms it.
	declared := f.first(declaredAuthors)
	if declared.values != nil {
		declared.confidence = declaredAuthor
	}
	// A name that only its element's name hints at needs a date beside it, or an article around it.
	if f.by.names == "" || !f.by.spoken && f.shown.published == nil && !f.article() {
		return declared
	}
	shown := answer{fromText, f.people([]string{f.by.names}), hintedAuthor}
	if f.by.spoken {
		shown.confidence = spokenAuthor
	}
	// What was shown was no name after all.
	if shown.values == nil {
		return declared
	}
	// Declared and shown agree on one name: the declared ones are cleaner.
	for _, v := range declared.values {
		if alike(v, shown.values[0]) {
			declared.confidence = sureAuthor
			return declared
		}
	}
	// They differ: readers are told the truth behind "By", not in an element of that name.
	if f.by.spoken || declared.values == nil {
		return shown
	}
	return declared
}

// Confidences are the shares of right authors among those of the tuning part of the benchmark that are given for the
// same reason (TestExtract_benchmark). They are measured again with each change of the rules, so the numbers have no
// other meaning.
const (
	sureAuthor     = 0.98 // declared and shown
	spokenAuthor   = 0.75 // shown behind "By"
	declaredAuthor = 0.76
	hintedAuthor   = 0.65 // shown in an element that is called so
)
