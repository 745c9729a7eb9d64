package tokenize

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class is the role of a character in terms.
type class uint8

const (
	separator class = iota
	ignored         // not part of a term, but does not end one
	wordPart
	paired // a letter of a script without spaces
)

// fold is the result for a character of normalised text.
type fold struct {
	class class
	n     uint8
	text  [6]byte // the first n bytes are the text in the term
}

// asciiFolds maps ASCII characters to their form in terms, or to 0 if they separate terms.
var asciiFolds = func() (folds [256]byte) {
	for c := range folds {
		switch b := byte(c); {
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9':
			folds[c] = b
		case 'A' <= b && b <= 'Z':
			folds[c] = b + 'a' - 'A'
		}
	}
	return folds
}()

// lowFolds are the folds of the characters below 0x2000, the alphabets. They take 64 KiB, and are made at first use in
// a few milliseconds.
var lowFolds = sync.OnceValue(func() *[0x2000]fold {
	folds := new([0x2000]fold)
	for r := range folds {
		folds[r] = foldOf(rune(r))
	}
	return folds
})

// foldOf returns the fold of a character.
func foldOf(r rune) (f fold) {
	switch {
	case 0xAC00 <= r && r < 0xD7A4: // Hangul syllables, for which the tables of package unicode are slow
		f.add(r)
		f.class = wordPart
		return f
	case IsPaired(r):
		return fold{class: paired}
	case isIgnored(r):
		return fold{class: ignored}
	case unicode.IsDigit(r):
		f.add('0' + decimal(r))
	case unicode.IsLetter(r):
		f.addLetter(r)
	case unicode.IsMark(r) || unicode.IsNumber(r):
		f.add(r)
	default:
		return fold{class: separator}
	}
	f.class = wordPart
	return f
}

// add appends a character; there is room for all that foldOf makes.
func (f *fold) add(r rune) { f.n += uint8(utf8.EncodeRune(f.text[f.n:], r)) }

// decimal returns the value of a digit. The digits of each script are adjacent, from 0 to 9 (UAX 44,
// Numeric_Type=Decimal).
func decimal(r rune) rune {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	return 0
}

func (f *fold) addLetter(r rune) {
	r = unicode.ToLower(r)
	if text, ok := replaced[r]; ok {
		for _, r := range text {
			f.add(r)
		}
		return
	}
	base, marks := decomposed(r)
	if marks && (unicode.Is(unicode.Latin, base) || unicode.Is(unicode.Greek, base)) {
		if text, ok := replaced[base]; ok { // ǿ is ø with an accent
			r, _ = utf8.DecodeRuneInString(text)
			f.add(r)
			for _, more := range text[utf8.RuneLen(r):] {
				f.add(more)
			}
			return
		}
		r = base
	}
	f.add(r)
}

// decomposed returns the first character of r's canonical decomposition, and whether others follow.
func decomposed(r rune) (base rune, marks bool) {
	var b [utf8.UTFMax]byte
	d := norm.NFD.Properties(b[:utf8.EncodeRune(b[:], r)]).Decomposition()
	if len(d) == 0 {
		return r, false
	}
	base, n := utf8.DecodeRune(d)
	return base, n < len(d)
}

// replaced are letters that people regard as equal to others, but that have no decomposition.
var replaced = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ŧ': "t", 'ı': "i",
	'ŀ': "l", 'ĸ': "q", 'ŋ': "n", 'ƒ': "f", 'ɨ': "i", 'ƶ': "z",
	'ς': "σ",
	'ё': "е", 'ѐ': "е", 'ѝ': "и",
	'آ': "ا", 'أ': "ا", 'إ': "ا", 'ٱ': "ا", // alef with madda, hamza above and below, and wasla
	'ى': "ي", 'ی': "ي", 'ک': "ك", // alef maksura and the yeh and kaf of Persian
}

// IsSingle reports whether a term of a query is one letter of a script that is stored in pairs. It matches wherever the
// letter occurs, and every pair or end of a run at that place begins with it.
func IsSingle(term []byte) bool {
	r, n := utf8.DecodeRune(term)
	return n == len(term) && IsPaired(r)
}

// IsPaired reports whether r is a letter, or a mark on one, of a script without spaces. Terms of such scripts are
// pairs.
func IsPaired(r rune) bool {
	switch {
	case 0x0E00 <= r && r < 0x0F00, 0x1000 <= r && r < 0x10A0, 0x1780 <= r && r < 0x1800, // Thai and Lao; Myanmar; Khmer
		0xA9E0 <= r && r < 0xAA00, 0xAA60 <= r && r < 0xAA80: // Myanmar's extensions
		return unicode.IsLetter(r) || unicode.IsMark(r)
	case 0x3400 <= r && r < 0x4DC0, 0x4E00 <= r && r < 0xA000: // Han
		return true
	case r < 0x3005:
		return false
	case r < 0x3030, 0x3041 <= r && r < 0x3100, 0x31F0 <= r && r < 0x3200: // 々 and 〇, kana
		return r != '・' && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
	case 0x3030 <= r && r < 0x3041:
		return unicode.IsLetter(r) || unicode.IsNumber(r)
	}
	return 0xF900 <= r && r < 0xFB00 || 0x1AFF0 <= r && r < 0x1B170 || 0x20000 <= r && r < 0x323B0
}

// isIgnored reports whether a character is invisible, or a mark that many writers leave out.
func isIgnored(r rune) bool {
	switch {
	case 0x0300 <= r && r < 0x0370, 0x1AB0 <= r && r < 0x1B00, 0x1DC0 <= r && r < 0x1E00, 0x20D0 <= r && r < 0x2100,
		0xFE20 <= r && r < 0xFE30: // diacritics that do not compose with letters
		return true
	case 0xFE00 <= r && r < 0xFE10, 0xE0100 <= r && r < 0xE01F0: // variation selectors
		return true
	case 0x0591 <= r && r < 0x05C8 && r != '־' && r != '׀' && r != '׃' && r != '׆', r == '׳', r == '״': // Hebrew
		return true
	case r == 'ـ', r == 'ܑ', 0x0610 <= r && r < 0x061B, 0x064B <= r && r < 0x0660, r == 'ٰ', 0x0730 <= r && r < 0x074B,
		0x06D6 <= r && r < 0x06EE && unicode.IsMark(r), 0x0897 <= r && r < 0x0900 && unicode.IsMark(r): // Arabic, Syriac
		return true
	}
	return unicode.Is(unicode.Cf, r)
}
