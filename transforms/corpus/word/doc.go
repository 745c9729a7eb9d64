// Package word splits a text into words and counts its sentences, as the filters of training corpora expect it: signs
// stand alone, contractions are two words ("do", "n't"), abbreviations keep their dot.
//
//	words := word.Append(nil, "Don't pay $5, Mr. Smith.") // Do n't pay $ 5 , Mr. Smith .
//	n := word.Sentences(words)                            // 1
//
// The thresholds of the papers (C4, Gopher, FineWeb) are only as good as the words they count. FineWeb counted those
// of spaCy's blank English pipeline, whose published rules are followed here: a chunk between white space loses signs
// at its beginning and its end, one after the other, and is divided at signs between letters; some 500 chunks are
// known as they are. TestAppend_sameAsSpaCy compares the two. In scripts without spaces a run of letters is one word,
// as it is there: thresholds for such languages have to be chosen for them.
//
// Work is linear in the text except for chunks of signs alone, which are bounded by maxChunk.
package word
