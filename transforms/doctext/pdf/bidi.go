package pdf

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Glyphs stand in visual order, from the left to the right; text is in logical order, as it is read. What follows is
// the part of the Unicode Bidirectional Algorithm (UAX #9) that leads back: lines are of one base direction, without
// explicit embeddings, and a glyph's own text is in logical order already.

// class returns the class of a glyph by its first character: 'R' for right to left, 'L' for left to right, 'N' for
// numbers, and ' ' for what takes the direction of what is about it.
func class(text string) byte {
	if text != "" && text[0] < utf8.RuneSelf {
		switch b := text[0]; {
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
			return 'L'
		case b >= '0' && b <= '9':
			return 'N'
		}
		return ' '
	}
	p, _ := bidi.LookupString(text)
	switch p.Class() {
	case bidi.R, bidi.AL:
		return 'R'
	case bidi.L:
		return 'L'
	case bidi.EN, bidi.AN:
		return 'N'
	}
	return ' '
}

func isRTL(text string) bool { return class(text) == 'R' }

// mostlyRTL tells whether more of the letters run from the right to the left.
func mostlyRTL(fragments []fragment) bool {
	balance := 0
	for _, f := range fragments {
		for _, r := range f.runs {
			for _, g := range r.glyphs {
				switch class(g.text) {
				case 'R':
					balance++
				case 'L':
					balance--
				}
			}
		}
	}
	return balance > 0
}

// reorder puts the glyphs of a line in logical order.
func reorder(texts []string, rtl bool) {
	against := byte('R')
	if rtl {
		slices.Reverse(texts)
		against = 'L'
	}
	// Stretches that run against the line are turned round: from a letter of theirs to the last one before a letter of the
	// line's own direction, or, in a line from the right to the left, numbers.
	for i := 0; i < len(texts); i++ {
		if !starts(texts[i], against) {
			continue
		}
		end := i + 1
		for j := end; j < len(texts); j++ {
			c := class(texts[j])
			if starts(texts[j], against) {
				end = j + 1
			} else if c != ' ' && c != 'N' || against == 'R' && c == 'N' {
				break
			}
		}
		slices.Reverse(texts[i:end])
		i = end - 1
	}
}

// starts tells whether a glyph is of a stretch that runs against the line.
func starts(text string, against byte) bool {
	c := class(text)
	return c == against || against == 'L' && c == 'N'
}
