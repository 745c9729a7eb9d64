package entity

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// symbols are the currency signs beyond ASCII with their currency; that of ¥ depends on the page. Their first byte
// triggers the scanner.
var symbols = []struct{ sign, code string }{
	{"€", "EUR"},
	{"£", "GBP"},
	{"¥", "JPY"},
	{"￥", "JPY"},
	{"₹", "INR"},
	{"₽", "RUB"},
	{"₩", "KRW"},
	{"₺", "TRY"},
	{"₴", "UAH"},
	{"₪", "ILS"},
	{"₫", "VND"},
	{"₦", "NGN"},
	{"฿", "THB"},
	{"₱", "PHP"},
	{"₸", "KZT"},
	{"₨", rupees},
	{"৳", "BDT"},
	{"₡", "CRC"},
	{"₵", "GHS"},
	{"₲", "PYG"},
	{"₾", "GEL"},
	{"₼", "AZN"},
	{"₮", "MNT"},
	{"₭", "LAK"},
}

// signSeconds are the second bytes of these signs.
var signSeconds = func() (t [256]bool) {
	for _, s := range symbols {
		t[s.sign[1]] = true
	}
	return t
}()

// rupees is the code of signs and names of any rupee: see rupee.
const rupees = "Rs"

// dollarPrefixes precede a $ and give its country. Longer ones come before their suffixes.
var dollarPrefixes = []struct{ prefix, code string }{
	{"USD", "USD"},
	{"AUD", "AUD"},
	{"CAD", "CAD"},
	{"CAN", "CAD"},
	{"NZD", "NZD"},
	{"SGD", "SGD"},
	{"HKD", "HKD"},
	{"US", "USD"},
	{"AU", "AUD"},
	{"CA", "CAD"},
	{"NZ", "NZD"},
	{"HK", "HKD"},
	{"NT", "TWD"},
	{"MX", "MXN"},
	{"A", "AUD"},
	{"C", "CAD"},
	{"S", "SGD"},
	{"R", "BRL"},
}

// signPrefixes are letters before other signs, which give their country.
var signPrefixes = []struct{ letters, sign, code string }{
	{"CN", "¥", "CNY"},
	{"RMB", "¥", "CNY"},
	{"JP", "¥", "JPY"},
	{"E", "£", "EGP"},
	{"UK", "£", "GBP"},
	{"GH", "₵", "GHS"},
}

// abroad are currencies with the name of another, by the country of the page.
var abroad = map[string]map[string]string{
	"RUB": {"BY": "BYN"},
	"RON": {"MD": "MDL"},
	"SAR": {"QA": "QAR", "OM": "OMR", "YE": "YER", "IR": "IRR"},
	"EGP": {"SD": "SDG"},
	"CAD": {"NI": "NIO"},
	"AED": {"MA": "MAD"},
	"MAD": {"AE": "AED"},
	"XOF": {"CM": "XAF", "GA": "XAF", "CG": "XAF", "TD": "XAF", "CF": "XAF", "GQ": "XAF"},
}

// codes are currency codes of ISO 4217 without another meaning in capitals. ALL, TRY, TOP, AMD, PHP and RON are
// missing: "ALL 50 states", "PHP 8", "RON 95". Three capitals are the most frequent form of abbreviations, hence the
// care.
var codes = words("EUR USD GBP JPY CHF CNY RMB SEK NOK DKK PLN CZK HUF RUB UAH INR AUD CAD NZD SGD HKD KRW BRL MXN " +
	"ZAR ILS " +
	"THB IDR MYR AED SAR EGP KZT RSD ISK CLP COP ARS VND TWD NGN KES PKR QAR KWD BGN")

// names are names of currencies after an amount, in lower case. currencyAt checks "dollars" again, since their country
// depends on the page.
var names = map[string]string{
	"euro": "EUR", "euros": "EUR", "eur": "EUR", "евро": "EUR", "ευρώ": "EUR", "ευρω": "EUR", "dollars": "USD",
	"zł": "PLN", "kč": "CZK", "forint": "HUF", "euroa": "EUR", "eurot": "EUR", "euró": "EUR", "eura": "EUR",
	"rupiah": "IDR", "lei": "RON", "лв": "BGN", "руб": "RUB", "рублей": "RUB", "рубля": "RUB",
	"грн": "UAH", "гривень": "UAH", "tl": "TRY",
	"yen": "JPY", "rupees": rupees, "đồng": "VND",
	"pesos": pesos,
}

// exactNames are names of currencies that people or other things have too, as texts write the currency: Rand Paul, Yuan
// Longping, Patrice Evra. Others are read in any case.
var exactNames = map[string]string{
	"rand": "rand", "yuan": "yuan", "leu": "leu", "ron": "ron RON", "fr": "fr", "dh": "dh DH", "evra": "evra EVRA",
	"dhs": "dhs Dhs", "din": "din",
}

