// Package quality counts the properties of a text that the filter of the Gopher paper uses. (Rae et al., "Scaling
// language models: methods, analysis and insights from training Gopher", 2021, arXiv 2112.11446, appendix A.1.1.) It
// reports whether that filter would keep the text. It removes nothing.
//
//	q := quality.Of(document.Text, document.Language)
//	if !q.GopherPass {
//		fmt.Println("words:", q.Words, "mean length:", q.MeanWordLength)
//	}
//
// The terms of the paper are interpreted as follows:
//
//   - A word is text between white space. In scripts without spaces (Han, kana, Thai, Lao, Khmer, Burmese) every
//     character is a word, and punctuation beside it is not a word.
//   - A character is a code point other than white space; every share of characters is of those.
//   - A line ends at a line feed and is not empty; lines are equal if they differ only in white space.
//   - N-grams consist of words without case and punctuation, run across lines, and count only from their second
//     occurrence.
//   - Symbols are hash signs and ellipses together; three dots or more are one ellipsis.
//   - Stop words are those of the text's own language, if there is a list. The paper's are English.
//
// Work is linear in the text. Memory is bounded: [MaxBytes] of text, and tables of about 49,000 different lines or
// n-grams. A full table takes no new entries, but still counts those in it.
package quality

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
)

// Version is the version of the statistics.
const Version = "1"

// MaxBytes bounds the text that is counted. The filter refuses more than 100,000 words; that many words of twenty
// bytes fit.
const MaxBytes = 2 << 20

// The bounds of the paper's filter.
const (
	minWords, maxWords           = 50, 100_000
	minWordLength, maxWordLength = 3, 10
	maxSymbolRatio               = 0.1
	maxBulletLines               = 0.9
	maxEllipsisLines             = 0.3
	minAlphabeticWords           = 0.8
	minStopWords                 = 2
)

// Counter counts one text after another and reuses its memory. The zero value is ready.
type Counter struct{ s scanner }

// Of is Counter.Of with a new Counter.
func Of(text, language string) schemas.Quality { return new(Counter).Of(text, language) }

// Of returns the statistics of text. Its language is an ISO 639-1 code or empty. Shares and means are rounded to four
// decimals. GopherPass does not require stop words if there is no list for the language. It does not require a mean
// length if most words are single characters.
func (c *Counter) Of(text, language string) schemas.Quality {
	text = cut(text, MaxBytes)
	s := &c.s
	s.reset(text, language)
	for line := range strings.SplitSeq(text, "\n") {
		s.line(line)
	}
	stop := s.stopWords(text, language)
	// The paper uses shares, so that texts of different lengths can be compared. The counts help to weigh them.
	q := schemas.Quality{
		Words:           s.words,
		Characters:      s.characters,
		MeanWordLength:  ratio(s.wordCharacters, s.words),
		SymbolRatio:     ratio(s.symbols, s.words),
		BulletLines:     ratio(s.bullets, s.lines),
		EllipsisLines:   ratio(s.ellipses, s.lines),
		AlphabeticWords: ratio(s.alphabetic, s.words),
		StopWords:       stop,
		DuplicateLines:  ratio(s.repeated, s.lines),
		DuplicateChars:  ratio(s.repeatedCharacters, s.characters),
		TopBigram:       min(1, ratio(s.bigrams.top(), s.characters)),
		TopTrigram:      min(1, ratio(s.trigrams.top(), s.characters)),
	}
	q.GopherPass = pass(q, 2*s.single > s.words, hasList(language))
	return q
}

// pass applies the paper's bounds. It tests rounded values, so that readers of the record can repeat the decision.
// This is the paper's filter for quality; repetition is reported and not judged.
func pass(q schemas.Quality, singles, list bool) bool {
	return q.Words >= minWords && q.Words <= maxWords &&
		(singles || q.MeanWordLength >= minWordLength && q.MeanWordLength <= maxWordLength) &&
		q.SymbolRatio <= maxSymbolRatio &&
		q.BulletLines <= maxBulletLines &&
		q.EllipsisLines <= maxEllipsisLines &&
		q.AlphabeticWords >= minAlphabeticWords &&
		(!list || q.StopWords >= minStopWords)
}

// cut returns the first n bytes of text, in whole characters.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// ratio returns part/whole to four decimals, and 0 if whole is 0.
func ratio(part, whole int) schemas.Float {
	if whole == 0 {
		return 0
	}
	return schemas.Float(math.Round(float64(part)/float64(whole)*1e4) / 1e4)
}
