package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// keyOf returns the letters, digits and marks of a line, or its signs if there are none.
func keyOf(line string) string {
	letters := lettersOf(texSigns.Replace(line))
	if letters == "" {
		return strings.Trim(line, "> \t\r\n")
	}
	return letters
}

func lettersOf(line string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return -1
		}
		return r
	}, line)
}

// texSigns removes commands that package maintext writes for signs of formulae.
var texSigns = strings.NewReplacer(`\vert `, "", `\lt `, "", `\lbrack `, "")

// marks reads lines of Markdown as package maintext writes them, and remembers open marks.
type marks struct {
	fence string // of a block of code
	code  string // of code within a paragraph
	links int
}

// key returns the key of the plain form of a line, or "" if it has no letters. Signs alone are a key in blocks of code.
func (m *marks) key(line string) string {
	if m.fence != "" {
		if strings.Trim(line, "> \t\r\n") == m.fence {
			m.fence = ""
			return ""
		}
		return keyOf(line)
	}
	if m.fence = fenceOf(line); m.fence != "" {
		return ""
	}
	return m.letters(line)
}

// fenceOf returns the backticks of a line that begins a block of code, or "".
func fenceOf(line string) string {
	at := strings.Index(line, "```")
	if at < 0 || strings.Trim(line[:at], "> \t-:.[^]0123456789") != "" {
		return ""
	}
	run := backticks(line[at:])
	// Code within a paragraph has a space here, and more backticks.
	if language := line[at+len(run):]; strings.HasPrefix(language, " ") || strings.Contains(language, "`") {
		return ""
	}
	return run
}

func backticks(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "`"))] }

// letters returns the letters of the plain form of a line. It skips the number of an item, tags, pictures and the URLs
// of links. Code has no other marks than its backticks.
func (m *marks) letters(line string) string {
	line = strings.TrimLeft(texSigns.Replace(line), "> \t")
	if strings.TrimSpace(line) == "" {
		m.code, m.links = "", 0
	}
	if digits := strings.TrimLeft(line, "0123456789"); strings.HasPrefix(digits, ". ") {
		line = digits
	}
	var b strings.Builder
	for line != "" {
		r, size := utf8.DecodeRuneInString(line)
		switch {
		case r == '`':
			run := backticks(line)
			if size = len(run); m.code == "" {
				m.code = run
			} else if m.code == run {
				m.code = ""
			}
		case unicode.In(r, unicode.L, unicode.N, unicode.M):
			b.WriteString(line[:size])
		case m.code == "":
			size = m.skip(line)
		}
		line = line[size:]
	}
	return b.String()
}

// skip returns the length of the mark at the beginning of a line, or 1.
func (m *marks) skip(line string) int {
	switch {
	case line[0] == '\\' && len(line) > 1 && isSign(line[1]):
		return 2
	case strings.HasPrefix(line, "!["):
		if end := strings.Index(line, "]("); end > 0 {
			m.links++
			return end
		}
	case line[0] == '[':
		m.links++
	case line[0] == ']' && m.links > 0:
		m.links--
		if strings.HasPrefix(line, "](") {
			return max(1, strings.IndexByte(line, ')')+1)
		}
	}
	for _, tag := range []string{"<sup>", "</sup>", "<sub>", "</sub>"} {
		if strings.HasPrefix(line, tag) {
			return len(tag)
		}
	}
	return 1
}
