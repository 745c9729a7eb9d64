package entity

// A Mention is where a pattern found something.
type Mention struct {
	Start, End int    // bytes of the text
	Type       string // email, phone, iban, url …: see the package comment
}

// Patterns returns what the patterns alone find in a text, in its order, none over another: for those who want places
// and not entities, and all of them. At most maxPhones different candidates are checked for being phone numbers.
func Patterns(text, language, url string, maxPhones int) (found []Mention) {
	l := newLocale(language, url)
	for _, m := range scan(text, l, newPhones(l.region, maxPhones)) {
		found = append(found, Mention{m.start, m.end, m.kind})
	}
	return found
}
