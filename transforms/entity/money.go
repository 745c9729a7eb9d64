package entity

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// maxAmount bounds the bytes of an amount's digits and separators. Any budget fits in 24; longer runs are identifiers.
const maxAmount = 24

// ambiguousBillions are languages of the long scale, in which a billion is 10^12 and 10^9 is a milliard.
var ambiguousBillions = words("es pt de nl pl cs da sv nb fi hu it sl hr")

// amount is a number that is money if a currency is beside it.
type amount struct {
	whole, fraction string // digits
	end             int
	either          byte // the one separator, if it may be of decimals or of thousands: see settle
}

// moneyAfterSign finds the amount after the currency sign at i, where the scanner stopped: $12.50, US$ 5 million, €
// 1.234,50.
func (s *scanner) moneyAfterSign(i int) (mention, bool) {
	start, sign, code := s.signAt(i)
	if sign == "" {
		return mention{}, false
	}
	if sign == "$" && start == i {
		i, code = s.signBeforeCountry(i, code)
	}
	return s.pay(start, skipSpace(s.text, i+len(sign)), code)
}

// signAt returns the currency sign at i, its currency, and the start of the sign with its letters.
func (s *scanner) signAt(i int) (start int, sign, code string) {
	if s.text[i] != '$' {
		if i+1 == len(s.text) || !signSeconds[s.text[i+1]] {
			return i, "", "" // mostly a quotation mark or a dash, which begin with the same byte as €
		}
		for _, symbol := range symbols {
			if strings.HasPrefix(s.text[i:], symbol.sign) {
				start, code := s.prefixed(i, symbol.sign)
				return start, symbol.sign, cmp.Or(code, s.meant(symbol.code))
			}
		}
		return i, "", ""
	}
	for _, p := range dollarPrefixes {
		end := i
		if len(p.prefix) == len("USD") && p.prefix != "CAN" { // SGD $5; "you CAN $5"
			end = skipSpaceBack(s.text, i)
		}
		if s.isWord(p.prefix, end) {
			return end - len(p.prefix), "$", s.here(p.code)
		}
	}
	if isUS(s.text, i) {
		return i - 1, s.text[i : i+2], "USD"
	}
	// Any other letter before the $ makes it a variable of a program.
	if !wordBefore(s.text, i) {
		return i, "$", s.locale.dollar
	}
	return i, "", ""
}

// prefixed returns the start of letters before the sign at i, and their currency; "" if there are none.
func (s *scanner) prefixed(i int, sign string) (start int, code string) {
	for _, p := range signPrefixes {
		at := i - len(p.letters)
		if p.sign == sign && at >= s.last && s.text[at:i] == p.letters && !wordBefore(s.text, at) {
			return at, p.code
		}
	}
	return i, ""
}

// meant returns the currency of a sign on this page.
func (s *scanner) meant(code string) string {
	switch code {
	case "JPY":
		return s.locale.yen
	case rupees:
		return s.rupee()
	}
	return code
}

// money finds the amount at i that a currency precedes or follows: EUR 12.50, 12,50 €, 100 zł, 5 Mio. Euro.
func (s *scanner) money(i int) (mention, bool) {
	// Before the number comes first: "EUR 12 USD" is twelve euros.
	if start, code := s.codeBefore(i); code != "" {
		if m, ok := s.pay(start, i, code); ok {
			return m, true
		}
	}
	if i > 0 && s.text[i-1] == '.' && !wordBefore(s.text, i-1) && !endsWithSign(s.text[:i-1]) {
		return mention{}, false // .75 € is less than one
	}
	a, ok := s.readAmount(i)
	if !ok {
		return mention{}, false
	}
	if m, ok := s.signWithin(i, a); ok {
		return m, true
	}
	if m, ok := s.compound(i); ok && !s.afterScale(i) {
		return m, true
	}
	code, zeros, end := s.currencyAfter(i, a)
	start, code := s.yuan(i, end, code)
	if code == "" || zeros < 0 || s.afterScale(i) {
		return mention{}, false
	}
	if a, ok = s.settle(a, code, zeros > 0); !ok {
		return mention{}, false
	}
	id := moneyID(code, a, zeros)
	return mention{start: start, end: end, kind: typeMoney, id: id, confidence: 0.9}, id != ""
}

