package charset

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

const (
	leastTwice = 4  // runs of characters that must be encoded twice
	mostWrong  = 10 // other runs that are enough to give up
	shareTwice = 9  // how many runs there must be for each other run
)

// misread are the encodings as which software reads UTF-8 before it encodes the text again.
var misread = [...]*charmap.Charmap{charmap.Windows1252, charmap.Windows1251, charmap.Windows1250, charmap.Macintosh}

// once returns a text that is encoded twice throughout, such as "cafÃ©" for "café", as it was before. Other texts are
// returned as they are. In them, a run of characters that are not ASCII hardly ever is UTF-8 in bytes of one of these
// encodings.
func once(text []byte) []byte {
	for range 2 { // some are encoded three times
		set := readAs(text)
		if set == nil {
			return text
		}
		text = undo(text, set)
	}
	return text
}

// readAs returns the encoding as which text was read before it was encoded again, or nil.
func readAs(text []byte) *charmap.Charmap {
	var good [len(misread)]int
	runs := 0
	for rest := text; ; runs++ {
		start := firstHigh(rest)
		if start < 0 {
			break
		}
		run := highRun(rest[start:])
		best := 0
		for i, set := range misread {
			if isTwice(run, set) {
				good[i]++
			}
			best = max(best, good[i])
		}
		if bad := runs + 1 - best; bad >= mostWrong && best <= shareTwice*bad {
			return nil
		}
		rest = rest[start+len(run):]
	}
	for i, set := range misread {
		if good[i] >= leastTwice && good[i] > shareTwice*(runs-good[i]) {
			return set
		}
	}
	return nil
}

// undo replaces the runs that are encoded twice.
func undo(text []byte, set *charmap.Charmap) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		start := firstHigh(text)
		if start < 0 {
			return append(out, text...)
		}
		out = append(out, text[:start]...)
		run := highRun(text[start:])
		before := len(out)
		if isTwice(run, set) {
			for _, r := range string(run) {
				c, _ := byteOf(r, set) // known
				out = append(out, c)
			}
		}
		if before == len(out) || !utf8.Valid(out[before:]) {
			out = append(out[:before], run...)
		}
		text = text[start+len(run):]
	}
	return out
}

// highRun returns the bytes above ASCII at the start of text.
func highRun(text []byte) []byte {
	n := 0
	for n < len(text) && text[n] >= utf8.RuneSelf {
		n++
	}
	return text[:n]
}

// isTwice reports whether the characters of run, in bytes of an encoding, are UTF-8.
func isTwice(run []byte, set *charmap.Charmap) bool {
	left := 0 // bytes that belong to the last first one
	for len(run) > 0 {
		r, size := utf8.DecodeRune(run)
		c, ok := byteOf(r, set)
		switch {
		case !ok:
			return false
		case left > 0 && c&0xC0 == 0x80:
			left--
		case left > 0:
			return false
		case c >= 0xC2 && c < 0xE0:
			left = 1
		case c >= 0xE0 && c < 0xF0:
			left = 2
		case c >= 0xF0 && c < 0xF5:
			left = 3
		default:
			return false
		}
		run = run[size:]
	}
	return left == 0
}

// byteOf returns the byte of a character in an encoding. Bytes without a character there are written as controls.
func byteOf(r rune, set *charmap.Charmap) (byte, bool) {
	if c, ok := set.EncodeRune(r); ok {
		return c, true
	}
	return byte(r), r >= utf8.RuneSelf && r < 0xA0
}
