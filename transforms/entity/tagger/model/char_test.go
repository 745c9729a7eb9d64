package model

import (
	"testing"
	"unicode"
)

// The table has the classes of package unicode.
func TestClassOf(t *testing.T) {
	for r := rune(0); r < 0x1000; r++ {
		c := classOf(r)
		if (c == upperCase) != unicode.IsUpper(r) || (c == lowerCase) != unicode.IsLower(r) ||
			(c == digit) != unicode.IsDigit(r) ||
			(c != noWord) != (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) {
			t.Errorf("classOf(%U) = %d", r, c)
		}
		if toLower(r) != unicode.ToLower(r) {
			t.Errorf("toLower(%U) = %U", r, toLower(r))
		}
	}
}