// currencyAfter returns the currency after the amount at i and its end, with the zeros of scale words between; "" if
// there is none. Result zeros is -1 if they are unclear.
func (s *scanner) currencyAfter(i int, a amount) (code string, zeros, end int) {
	// A scale word of any language may precede the currency, whose language then decides.
	if words := s.scales(a.end, ""); words.end > a.end {
		at := s.skipWords(hyphened(s.text, i, words.end), "de", "di", "d'", "d’") // millones de euros
		if code, end = s.currencyAt(at); code != "" {
			found := s.scales(a.end, code)
			if found.unsure || found.zeros == 0 || found.end != words.end {
				return code, -1, end
			}
			return code, found.zeros, end
		}
	}
	at := afterDash(s.text, a.end)
	if at == a.end {
		at = hyphened(s.text, i, at)
	} else {
		at = skipSpace(s.text, at)
	}
	code, end = s.currencyAt(at)
	return code, 0, end
}

// signWithin finds an amount whose sign replaces the decimal point: 11€99.
func (s *scanner) signWithin(i int, a amount) (mention, bool) {
	if a.fraction != "" || a.end >= len(s.text) || triggers[s.text[a.end]] != currency {
		return mention{}, false
	}
	_, sign, code := s.signAt(a.end)
	at := a.end + len(sign)
	_, end := digits(s.text, at, 3)
	if sign == "" || end-at != 2 || !endsNumber(s.text, end) {
		return mention{}, false
	}
	a.fraction = s.text[at:end]
	return mention{start: i, end: end, kind: typeMoney, id: moneyID(code, a, 0), confidence: 0.9}, true
}

// afterScale reports whether a number with a scale is before i. Then 1億 2000万円 and "3 milyar 200 milyon lira" are one
// amount, which is not read.
func (s *scanner) afterScale(i int) bool {
	end := skipSpaceBack(s.text, i)
	r, _ := utf8.DecodeLastRuneInString(s.text[:end])
	if isEastAsian(r) {
		_, known := cldr.AnyScale(string(r))
		return known
	}
	begin := end
	for begin > s.last && end-begin <= maxMonth && wordBefore(s.text, begin) {
		_, n := utf8.DecodeLastRuneInString(s.text[:begin])
		begin -= n
	}
	before := skipSpaceBack(s.text, begin)
	if end == i || before == 0 || !isDigit(s.text[before-1]) || end-begin < shortScale {
		return false
	}
	_, known := cldr.AnyScale(s.text[begin:end])
	return known
}

// pay finds the amount at i, whose currency is known and begins at start.
func (s *scanner) pay(start, i int, code string) (mention, bool) {
	a, ok := s.readAmount(i)
	if !ok || s.isLire(code, a) {
		return mention{}, false
	}
	// "$5m": a letter may follow a number if it is a scale.
	found := s.scales(a.end, code)
	zeros, end, unsure := found.zeros, found.end, found.unsure
	if before := s.scaleBefore(start, code); before.unsure || before.zeros > 0 {
		// "Mio. EUR 2019" is the head of a table.
		unsure = unsure || before.unsure || zeros > 0 || isYear(s.text[i:a.end])
		start, zeros = before.start, before.zeros
	}
	if zeros == 0 && !unsure {
		zeros, unsure = s.rangeScale(a, code)
	}
	if unsure {
		return mention{}, false
	}
	number := end
	code, end = s.stated(start, a, end, code)
	if code == "" || end == number && zeros == 0 && !endsNumber(s.text, a.end) {
		return mention{}, false
	}
	if code == "ZAR" && zeros == 0 && !s.isRand(start, i, a) {
		return mention{}, false
	}
	if end == a.end {
		end = afterDash(s.text, end)
	}
	if a, ok = s.settle(a, code, zeros > 0); !ok {
		return mention{}, false
	}
	if code == "ZAR" {
		s.rand = end
	}
	id := moneyID(code, a, zeros)
	return mention{start: start, end: end, kind: typeMoney, id: id, confidence: 0.9}, id != ""
}

// isLire reports whether an amount in pounds on an Italian page is probably in lire. They had the same sign until 2001.
func (s *scanner) isLire(code string, a amount) bool {
	return code == "GBP" && s.locale.region == "IT" && a.fraction == "" && len(a.whole) > 3 &&
		strings.HasSuffix(a.whole, "00")
}

