package font

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// nameText returns the text that a glyph's name stands for, by the rules of the Adobe Glyph List Specification 1.7:
// what follows a period is a variant, an underscore joins the parts of a ligature.
func nameText(name string) string {
	// Before the period is cut: the list has names such as ".notdef", and some with a period.
	if text, ok := glyphTexts()[name]; ok {
		return text
	}
	base, _, _ := strings.Cut(name, ".")
	// 256 is far above the 63 characters that names may have; it bounds the work of hostile ones.
	if base == "" || len(base) > 256 {
		return ""
	}
	var text strings.Builder
	for part := range strings.SplitSeq(base, "_") {
		text.WriteString(partText(part))
	}
	return text.String()
}

func partText(part string) string {
	// Both steps are those of section 2 of the specification: the list first, then "uni" and "u".
	if text, ok := glyphTexts()[part]; ok {
		return text
	}
	// "uni" with groups of four digits, one for each character of a ligature. The rest below four is
	// dropped.
	if digits, ok := strings.CutPrefix(part, "uni"); ok && len(digits) >= 4 {
		var text strings.Builder
		for ; len(digits) >= 4; digits = digits[4:] {
			text.WriteString(codepoint(digits[:4]))
		}
		return text.String()
	}
	// "u" with four to six.
	if digits, ok := strings.CutPrefix(part, "u"); ok && len(digits) >= 4 && len(digits) <= 6 {
		return codepoint(digits)
	}
	return ""
}

// codepoint returns the character whose hexadecimal number digits is. Surrogates and what lies beyond Unicode stand
// for nothing.
func codepoint(digits string) string {
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || n == 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return ""
	}
	return string(rune(n))
}

// numberedText returns the text of names that hold no more than a code, such as "a65", "C65", "G41" and "65", which
// writers make up for fonts whose glyphs have lost their names. Where all names of a font are like this, the code is
// taken for one of Windows-1252: decimal, or hexadecimal where a name has such digits.
func numberedText(names []string) (map[string]string, bool) {
	codes := make(map[string]string, len(names))
	hex := false
	for _, name := range names {
		digits := name
		if name != "" && letter(name[0]) {
			digits = name[1:] // of a letter alone nothing is left: that is a name which says what it is
		}
		if digits == "" || len(digits) > 3 {
			return nil, false
		}
		// One letter a-f anywhere makes all numbers hexadecimal: the writer used one scheme for the
		// font.
		if strings.Trim(digits, "0123456789") != "" {
			hex = true
		}
		codes[name] = digits
	}
	base := 10
	if hex {
		base = 16
	}
	// A single hexadecimal digit is rather a letter: Ghostscript calls glyphs "BC" and "BD".
	if hex && slices.ContainsFunc(names, func(name string) bool { return len(codes[name]) < 2 }) {
		return nil, false
	}
	for name, digits := range codes {
		n, err := strconv.ParseUint(digits, base, 16)
		// A number that is not code: these names are not made up after all.
		if err != nil || n > 255 {
			return nil, false
		}
		codes[name] = winAnsi(byte(n))
	}
	return codes, len(codes) > 0
}

// keepsCodes reports whether the glyphs of a font, whose names were made up, may still have the codes of their letters:
// all are codes of letters and signs, and they do not just count from the first one on.
func keepsCodes(names map[byte]string) bool {
	const first = '!'
	n := 0
	for code, name := range names {
		switch {
		case name == ".notdef" || name == "space":
			continue
		case nameText(name) != "" || code < first || code >= 0x7F && code < 0xA0:
			return false
		}
		n++
	}
	last := first + n - 1
	return n > 0 && (names[first] == "" || last > 0xFF || names[byte(last)] == "")
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }
