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
// find no others.
func (w *writer) delimited(i int, s []byte, m marks) {
	for len(s) > 0 {
		at, end, tex := nextFormula(s)
		if end == 0 {
			break
		}
		if at > 0 {
			w.shown(i, s[:at], m)
		}
		w.tex(i, strings.Trim(tex, "$"), strings.HasPrefix(tex, "$$"))
		s = s[end:]
	}
	if len(s) > 0 {
		w.shown(i, s, m)
	}
}

// nextFormula returns the start and end of the first formula in a text, and its TeX; end is 0 if there is none.
func nextFormula(s []byte) (at, end int, tex string) {
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '\\' && s[i] != '$' {
			continue
		}
		for _, d := range delimiters {
			if !bytes.HasPrefix(s[i:], []byte(d.left)) {
				continue
			}
			if d.right == `\end{` {
				if at, end, tex := environment(s, i); end > 0 {
					return at, end, tex
				}
				continue
			}
			// The first end counts: formulae do not nest.
			behind := s[i+len(d.left):]
			n := bytes.Index(behind[:min(len(behind), maxFormula)], []byte(d.right))
			if n <= 0 {
				continue
			}
			end := i + len(d.left) + n + len(d.right)
			inner := behind[:n]
			if d.left == "$$" && !bytes.ContainsAny(inner, `\^_={`) {
				continue // prices
			}
			if tex := formula.Tidy(decode(inner, inAttribute)); tex != "" {
				return i, end, d.sign + tex + d.sign
			}
		}
	}
	return 0, 0, ""
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
