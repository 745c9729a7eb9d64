// Package word splits a text into words and counts its sentences, as the filters of training corpora need it. Signs
// are separate words, contractions are two words ("do", "n't"), abbreviations keep their dot.
//
//	words := word.Append(nil, "Don't pay $5, Mr. Smith.") // Do n't pay $ 5 , Mr. Smith .
//	n := word.Sentences(words)                            // 1
//
// The thresholds of the papers (C4, Gopher, FineWeb) depend on how words are counted. FineWeb used the words of
// spaCy's blank English pipeline, so this package follows its published rules. A chunk between white space loses signs
// at its beginning and end, one after the other, and is divided at signs between letters. Some 500 chunks have fixed
// divisions. TestAppend_sameAsSpaCy compares the two. In scripts without spaces a run of letters is one word, as in
// spaCy; such languages need thresholds of their own.
//
// Work is linear in the text, except for chunks of signs alone, which maxChunk bounds.
package word
