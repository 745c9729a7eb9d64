// Package numfmt writes the numbers of spreadsheets in their formats, as far as text needs it. It knows decimals,
// groups, per cent, currency, conditions and other literal text. Dates become ISO 8601. It ignores colours, fractions
// and the widths of columns.
//
// The grammar is that of ECMA-376, part 1, section 18.8.31.
package numfmt

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Builtin returns the code of a format that files name by number alone, or "General" for unknown numbers. The table is
// that of section 18.8.30; 27 to 36 and 50 to 58 are dates and times in the locales of East Asia. Formats that depend
// on the reader's locale (14, "m/d/yy" in the USA) are replaced by ISO 8601.
func Builtin(id int) string {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id >= 57 && id <= 58:
		return "yyyy-mm-dd"
	case id == 22:
		return "yyyy-mm-dd hh:mm"
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id >= 45 && id <= 47, id >= 55 && id <= 56:
		return "hh:mm:ss"
	}
	return map[int]string{
		1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 37: "#,##0", 38: "#,##0",
		39: "#,##0.00", 40: "#,##0.00", 41: "#,##0", 42: "#,##0", 43: "#,##0.00", 44: "#,##0.00", 48: "0.0E+0", 49: "@",
	}[id]
}

// maxCode bounds a format: spreadsheets allow 255 characters.
const maxCode = 1024

// maxDigits bounds the decimals and leading zeroes of a format: spreadsheets allow 30 decimals.
const maxDigits = 30

// Format is a parsed format. The zero value is General. Its sections are those of numbers, at most three: positive,
// negative, zero, unless they have conditions.
type Format struct {
	sections []section
}

// section is the format of positive, negative or zero values. Fields prefix and suffix are the literal text
// around the digits. Field whole is the minimum number of digits before the point. After the point, least and most are
// the minimum and maximum number of decimals. Field percent counts the signs, each a factor of 100, and thousands the
// commas after the last digit, each a divisor of 1000. A section with date or clock shows a date or time, whatever its
// digits.
type section struct {
	condition          condition
	prefix, suffix     string
	between            bool   // there is text between digits
	mask               []byte // digits with text between them: 000-00-0000
	whole, least, most int    // digits before the point, and after it
	digits             bool
	groups, exponent   bool
	percent, thousands int
	date, clock        bool
	elapsed            bool // hours go beyond a day: [h]
	general            bool
}

// Parse parses the code of a format.
func Parse(code string) *Format {
	f := &Format{}
	// Codes come from files of any size; parsing takes a few steps for each byte.
	code = code[:min(len(code), maxCode)]
	if code == "" || strings.EqualFold(code, "general") || code == "@" {
		return f
	}
	sections := split(code)
	sections = sections[:min(len(sections), 4)]
	// The fourth section is for text. So is the last one if it shows text.
	if n := len(sections); n == 4 || strings.Contains(unquoted(sections[n-1]), "@") {
		sections = sections[:n-1]
	}
	for _, s := range sections {
		f.sections = append(f.sections, parseSection(s))
	}
	return f
}

// split divides a code at the semicolons outside quotes. A backslash protects the next byte.
func split(code string) []string {
	var out []string
	start, quoted := 0, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && !quoted:
			i++
		case c == ';' && !quoted:
			out = append(out, code[start:i])
			start = i + 1
		}
	}
	return append(out, code[start:])
}

