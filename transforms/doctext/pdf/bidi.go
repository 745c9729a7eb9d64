package pdf

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Glyphs are in visual order, from left to right; text is in logical order, the order of reading. This file is the
// part of the Unicode Bidirectional Algorithm (UAX #9) that inverts the reordering. Lines have one base direction and
// no explicit embeddings. The text of one glyph is in logical order already.

// class returns the class of a glyph: 'R' for right to left, 'L' for left to right, 'N' for numbers. Class ' ' takes
// the direction of its surroundings. The first character decides: a glyph with several is a ligature of one script.
func class(text string) byte {
	// Nearly all glyphs are ASCII, and need no table.
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

// mostlyRTL reports whether most letters run from right to left. Such columns and rows are read from the right.
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

// reorder puts the glyphs of a line in logical order. Slice texts has one entry for each glyph, from left to right on
// the page. A right-to-left line is first reversed as a whole, and then only its left-to-right parts are reversed
// again.
func reorder(texts []string, rtl bool) {
	against := byte('R')
	if rtl {
		slices.Reverse(texts)
		against = 'L'
	}
	// Parts that run against the line are reversed. A part begins at a letter of the other direction. It ends at the
	// last such letter before one of the line's own direction. In a right-to-left line, numbers are such parts too.
	for i := 0; i < len(texts); i++ {
		if !starts(texts[i], against) {
			continue
		}
		end := i + 1
		for j := end; j < len(texts); j++ {
			c := class(texts[j])
			if starts(texts[j], against) {
				end = j + 1
				// A letter of the line's own direction ends the part. In a left-to-right line numbers end it too,
				// since they belong to the line. In a right-to-left line they are a part themselves.
			} else if c != ' ' && c != 'N' || against == 'R' && c == 'N' {
				break
			}
		}
		slices.Reverse(texts[i:end])
		// The loop's i++ goes to the first glyph after the part.
		i = end - 1
	}
}

// starts reports whether a glyph begins a part that runs against the line. Numbers always run from left to right, so
// in a right-to-left line they begin one.
func starts(text string, against byte) bool {
	c := class(text)
	return c == against || against == 'L' && c == 'N'
}
