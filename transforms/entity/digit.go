package entity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/cldr"
)

// shift says by how many bytes a text is longer than its copy with ASCII digits, from an offset in the copy on.
type shift struct {
	from, by int
	sign     string // the Arabic sign that the byte before from replaces
}

// The signs of Arabic numbers.
const arabicDecimal, arabicThousands = "٫", "٬"

var arabicSigns = strings.NewReplacer(arabicDecimal, ".", arabicThousands, ",")

// plainDigits returns a copy of text in which the digits of all scripts are ASCII, with the shifts back to text. Texts
// without other digits are returned as they are.
func plainDigits(text string) (string, []shift) {
	if plain := cldr.Digits(text); len(plain) == len(text) {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	var shifts []shift
	rest := 0 // offset of the part that is not copied yet
	for i, r := range text {
		if r < utf8.RuneSelf || !unicode.IsDigit(r) && r != '٫' && r != '٬' {
			continue
		}
		size := utf8.RuneLen(r)
		b.WriteString(text[rest:i])
		b.WriteString(arabicSigns.Replace(cldr.Digits(text[i : i+size])))
		rest = i + size
		sign := ""
		if !unicode.IsDigit(r) {
			sign = text[i:rest]
		}
		shifts = append(shifts, shift{b.Len(), rest - b.Len(), sign})
	}
	b.WriteString(text[rest:])
	return b.String(), shifts
}

// back returns the offset in the text for an offset in its copy.
func back(shifts []shift, at int) int {
	i, found := slices.BinarySearchFunc(shifts, at, func(s shift, at int) int { return s.from - at })
	if found {
		return at + shifts[i].by
	}
	if i == 0 {
		return at
	}
	return at + shifts[i-1].by
}

// arabicSign returns the Arabic sign that the byte at an offset in the copy replaces, or "".
func arabicSign(shifts []shift, at int) string {
	i, found := slices.BinarySearchFunc(shifts, at+1, func(s shift, at int) int { return s.from - at })
	if !found {
		return ""
	}
	return shifts[i].sign
}
