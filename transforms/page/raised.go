package page

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Superscript and subscript would change a number in plain text: $11⁹⁹ is not $1199, and 10⁶ is not 106. A mark shows
// the meaning: "." before cents, "^" before an exponent, and "_" before an index. Minutes have ":" before them, and
// notes and fractions a space. Ordinals (1er, 21st) and chemical formulae (CO2) need none.

// maxRaised is more bytes than any exponent, cents or note have.
const maxRaised = 24

// maxRaisedNodes is more nodes than such text has, with a link and brackets in elements of their own.
const maxRaisedNodes = 32

// raise writes the mark between the superscript or subscript i and the text before it.
func (w *writer) raise(i int) {
	r, ok := w.raised(i)
	if !ok {
		return
	}
	r.note = r.note || w.p.hasNote(i)
	if w.p.Nodes[i].Tag == TagSub {
		w.mark(r.index())
	} else {
		w.mark(r.mark())
	}
}

// cents notes the mark before the cents of a price that element i sets apart by its size or by a style. Amounts of
// shops are often written so, as $11<small>99</small>. The mark is part of the text in it, since Markdown has it too.
func (w *writer) cents(i int) {
	small := w.p.Nodes[i].Tag == TagSmall
	v := w.p.values(i, "class", "style")
	cents := small || hasWord(v[0], centsWords) || declares(v[1], "vertical-align", "super") ||
		declares(v[1], "vertical-align", "top")
	if !cents && !hasWord(v[0], smallWords) {
		return
	}
	r, ok := w.raised(i)
	digits, rest := leading(r.text)
	if !ok || len(digits) != 2 || r.hasDecimals() || !r.isPrice(rest, strings.TrimLeft(r.after, " \u00a0")) {
		return
	}
	// With a sign only after it, the number before may be of something else: "iPhone 12" before a small "79 €".
	w.unsure = !r.hasSign() && !(hasWord(v[0], centsWords) && w.inPrice(i))
	switch {
	case !w.unsure && !cents && r.isLarge() && hasWord(v[0], supWords) && !w.p.namesPrice(i):
		w.point = ' '
	case !w.unsure && (cents || !w.p.hasNote(i)), cents && (rest == "" || !small || w.inPrice(i)):
		w.point = r.point()
	}
}

// namesPrice reports whether the class of element i or of one of the two around it names a price.
func (p *Page) namesPrice(i int) bool {
	for range 3 {
		if class, _ := p.RawAttr(i, "class"); hasWord(class, priceWords) {
			return true
		}
		if i = int(p.Nodes[i].Parent); i < 0 {
			break
		}
	}
	return false
}

// inPrice reports whether the class of the element around i names a price, and only a number is before i in it.
func (w *writer) inPrice(i int) bool {
	parent := w.p.Nodes[i].Parent
	class, _ := w.p.RawAttr(int(parent), "class")
	before := w.p.Text[w.p.Nodes[parent].TextStart:]
	return hasWord(class, priceWords) && len(before) < maxRaised && len(bytes.Trim(before, " 0123456789.,'")) == 0
}

// Words in classes. Small or raised text is cents only after a currency and a number, and raised text may be a note.
var (
	centsWords = strings.Fields("cent cents decimal decimals fraction fractional penny pence kopek kopeks kopecks")
	smallWords = strings.Fields("sup super superscript small")
	supWords   = smallWords[:3]
	priceWords = strings.Fields("price prices preis prix precio preco prezzo prijs pris cena")
)

// hasWord reports whether one of words is in an attribute's value, between characters that are not letters. A capital
// letter after a small one begins a word.
func hasWord(value []byte, words []string) bool {
	value = cut(value, maxKeywordBytes)
	for start := 0; start < len(value); {
		end := start
		for end < len(value) && (isLetter(value[end]) || value[end] >= utf8.RuneSelf) &&
			(end == start || value[end] >= 'a' || value[end-1] < 'a') {
			end++
		}
		if slices.ContainsFunc(words, func(s string) bool { return isFold(value[start:end], s) }) {
			return true
		}
		start = max(end, start+1)
	}
	return false
}

