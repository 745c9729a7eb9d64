package langid

import "unicode"

// A script is a set of letters that helps to tell languages apart; Han, hiragana and katakana are one.
type script uint8

const (
	unknown script = iota
	latin
	cyrillic
	arabic
	devanagari
	cjk
	hangul
	greek
	hebrew
	armenian
	georgian
	bengali
	gurmukhi
	gujarati
	oriya
	tamil
	telugu
	kannada
	malayalam
	sinhala
	thai
	lao
	tibetan
	burmese
	ethiopic
	khmer
	thaana
	cherokee
	meetei
	nko
	olChiki
	syriac
	tifinagh
	vai
	yi
	scripts // number of scripts
)

// soleLanguage is the language of scripts treated as those of one language. Some also serve smaller languages, of
// which Yiddish and the siblings are recognised.
var soleLanguage = [scripts]string{
	hangul: "ko", greek: "el", hebrew: "he", armenian: "hy", georgian: "ka", bengali: "bn", gurmukhi: "pa",
	gujarati: "gu", oriya: "or", tamil: "ta", telugu: "te", kannada: "kn", malayalam: "ml", sinhala: "si", thai: "th",
	lao: "lo", tibetan: "bo", burmese: "my", ethiopic: "am", khmer: "km", thaana: "dv",
	cherokee: "chr", meetei: "mni", nko: "nqo", olChiki: "sat", syriac: "syr", tifinagh: "zgh", vai: "vai", yi: "ii",
}

// minLetters returns the number of letters needed to identify the language of a text in the script.
func (c script) minLetters() int {
	switch {
	case c == devanagari:
		return minSyllables
	case c.isShared():
		return minLetters
	case c == greek || c == hebrew || c == armenian || c == georgian || c == nko || c == olChiki || c == syriac ||
		c == tifinagh:
		return minSoleLetters
	}
	return minSoleSyllables
}

// leastLetters returns the number of letters needed if they leave little doubt.
func (c script) leastLetters() int {
	if c == devanagari {
		return leastSyllables
	}
	return leastLetters
}

// blocks are the Unicode blocks of each script, in order; each reaches to the start of the next.
var blocks = []struct {
	start  rune
	script script
}{
	{0x00AA, latin},
	{0x0370, greek},
	{0x0400, cyrillic},
	{0x0530, armenian},
	{0x0590, hebrew},
	{0x0600, arabic},
	{0x0700, syriac},
	{0x0750, arabic},
	{0x0780, thaana},
	{0x07C0, nko},
	{0x0800, unknown},
	{0x0860, syriac},
	{0x0870, arabic},
	{0x0900, devanagari},
	{0x0980, bengali},
	{0x0A00, gurmukhi},
	{0x0A80, gujarati},
	{0x0B00, oriya},
	{0x0B80, tamil},
	{0x0C00, telugu},
	{0x0C80, kannada},
	{0x0D00, malayalam},
	{0x0D80, sinhala},
	{0x0E00, thai},
	{0x0E80, lao},
	{0x0F00, tibetan},
	{0x1000, burmese},
	{0x10A0, georgian},
	{0x1100, hangul},
	{0x1200, ethiopic},
	{0x13A0, cherokee},
	{0x1400, unknown},
	{0x1780, khmer},
	{0x1800, unknown},
	{0x1C50, olChiki},
	{0x1C80, cyrillic},
	{0x1C90, georgian},
	{0x1CC0, unknown},
	{0x1D00, latin},
	{0x1F00, greek},
	{0x2000, unknown},
	{0x2C60, latin},
	{0x2C80, unknown},
	{0x2D00, georgian},
	{0x2D30, tifinagh},
	{0x2D80, ethiopic},
	{0x2DE0, cyrillic},
	{0x2E00, unknown},
	{0x2E80, cjk},
	{0x3130, hangul},
	{0x3190, cjk},
	{0xA000, yi},
	{0xA4D0, unknown},
	{0xA500, vai},
	{0xA640, cyrillic},
	{0xA6A0, unknown},
	{0xA720, latin},
	{0xA800, unknown},
	{0xA8E0, devanagari},
	{0xA900, unknown},
	{0xA960, hangul},
	{0xA980, unknown},
	{0xA9E0, burmese},
	{0xAA00, unknown},
	{0xAA60, burmese},
	{0xAA80, unknown},
	{0xAAE0, meetei},
	{0xAB00, ethiopic},
	{0xAB30, latin},
	{0xAB70, cherokee},
	{0xABC0, meetei},
	{0xAC00, hangul},
	{0xD800, unknown},
	{0xF900, cjk},
	{0xFB00, latin},
	{0xFB13, armenian},
	{0xFB1D, hebrew},
	{0xFB50, arabic},
	{0xFE00, unknown},
	{0xFE70, arabic},
	{0xFF00, latin},
	{0xFF66, cjk},
	{0xFFA0, hangul},
	{0xFFE0, unknown},
}

// scriptOf returns the script of r, or unknown for other characters than letters.
func scriptOf(r rune) script {
	if uint(r) < uint(len(letterScripts)) {
		return letterScripts[r]
	}
	if 0x20000 <= r && r < 0x32000 && unicode.IsLetter(r) {
		return cjk
	}
	return unknown
}

// letterScripts holds the script of each letter of the Basic Multilingual Plane, for speed.
var letterScripts = makeLetterScripts()

func makeLetterScripts() *[0x10000]script {
	var of [0x10000]script
	for r := 'a'; r <= 'z'; r++ {
		of[r], of[unicode.ToUpper(r)] = latin, latin
	}
	for _, letters := range unicode.L.R16 {
		block := 0
		for r := rune(letters.Lo); r <= rune(letters.Hi); r += rune(letters.Stride) {
			for block < len(blocks) && blocks[block].start <= r {
				block++
			}
			if block > 0 {
				of[r] = blocks[block-1].script
			}
		}
	}
	return &of
}

// isKana reports whether r, a letter, is hiragana or katakana.
func isKana(r rune) bool {
	return 0x3040 <= r && r < 0x3100 || 0x31F0 <= r && r < 0x3200 || 0xFF66 <= r && r < 0xFFA0
}
