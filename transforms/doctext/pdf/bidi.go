package pdf

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Glyphs are in visual order, from the left to the right; text is in logical order, as it is read. What follows is
// the part of the Unicode Bidirectional Algorithm (UAX #9) that leads back: lines are of one base direction, without
// explicit embeddings, and a glyph's own text is in logical order already.

// class returns the class of a glyph by its first character: 'R' for right to left, 'L' for left to right, 'N' for
// numbers, and ' ' for what takes the direction of what is about it. The answer is by the first character alone: a
// glyph with several is a ligature of one script.
func class(text string) byte {
	// ASCII, nearly all glyphs, without a table.
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

// mostlyRTL reports whether more of the letters run from the right to the left. Columns and rows that are mostly right
// to left are read from the right.
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

// reorder puts the glyphs of a line in logical order. texts has one entry for each glyph, from the left to the right
// on the page; in a line from the right to the left the whole is turned round first, so that only what runs against
// the line has to be turned back.
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
				// A letter of the line's own direction ends the stretch. Numbers do so in a line from the
				// left, where they belong to the line; in one from the right they run against it
				// themselves.
			} else if c != ' ' && c != 'N' || against == 'R' && c == 'N' {
				break
			}
		}
		slices.Reverse(texts[i:end])
		// i++ of the loop goes to the first glyph after the stretch.
		i = end - 1
	}
}

// starts reports whether a glyph is of a stretch that runs against the line. Numbers always run from the left to the
// right, so in a line from the right to the left they are such a stretch.
func starts(text string, against byte) bool {
	c := class(text)
	return c == against || against == 'L' && c == 'N'
}
