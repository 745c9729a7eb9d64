package entity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// In South Africa R499 is an amount, R511 a road and R1200 a motorcycle. Groups, decimals, scales and more than four
// digits are only of amounts. Other numbers need words around them that say so.

// Words before and after rands, in English and Afrikaans.
var (
	priceWords = words("price prices priced cost costs costing charge charged fined awarded only just pay pays paid " +
		"paying save saving was now worth spend spent special offer promo rrp msrp fee fees deposit total subtotal amount " +
		"budget salary rent earn earns owe adult adults child children kids pensioners students ticket tickets " +
		"entrance entry admission delivery shipping prys kos net slegs teen nou betaal bespaar spaar")
	// vagueWords of these are also before anything else.
	vagueWords = words("only just save saving was now special offer net slegs nou")
	// weakPrices are also before roads, which mostly have fewer digits.
	weakPrices = words("from for of at over than about around nearly almost by vanaf vir van oor")
	// units follow amounts.
	units = words("per p pm pp pn pppn each excl incl excluding including ex cash note notes coin coins voucher fine " +
		"fee deposit discount grant srd fare prize refund rebate donation monthly elk stuk")
	// periods and the like follow a stroke or "a".
	periods = words("kg night day week month year person hour item unit nag dag maand jaar persoon uur")
	// roadWords are near roads, gases and notices of the government, before or after them.
	roadWords = words("turn left right exit road route drive section junction corner stretch traffic highway freeway " +
		"north south east west northbound southbound eastbound westbound interchange between near towards onto gas " +
		"refrigerant notice no terms regulation")
	// alongRoad are directly before roads only.
	alongRoad = words("along onto via")
	// modelWords are before names and numbers of models.
	modelWords = words("grade type class model series code sku ref part")
	// randArticles begin a sentence before an amount.
	randArticles = words("the a an this die")
)

// clearRand is certainly an amount in rands.
const clearRand = `R[ \x{a0}]?(?:[1-9]\d{0,2}(?:[ ,\x{a0}]\d{3})+|\d+[.,]\d\d|[1-9]\d{4,})\b`

var (
	anyRand  = pattern.Lazy(`\b` + clearRand)
	nextPart = pattern.Lazy(`^(?:,|,? and|,? or|,? en|,? of) R\d(?:[^\d.,]|[.,](?:\D|$)|$)`)
	nextRand = pattern.Lazy(`^(?:\s|\pZ)?(?:[-–—/|,]|to|and|or|en|tot)?(?:\s|\pZ)?` + clearRand)
)

// isRand reports whether the amount a at i, whose currency begins at start, is not a road or model.
func (s *scanner) isRand(start, i int, a amount) bool {
	switch {
	case len(a.fraction) == 1: // R4.1
		return false
	case s.text[start] != 'R' || a.end-i > len(a.whole):
		return true
	case a.whole[0] == '0':
		return false
	case len(a.whole) > 4 || afterDash(s.text, a.end) > a.end:
		return true
	}
	before := strings.TrimRight(s.text[max(0, start-maxMonth/2):start], " \u00A0:(")
	word := lastLetters(before)
	lower, long, spaced := strings.ToLower(word), len(a.whole) > 2, i > start+1
	year := spaced && isYear(a.whole)                                                     // of Golf R 2019
	labelled := strings.ToLower(lastLetters(strings.TrimRight(before, "\n\t| \u00A0:("))) // also above the amount
	switch {
	case alongRoad[lower]:
		return false
	case s.hasUnit(a):
		return true
	case len(a.whole) == 1 && vagueWords[labelled] &&
		nextPart().MatchString(s.text[a.end:min(len(s.text), a.end+maxAmount)]):
		return false // R2 and R3 are parts of a circuit
	case priceWords[labelled], strings.HasSuffix(before, "@"), long && strings.HasSuffix(before, "up to"):
		return true
	case !year && s.besideRand(start, a.end):
		return true
	case long && weakPrices[lower] && !s.nearRoad(before, a.end):
		return true
	case len(a.whole) == 4 && !spaced && strings.HasSuffix(a.whole, "99") && !modelWords[lower] &&
		!s.nearRoad(before, a.end):
		return true
	case s.aloneOnLine(start, a.end) && (long || spaced) && s.pageHasRand():
		return true
	}
	return long && spaced && !year && s.mayPrecedeRand(start, word, lower) && !s.nearRoad(before, a.end)
}