// raised returns superscript, subscript or cents in element i, and false if there is no short text beside other text.
func (w *writer) raised(i int) (r raised, ok bool) {
	n := &w.p.Nodes[i]
	// Nested elements without text are not read again at each level.
	if int(n.End)-i > maxRaisedNodes {
		return r, false
	}
	// Code and preformatted text stay as they are, and at the start of a line nothing precedes.
	if n.Flags&(InSkipped|InPre|InCode) != 0 || w.empty() || w.space != noGap || w.lines > 0 || w.drawn != notDrawn {
		return r, false
	}
	source := html.UnescapeString(w.p.sourceText(i+1, int(n.End), maxRaised))
	s := strings.TrimSpace(source)
	if s == "" || len(s) > maxRaised {
		return r, false
	}
	return raised{
		before: string(w.p.Text[max(int(w.block.Start), len(w.p.Text)-2*maxRaised):]), text: s,
		after: html.UnescapeString(w.p.sourceText(int(n.End), min(len(w.p.Nodes), int(n.End)+8), maxRaised)),
		last:  w.last, note: n.Flags&InLink != 0, gap: source[0] != s[0],
	}, true
}

// mark writes the mark before superscript and the like, if not 0.
func (w *writer) mark(mark rune) {
	switch mark {
	case 0:
	case ' ':
		w.space, w.word = aSpace, false
	default:
		// The mark is not on the page, so it neither begins nor ends a word.
		word := w.word
		w.char(mark)
		w.word = word
	}
}