func parseSection(code string) section {
	// Lower-case letters of the grammar mean the same as upper-case ones.
	s := section{}
	point := false
	// Literal text is read first, so that a letter in quotes is not read as a letter of the grammar.
	for i := 0; i < len(code); {
		if n := s.parseText(code[i:]); n > 0 {
			i += n
			continue
		}
		switch c := code[i]; c {
		case '0', '#', '?':
			s.digit(c, point)
		case '1', '2', '3', '4', '5', '6', '7', '8', '9':
			i += s.denominator(code[i:])
			continue
		case '.':
			point = true
		// A comma after the last digit divides the number by 1000. If another digit follows, the comma asks for
		// groups of thousands.
		case ',':
			if s.digits {
				s.thousands++
			}
		case '%':
			s.percent++
			s.literal("%")
		case 'E', 'e':
			// After digits, "E+00" is an exponent. An "e" alone is the year in formats of East Asia.
			s.exponent = s.digits && i+1 < len(code) && (code[i+1] == '+' || code[i+1] == '-')
			s.date = s.date || !s.exponent
			if s.exponent {
				return s // digits of the exponent do not belong to the number
			}
		// "m" may mean minutes: decideMonth decides.
		case 'y', 'Y', 'd', 'D', 'm', 'M':
			s.date = true
		case 'h', 'H', 's', 'S':
			s.clock = true
		// Other brackets were read by literal. This is [h], [mm] or [ss].
		case '[':
			s.elapsed = true
		case 'G', 'g':
			if len(code)-i >= 7 && strings.EqualFold(code[i:i+7], "general") {
				s.general = true
				i += 6
			}
		}
		i++
	}
	// Whether "m" was a month is known only after the whole section.
	s.decideMonth(code)
	// A slash between digits is in the mask, as text between digits.
	s.general = s.general || bytes.IndexByte(s.mask, '/') >= 0 // a fraction
	return s
}

// parseText reads a condition or literal text at the beginning of code, and returns its length.
func (s *section) parseText(code string) int {
	if c, n := parseCondition(code); n > 0 {
		s.condition = c
		return n
	}
	lit, n := literal(code)
	if n > 0 {
		s.literal(lit)
	}
	return n
}

// denominator reads a number without meaning, or that of a fraction such as "# ?/16", and returns its length.
func (s *section) denominator(code string) int {
	if !strings.HasSuffix(s.suffix, "/") {
		return 1
	}
	s.mask, s.suffix = append(s.mask, s.suffix...), ""
	return len(code) - len(strings.TrimLeft(code, "0123456789"))
}

// decideMonth decides whether a section is a time of day. It is if it has hours or seconds, and no letter of a date
// but "m": "h:mm" is a time, "m/d h:mm" is both. Literal text is left out, since a "d" in quotes is not a day.
func (s *section) decideMonth(code string) {
	if s.clock && !strings.ContainsAny(strings.ToLower(unquoted(code)), "yd") {
		s.date = false
	}
}

// unquoted returns code without its literal text.
func unquoted(code string) string {
	var b strings.Builder
	for i := 0; i < len(code); {
		if _, n := literal(code[i:]); n > 0 {
			i += n
			continue
		}
		b.WriteByte(code[i])
		i++
	}
	return b.String()
}

// literal reads literal text at the beginning of code: in quotes, after a backslash, a currency in brackets, or a
// sign. Other brackets and paddings have no text. An unclosed quote takes the rest, as in spreadsheets.
func literal(code string) (text string, n int) {
	switch c := code[0]; c {
	case '"':
		if i := strings.IndexByte(code[1:], '"'); i >= 0 {
			return code[1 : 1+i], i + 2
		}
		return code[1:], len(code)
	// A backslash at the end has no character: w is then 0, and only the backslash is read.
	case '\\':
		_, w := utf8.DecodeRuneInString(code[1:])
		return code[1 : 1+w], 1 + w
	// "_x" is a space as wide as x, "*x" fills the column with x: both are layout.
	case '_', '*':
		_, w := utf8.DecodeRuneInString(code[1:])
		return "", 1 + w
	case '[':
		return bracket(code)
	// These characters are shown without quotes (section 18.8.31). Characters "/" and ":" also divide dates and times,
	// which moment writes in its own way.
	case '$', '-', '+', '(', ')', ':', ' ', '/', '!', '\'', '^', '&', '~', '{', '}', '<', '>', '=':
		return code[:1], 1
	default:
		if c >= utf8.RuneSelf {
			_, w := utf8.DecodeRuneInString(code)
			return code[:w], w
		}
	}
	return "", 0
}

