// Package visual puts text in visual order, drawn from left to right, into logical order, the order of reading. Hebrew
// pages of the 1990s and the glyphs of PDF files are in visual order.
//
//	letters := strings.Split("abc דג", "") // drawn from the left
//	visual.Reorder(letters, true)
//	fmt.Println(strings.Join(letters, "")) // גד abc
//
// It is the part of the Unicode Bidirectional Algorithm (UAX #9) that inverts the reordering. Lines have one base
// direction and no explicit embeddings.
package visual

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Class returns the class of a glyph or character: 'R' for right to left, 'L' for left to right, 'N' for numbers.
// Class ' ' takes the direction of its surroundings. The first character decides: a glyph with several is a ligature
// of one script.
func Class(text string) byte {
	if text == "" {
		return ' '
	}
	// Nearly all glyphs are ASCII, and need no table.
	if text[0] < utf8.RuneSelf {
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

// Reorder puts the glyphs of a line in logical order. Slice texts has one entry for each glyph, from left to right on
// the page; the text of one glyph is in logical order already. Its time is linear.
func Reorder(texts []string, rtl bool) {
	if rtl {
		turn(texts)
		return
	}
	// A part from right to left goes from one such letter to the last before a letter of the line. Numbers between them
	// are in the part, others belong to the line.
	for i := 0; i < len(texts); i++ {
		if Class(texts[i]) != 'R' {
			continue
		}
		end := i + 1
		for j := end; j < len(texts) && Class(texts[j]) != 'L'; j++ {
			if Class(texts[j]) == 'R' {
				end = j + 1
			}
		}
		turn(texts[i:end])
		// The loop's i++ goes to the first glyph after the part.
		i = end - 1
	}
}

// turn puts text from right to left in logical order: it reverses all of it, and then the parts from left to right
// again.
func turn(texts []string) {
	slices.Reverse(texts)
	var brackets []int // without those in parts from left to right
	isArabic := false
	for i := 0; i < len(texts); i++ {
		switch Class(texts[i]) {
		case 'R':
			isArabic = bidiClass(texts[i]) == bidi.AL
		case 'L', 'N':
			from, end := turnPart(texts, i, isArabic)
			for n := len(brackets); n > 0 && brackets[n-1] >= from; n-- {
				brackets = brackets[:n-1]
			}
			i = end - 1
		default:
			if mirrored[texts[i]] != "" {
				brackets = append(brackets, i)
			}
		}
	}
	mirror(texts, brackets)
}

// turnPart reverses the letters and numbers around i that run from left to right, and returns where they begin and end.
// A part with letters is one, since numbers beside them may belong to them. Other numbers are parts of their own, in
// the order of the line.
func turnPart(texts []string, i int, isArabic bool) (from, to int) {
	letters, end := false, i
	for j := i; j < len(texts) && Class(texts[j]) != 'R'; j++ {
		if c := Class(texts[j]); c != ' ' {
			end, letters = j+1, letters || c == 'L'
		}
	}
	if !letters {
		return i, turnNumbers(texts, i, end, isArabic)
	}
	// The glyph at i is the last of the part, and so after a letter.
	from, to = i, end
	if bidiClass(texts[i]) == bidi.EN {
		from, _ = withSigns(texts, i, i)
	}
	if bidiClass(texts[end-1]) == bidi.EN && !isArabic {
		_, to = withSigns(texts, end, end)
	}
	// A bracket that opens after a letter closes in the part (rule N0).
	open := 0
	for _, s := range texts[from:to] {
		open += opens(s)
	}
	for ; open > 0 && from > 0 && opens(texts[from-1]) < 0; from-- {
		open--
	}
	slices.Reverse(texts[from:to])
	return from, to
}

// turnNumbers reverses the numbers from one glyph to another, and returns where they end.
func turnNumbers(texts []string, to, end int, isArabic bool) int {
	for to < end {
		if Class(texts[to]) != 'N' {
			to++
			continue
		}
		from := to
		european := bidiClass(texts[from]) == bidi.EN && !isArabic
		for to++; to < end && (Class(texts[to]) == 'N' || joins(texts[to-1:to+2], european)); to++ {
		}
		if european {
			from, to = withSigns(texts, from, to)
		}
		slices.Reverse(texts[from:to])
	}
	return to
}

// joins reports whether the second of three glyphs, before a further number, makes numbers one (rules W4 and W5 of
// UAX #9).
func joins(texts []string, european bool) bool {
	switch bidiClass(texts[1]) {
	case bidi.ET:
		return european
	case bidi.ES:
		return european && Class(texts[0]) == 'N' && Class(texts[2]) == 'N'
	case bidi.CS:
		return Class(texts[0]) == 'N' && Class(texts[2]) == 'N'
	}
	return false
}

// withSigns extends a European number by signs such as those of percent and currencies (rule W5).
func withSigns(texts []string, from, to int) (int, int) {
	for from > 0 && bidiClass(texts[from-1]) == bidi.ET {
		from--
	}
	for to < len(texts) && bidiClass(texts[to]) == bidi.ET {
		to++
	}
	return from, to
}

func bidiClass(text string) bidi.Class {
	if text == "" {
		return bidi.ON
	}
	p, _ := bidi.LookupString(text)
	return p.Class()
}

// mirrored has the other bracket of each pair. The values are those of Bidi_Mirroring_Glyph.
var mirrored = map[string]string{
	"(": ")", "[": "]", "{": "}", "«": "»", "‹": "›", ")": "(", "]": "[", "}": "{", "»": "«", "›": "‹",
}

// mirror exchanges brackets if they close before they open. Fonts show a mirrored bracket in text from right to left,
// and some files map it to its shape instead of its character.
func mirror(texts []string, brackets []int) {
	written := make([]string, len(brackets))
	shown := make([]string, len(brackets))
	for k, i := range brackets {
		written[k], shown[k] = texts[i], mirrored[texts[i]]
	}
	if pairs(shown) <= pairs(written) {
		return
	}
	for k, i := range brackets {
		texts[i] = shown[k]
	}
}

// opens is 1 for a bracket that opens, -1 for one that closes, and 0 for others.
func opens(text string) int {
	switch text {
	case "(", "[", "{", "«", "‹":
		return 1
	case ")", "]", "}", "»", "›":
		return -1
	}
	return 0
}

// pairs returns how many brackets are closed by the next one that closes.
func pairs(brackets []string) (n int) {
	var open []string
	for _, b := range brackets {
		if opens(b) > 0 {
			open = append(open, b)
			continue
		}
		if last := len(open) - 1; last >= 0 {
			if mirrored[open[last]] == b {
				n++
			}
			open = open[:last]
		}
	}
	return n
}
