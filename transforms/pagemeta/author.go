package pagemeta

import "strings"

// authors compares the declared authors with the visible by-line. After "By" readers see the right names, while
// declared names are often those of the person who entered the text. Products have no authors, as reviewers and brands
// would be taken for them.
func (f *finder) authors() answer {
	if f.isProduct() {
		return answer{} // the names would be of the maker or of reviewers
	}
	// The confidence is that of a declared author alone, until the page confirms it.
	declared := f.first(declaredAuthors)
	if declared.values != nil {
		declared.confidence = unshownAuthors.of(declared.values)
	}
	// Several are of the articles of a list. A name that only its element's name suggests needs a date beside it, or an
	// article around it.
	if f.by.names == "" || f.by.listed && !f.article() || !f.by.spoken && f.shown.published == nil && !f.article() {
		return declared
	}
	shown := answer{source: fromText, values: f.people([]string{f.by.names})}
	shown.confidence = hintedAuthors.of(shown.values)
	if f.by.spoken {
		shown.confidence = spokenAuthors.of(shown.values)
	}
	// The visible text was not a name after all.
	if shown.values == nil {
		return declared
	}
	// If the declared and the visible name agree, the declared ones are cleaner.
	for _, v := range declared.values {
		if alike(v, shown.values[0]) {
			declared.confidence = sureAuthors.of(declared.values)
			return declared
		}
	}
	// If they differ, "By" is more reliable than an element called author.
	if f.by.spoken || declared.values == nil {
		return shown
	}
	return declared
}

// authorShares are the shares of right authors given for one reason, by the form of the name. Names of one word differ
// from those of two or three. Longer ones often contain a role or a company, and of several authors one may be too
// many.
type authorShares struct {
	one, few, long, several float64
}

// Confidences are the shares of right authors in the benchmark among those given for the same reason.
// TestExtract_benchmark also says how well they hold on other hosts. An answer is right if it has the names of the
// label, no more and no less.
var (
	sureAuthors    = authorShares{0.91, 0.98, 0.98, 0.73} // declared and shown
	spokenAuthors  = authorShares{0.73, 0.73, 0.26, 0.26} // shown after "By"
	unshownAuthors = authorShares{0.69, 0.77, 0.26, 0.26} // declared
	hintedAuthors  = authorShares{0.26, 0.73, 0.26, 0.26} // shown in an element called author
)

func (s authorShares) of(names []string) float64 {
	if len(names) != 1 {
		return s.several
	}
	switch n := len(strings.Fields(names[0])); {
	case n < 2:
		return s.one
	case n < 4:
		return s.few
	}
	return s.long
}
