package blob

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxPattern limits a pattern, in bytes: no path is longer on the systems we know (PATH_MAX of Linux).
const maxPattern = 4096

// meta are the bytes that make a name a pattern.
const meta = "*?[{"

// pattern matches slash-separated names. Matching takes time linear in the name for any pattern, because regular
// expressions in Go do not backtrack. The base ends at the last slash before the first special character, so that walks
// begin as deep as possible.
type pattern struct {
	base  string // folder of all matches, with its slash, or ""
	re    *regexp.Regexp
	depth int // maximum number of folders and files below base in a match
	deep  bool
}

// compile reads a pattern.
func compile(text string) (pattern, error) {
	if len(text) > maxPattern {
		return pattern{}, fmt.Errorf("pattern longer than %d bytes: %w", maxPattern, ErrSyntax)
	}
	expr, err := translate(inRunes(text))
	if err != nil {
		return pattern{}, err
	}
	// (?s), because names may hold newlines; \A and \z, because the whole name has to match.
	re, err := regexp.Compile(`(?s)\A` + expr + `\z`)
	if err != nil {
		// The translation is valid, but braces may be nested deeper than Go allows.
		return pattern{}, fmt.Errorf("%v: %w", err, ErrSyntax)
	}
	first := strings.IndexAny(text, meta)
	if first < 0 {
		first = len(text)
	}
	base := text[:strings.LastIndexByte(text[:first], '/')+1]
	// Only ** matches a slash, so a match has as many as the pattern. Braces may hold slashes: then the depth is larger
	// than needed, which does no harm.
	p := pattern{base: base, re: re, depth: strings.Count(text[len(base):], "/") + 1}
	if strings.Contains(text, "**") {
		p.deep, p.depth = true, math.MaxInt
	}
	return p, nil
}

// matches reports whether the whole of name matches.
func (p pattern) matches(name string) bool { return p.re.MatchString(inRunes(name)) }

// inRunes returns text as valid UTF-8. It replaces each invalid byte by a private-use character of its own. Patterns
// and names are compared in this form. Go's regular expressions read each invalid byte as U+FFFD, so that all would
// look alike.
func inRunes(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 {
			// The last 256 code points of plane 16: U+10FF00 plus the byte. A name with these characters could be taken
			// for another, but nobody has such names.
			r = 0x10ff00 + rune(text[0])
		}
		b.WriteRune(r)
		text = text[n:]
	}
	return b.String()
}

// translate returns a pattern as a regular expression.
func translate(text string) (string, error) {
	var expr strings.Builder
	var braces []bool // for each open brace, whether it begins a segment, and so do all its alternatives
	start := true
	// One token at a time; n is its length in bytes.
	for i := 0; i < len(text); {
		part, n, err := token(text[i:], start, len(braces) > 0)
		if err != nil {
			return "", err
		}
		last := len(braces) - 1
		switch c := text[i]; {
		case c == '{':
			braces = append(braces, start)
		case c == ',' && last >= 0:
			start = braces[last]
		// A "}" outside of braces is literal.
		case c == '}' && last >= 0:
			braces, start = braces[:last], false
		default:
			start = text[i+n-1] == '/'
		}
		expr.WriteString(part)
		i += n
	}
	if len(braces) > 0 {
		return "", fmt.Errorf("{ without }: %w", ErrSyntax)
	}
	return expr.String(), nil
}

// token translates the token at the start of text and returns its length.
func token(text string, segmentStart, inBraces bool) (expr string, n int, err error) {
	switch c := text[0]; {
	// No folder or several. The name itself cannot begin with a slash, since the part before it was matched.
	case segmentStart && strings.HasPrefix(text, "**/"):
		return `(?:[^/]+/)*`, 3, nil
	// At the end it matches all files beneath. Elsewhere ** is like * twice.
	case segmentStart && text == "**":
		return `.+`, 2, nil
	case c == '*':
		return `[^/]*`, 1, nil
	case c == '?':
		return `[^/]`, 1, nil
	case c == '[':
		return class(text)
	case c == '{':
		return `(?:`, 1, nil
	case c == '}' && inBraces:
		return `)`, 1, nil
	case c == ',' && inBraces:
		return `|`, 1, nil
	}
	// A whole character, since quoting a single byte of it would change it.
	_, n = utf8.DecodeRuneInString(text)
	return regexp.QuoteMeta(text[:n]), n, nil
}

// class translates the character class at the start of text. A "]" in first place is a member.
func class(text string) (expr string, n int, err error) {
	start, negated := 1, false
	if len(text) > 1 && (text[1] == '!' || text[1] == '^') {
		start, negated = 2, true
	}
	end := -1
	// The search starts at the second member, because a first "]" is a member. So "[]" is an error, and "[]]" is valid.
	if start < len(text) {
		end = strings.IndexByte(text[start+1:], ']')
	}
	if end < 0 {
		return "", 0, fmt.Errorf("[ without ]: %w", ErrSyntax)
	}
	end += start + 1
	members, err := classMembers([]rune(text[start:end]))
	if err != nil {
		return "", 0, err
	}
	if negated {
		return `[^/` + members + `]`, end + 1, nil
	}
	return `[` + members + `]`, end + 1, nil
}

// classMembers translates the text between [ and ]. A slash is never a member, not even of a range. All members are
// written as hexadecimal ranges, so that none has a meaning in the regular expression.
func classMembers(runes []rune) (string, error) {
	var members strings.Builder
	for i := 0; i < len(runes); i++ {
		from, to := runes[i], runes[i]
		// A "-" in first or last place is a member.
		if i+2 < len(runes) && runes[i+1] == '-' {
			to = runes[i+2]
			i += 2
		}
		switch {
		case from == '/' || to == '/':
			return "", fmt.Errorf("slash between [ and ]: %w", ErrSyntax)
		case from > to:
			return "", fmt.Errorf("range %c-%c ends before it begins: %w", from, to, ErrSyntax)
		// A range across the slash is split into two around it.
		case from < '/' && to > '/':
			fmt.Fprintf(&members, `\x{%x}-\x{%x}\x{%x}-\x{%x}`, from, '/'-1, '/'+1, to)
		default:
			fmt.Fprintf(&members, `\x{%x}-\x{%x}`, from, to)
		}
	}
	return members.String(), nil
}
