package charset

import "bytes"

// sample returns up to limit bytes of the words in body with bytes above 0x7F, separated by spaces. Words of the text
// have priority over those in tags, scripts and styles, whose high bytes are often in another encoding. No guessed
// encoding has "<", ">" or white space inside a character. Words without high bytes show nothing, and would only fill
// the sample.
func sample(body []byte, limit int) []byte {
	// A page with only markup and scripts has its words there.
	if words := collect(body, limit, true); len(words) > 0 {
		return words
	}
	return collect(body, limit, false)
}

// collect reads body once. With textOnly it leaves out tags, comments, scripts and styles. For that it uses the
// prescan's walk over markup, with a fits that rejects everything.
func collect(body []byte, limit int, textOnly bool) []byte {
	// The result needs no more than the limit and the last space.
	words := make([]byte, 0, min(limit, len(body))+1)
	p := prescan{head: body, fits: func(string) bool { return false }}
	for p.pos < len(body) && len(words) < limit {
		end := len(body)
		if at := bytes.IndexByte(p.rest(), '<'); at >= 0 {
			end = p.pos + at
		}
		words = appendHigh(words, body[p.pos:end], limit)
		// This is after the "<", which is not part of a word.
		p.pos = min(end+1, len(body))
		if textOnly && end < len(body) {
			p.markup()
		}
	}
	return words
}

// appendHigh appends the words of text with a byte above 0x7F while words is shorter than limit. A word is appended
// whole, up to the limit.
func appendHigh(words, text []byte, limit int) []byte {
	for len(words) < limit {
		high := firstHigh(text)
		if high < 0 {
			break
		}
		// The word begins after the last break, which is one byte in all guessed encodings.
		start := bytes.LastIndexFunc(text[:high], isBreak) + 1
		end := len(text)
		if n := bytes.IndexFunc(text[high:], isBreak); n >= 0 {
			end = high + n
		}
		word := text[start:end]
		// A word longer than the limit is cut, perhaps within a character: one error in thousands of bytes.
		words = append(words, word[:min(len(word), limit-len(words))]...)
		words = append(words, ' ')
		text = text[end:]
	}
	return words
}

// isBreak reports whether c, from bytes that are not UTF-8, ends a word.
func isBreak(c rune) bool {
	return c <= ' ' || c == '>'
}
