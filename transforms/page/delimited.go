package page

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/formula"
)

// delimiters begin and end formulae for MathJax and KaTeX.
var delimiters = []struct{ left, right, sign string }{
	{`\(`, `\)`, "$"}, {`\[`, `\]`, "$$"}, {"$$", "$$", "$$"}, {`\begin{`, `\end{`, "$$"},
}

// delimited writes text with formulae between delimiters. Both ends are in one text node: scripts that draw formulae
// find no others. The next formula of f, if any, has been found.
func (w *writer) delimited(i int, f *formulae, m marks) {
	for done := 0; ; f.next() {
		if rest := f.s[done:f.at]; len(rest) > 0 {
			w.shown(i, rest, m)
		}
		if f.end == 0 {
			return
		}
		w.tex(i, strings.Trim(f.tex, "$"), strings.HasPrefix(f.tex, "$$"))
		done = f.end
	}
}

// formulae finds the formulae in a text, one after the other. It remembers searches that found nothing, so its time is
// linear in the length of the text.
type formulae struct {
	s       []byte
	at, end int    // of the formula found; without another one, at is the length of s and end is 0
	tex     string // of the formula, in signs
	none    [4]int // by delimiter: no right one begins between here and the last left one
	room    int    // bytes that failed searches for ends of environments may read
}

func newFormulae(s []byte) *formulae { return &formulae{s: s, room: 8 * (len(s) + maxFormula)} }

// next finds the next formula.
func (f *formulae) next() {
	start := f.end
	for i := start; i+1 < len(f.s); i++ {
		if f.s[i] != '\\' && f.s[i] != '$' {
			continue
		}
		for k, d := range delimiters {
			if bytes.HasPrefix(f.s[i:], []byte(d.left)) && f.found(start, i, k) {
				return
			}
		}
	}
	f.at, f.end, f.tex = len(f.s), 0, ""
}

// found reports whether the formula with left delimiter k at offset i has an end, and sets it. Offset start is the end
// of the formula before.
func (f *formulae) found(start, i, k int) bool {
	d := delimiters[k]
	if d.right == `\end{` {
		if f.room <= 0 {
			return false
		}
		at, end, tex := environment(f.s[start:], i-start)
		if end == 0 {
			f.room -= min(len(f.s)-i, maxFormula)
			return false
		}
		f.at, f.end, f.tex = start+at, start+end, tex
		return true
	}
	// The first end counts: formulae do not nest.
	from := i + len(d.left)
	limit := min(len(f.s), from+maxFormula)
	searched := min(max(from, f.none[k]), limit)
	n := bytes.Index(f.s[searched:limit], []byte(d.right))
	if n < 0 {
		f.none[k] = limit - 1 // which may be the first byte of one
		return false
	}
	inner := f.s[from : searched+n]
	if d.left == "$$" && !bytes.ContainsAny(inner, `\^_={`) {
		return false // prices
	}
	tex := formula.Tidy(decode(inner, inAttribute))
	if tex == "" {
		return false
	}
	f.at, f.end, f.tex = i, searched+n+len(d.right), d.sign+tex+d.sign
	return true
}

// environment returns the formula with the environment that begins at offset i. It is the environment itself, or the
// text between the signs around it. end is 0 if the environment has no end.
func environment(s []byte, i int) (at, end int, tex string) {
	at, end, sign := i, endOfEnvironment(s, i), "$$"
	if end == 0 {
		return 0, 0, ""
	}
	inner := s[at:end]
	if left, right := signsAround(s, at, end); right > 0 {
		at, end, sign, inner = left, right+1, "$", s[left+1:right]
	}
	return at, end, sign + formula.Tidy(decode(inner, inAttribute)) + sign
}

// maxNested is the most environments of one name, and their ends, within one of that name.
const maxNested = 64

// endOfEnvironment returns the offset after the end of the environment that begins at offset i, or 0.
func endOfEnvironment(s []byte, i int) int {
	const begin, end = `\begin`, `\end`
	at := i + len(begin)
	limit := min(len(s), i+maxFormula)
	brace := bytes.IndexByte(s[at:limit], '}')
	if brace < 0 {
		return 0
	}
	name := s[at : at+brace+1]
	depth := 1
	for range maxNested {
		at += len(name)
		n := bytes.Index(s[at:limit], name)
		if n < 0 {
			return 0
		}
		at += n
		switch {
		case bytes.HasSuffix(s[:at], []byte(begin)):
			depth++
		case bytes.HasSuffix(s[:at], []byte(end)):
			depth--
		}
		if depth == 0 {
			return at + len(name)
		}
	}
	return 0
}

// signsAround returns the offsets of single dollar signs around a part of a text. No white space may follow the left
// one or precede the right one. right is 0 if there are none.
func signsAround(s []byte, from, to int) (left, right int) {
	left = bytes.LastIndexByte(s[:from], '$')
	n := bytes.IndexByte(s[to:min(len(s), to+maxFormula)], '$')
	if left < 0 || n < 0 || from-left > maxFormula {
		return 0, 0
	}
	right = to + n
	before, after := byte(0), byte(0)
	if left > 0 {
		before = s[left-1]
	}
	if right+1 < len(s) {
		after = s[right+1]
	}
	if before == '$' || before == '\\' || after == '$' || after >= '0' && after <= '9' || s[right-1] == '\\' ||
		isSpace(s[left+1]) || isSpace(s[right-1]) || bytes.Contains(s[left:right], []byte("\n\n")) {
		return 0, 0
	}
	return left, right
}
