package entity

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// eastScales are the characters of scale in East Asian numbers. 兆 is 10^12: a part of 10^8 follows only there.
var eastScales = map[rune]int64{
	'百': 1e2, '백': 1e2, '千': 1e3, '천': 1e3, '万': 1e4, '萬': 1e4, '만': 1e4, '亿': 1e8, '億': 1e8, '억': 1e8,
	'조': 1e12, '兆': 1e12,
}

// maxCompound bounds the parts and the value of a compound amount.
const (
	maxCompoundParts = 5
	maxCompound      = int64(1e17)
)

// compound finds an amount at i that consists of several numbers with scales: 3万5000円, 1억 2천만 원.
func (s *scanner) compound(i int) (mention, bool) {
	total, last, at, parts := int64(0), maxCompound, i, 0
	for ; parts < maxCompoundParts && at < len(s.text) && isDigit(s.text[at]); parts++ {
		a, ok := s.readAmount(at)
		n, err := strconv.ParseInt(a.whole, 10, 64)
		if !ok || err != nil || a.fraction != "" || n >= maxCompound {
			return mention{}, false
		}
		scale, end := eastScale(s.text, a.end)
		// Each part is less than one of the part before: 3万5000.
		if n > maxCompound/scale || n*scale >= last {
			return mention{}, false
		}
		total, last, at = total+n*scale, scale, end
		if scale == 1 {
			parts++
			break
		}
		if next := skipSpace(s.text, at); next < len(s.text) && isDigit(s.text[next]) {
			at = next
		}
	}
	if parts < 2 {
		return mention{}, false
	}
	code, end := s.currencyAt(skipSpace(s.text, at))
	start, code := s.yuan(i, end, code)
	if code == "" {
		return mention{}, false
	}
	id := moneyID(code, amount{whole: strconv.FormatInt(total, 10)}, 0)
	return mention{start: start, end: end, kind: typeMoney, id: id, confidence: 0.9}, id != ""
}

// eastScale reads the characters of scale at i. It returns their product, 1 if there are none, and their end.
func eastScale(text string, i int) (scale int64, end int) {
	scale, end = 1, i
	for {
		r, size := utf8.DecodeRuneInString(text[end:])
		if eastScales[r] == 0 || scale > maxCompound/eastScales[r] {
			return scale, end
		}
		scale *= eastScales[r]
		end += size
	}
}

// dashes stand for no cents: 35,-.
var dashes = [...]string{",-", ",–", ".-", ".–", ",—"}

// afterDash returns the end of a dash at i that stands for no cents, or i.
func afterDash(text string, i int) int {
	for _, dash := range dashes {
		if strings.HasPrefix(text[i:], dash) && !wordAfter(text, i+len(dash)) {
			return i + len(dash)
		}
	}
	return i
}