// bracket reads [$€-407], a currency with a language, [Red], [>100], and [h], hours beyond a day.
func bracket(code string) (text string, n int) {
	end := strings.IndexByte(code, ']')
	// Without a closing bracket the rest has no meaning.
	if end < 0 {
		return "", len(code)
	}
	in := code[1:end]
	if cur, ok := strings.CutPrefix(in, "$"); ok {
		// The language in "$€-407" has no effect on text.
		cur, _, _ = strings.Cut(cur, "-")
		return cur, end + 1
	}
	// This is one letter of h, m, s, repeated. The caller reads it as elapsed time.
	if in != "" && strings.Trim(strings.ToLower(in), string(in[0]|0x20)) == "" && strings.IndexByte("hmsHMS", in[0]) >= 0 {
		return "", 0
	}
	return "", end + 1
}

func (s *section) literal(text string) {
	if s.digits || s.general {
		s.suffix += text
	} else {
		s.prefix += text
	}
}

// masked returns a whole number with the text that the format has between digits, filled from the right. It ends on
// the left with the last digit of the number or the format. So a number with more digits than the mask keeps them all.
func (s *section) masked(whole string) string {
	whole = strings.TrimLeft(whole, "0")
	// Zeroes are filled in from the first "0" of the mask on.
	first := bytes.IndexByte(s.mask, '0')
	var out []byte
	for i := len(s.mask) - 1; i >= 0 && (whole != "" || first >= 0 && i >= first); i-- {
		switch c := s.mask[i]; {
		case c != '0' && c != '#':
			out = append(out, c)
		case whole != "":
			out = append(out, whole[len(whole)-1])
			whole = whole[:len(whole)-1]
		case c == '0':
			out = append(out, c)
		}
	}
	slices.Reverse(out)
	return whole + string(out)
}

func (s *section) digit(c byte, behindPoint bool) {
	if c == '?' { // a "#" that takes the room of a digit
		c = '#'
	}
	// Text between digits makes a mask. The "-" of 000-00-0000 was taken for a suffix until the next digit came.
	if s.suffix != "" && !behindPoint && s.percent == 0 { // text read after digits is now between them
		s.mask = append(s.mask, s.suffix...)
		s.suffix, s.between = "", true
	}
	if !behindPoint {
		s.mask = append(s.mask, c)
		s.groups, s.thousands = s.groups || s.thousands > 0, 0
	}
	s.digits = true
	switch {
	case behindPoint:
		s.most = min(s.most+1, maxDigits)
		if c == '0' {
			// A zero after "#" makes the places before it required, so least becomes most.
			s.least = s.most
		}
	case c == '0':
		s.whole = min(s.whole+1, maxDigits)
	}
}

// Text returns the number v as the format shows it. Parameter date1904 means that days are counted from 1904 instead
// of 1900.
func (f *Format) Text(v float64, date1904 bool) string {
	// No cell of a sound file holds these; a broken one would write "NaN" into the text.
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	s, minus := f.choose(v)
	switch {
	case s == nil:
		return General(v)
	case s.general:
		return s.around(General(math.Abs(v)), minus)
	// A number that is not a valid date (negative, after the year 9999) is shown as a number. Spreadsheets fill the
	// cell with "#" instead, which is less useful.
	case s.date || s.clock:
		if text := moment(v, s, date1904); text != "" {
			return text
		}
		return General(v)
	// A section without digits has only literal text: "yes";"no".
	case !s.digits:
		return strings.TrimSpace(s.prefix + s.suffix)
	case s.exponent:
		return strconv.FormatFloat(v, 'E', s.most, 64)
	}
	return s.around(s.number(math.Abs(v)), minus)
}

// around returns a number with its minus and the literal text around it.
func (s *section) around(number string, minus bool) string {
	// Rounding may give "-0"; only numbers other than zero have a minus.
	if minus && strings.ContainsAny(number, "123456789") {
		number = "-" + number
	}
	return strings.TrimSpace(s.prefix + number + s.suffix)
}

