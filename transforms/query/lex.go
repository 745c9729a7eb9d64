package query

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError is a syntax error at a position of a filter.
type SyntaxError struct {
	Offset  int    // position of the first wrong character, in characters (runes) from 0
	Message string // the error, with the expected syntax
}

// Error counts columns from 1, as editors do.
func (e *SyntaxError) Error() string { return fmt.Sprintf("column %d: %s", e.Offset+1, e.Message) }

// Excerpt shows the position: the part of the filter around it, and a caret below the wrong character.
func (e *SyntaxError) Excerpt(filter string) string {
	const around = 60 // runes on either side: both lines fit on a page
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' ' // a terminal would interpret it
		}
		return r
	}, filter))
	at := min(e.Offset, len(runes))
	from, to := max(0, at-around), min(len(runes), at+around)
	return string(runes[from:to]) + "\n" + strings.Repeat(" ", at-from) + "^"
}

// These characters end a bare word, besides white space. In a value there are fewer, so that dates, URLs and media
// types need no quotation marks. A word may contain an apostrophe (l'été), but not begin with one, since that is a
// quotation mark.
const (
	bareInFilter = `"'(),.:=<>!` // the grammar's TEXT
	bareInWord   = `"():=<>!`    // a word to search for, such as example.org; it may have a comma
	bareInValue  = `"(),`
)

// isBare reports whether text needs no quotation marks. It must not be empty or a keyword, or contain characters with
// a meaning in the grammar. Parameter special holds the characters that end it. In a word to search for, a star and a
// backslash have no meaning.
func isBare(text, special string) bool {
	if text == "" || text[0] == '\'' || text[0] == '-' && special != bareInValue || keyword(text) != "" {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(special, r) || special != bareInWord && (r == '*' || r == '\\')
	})
}

// keyword returns the keyword that a word is, ignoring case, or "".
func keyword(word string) string {
	switch upper := strings.ToUpper(word); upper {
	case "AND", "OR", "NOT":
		return upper
	}
	return ""
}

// quote puts text into quotation marks.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// skip skips white space, and reports whether there was some. White space is that of Unicode, since filters are pasted
// from pages with no-break spaces.
func (p *parser) skip() bool {
	start := p.pos
	for p.pos < len(p.src) {
		r, n := utf8.DecodeRuneInString(p.src[p.pos:])
		if !unicode.IsSpace(r) {
			break
		}
		p.pos += n
	}
	return p.pos > start
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// bare reads up to white space or one of the special characters. The result may be empty.
func (p *parser) bare(special string) string {
	start := p.pos
	for p.pos < len(p.src) {
		r, n := utf8.DecodeRuneInString(p.src[p.pos:])
		if unicode.IsSpace(r) || strings.ContainsRune(special, r) {
			break
		}
		p.pos += n
	}
	return p.src[start:p.pos]
}

// quoted reads a text in single or double quotation marks, with its backslashes. Both marks work, since a shell may
// need one of them.
func (p *parser) quoted() (string, error) {
	mark, start := p.src[p.pos], p.pos
	for i := start + 1; i < len(p.src); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case mark:
			p.pos = i + 1
			return p.src[start+1 : i], nil
		}
	}
	return "", p.fail(start, "this quotation mark is not closed")
}

// unescaped removes the backslashes from a quoted text. Before characters that need no escape a backslash is literal,
// so that Windows paths can be written unchanged.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(`\"'*`, s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// starred removes the stars at the ends of a value. A star inside is an error. It must come before unescaping: a star
// after a backslash is literal.
func starred(s string) (l literal, err error) {
	if rest, ok := strings.CutPrefix(s, "*"); ok {
		l.before, s = true, rest
	}
	if rest, ok := strings.CutSuffix(s, "*"); ok && !endsInBackslash(rest) {
		l.after, s = true, rest
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == '*' {
			return l, fmt.Errorf(`a star stands at the beginning or the end of a value; "\*" is the character`)
		}
	}
	l.text = unescaped(s)
	return l, nil
}

// endsInBackslash reports whether s ends with a backslash that escapes the next character. An even number of
// backslashes are escaped ones.
func endsInBackslash(s string) bool { return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1 }

// comparator reads an operator. Result ok is false if there is none.
func (p *parser) comparator() (op Op, ok bool) {
	rest := p.src[p.pos:]
	for _, o := range []Op{NotEqual, LessEqual, GreaterEqual, Less, Greater, Equal, Has} { // longer ones first
		if strings.HasPrefix(rest, o.String()) {
			p.pos += len(o.String())
			return o, true
		}
	}
	return 0, false
}

// fail returns an error at a byte of the filter.
func (p *parser) fail(at int, format string, args ...any) error {
	return &SyntaxError{utf8.RuneCountInString(p.src[:at]), fmt.Sprintf(format, args...)}
}
