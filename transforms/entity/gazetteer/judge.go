package gazetteer

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/entity/gazetteer/table"
)

// The weights of evidence, in log odds: 0.7 doubles the odds, 2.3 makes them ten times as high. First those of the
// name, then of its form, then of its surroundings.
const (
	countryPrior = 3.0
	statePrior   = 2.0
	cityScale    = 1.2 // for each factor of ten in people ...
	citySize     = 4.7 // ... above the logarithm of fifty thousand
	million      = 1_000_000
	metropolis   = 5_000_000

	notPrimary    = -0.7 // an alternate name
	usualWord     = -0.9 // of the text's language
	germanWord    = -1.5 // more in German, where nouns have capitals
	wordOpens     = -1.8 // more at the start of a sentence, where it has a capital anyway
	foreignWord   = -0.5 // an English word in a text of another language
	firstName     = -1.2
	surname       = -0.7
	shortOther    = -1.0 // an alternate name of four letters or fewer in Latin script
	shortName     = -1.5 // of three letters or two Han characters
	notNative     = -1.5 // a country's name only in other languages
	notNativeWord = -4.0 // the same for a usual word
	abbreviation  = -5.0 // of two or three letters, except US in English and the like

	capitalBefore = -1.8 // it ends a longer name
	capitalAfter  = -3.0 // it begins a longer name
	personBefore  = -5.0 // a first name
	articleBefore = -2.0 // the Chicago, il Milan: a newspaper, a club
	partOfName    = -6.0 // a hyphen, a slash, an @
	capitals      = -0.3

	prepositionBefore = 2.0
	possessive        = -1.5 // in Levin's work
	genitiveBefore    = 0.7
	genitiveName      = -2.5 // University of Virginia
	openingBefore     = -0.3 // a capital letter at the start of a sentence
	ofCapital         = 0.7
	linkedParent      = 4.0 // Paris, Texas
	listed            = 1.5 // Paris, Rome and Vienna
	homeCountry       = 0.7
	namedCountry      = 0.8
	saidElsewhere     = 1.5
	personElsewhere   = -3.0
)

// gather counts the clear mentions of a country or a place in it. likeliest and weight need the counts, so it runs
// before them. Doubtful names are left out: one wrong "Georgia" must not move other names to the Caucasus.
func (f *finder) gather() {
	for _, m := range f.matches {
		// The first candidate is the likeliest by the table.
		p := f.table.Place(m.name.Candidates[0])
		// Not a word of any language, and a single candidate or a state; or a country by its name in the text's
		// language.
		clear := m.name.Word == 0 && (len(m.name.Candidates) == 1 || p.Kind == table.State) ||
			p.Kind == table.Country && m.name.Native&f.mask != 0
		if clear && !m.isFirstName() {
			f.named[p.Country]++
		}
	}
}

// judge decides which places are meant, and appends those with enough confidence. It judges each match, then pairs of
// neighbours, then all mentions of one name; each step adds to the one before.
func (f *finder) judge(dst []Mention) []Mention {
	// All surroundings are kept for agree.
	around := make([]surroundings, len(f.matches))
	for i := range f.matches {
		around[i] = f.around(i)
		m := &f.matches[i]
		m.place = f.likeliest(m)
		m.logit = f.prior(m, &around[i]) + f.evidence(m, &around[i])
	}
	f.link()
	f.linkCodes()
	f.agree(around)
	for i := range f.matches {
		m := &f.matches[i]
		// The logistic function turns log odds into a probability.
		sure := 1 / (1 + math.Exp(-m.logit))
		if sure < f.context.Least {
			continue
		}
		dst = append(dst, Mention{
			// The confidence that it is a place, times that of this one; two digits, as more mean nothing.
			Start: m.start, End: m.end, Confidence: math.Round(sure*f.share(m)*100) / 100,
			Place: f.place(m.place),
		})
	}
	return dst
}

// weight is the evidence for the i-th candidate of a name, as a decimal logarithm of people.
func (f *finder) weight(m *match, i int) float64 {
	p := f.table.Place(m.name.Candidates[i])
	// 1,000 more people, so that places without a number are not infinitely unlikely.
	w := math.Log10(float64(p.Population) + 1000)
	// Primary has eight bits, for the first eight candidates.
	if i < 8 && m.name.Primary&(1<<i) != 0 || p.Population >= metropolis { // New York is New York City
		w += 0.7
	}
	// Countries are named more often than cities of their population.
	if p.Kind == table.Country {
		w += 2
		if m.name.Native&f.mask == 0 {
			w -= 3 // Salvador is the country in other languages
		}
	}
	// The page's own country has the Paris that it means.
	if p.Country == f.context.Country {
		w += 0.5
	}
	if f.named[p.Country] > 0 && p.Kind != table.Country {
		w++
	}
	return w
}

