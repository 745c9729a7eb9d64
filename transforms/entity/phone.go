package entity

import (
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// phones checks numbers against the numbering plans, a bounded number of times. A check by libphonenumber costs some
// 10 µs, so results are kept by the dialled digits.
type phones struct {
	region string // ISO 3166, for numbers without a country code; empty if unknown
	left   int
	known  map[string]string // checked numbers: E.164, or "" if invalid
}

func newPhones(region string, limit int) *phones {
	return &phones{region: region, left: limit, known: map[string]string{}}
}

// check returns the number in E.164, or "" if it is invalid. Without a country code it must be of the page's region.
func (p *phones) check(number string) string {
	// The same number is written in several ways on one page.
	dialled := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -./()\u00A0", r) {
			return -1
		}
		return r
	}, number)
	international := strings.HasPrefix(dialled, "+")
	// E.164 has at most 15 digits; the rest is room for prefixes. Without a region, only international numbers can be
	// valid.
	if len(dialled) > 20 || !international && p.region == "" {
		return ""
	}
	id, known := p.known[dialled]
	// Beyond the bound, numbers checked before are still found.
	if !known && p.left > 0 {
		p.left--
		id = p.parse(dialled, international)
		p.known[dialled] = id
	}
	return id
}

func (p *phones) parse(number string, international bool) string {
	parsed, err := phonenumbers.Parse(number, p.region)
	switch {
	// Extensions have no place in E.164.
	case err != nil || parsed.GetExtension() != "":
		return ""
	// Without a country code, the number must be valid in the page's own region.
	case international && !phonenumbers.IsValidNumber(parsed), !international &&
		!phonenumbers.IsValidNumberForRegion(parsed, p.region):
		return ""
	}
	return phonenumbers.Format(parsed, phonenumbers.E164)
}

// phoneLabels announce a number. They are in lower case and without dots, for called.
var phoneLabels = []string{
	"tel", "telephone", "phone", "fax", "mobile", "mobil", "call", "cell", "hotline", "telefon", "telefax", "handy", "gsm",
	"téléphone", "tél", "portable", "teléfono", "telefono", "móvil", "cellulare", "telefone", "telefoon", "puhelin", "puh",
	"telefonas", "тел", "телефон", "факс", "моб", "τηλ", "τηλέφωνο", "電話", "电话", "電話番号", "传真", "전화", "☎", "📞", "✆",
}

// phone finds the number that begins at i with a digit, a + or a bracket.
func (s *scanner) phone(i int) (mention, bool) {
	// Prices, tags, fragments, sums and identifiers.
	if wordBefore(s.text, i) || i > 0 && strings.IndexByte("$#=/+&_", s.text[i-1]) >= 0 {
		return mention{}, false
	}
	end, shape := endOfPhone(s.text, i)
	international := s.text[i] == '+'
	if end < 0 || !endsNumber(s.text, end) {
		return mention{}, false
	}
	// The confidence falls with the evidence: the form alone counts least.
	sure := 0.95
	switch {
	case international:
	case s.phones.region == "":
		return mention{}, false
	case s.called(i, phoneLabels...) || s.announced(i):
		sure = 0.85
	case s.usual(s.text[i:end], shape):
		sure = 0.65
	default:
		return mention{}, false
	}
	id := s.phones.check(s.text[i:end])
	return mention{start: i, end: end, kind: typePhone, id: id, confidence: sure}, id != ""
}

// announced reports whether a colon before i ends a phrase of at most four words with a label: "Teléfono de
// información:". 48 bytes hold four words of any language here.
func (s *scanner) announced(i int) bool {
	before, ok := strings.CutSuffix(strings.TrimRight(s.text[max(0, i-48):i], " \u00A0"), ":")
	if !ok {
		return false
	}
	// The phrase begins after the last sign or digit before it.
	phrase := strings.Fields(strings.ToLower(before[strings.LastIndexAny(before, "\n.,;:|0123456789")+1:]))
	return slices.ContainsFunc(phrase[max(0, len(phrase)-4):],
		func(w string) bool { return slices.Contains(phoneLabels, w) })
}

// endsInYear reports whether a hyphen or slash and a year end the number, as for files or orders.
func endsInYear(number string) bool {
	i := len(number) - len("-2022")
	return i > 0 && (number[i] == '-' || number[i] == '/') && (number[i+1:i+3] == "19" || number[i+1:i+3] == "20")
}

// endOfPhone returns the end of a possible phone number at i, and its shape: a 9 for each digit with the separators.
// It returns -1 if there are fewer than seven digits or more than fifteen. Separators are space, hyphen, dot, slash
// and brackets; spaces are not doubled. An open bracket must close before the number ends.
func endOfPhone(text string, i int) (end int, shape string) {
	var buf [32]byte
	n, length, wanted, open := 0, 0, 0, false
	end = -1
	for at := i; at < len(text) && length < len(buf); at++ {
		c := text[at]
		// A no-break space counts as a space, and takes two bytes.
		if strings.HasPrefix(text[at:], "\u00A0") {
			c = ' '
			at++
		}
		switch {
		case isDigit(c):
			n++
			c = '9'
		case c == '(' && !open:
			open = true
		case c == ')' && open:
			open = false
		case c == '+' && at == i:
		// at is set to the end to leave the loop from within the switch.
		case strings.IndexByte(" -./", c) < 0 || length == 0 || c == ' ' && buf[length-1] == ' ':
			at = len(text)
			continue
		}
		buf[length] = c
		length++
		// The end is the last digit outside brackets; signs after it belong to the sentence.
		if c == '9' && !open {
			end, wanted = at+1, length
		}
	}
	if end < 0 || n < 7 || n > 15 {
		return -1, ""
	}
	return end, string(buf[:wanted])
}

// usual reports whether a number without a label has the country's usual shape. That is 3-3-4 in North America,
// elsewhere nine digits or more in groups, the first with the trunk prefix 0. Others may be an order number, opening
// hours or a measurement.
func (s *scanner) usual(number, shape string) bool {
	if s.phones.region == "US" || s.phones.region == "CA" {
		// A leading 1 is the country code of North America, without its plus.
		switch strings.TrimPrefix(strings.ReplaceAll(shape, ".", "-"), "9-") {
		case "(999) 999-9999", "(999)999-9999", "999-999-9999", "(999)-999-9999":
			return true
		}
		return false
	}
	switch {
	case s.phones.region == "BR" && (shape == "(99) 9999-9999" || shape == "(99) 99999-9999"):
		return true
	case s.phones.region == "RU" && number[0] == '8' && (shape == "9 (999) 999-99-99" || shape == "9-999-999-99-99"):
		return true
	case endsInYear(number):
		return false
	}
	first := strings.TrimLeft(number, "(")
	// Nine digits in groups, the first with 0 but not 00, the prefix of international calls.
	return strings.Count(shape, "9") >= 9 && strings.Trim(shape, "9") != "" &&
		strings.HasPrefix(strings.TrimLeft(shape, "("), "99") &&
		first[0] == '0' && first[1] != '0'
}
