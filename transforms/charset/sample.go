package charset

import "bytes"

// sample returns up to limit bytes of the words of body that hold bytes above 0x7F, a space between any two. Words of
// the text are taken before those in tags, scripts and styles, whose high bytes are often in another encoding than
// the text, or in none. No encoding that is guessed has "<", ">" or white space inside of a character. Words without
// high bytes say nothing of the encoding, and would only fill the sample.
func sample(body []byte, limit int) []byte {
	// A page of nothing but markup and scripts has its words there.
	if words := collect(body, limit, true); len(words) > 0 {
		return words
	}
	return collect(body, limit, false)
}

// collect goes over body once; with textOnly it leaves out tags, comments, scripts and styles. The prescan's walk
// over markup is used for that, with fits that takes nothing.
func collect(body []byte, limit int, textOnly bool) []byte {
	// No more than the limit and the last space.
	words := make([]byte, 0, min(limit, len(body))+1)
	p := prescan{head: body, fits: func(string) bool { return false }}
	for p.pos < len(body) && len(words) < limit {
		end := len(body)
		if at := bytes.IndexByte(p.rest(), '<'); at >= 0 {
			end = p.pos + at
		}
		words = appendHigh(words, body[p.pos:end], limit)
		// Behind the "<", which no word holds.
		p.pos = min(end+1, len(body))
		if textOnly && end < len(body) {
			p.markup()
		}
	}
	return words
}

// appendHigh appends the words of text that hold a byte above 0x7F, while words is shorter than limit. A word is
// taken whole, up to the limit.
func appendHigh(words, text []byte, limit int) []byte {
	for len(words) < limit {
		high := firstHigh(text)
		if high < 0 {
			break
		}
		// Back to the beginning of the word; a break is one byte in all encodings that are guessed.
		start := bytes.LastIndexFunc(text[:high], isBreak) + 1
		end := len(text)
		if n := bytes.IndexFunc(text[high:], isBreak); n >= 0 {
			end = high + n
		}
		word := text[start:end]
		// A word longer than the limit is cut, maybe within a character: one error in thousands of
		// bytes.
		words = append(words, word[:min(len(word), limit-len(words))]...)
		words = append(words, ' ')
		text = text[end:]
	}
	return words
}

// isBreak reports whether c, which comes from bytes that are not UTF-8, ends a word.
func isBreak(c rune) bool {
	return c <= ' ' || c == '>'
}