// likeliest returns the candidate with the most evidence.
func (f *finder) likeliest(m *match) uint16 {
	best, most := 0, math.Inf(-1)
	for i := range m.name.Candidates {
		// Of equals the first in the table's order, for stable results.
		if w := f.weight(m, i); w > most {
			best, most = i, w
		}
	}
	return m.name.Candidates[best]
}

// share returns the share of the chosen place in the evidence for all candidates. Powers of ten turn weights back into
// people.
func (f *finder) share(m *match) float64 {
	chosen, total := 0.0, 0.0
	for i, c := range m.name.Candidates {
		w := math.Pow(10, f.weight(m, i))
		if c == m.place {
			chosen = w
			if m.logit > linkedParent { // the surroundings decided
				return 1
			}
		}
		total += w
	}
	return chosen / total
}

// prior is the evidence of the name alone.
func (f *finder) prior(m *match, s *surroundings) float64 {
	p := f.table.Place(m.place)
	logit := 0.0
	switch p.Kind {
	case table.Country:
		logit = countryPrior
	case table.State:
		logit = statePrior
	default:
		// A city of fifty thousand has even odds.
		logit = cityScale * (math.Log10(float64(p.Population)+1) - citySize)
		// Bit 0 is of the first candidate, which is mostly the chosen one.
		if m.name.Primary&1 == 0 {
			logit += notPrimary
		}
		if p.Capital {
			logit += ofCapital
		}
	}
	// mask is of the text's language, or English.
	native := m.name.Native&f.mask != 0
	large := p.Population >= million
	// At most one of the four cases applies, the strongest first.
	switch {
	case p.Kind == table.Country && !native && m.name.Word != 0:
		logit += notNativeWord
	// Countries in foreign names are rare in running text.
	case p.Kind == table.Country && !native:
		logit += notNative
	case m.name.Word&f.mask != 0:
		weight := usualWord
		if f.context.Language == "de" {
			weight += germanWord
		}
		// A word with a capital at the start of a sentence is probably a word.
		if s.opens && !native {
			weight += wordOpens
		}
		// A city of a million is meant more often than the word with its name.
		if large {
			weight /= 2
		}
		logit += weight
	case m.name.Word&table.Bit("en") != 0:
		logit += foreignWord
	}
	if m.isFirstName() {
		logit += firstName
	}
	// Only for smaller cities: Paris and London are surnames as well.
	if m.flags&table.Surname != 0 && !large {
		logit += surname
	}
	return logit + f.form(m, s, large)
}

// form is the evidence of how the name is written.
func (f *finder) form(m *match, s *surroundings, large bool) float64 {
	name := f.text[m.start:m.end]
	letters := utf8.RuneCountInString(name)
	r, _ := utf8.DecodeRuneInString(name)
	logit := 0.0
	switch {
	// In Chinese and Japanese any two characters may come together by chance.
	case table.Unspaced(r):
		if letters < 3 && !large {
			logit += shortName
		}
		return logit
	// US, U.S., L'A: abbreviations are too ambiguous, except for countries in the text's language.
	case s.capitals && letters < 4 || letters < 5 && strings.ContainsAny(name, ".'’"):
		if !s.capitals || m.name.Native&f.mask == 0 {
			logit += abbreviation
		}
	case letters < 4:
		logit += shortName
	}
	if m.name.Primary&1 == 0 && letters < 5 && unicode.Is(unicode.Latin, r) && m.name.Native == 0 {
		logit += shortOther
	}
	if s.capitals && letters > 3 {
		logit += capitals
	}
	// In scripts with capitals, a name that begins without one (an Arabic or Georgian one has none).
	if !unicode.IsUpper(r) && !large {
		logit += shortName / 2
	}
	return logit
}

