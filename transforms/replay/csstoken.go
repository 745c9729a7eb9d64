package replay

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unescaped returns the value of a CSS token with its escapes resolved (section 4.3.7 of css-syntax-3).
func unescaped(token string) string {
	if strings.IndexByte(token, '\\') < 0 {
		return token
	}
	var b strings.Builder
	for i := 0; i < len(token); i++ {
		if token[i] != '\\' {
			b.WriteByte(token[i])
			continue
		}
		i++
		if i >= len(token) {
			break
		}
		end := i
		for end < len(token) && end < i+6 && isHex(token[end]) {
			end++
		}
		switch {
		case end > i:
			b.WriteRune(escapedRune(token[i:end]))
			// One blank ends the digits.
			if end < len(token) && isBlank(token[end]) {
				end++
			}
			i = end - 1
		// An escaped line break in a string is nothing.
		case token[i] != '\n':
			b.WriteByte(token[i])
		}
	}
	return b.String()
}

func escapedRune(digits string) rune {
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || n == 0 || n > utf8.MaxRune || n >= 0xd800 && n < 0xe000 {
		return utf8.RuneError
	}
	return rune(n) //nolint:gosec // it is a valid rune
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// ident writes a name with all escapes that it needs, so that every parser reads the same name.
func ident(name string) string {
	plain := true
	for i := range len(name) {
		plain = plain && isName(name[i])
	}
	if plain && name != "" && (name[0] < '0' || name[0] > '9') && name != "-" {
		return name
	}
	var b strings.Builder
	for i, c := range name {
		first := i == 0 || i == 1 && name[0] == '-'
		if c >= 0x80 || isName(byte(c)) && !(first && c >= '0' && c <= '9') && name != "-" {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, `\%x `, c)
		}
	}
	return b.String()
}

func isName(c byte) bool {
	return c >= 0x80 || c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// quoted writes a string. Quotes, backslashes, angle brackets and control characters are escaped by number, so that it
// ends neither in a style sheet nor in HTML.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		if c < ' ' || c == 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			fmt.Fprintf(&b, `\%x `, c)
		} else {
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// unquoted returns the value of a string token. The end of a style sheet may be the end of a string, too.
func unquoted(token string) string {
	if token == "" {
		return ""
	}
	quote := token[0]
	token = token[1:]
	if n := len(token); n > 0 && token[n-1] == quote && !oddBackslashes(token[:n-1]) {
		token = token[:n-1]
	}
	return unescaped(token)
}

// oddBackslashes reports whether the last character of s escapes the next one.
func oddBackslashes(s string) bool {
	n := len(s) - len(strings.TrimRight(s, `\`))
	return n%2 == 1
}

// urlValue returns the URL of a url() token, with or without quotation marks.
func urlValue(token string) string {
	_, inside, _ := strings.Cut(token, "(")
	inside = strings.TrimFunc(inside, func(c rune) bool { return c < 0x80 && isBlank(byte(c)) })
	if strings.HasSuffix(inside, ")") && !oddBackslashes(inside[:len(inside)-1]) {
		inside = strings.TrimRight(inside[:len(inside)-1], " \t\n\r\f")
	}
	if inside != "" && (inside[0] == '"' || inside[0] == '\'') {
		return unquoted(inside)
	}
	return unescaped(inside)
}