// RaisedMark returns the mark before superscript, or subscript if sub, in the plain text of a document: before is the
// text before it. The mark is 0 for none, and a space before notes.
func RaisedMark(before, text string, sub bool) rune {
	before = before[strings.LastIndexAny(before, "\n\t")+1:]
	if text = strings.TrimSpace(text); before == "" || text == "" || len(text) > maxRaised {
		return 0
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	if last == ' ' {
		return 0
	}
	// The text may be cut within a character, which only matters for what the mark looks at.
	before = strings.ToValidUTF8(before[max(0, len(before)-2*maxRaised):], "")
	r := raised{before: before, text: text, last: last}
	if sub {
		return r.index()
	}
	return r.mark()
}

// hasNote reports whether element i contains a link, or it or an element in it is called a note.
func (p *Page) hasNote(i int) bool {
	for k := i; k < int(p.Nodes[i].End); k++ {
		if p.Nodes[k].Tag == TagA || p.isNote(k) {
			return true
		}
	}
	return false
}

func (p *Page) isNote(i int) bool {
	for _, name := range [...]string{"class", "id"} {
		v, _ := p.RawAttr(i, name)
		v = v[:min(len(v), maxRaised)]
		for _, word := range [...]string{"note", "ref", "fn", "cite"} {
			if strings.Contains(strings.ToLower(string(v)), word) {
				return true
			}
		}
	}
	return false
}

// sourceText is the text of the nodes [i, end) up to a block, as in the source. It stops after more than limit bytes.
func (p *Page) sourceText(i, end, limit int) string {
	var b []byte
	for ; i < end && len(b) <= limit; i++ {
		n := &p.Nodes[i]
		if elements[n.Tag].traits&block != 0 || n.Tag == TagBr {
			break
		}
		if n.Tag == TagText && n.Flags&InSkipped == 0 {
			// One byte above the limit shows the caller that there is more.
			b = append(b, p.Source[n.srcStart:min(n.srcEnd, n.srcStart+int32(limit)+1)]...)
		}
	}
	return string(b)
}

// raised is superscript or subscript with the text around it.
type raised struct {
	before, text, after string
	last                rune // of before
	note                bool // a link, or called a note
	gap                 bool // white space is before text
}

// mark is the mark before superscript, or 0.
func (r *raised) mark() rune {
	digits, rest := leading(r.text)
	after := strings.TrimLeft(r.after, " \u00a0")
	switch {
	case !unicode.IsDigit(r.last):
		return r.afterLetters(digits, rest)
	case isFractionBar(rest), rest == "" && isFractionBar(after):
		return ' '
	case digits == "":
		return r.exponent()
	case r.note:
		return ' '
	case r.isPrice(rest, after):
		// The tenth of a cent of petrol prices follows the cents without a mark.
		if len(digits) == 1 {
			// Two digits after the separator are the cents already.
			if strings.LastIndexAny(r.before, ".,") == len(r.before)-3 && len(r.before) > 3 {
				return 0
			}
			return '^'
		}
		return r.point()
	case rest != "" && rest != "+" && rest != "-" && rest != "−" && rest != "–":
		return ' '
	}
	base := r.number()
	switch {
	// After 10 and 2 an exponent is more likely than minutes.
	case base != "10" && base != "2" && isMinutes(base, digits):
		return ':'
	case isYear(base) && rest == "":
		return ' ' // number of a note
	}
	return '^'
}

// exponent is the mark after a digit before a text that does not begin with a digit.
func (r *raised) exponent() rune {
	sign := strings.TrimLeft(r.text, "-−–+")
	digits, _ := leading(sign)
	if sign != r.text && digits != "" || utf8.RuneCountInString(sign) == 1 && slices.Contains(variables, sign) {
		return '^'
	}
	return 0
}

// variables may be exponents. Other single letters are ordinals (1º, 2e).
var variables = strings.Split("n x y z k i j m p q t N", " ")

// powers are units of length and time, and functions, that are raised to a power.
var powers = strings.Fields("m cm dm km mm nm hm µm μm ft in yd mi s kg sec inch inches feet foot mile miles metre " +
	"metres meter meters sin cos tan cot log exp sinh cosh tanh")

// afterLetters returns '^' if the raised text is the exponent of a unit or a variable. It returns ' ' before the number
// of a note and before capitals, which would be part of the word otherwise, or 0.
func (r *raised) afterLetters(digits, rest string) rune {
	if !unicode.IsLetter(r.last) {
		return 0
	}
	// Such as TM, SM or NEW. Ordinals and titles have small letters.
	if len(r.text) > 1 && unicode.IsLower(r.last) && strings.Trim(r.text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return ' '
	}
	if r.note {
		return noteMark(digits)
	}
	word := r.before[strings.LastIndexFunc(r.before, func(c rune) bool { return !unicode.IsLetter(c) })+1:]
	sign := strings.TrimLeft(r.text, "-−–")
	number, tail := leading(sign)
	switch {
	case sign != r.text && number != "" && tail == "": // mol⁻¹
		return '^'
	case slices.Contains(powers, word) || utf8.RuneCountInString(word) == 1:
		// Exponents of units have one or two digits.
		if digits != "" && rest == "" && len(digits) < 3 || slices.Contains(variables, r.text) {
			return '^'
		}
	case isName(word) && strings.Trim(rest, "0123456789,–- ") == "":
		return noteMark(digits)
	}
	return 0
}

// isName reports whether a word is more than a product of variables, which has one or two letters: mc², AB².
func isName(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	second, second2 := utf8.DecodeRuneInString(word[size:])
	return len(word) > size+second2 || unicode.IsUpper(first) && unicode.IsLower(second)
}

// noteMark is the mark before a note that begins with digits.
func noteMark(digits string) rune {
	if digits == "" {
		return 0
	}
	return ' '
}

// isPrice reports whether the number before is an amount of money, whose cents are raised.
func (r *raised) isPrice(rest, after string) bool {
	if _, ok := startsCurrency(strings.TrimSpace(rest)); ok {
		return true
	}
	if _, ok := startsCurrency(after); rest == "" && ok {
		return true
	}
	return rest == "" && r.hasSign()
}

// hasSign reports whether a currency is before the number.
func (r *raised) hasSign() bool {
	number := strings.TrimRight(strings.TrimRight(r.before, "0123456789.,'’\u00a0"), " \u00a0")
	for _, sign := range currencies {
		if before, ok := strings.CutSuffix(number, sign); ok {
			// A currency of letters must be a word, and not the end of another.
			c, _ := utf8.DecodeLastRuneInString(before)
			first, _ := utf8.DecodeRuneInString(sign)
			return !unicode.IsLetter(first) || !unicode.IsLetter(c)
		}
	}
	return false
}

// currencies are before and after prices.
var currencies = strings.Fields("$ € £ ¥ ￥ ₹ ₽ ₩ ₺ ₴ ₪ ₫ ₦ ฿ ₱ ₸ EUR USD CHF GBP PLN CZK RON Rs Rs. Fr. Fr kr zł Kč " +
	"lei руб лв грн TL Ft")

// startsCurrency reports whether s begins with a currency, or with the end of a price (-,).
func startsCurrency(s string) (string, bool) {
	for _, sign := range currencies {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			c, _ := utf8.DecodeRuneInString(rest)
			// A following letter makes it part of another word.
			return sign, !unicode.IsLetter(c)
		}
	}
	return "", false
}

