package cldr

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/packed"
)

//go:embed currencies.tsv.zst
var packedCurrencies string

// currencies are lines of names and codes, by the first word of the name. Lines with the same first word are together.
type currencies struct {
	lines string
	first map[string]uint32 // the position of the first line
}

var currencyTable = sync.OnceValue(func() *currencies {
	t := &currencies{lines: string(packed.Must(packedCurrencies)), first: make(map[string]uint32, 1<<13)}
	at := uint32(0)
	for line := range strings.Lines(t.lines) {
		word := line[:firstWord(line)]
		if _, known := t.first[word]; !known {
			t.first[word] = at
		}
		at += uint32(len(line))
	}
	return t
})

// Currency returns the ISO 4217 code of the currency whose name text begins with, in any case, and the name's length in
// bytes. Names have several words, in the larger languages: "Canadian dollars", "pesos mexicanos". The code is "" if
// there is none, and "CFA" for francs of both CFA zones.
func Currency(text string) (code string, n int) {
	var buffer [maxWordBytes]byte
	lower := buffer[:0]
	for _, r := range text[:firstWord(text)] {
		lower = utf8.AppendRune(lower, unicode.ToLower(r))
	}
	t := currencyTable()
	at, known := t.first[string(lower)]
	if !known {
		return "", 0
	}
	for line := range strings.Lines(t.lines[at:]) {
		name, of, _ := strings.Cut(line, "\t")
		if string(lower) != line[:firstWord(line)] {
			break
		}
		if end := foldedPrefix(text, name); end > n {
			code, n = of[:len("USD")], end
		}
	}
	return code, n
}

// firstWord returns the end of the letters at the beginning of text, or 0 if they are too many.
func firstWord(text string) int {
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return i
		}
		if i > maxWordBytes-utf8.UTFMax {
			break
		}
	}
	return 0
}

// foldedPrefix returns the length of name, which is in lower case, at the beginning of text. It is 0 if text does not
// begin with it as words of their own.
func foldedPrefix(text, name string) int {
	i := 0
	for _, want := range name {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.ToLower(r) != want && !(want == ' ' && r == '\u00A0' || want == '’' && r == '\'') {
			return 0
		}
		i += size
	}
	if r, _ := utf8.DecodeRuneInString(text[i:]); unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
		return 0
	}
	return i
}