// titled are names of currencies, mostly in the singular. With a capital they also begin headlines, as in "2024 Dólar
// hoy", or other names. Examples are Dollar General, Lei Jun, Dinara Safina, Đồng Nai and "Ден на Европа".
var titled = words("baht dinara dolar dollar dollár dólar euro evro lei lira naira ringgit rubel taka tenge yuan " +
	"đồng гривня ден динара рубль тенге теңге")

// afterEuro follow it in names of tests, engines and shares. V is also the initial of a person.
var afterEuro = words("NCAP III IV VI VII Stoxx STOXX")

// moreNames are further names of currencies, by the language of the page and in lower case. In "" are names that mean
// one thing in all.
var moreNames = func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, n := range []struct{ code, languages, names string }{
		{"CHF", "de", "franken fr"},
		{"SEK", "", "kronor"},
		{"TRY", "tr", "lira lirası lirasi liraya liralık liralik"},
		{"PLN", "", "złotych złote złoty"},
		{"CZK", "cs", "korun koruny korunu"},
		{"HUF", "hu", "forintot forintos forintba forintért forintra"},
		{"RON", "ro", "leu ron"},
		{"PLN", "pl", "pln zl"},
		{"VND", "vi", "đ vnđ vnd"},
		{"AED", "ar", "درهم"},
		{"AED", "en", "dirhams dhs"},
		{"MAD", "fr", "dirhams dh dhs"},
		{"XOF", "", "fcfa"},
		{"ZAR", "en af", "rand"},
		{"MKD", "mk", "ден денари"},
		{"UZS", "uz", "so'm so‘m so’m soʻm сўм"},
		{"BGN", "", "лева"},
		{"RSD", "sr", "dinara динара din дин"},
		{"RUB", "", "рубль рублях рублями roubles rubles rubel rublos"},
		{"UAH", "", "гривня гривні hryvnia hryvnias hryven"},
		{"KZT", "", "тенге теңге tenge"},
		{"KZT", "kk ru", "тг"},
		{"THB", "", "บาท baht"},
		{"CNY", "", "yuan yuans юаней юаня"},
		{"MYR", "", "ringgit"},
		{"NGN", "", "naira"},
		{"BDT", "", "টাকা taka"},
		{"INR", "hi mr", "रुपये रुपए रुपया रुपयों रुपयांचा रुपयांची रुपयांचे रु"},
		{"PKR", "ur", "روپے روپیے روپئے"},
		{"NPR", "ne", "रुपैयाँ रुपैया"},
		{"LKR", "si", "රුපියල්"},
		{"INR", "ta te kn ml gu pa", "ரூபாய் రూపాయలు ರೂಪಾಯಿ രൂപ રૂપિયા ਰੁਪਏ"},
		{"IRR", "fa", "ریال"},
		{"SAR", "ar", "ريال"},
		{"EGP", "ar", "جنيه"},
		{"BRL", "pt", "reais"},
		{"ILS", "", "שקל שקלים ש״ח ש\"ח ש''ח shekels"},
		{"USD", "de sv nl da nb nn no fi", "dollar dollaria dollarin"},
		{"USD", "it", "dollari"},
		{"USD", "fi", "dollaria dollarin"},
		{"USD", "pl cs sk hr sl sr tr hu", "dolarów dolary dolara dolarů dolárov dolara dolarjev dolar dollár dollárt"},
		{"USD", "", "долларов доллара долларах доларів долари долара دولار دولارا دلار ڈالر דולר דולרים डॉलर ডলার"},
		{"USD", "es pt ca gl", "dólares dólar dolares"},
		{"EUR", "", "euron euroon eurón eur евра євро eiro eurų eurai evra evro evrov يورو یورو אירו यूरो"},
	} {
		for language := range strings.SplitSeq(n.languages, " ") {
			if all[language] == nil {
				all[language] = map[string]string{}
			}
			for _, name := range strings.Fields(n.names) {
				all[language][name] = n.code
			}
		}
	}
	return all
}()

// here returns the currency of a name or sign of code on this page.
func (s *scanner) here(code string) string {
	switch code {
	case rupees:
		return s.rupee()
	case pesos:
		return pesosOf[s.locale.region]
	}
	return cmp.Or(abroad[code][s.locale.region], code)
}

// named returns the currency of a name of code that ends at end.
func (s *scanner) named(code string, end int) (string, int) {
	if at := skipSpace(s.text, end); code == pesos && at > end && weights[wordAt(s.text, at)] {
		return "", end
	}
	return s.here(code), end
}

// ofCountry returns the currency at i whose name has its country, as in "Canadian dollars", and its end. The result is
// "" if there is none.
func (s *scanner) ofCountry(i int) (code string, end int) {
	code, n := cldr.Currency(s.text[i:])
	if code == "CFA" {
		code = s.here("XOF")
	}
	return code, i + n
}

// isPriceLevel reports whether the currency at i follows a year whose prices are meant: "in constant 2015 US dollars".
func (s *scanner) isPriceLevel(i int) bool {
	number := skipSpaceBack(s.text, i) - len("2015")
	return number > 0 && isYear(s.text[number:number+len("2015")]) && s.locale.language == "en" &&
		s.called(number, "in", "constant", "real", "nominal", "current")
}