// index is the mark before subscript. Digits after digits are an index, and so are those after a small variable. After
// a capital letter or a bracket they count atoms.
func (r *raised) index() rune {
	word := r.before[strings.LastIndexFunc(r.before, func(c rune) bool { return !unicode.IsLetter(c) })+1:]
	digits, _ := leading(r.text)
	switch {
	case r.note, digits == "":
		return 0
	case unicode.IsDigit(r.last), word == "log", utf8.RuneCountInString(word) == 1 && unicode.IsLower(r.last):
		return '_'
	}
	return 0
}

// point is the mark before cents. After points between thousands it is a comma. A number after a gap is not cents.
func (r *raised) point() rune {
	if r.gap {
		return ' '
	}
	whole := r.before[len(strings.TrimRight(r.before, "0123456789.")):]
	if strings.IndexByte(whole, '.') > 0 {
		return ','
	}
	return '.'
}

// hasDecimals reports whether the number before has decimals, and not only groups of three digits.
func (r *raised) hasDecimals() bool {
	number := strings.TrimLeft(r.before[len(strings.TrimRight(r.before, "0123456789.,")):], ".,")
	k := strings.LastIndexAny(number, ".,")
	return k >= 0 && len(number)-k <= len(".99")
}

// isLarge reports whether the number before has three or more digits. A note after it is as likely as cents.
func (r *raised) isLarge() bool {
	whole := r.before[len(strings.TrimRight(r.before, "0123456789.,'’")):]
	return len(whole) > 2
}

// number is the digits at the end of the text before.
func (r *raised) number() string {
	return r.before[len(strings.TrimRight(r.before, "0123456789")):]
}

// leading splits the digits off the start of s.
func leading(s string) (digits, rest string) {
	rest = strings.TrimLeft(s, "0123456789")
	return s[:len(s)-len(rest)], rest
}

// isFractionBar reports whether s begins with the bar of a fraction.
func isFractionBar(s string) bool { return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "⁄") }

// isMinutes reports whether an hour and raised minutes are a time of day, as in timetables.
func isMinutes(hour, minutes string) bool {
	// 24:00 is the end of a day.
	return len(hour) <= 2 && (len(hour) == 1 || hour < "25") &&
		slices.Contains([]string{"00", "05", "10", "15", "20", "25", "30", "35", "40", "45", "50", "55"}, minutes)
}

// isYear reports whether a number is more likely a year than a base.
func isYear(number string) bool { return len(number) == 4 && number > "1500" && number < "2100" }