func (s *section) number(v float64) string {
	// At most three signs count. Hostile formats have hundreds, which turn any number into infinity.
	v *= math.Pow(100, float64(min(s.percent, 3)))
	v /= math.Pow(1000, float64(min(s.thousands, maxDigits)))
	text := strconv.FormatFloat(round(v, s.most), 'f', s.most, 64)
	whole, part, _ := strings.Cut(text, ".")
	// Decimals marked "#" are optional: zeroes at the end are removed.
	for len(part) > s.least && part[len(part)-1] == '0' {
		part = part[:len(part)-1]
	}
	// If the format has no digit before the point ("#.##"), the result is ".5".
	if s.whole == 0 && whole == "0" && part != "" {
		whole = ""
	}
	switch whole = strings.Repeat("0", max(s.whole-len(whole), 0)) + whole; {
	case s.between:
		whole = s.masked(whole)
	case s.groups:
		whole = grouped(whole)
	}
	if part == "" {
		return whole
	}
	return whole + "." + part
}

// round rounds halves away from zero, like spreadsheets: their numbers are decimal, with 15 digits. From 1e15 on a
// float has no decimals to round. The test also keeps v*p finite.
func round(v float64, decimals int) float64 {
	p := math.Pow(10, float64(decimals))
	if v >= 1e15/p {
		return v
	}
	// The factor lifts values such as 1.005, stored as 1.00499999999999989, to the half that they mean.
	return math.Round(v*p*(1+1e-15)) / p
}

func grouped(digits string) string {
	var b strings.Builder
	for i, c := range digits {
		// The string has digits only, so a byte is a character.
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// General returns v as a cell without a format shows it: at most ten decimals, and at most 15 digits in all. Cells
// show large numbers with an exponent. Here they keep their digits, since many are identifiers.
func General(v float64) string {
	// Outside these bounds an exponent is shorter than the zeroes. Integers below 1e16 stay exact, since a float has
	// 53 bits.
	if a := math.Abs(v); a != 0 && (a >= 1e16 || a < 1e-9) {
		return strconv.FormatFloat(v, 'E', -1, 64)
	}
	// Spreadsheets store and show 15 digits. The 17 digits of a float would show binary rounding errors.
	text := strconv.FormatFloat(v, 'g', 15, 64)
	if r, err := strconv.ParseFloat(text, 64); err == nil {
		v = r
	}
	text = strconv.FormatFloat(v, 'f', -1, 64)
	// The bound is the point and ten decimals.
	if point := strings.IndexByte(text, '.'); point >= 0 && len(text) > point+11 {
		text = strings.TrimRight(strconv.FormatFloat(v, 'f', 10, 64), "0")
	}
	return strings.TrimSuffix(text, ".")
}

// moment returns v, days since an epoch, as a date, a time of day, or both. It returns "" if v is out of range.
func moment(v float64, s *section, date1904 bool) string {
	if v < 0 || v >= 2_958_466 { // the year 10000
		return ""
	}
	// Day 1 is 1 January 1900, but day 60 is a leap day that did not exist. After it, counting from 30 December 1899
	// is right.
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case date1904:
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case v < 60: // 29 February 1900 is counted although it did not exist
		epoch = epoch.AddDate(0, 0, 1)
	}
	days := math.Floor(v)
	// Fractions of days in binary are hardly ever whole seconds, so they are rounded.
	seconds := math.Round((v - days) * 86_400)
	if s.clock && !s.date {
		if s.elapsed {
			return clock(int(seconds + days*86_400))
		}
		return clock(int(seconds) % 86_400) // the last half second of a day is rounded to midnight
	}
	t := epoch.AddDate(0, 0, int(days)).Add(time.Duration(seconds) * time.Second)
	if s.clock {
		return t.Format("2006-01-02T15:04:05")
	}
	return t.Format("2006-01-02")
}

func clock(seconds int) string {
	pad := func(n int) string { return strings.Repeat("0", max(2-len(strconv.Itoa(n)), 0)) + strconv.Itoa(n) }
	return pad(seconds/3600) + ":" + pad(seconds/60%60) + ":" + pad(seconds%60)
}