// evidence is that of the surroundings s, on the match's line.
func (f *finder) evidence(m *match, s *surroundings) float64 {
	logit := 0.0
	if s.joined {
		logit += partOfName
	}
	// The strongest of the three counts; a preposition before "University of" has its own word before it.
	switch {
	case s.preposition:
		logit += prepositionBefore
		// "in Levin's work": a person's.
		if rest := f.text[m.end:]; strings.HasPrefix(rest, "'s") || strings.HasPrefix(rest, "’s") {
			logit += possessive
		}
	case s.genitiveName:
		logit += genitiveName
	case s.genitive:
		logit += genitiveBefore
	}
	german := f.context.Language == "de" // where nouns have capitals
	// After a capitalised word it ends a longer name.
	if s.before.capital && !s.preposition && !s.genitive {
		switch {
		// "Jack London".
		case f.isFirstName(s.before):
			logit += personBefore
		// The capital may mark the start of a sentence.
		case s.before.opens:
			logit += openingBefore
		case !german && !s.before.place:
			logit += capitalBefore
		}
	}
	if s.article && f.table.Place(m.place).Kind == table.City {
		logit += articleBefore
	}
	if s.title {
		logit += personBefore
	}
	// A comma separates pairs such as "Florence, Italy", but not "Florence Nightingale".
	if m.isFirstName() && s.after.place {
		logit += personBefore
	}
	// It begins a longer name: "London Bridge". In a text all in capitals that says nothing.
	if s.after.capital && !s.after.place && !german && !s.capitals {
		logit += capitalAfter
		if m.isFirstName() {
			logit += capitalAfter
		}
	}
	if f.table.Place(m.place).Country == f.context.Country {
		logit += homeCountry
	}
	// More than once: this very match may be one of them.
	if f.named[f.table.Place(m.place).Country] > 1 {
		logit += namedCountry
	}
	return logit
}

// link looks at neighbours with only a comma or a word for "and" between. One may contain the other, and several make
// a list of places.
func (f *finder) link() {
	for i := range len(f.matches) - 1 {
		// Pointers, since both are changed.
		a, b := &f.matches[i], &f.matches[i+1]
		switch strings.TrimSpace(f.gap(i)) {
		case ",", "(", "（", "，":
			if f.linkParent(a, b) {
				continue
			}
			// The state is left out, or is not in the table, like Canada's provinces.
			if i+2 < len(f.matches) && f.gap(i+1) == ", " && f.linkParent(a, &f.matches[i+2]) { // London, Ontario, Canada
				continue
			}
		case "、", "und", "and", "et", "y", "e", "en", "i", "a", "и", "та", "och", "og", "ja", "és", "și", "ve", "dan", "và",
			"&", "–", "と", "和":
		default:
			continue
		}
		// Only likely ones support others, so two doubtful names do not lift each other.
		if a.logit > 1 {
			b.logit += listed
		}
		if b.logit > 1 {
			a.logit += listed
		}
	}
}

// gap returns the text between the i-th match and the next, if it is short. Eight bytes hold ", " and words for "and"
// in all scripts of the list.
func (f *finder) gap(i int) string {
	from, to := f.matches[i].end, f.matches[i+1].start
	if to-from > 8 || to <= from {
		return ""
	}
	return f.text[from:to]
}

// linkParent reports whether b names a state or country around a, and if so, settles both. The depth is 2: a city in a
// state in a country.
func (f *finder) linkParent(a, b *match) bool {
	for _, c := range a.name.Candidates {
		parent := f.table.Place(c).Parent
		for depth := 0; parent != table.NoParent && depth < 2; depth++ {
			for _, d := range b.name.Candidates {
				if d == parent {
					a.place, b.place = c, d
					a.logit += linkedParent
					b.logit += linkedParent
					return true
				}
			}
			parent = f.table.Place(parent).Parent
		}
	}
	return false
}

// agree makes mentions of a name consistent: a certain place confirms the others. A person's name counts against those
// without a sign of a place beside them.
func (f *finder) agree(around []surroundings) {
	sure, person := map[string]bool{}, map[string]bool{}
	for i, m := range f.matches {
		name := f.text[m.start:m.end]
		// Certain by a preposition, or by a parent beside it.
		if m.logit > 2.5 && (around[i].preposition || m.logit > linkedParent) {
			sure[name] = true
		}
		// "Jack London" anywhere makes "London" Jack's everywhere else.
		if f.isFirstName(around[i].before) && !around[i].preposition {
			person[name] = true
		}
	}
	// Two passes, so that the order of mentions does not matter.
	for i := range f.matches {
		m := &f.matches[i]
		name := f.text[m.start:m.end]
		switch {
		// A preposition or a parent beside it outweighs the person.
		case person[name] && !around[i].preposition && m.logit <= linkedParent:
			m.logit += personElsewhere
		case sure[name]:
			m.logit += saidElsewhere
		}
	}
}
