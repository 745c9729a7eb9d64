package ocr

import (
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/langid"
)

const (
	// fewLetters is the smallest number of letters that is judged.
	fewLetters = 40
	// poorAhead is how much less likely letters of a bad OCR are than usual ones, in nats. Good OCR of three languages
	// has at least -0.4, bad OCR that finds less than seven words in ten at most -0.8.
	poorAhead = -0.6
	// brokenAhead is the same for letters in a wrong encoding, which have -3. Languages without a model have -1.
	brokenAhead = -2.0
	// strangeShare is the share of characters without a meaning, in percent, that makes text unreadable.
	strangeShare = 20
)

// isGarbled reports whether letters follow each other as in no language. A text layer over a scan is judged more
// strictly than text with its own fonts. Such text may be in any language, or a program.
func isGarbled(text string, layer bool) bool {
	if strange, all := strangeIn(text); 100*strange > strangeShare*all {
		return true
	}
	f := langid.FluencyOf(text)
	if layer {
		return f.Letters >= fewLetters && f.Ahead < poorAhead
	}
	return f.Letters >= fewLetters && f.Ahead < brokenAhead
}

// strangeIn counts the characters for private use and the unassigned ones, and all but white space.
func strangeIn(text string) (strange, all int) {
	for _, r := range text {
		switch {
		case r < 0x80 && r > ' ':
			all++
		case unicode.IsSpace(r):
		default:
			all++
			if r == unicode.ReplacementChar || unicode.Is(unicode.Co, r) || unicode.IsControl(r) {
				strange++
			}
		}
	}
	return strange, all
}