// lastLetters returns the letters at the end of text.
func lastLetters(text string) string {
	return text[strings.LastIndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })+1:]
}

// besideRand reports whether the amount from start to end is next to another in rands: R350 – R1 200.
func (s *scanner) besideRand(start, end int) bool {
	if s.rand > 0 && start-s.rand <= len(" and ") {
		switch strings.TrimSpace(s.text[s.rand:start]) {
		case "", "-", "–", "—", "/", "|", ",", "to", "and", "or", "en", "tot":
			return true
		}
	}
	return nextRand().MatchString(s.text[end:min(len(s.text), end+maxAmount)])
}

// hasUnit reports whether a unit or the like follows an amount: R25/kg, R50 each.
func (s *scanner) hasUnit(a amount) bool {
	rest := s.text[a.end:]
	if len(rest) > 1 && rest[0] == '/' && 'a' <= rest[1] && rest[1] <= 'z' {
		return true
	}
	at := skipSpace(rest, 0)
	if at < len(rest) && rest[at] == '/' {
		word := strings.ToLower(wordAt(rest, skipSpace(rest, at+1)))
		return periods[word] || units[word]
	}
	word := strings.ToLower(wordAt(rest, at))
	switch after := rest[at+len(word):]; word {
	case "off":
		return len(a.whole) > 2 && !strings.HasPrefix(after, "-")
	case "a":
		return periods[wordAt(after, skipSpace(after, 0))]
	}
	return units[word]
}

// nearRoad reports whether words around a number are of a road or model: "left at R511", "for R1200 GS".
func (s *scanner) nearRoad(before string, end int) bool {
	for word := range strings.FieldsSeq(before) {
		if roadWords[strings.ToLower(strings.TrimRight(word, ".,:"))] {
			return true
		}
	}
	rest := s.text[end:]
	next := wordAt(rest, skipSpace(rest, 0))
	if rest, ok := strings.CutPrefix(rest, " of "); ok && rest != "" && isDigit(rest[0]) { // a notice of 22 June
		return true
	}
	if rest, ok := strings.CutPrefix(rest, " to "); ok { // "to R999" is of amounts
		return rest != "" && 'A' <= rest[0] && rest[0] <= 'Z' && rest[0] != 'R'
	}
	return roadWords[strings.ToLower(next)] || len(next) > 1 && next == strings.ToUpper(next) && next != "VAT" &&
		!strings.ContainsAny(next, "0123456789")
}

// aloneOnLine reports whether nothing else is between line breaks or the sides of a cell.
func (s *scanner) aloneOnLine(start, end int) bool {
	before, after := skipSpaceBack(s.text, start), skipSpace(s.text, end)
	return (before == 0 || strings.IndexByte("\n\t|", s.text[before-1]) >= 0) &&
		(after == len(s.text) || strings.IndexByte("\n\t|", s.text[after]) >= 0)
}

// pageHasRand reports whether some amount of the page is certainly in rands.
func (s *scanner) pageHasRand() bool {
	if !s.randsSought {
		s.randsSought, s.rands = true, anyRand().MatchString(s.text)
	}
	return s.rands
}

// mayPrecedeRand reports whether R 499 may follow a word. Its R may be part of a name: Golf R, GT-R, Grade R.
func (s *scanner) mayPrecedeRand(start int, word, lower string) bool {
	if r, _ := utf8.DecodeRuneInString(word); word != "" {
		return (unicode.IsLower(r) || randArticles[lower]) && !modelWords[lower]
	}
	end := skipSpaceBack(s.text, start)
	return end == 0 || !isDigit(s.text[end-1]) && strings.IndexByte("-&/", s.text[end-1]) < 0
}
