package entity

// Mention is the place of a pattern's match.
type Mention struct {
	Start, End int    // byte offsets in the text
	Type       string // email, phone, iban, url and so on: see the package comment
}

// Patterns returns all matches of the patterns alone in a text, in order and without overlaps. At most maxPhones
// distinct candidates are checked for being phone numbers.
func Patterns(text, language, url string, maxPhones int) (found []Mention) {
	l := newLocale(language, url)
	for _, m := range scan(text, l, newPhones(l.region, maxPhones)) {
		found = append(found, Mention{m.start, m.end, m.kind})
	}
	return found
}
