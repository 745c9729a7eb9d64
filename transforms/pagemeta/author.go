package pagemeta

import "strings"

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
		declared.confidence = unshownAuthors.of(declared.values)
	}
	// A name that only its element's name hints at needs a date beside it, or an article around it.
	if f.by.names == "" || !f.by.spoken && f.shown.published == nil && !f.article() {
		return declared
	}
	shown := answer{source: fromText, values: f.people([]string{f.by.names})}
	shown.confidence = hintedAuthors.of(shown.values)
	if f.by.spoken {
		shown.confidence = spokenAuthors.of(shown.values)
	}
	// What was shown was not a name after all.
	if shown.values == nil {
		return declared
	}
	// Declared and shown agree on one name: the declared ones are cleaner.
	for _, v := range declared.values {
		if alike(v, shown.values[0]) {
			declared.confidence = sureAuthors.of(declared.values)
			return declared
		}
	}
	// They differ: readers are told the truth after "By", not in an element of that name.
	if f.by.spoken || declared.values == nil {
		return shown
	}
	return declared
}

// authorShares are how often authors are right that were given for one reason: names of one word, of two or three, and
// longer ones, which often have a role or a company in them; and of several authors, of whom one may be too many.
type authorShares struct {
	one, few, long, several float64
}

// Confidences are the shares of right authors among those of the benchmark that are given for the same reason
// (TestExtract_benchmark, which also says how well they hold on hosts that were left out). Right are those that the
// label has, no more and no less.
var (
	sureAuthors    = authorShares{0.91, 0.98, 0.98, 0.73} // declared and shown
	spokenAuthors  = authorShares{0.73, 0.73, 0.26, 0.26} // shown after "By"
	unshownAuthors = authorShares{0.69, 0.77, 0.26, 0.26} // declared
	hintedAuthors  = authorShares{0.26, 0.73, 0.26, 0.26} // shown in an element that is called so
)

// of is the confidence of names.
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
