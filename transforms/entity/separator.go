package entity

import (
	"cmp"
	"strings"
)

// In "1.234" the dot may be of decimals or of thousands. The page's language decides, and so do scale words and the
// currency.

// decimalSigns has the decimal sign of languages that nearly always write one. Spanish has both, by country.
var decimalSigns = func() map[string]byte {
	signs := map[string]byte{}
	for _, code := range strings.Fields("en zh ja ko th he hi bn mr ta te kn ml gu pa ne si ur ms sw") {
		signs[code] = '.'
	}
	for _, code := range strings.Fields("az be bg bs ca cs da de el et eu fi fr gl hr hu hy id is it ka kk ky lt lv mk " +
		"nb nl nn no pl pt ro ru sk sl sq sr sv tr uk uz vi") {
		signs[code] = ','
	}
	return signs
}()

// Currencies in which prices have decimals, by the sign that their countries write.
var (
	dotCurrencies = words("USD GBP AUD CAD NZD HKD SGD TWD CNY INR PKR BDT NPR LKR MYR MXN NGN KES ZAR THB ILS SAR AED " +
		"QAR KWD")
	commaCurrencies = words("EUR CHF CAD PLN CZK SEK NOK DKK RUB UAH TRY BRL RON BGN RSD KZT")
)

// Countries of Spanish, by their decimal sign.
var (
	spanishDots   = words("MX US PR DO GT HN NI SV PA PE")
	spanishCommas = words("ES AR CL CO UY PY EC VE BO CR CU")
)

// decimalSign returns the decimal sign for an amount of a currency, or 0 if it is not known.
func (l *locale) decimalSign(code string) byte {
	switch {
	case l.language != "es":
		return decimalSigns[l.language]
	case spanishDots[l.region] || code == "MXN":
		return '.'
	case spanishCommas[l.region] || code == "EUR":
		return ','
	}
	return 0
}

// settle decides between decimals and thousands if both are possible. It returns false if an amount with scale words
// could be either.
func (s *scanner) settle(a amount, code string, scaled bool) (amount, bool) {
	if a.either == 0 {
		return a, true
	}
	sign := s.locale.decimalSign(code)
	home := sign == '.' && dotCurrencies[code] || sign == ',' && commaCurrencies[code]
	// No price has the decimals .000 or .500: they are thousands in the manner of another language.
	round := strings.HasSuffix(a.whole, "00")
	at := len(a.whole) - 3
	switch {
	case sign == 0 && scaled:
		return a, s.locale.language == "es" && a.either == '.'
	case sign != a.either || !scaled && (round || !home || at > longestFine(code)):
		return a, true
	// "€1.200 million" in English may be of an author whose dot is of thousands.
	case round && !home:
		return a, false
	}
	a.whole, a.fraction = a.whole[:at], a.whole[at:]
	return a, true
}

// longestFine returns how many digits a price with three decimals has before them. Those of fuel and metals have.
func longestFine(code string) int {
	if code == "EUR" || code == "CHF" {
		return 1
	}
	return 2
}

// readAmount reads the number at i with its thousands separators.
func (s *scanner) readAmount(i int) (amount, bool) {
	text := s.text
	// groups counts the digits between separators.
	end, groups := i, []int{0}
	var separators []string
	for end < len(text) && end-i < maxAmount {
		if isDigit(text[end]) {
			groups[len(groups)-1]++
			end++
			continue
		}
		n := separatorAt(text, end)
		// A separator needs digits on both sides.
		if n == 0 || groups[len(groups)-1] == 0 {
			break
		}
		if _, next := digits(text, end+n, 4); text[end] != '.' && text[end] != ',' && next-end-n != 3 {
			break // a space or apostrophe separates only thousands
		}
		separators = append(separators, cmp.Or(arabicSign(s.shifts, end), text[end:end+n]))
		groups = append(groups, 0)
		end += n
	}
	// The bound ended it in the middle of a number.
	if groups[0] == 0 || groups[len(groups)-1] == 0 || end < len(text) && isDigit(text[end]) {
		return amount{}, false
	}
	return splitAmount(text[i:end], groups, separators, end)
}

// separatorAt returns the length of the digit separator at i, or 0.
func separatorAt(text string, i int) int {
	if i+1 >= len(text) {
		return 0
	}
	n := 1
	if strings.IndexByte(".,'", text[i]) < 0 {
		n = skipSpace(text, i) - i
		if strings.HasPrefix(text[i:], "’") {
			n = len("’")
		}
	}
	if n == 0 || i+n >= len(text) || !isDigit(text[i+n]) {
		return 0
	}
	return n
}

// splitAmount finds the decimal separator: the last, if it differs from those before or if not three digits follow.
// 1.234 is a thousand and more; 0.234 is not.
func splitAmount(text string, groups []int, separators []string, end int) (amount, bool) {
	a := amount{end: end}
	n := len(separators)
	decimal := false
	if n > 0 {
		last := separators[n-1]
		decimal = last == "." || last == ","
		// A comma or dot is decimal if not three digits follow, if another separator preceded, or after a lone zero.
		if decimal && n == 1 && groups[1] == 3 && text[0] != '0' {
			a.either = last[0]
		}
		decimal = decimal && (groups[n] != 3 || n > 1 && separators[n-2] != last || n == 1 && text[0] == '0')
		decimal = decimal || last == arabicDecimal
	}
	thousands := n
	if decimal {
		thousands--
	}
	for i := range thousands {
		// One kind of separator, groups of three, and at most three digits before the first. Indian amounts have
		// groups of two before the last one.
		if separators[i] != separators[0] || groups[i+1] != 3 && (groups[i+1] != 2 || i == thousands-1) || groups[0] > 3 ||
			separators[i] == arabicDecimal {
			return amount{}, false
		}
	}
	onlyDigits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	a.whole = onlyDigits
	if decimal {
		a.whole, a.fraction = onlyDigits[:len(onlyDigits)-groups[n]], onlyDigits[len(onlyDigits)-groups[n]:]
	}
	// More than four decimals are a rate or a coordinate, not money.
	return a, len(a.fraction) <= 4
}
