package font

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// nameText returns the text of a glyph's name, by the rules of the Adobe Glyph List Specification 1.7. After a period
// comes a variant; an underscore joins the parts of a ligature.
func nameText(name string) string {
	// The whole name is looked up before the part after the period is removed, since the list has names with periods,
	// such as ".notdef".
	if text, ok := glyphTexts()[name]; ok {
		return text
	}
	base, _, _ := strings.Cut(name, ".")
	// 256 is far above the 63 characters that names may have; it bounds the work for hostile ones.
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
	// Both steps are those of section 2 of the specification: first the list, then "uni" and "u".
	if text, ok := glyphTexts()[part]; ok {
		return text
	}
	// "uni" has groups of four digits, one for each character of a ligature. A shorter rest is dropped.
	if digits, ok := strings.CutPrefix(part, "uni"); ok && len(digits) >= 4 {
		var text strings.Builder
		for ; len(digits) >= 4; digits = digits[4:] {
			text.WriteString(codepoint(digits[:4]))
		}
		return text.String()
	}
	// "u" has four to six digits.
	if digits, ok := strings.CutPrefix(part, "u"); ok && len(digits) >= 4 && len(digits) <= 6 {
		return codepoint(digits)
	}
	return ""
}

// codepoint returns the character with the hexadecimal number digits, or "" for surrogates and invalid numbers.
func codepoint(digits string) string {
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || n == 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return ""
	}
	return string(rune(n))
}

// numberedText returns the text of names that only hold a code, such as "a65", "C65", "G41" and "65". Writers use them
// in fonts whose glyphs have lost their names. If all names of a font are of this form, the code is read as
// Windows-1252. It is decimal, or hexadecimal if any name has such digits.
func numberedText(names []string) (map[string]string, bool) {
	codes := make(map[string]string, len(names))
	hex := false
	for _, name := range names {
		digits := name
		if name != "" && letter(name[0]) {
			digits = name[1:] // a letter alone leaves "": such a name is a real one
		}
		if digits == "" || len(digits) > 3 {
			return nil, false
		}
		// One letter a-f anywhere makes all numbers hexadecimal: a font uses one scheme.
		if strings.Trim(digits, "0123456789") != "" {
			hex = true
		}
		codes[name] = digits
	}
	base := 10
	if hex {
		base = 16
	}
	// A single hexadecimal digit is more likely a letter: Ghostscript calls glyphs "BC" and "BD".
	if hex && slices.ContainsFunc(names, func(name string) bool { return len(codes[name]) < 2 }) {
		return nil, false
	}
	for name, digits := range codes {
		n, err := strconv.ParseUint(digits, base, 16)
		// If a number is not a code, the names are not of this form.
		if err != nil || n > 255 {
			return nil, false
		}
		codes[name] = winAnsi(byte(n))
	}
	return codes, len(codes) > 0
}

// keepsCodes reports whether glyphs with generated names may still have the codes of their letters. All codes must be
// letters and signs, and must not simply count up from the first one.
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