// isPair reports whether a stroke and another currency code follow at i.
func (s *scanner) isPair(i int) bool {
	rest, ok := strings.CutPrefix(s.text[i:], "/")
	return ok && codes[wordAt(rest, 0)]
}

// isOtherName reports whether the word at i, the name of a currency in lower case, is more likely another name.
func (s *scanner) isOtherName(word, lower string, i int) bool {
	if word == lower {
		return false
	}
	if lower == "euro" && afterEuro[wordAt(s.text, skipSpace(s.text, i+len(word)))] {
		return true
	}
	german := s.locale.language == "de" // it writes all nouns with a capital
	if titled[lower] && (!german || lower == "yuan") && word != strings.ToUpper(word) && s.isTitle(lower, i, i+len(word)) {
		return true
	}
	exact := exactNames[lower]
	switch {
	case exact == "" || strings.HasSuffix(exact, " "+word) || german && lower == "yuan":
		return false
	case lower == "dhs":
		return s.locale.region == "US" // its Department of Homeland Security
	case lower == "din": // a size of paper or a standard: DIN A4, DIN EN 912
		next := wordAt(s.text, skipSpace(s.text, i+len(word)))
		return next == "EN" || next == "ISO" || strings.ContainsAny(next, "0123456789")
	}
	return !german || lower != "fr" || !s.isFrank(i, i+len(word))
}

// isTitle reports whether the name from i to end, with a capital, begins a headline or another name. It is after a year
// or day, and a word follows: "2024 Dólar hoy". Names that are often written so need another capital: "2020 Euro Cup".
func (s *scanner) isTitle(lower string, i, end int) bool {
	before := skipSpaceBack(s.text, i)
	year := s.text[max(0, before-4):before]
	ofYear := isYear(year) && !wordBefore(s.text, before-4) && !endsAsPrice(year)
	next := s.text[skipSpace(s.text, end):]
	first, n := utf8.DecodeRuneInString(next)
	if names[lower] != "" || lower == "yuan" {
		second, _ := utf8.DecodeRuneInString(next[n:])
		return ofYear && unicode.IsUpper(first) && unicode.IsLower(second)
	}
	return (unicode.IsLetter(first) || first == ':') && (ofYear || s.endsDay(before))
}

// endsAsPrice reports whether a number like a year is more likely an amount: 1950, 1999, 2000.
func endsAsPrice(number string) bool {
	switch number[len(number)-2:] {
	case "00", "50", "90", "95", "99":
		return true
	}
	return false
}

// endsDay reports whether a day of a month ends at end: "May 12", or 12.05 where decimals have a comma.
func (s *scanner) endsDay(end int) bool {
	last, start := digitsBefore(s.text, end)
	if before := skipSpaceBack(s.text, start); before < start {
		month, _ := s.monthBefore(before)
		return month != 0 && 0 < last && last <= 31
	}
	if end-start < 2 || last == 0 || last > 12 || start == 0 || s.text[start-1] != '.' || s.locale.decimalSign("") != ',' {
		return false
	}
	day, _ := digitsBefore(s.text, start-1)
	return 0 < day && day <= 31
}

// digitsBefore returns the number of one or two digits that ends at end, and its start. It is 0 if there is none.
func digitsBefore(text string, end int) (value, start int) {
	start = end
	for start > 0 && end-start < 2 && isDigit(text[start-1]) {
		start--
	}
	if !wordBefore(text, start) {
		value, _ = digits(text, start, 2)
	}
	return value, start
}

// isFrank reports whether the word from i to end stands for francs, as in "20 Fr. pro Tag". It may also stand for
// Friday or Mrs, as in "8–18 Fr. geschlossen" and "20 Fr. Meier".
func (s *scanner) isFrank(i, end int) bool {
	if !strings.HasPrefix(s.text[end:], ".") {
		return false
	}
	number := skipSpaceBack(s.text, i)
	for number > 0 && (isDigit(s.text[number-1]) || s.text[number-1] == '.' || s.text[number-1] == '\'') {
		number--
	}
	before := s.text[:skipSpaceBack(s.text, number)]
	if strings.HasSuffix(before, "-") || strings.HasSuffix(before, "–") || s.called(number, "bis") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[skipSpace(s.text, end+1):])
	return r == utf8.RuneError || unicode.IsLower(r) || strings.ContainsRune("\n,;)", r)
}

// rupee returns the currency of Rs. on this page: India's, unless its country or language has rupees of its own.
func (s *scanner) rupee() string {
	for _, of := range [...]string{s.locale.region, s.locale.language} {
		switch of {
		case "PK", "ur":
			return "PKR"
		case "LK", "si":
			return "LKR"
		case "NP", "ne":
			return "NPR"
		case "MU":
			return "MUR"
		}
	}
	return "INR"
}

// canonicalCode returns the ISO 4217 code for a common substitute.
func canonicalCode(code string) string {
	if code == "RMB" {
		return "CNY"
	}
	return code
}