// codeBefore returns the currency code before i and its start; "" if there is none.
func (s *scanner) codeBefore(i int) (start int, code string) {
	end := skipSpaceBack(s.text, i)
	if start, code = s.lettersBefore(end); code != "" {
		return start, code
	}
	start = end - 3
	// Three capitals that are a code, as a word of their own.
	if start < s.last || !codes[s.text[start:end]] || wordBefore(s.text, start) {
		return 0, ""
	}
	if start > 0 && strings.IndexByte("/-.", s.text[start-1]) >= 0 { // EUR/USD 1.08 is a rate
		return 0, ""
	}
	return start, canonicalCode(s.text[start:end])
}

// currencyAt returns the currency whose sign, code or name is at i, and its end; "" if there is none.
func (s *scanner) currencyAt(i int) (code string, end int) {
	if i >= len(s.text) {
		return "", i
	}
	// The first byte decides, before any comparison.
	if triggers[s.text[i]] == currency {
		if code, end := s.dollarAfter(i); code != "" {
			return code, end
		}
		// "5 € 12 $": the sign before a digit belongs to the next amount.
		for _, symbol := range symbols {
			if rest, ok := strings.CutPrefix(s.text[i:], symbol.sign); ok && !startsAmount(rest) {
				return s.meant(symbol.code), i + len(symbol.sign)
			}
		}
	}
	if code, end := unspacedCurrency(s.text, i); code != "" {
		return code, end
	}
	if code, end = s.currencyNamed(i); code != "" && s.isPriceLevel(i) {
		return "", i
	}
	return code, end
}

// currencyNamed returns the currency whose code or name is at i, and its end; "" if there is none.
func (s *scanner) currencyNamed(i int) (code string, end int) {
	if code, end := s.ofCountry(i); code != "" {
		return code, end
	}
	word := s.currencyWord(i)
	end = i + len(word)
	lower := strings.ToLower(word)
	switch {
	case codes[word] && s.isPair(end): // 1.08 EUR/USD is a rate
		return "", i
	case codes[word]:
		return canonicalCode(word), end
	case strings.HasPrefix(word, "US-") || strings.HasSuffix(word, "S dollars") || strings.HasSuffix(word, "S. dollars"):
		return "USD", end
	case (lower == "kr" || lower == "kronor" || lower == "kroner" || lower == "krónur") && s.locale.krone != "":
		return s.locale.krone, end
	case word == "Ft" && s.locale.language == "hu": // elsewhere it is a foot
		return "HUF", end
	// On a page whose $ is not the US dollar, "dollars" may be either.
	case lower == "dollars" && s.locale.dollar != "USD":
		return "", i
	}
	code = cmp.Or(names[lower], moreNames[s.locale.language][lower], moreNames[""][lower])
	if code == "" || s.isOtherName(word, lower, i) {
		return "", i
	}
	return s.named(code, end)
}

// currencyWord returns the word at i, which may be the name of a currency. A hyphen may join it to its country, as in
// "US-Dollar". In Thai the word ends where the name does.
func (s *scanner) currencyWord(i int) string {
	for _, name := range [...]string{
		"US-Dollar", "US dollars", "U.S. dollars", "US-dollar", "บาท",
		"ש״ח", `ש"ח`, "ש''ח", "so'm", "so‘m", "so’m", "soʻm",
	} {
		if strings.HasPrefix(s.text[i:], name) {
			return name
		}
	}
	return wordAt(s.text, i)
}

// startsAmount reports whether rest begins with a digit: then a sign before it belongs to the next amount.
func startsAmount(rest string) bool { return rest != "" && isDigit(rest[0]) }

// wordAt returns the letters and digits at i, up to about maxMonth bytes.
func wordAt(text string, i int) string {
	end := i
	for end < len(text) && end-i <= maxMonth && wordAfter(text, end) {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
	}
	return text[i:end]
}

// moneyID writes an amount as "EUR 12.50": without separators, and with at least two decimals if there are any. It
// returns "" for zero.
func moneyID(code string, a amount, zeros int) string {
	whole, fraction := a.whole, a.fraction
	if zeros > 0 {
		// Moving the point: 1.5 with six zeroes is "1" and "500000".
		fraction += strings.Repeat("0", max(0, zeros-len(fraction)))
		whole, fraction = whole+fraction[:zeros], fraction[zeros:]
	}
	// Leading zeroes come from "0.5 million" and from codes.
	whole = strings.TrimLeft(whole, "0")
	if whole == "" && strings.Trim(fraction, "0") == "" {
		return ""
	}
	if whole == "" {
		whole = "0"
	}
	switch len(fraction) {
	case 0:
		return code + " " + whole
	case 1:
		fraction += "0"
	}
	return code + " " + whole + "." + fraction
}
