package query

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError says where a filter is not one.
type SyntaxError struct {
	Offset  int    // of the first wrong character, counted in characters (runes) from 0
	Message string // what is wrong, and what is expected
}

// Error counts columns from 1, as editors do.
func (e *SyntaxError) Error() string { return fmt.Sprintf("column %d: %s", e.Offset+1, e.Message) }

// Excerpt shows the place: the filter's line around it, and a caret below the wrong character.
func (e *SyntaxError) Excerpt(filter string) string {
	const around = 60 // runes on either side: both lines fit on a page
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' ' // a terminal would obey it
		}
		return r
	}, filter))
	at := min(e.Offset, len(runes))
	from, to := max(0, at-around), min(len(runes), at+around)
	return string(runes[from:to]) + "\n" + strings.Repeat(" ", at-from) + "^"
}

// What ends a bare word, besides white space. In a value fewer characters do: dates, URLs and media types need no
// quotation marks. A word may not begin with an apostrophe, which is a quotation mark there, but have one: l'été.
const (
	bareInFilter = `"'(),.:=<>!` // the grammar's TEXT
	bareInWord   = `"():=<>!`    // a word to search for: example.org, and a comma that follows a word
	bareInValue  = `"(),`
)

// isBare reports whether text can be written without quotation marks: it is not empty, no keyword, and has nothing that
// the grammar reads there; special are the characters that end it. In a word a star and a backslash are characters like
// others.
func isBare(text, special string) bool {
	if text == "" || text[0] == '\'' || text[0] == '-' && special != bareInValue || keyword(text) != "" {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(special, r) || special != bareInWord && (r == '*' || r == '\\')
	})
}

// keyword is the keyword that a word is, or would be in capital letters.
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

// skip passes over white space, and reports whether there was some.
// White space is Unicode's: filters are pasted from pages, with spaces that do not break.
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

// peek is the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

// bare reads up to white space or one of the special characters; it may be empty.
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

// quoted reads a text in quotation marks, single or double, with its backslashes still in it.
// Both marks work, since a shell takes one of them for itself.
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

// unescaped takes the backslashes out of a quoted text. Before other characters than those that need one it stands for
// itself, so that paths of Windows can be written as they are.
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

// starred takes the stars at the ends off a value. The error is that of a star within it.
// Before the quoting is undone: a star after a backslash must still be distinguished from one that stands for anything.
func starred(s string) (l literal, err error) {
	if rest, ok := strings.CutPrefix(s, "*"); ok {
		l.before, s = true, rest
	}
	if rest, ok := strings.CutSuffix(s, "*"); ok && !endsInBackslash(rest) {
		l.behind, s = true, rest
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

// endsInBackslash reports whether what follows s is after a backslash of its own.
// An even number of backslashes are escaped ones, and the star after them is free.
func endsInBackslash(s string) bool { return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1 }

// comparator reads an operator; ok is false when there is none.
func (p *parser) comparator() (op Op, ok bool) {
	rest := p.src[p.pos:]
	for _, o := range []Op{NotEqual, LessEqual, GreaterEqual, Less, Greater, Equal, Has} { // the longer ones first
		if strings.HasPrefix(rest, o.String()) {
			p.pos += len(o.String())
			return o, true
		}
	}
	return 0, false
}

// fail is an error at a byte of the filter.
func (p *parser) fail(at int, format string, args ...any) error {
	return &SyntaxError{utf8.RuneCountInString(p.src[:at]), fmt.Sprintf(format, args...)}
}
