package blob

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxPattern bounds a pattern, in bytes: no path is longer on the systems we know (PATH_MAX of Linux).
const maxPattern = 4096

// meta are the bytes that make a name a pattern.
const meta = "*?[{"

// pattern matches slash-separated names. Matching takes time linear in the name, whatever the pattern: it is a regular
// expression without backtracking.
// The base ends at the last slash before the first special character, so that walks begin as deep as they can.
type pattern struct {
	base  string // the folder in which all matches are, with its slash, or ""
	re    *regexp.Regexp
	depth int // how many folders and files below base a match has at most
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
	// (?s), because names may hold newlines; \A and \z, because the whole has to match.
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
	// Outside of ** nothing matches a slash, so a match has as many as the pattern. Braces may hold slashes: then the
	// prefix is longer than a match needs, which does no harm.
	p := pattern{base: base, re: re, depth: strings.Count(text[len(base):], "/") + 1}
	if strings.Contains(text, "**") {
		p.deep, p.depth = true, math.MaxInt
	}
	return p, nil
}

// matches reports whether the whole of name matches.
func (p pattern) matches(name string) bool { return p.re.MatchString(inRunes(name)) }

// inRunes is text that is UTF-8, in which a byte that is not stands as a character of its own, of those that Unicode
// leaves to private use: patterns and names are compared in this form.
// Regular expressions of Go read bytes that are not UTF-8 as U+FFFD each, so that all would look alike.
func inRunes(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 {
			// The last 256 code points of plane 16: U+10FF00 plus the byte. A name that holds these itself could be
			// taken for another, which nobody has.
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
	var braces []bool // those that are open: whether they are at the start of a segment, and so all in them do
	start := true
	// One token at a time; n is how many bytes of text it took.
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
		// A "}" outside of braces stands for itself.
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

// token translates what text begins with and says how long it is.
func token(text string, segmentStart, inBraces bool) (expr string, n int, err error) {
	switch c := text[0]; {
	// No folder or several. The name itself cannot begin with a slash, since what precedes it was matched.
	case segmentStart && strings.HasPrefix(text, "**/"):
		return `(?:[^/]+/)*`, 3, nil
	// At the end: all files beneath. Elsewhere ** is like * twice.
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
	// A whole character, since a byte of one would be quoted to something else.
	_, n = utf8.DecodeRuneInString(text)
	return regexp.QuoteMeta(text[:n]), n, nil
}

// class translates the character class that text begins with. A "]" that stands first is a member.
func class(text string) (expr string, n int, err error) {
	start, negated := 1, false
	if len(text) > 1 && (text[1] == '!' || text[1] == '^') {
		start, negated = 2, true
	}
	end := -1
	// Searched from the second member on: a "]" that stands first is one. Thus "[]" is an error, and "[]]" is fine.
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

// classMembers translates the text between [ and ]. A slash is never a member, not even of a range. Members are written
// as code points in hexadecimal, ranges all of them, so that none has a meaning to the regular expression.
func classMembers(runes []rune) (string, error) {
	var members strings.Builder
	for i := 0; i < len(runes); i++ {
		from, to := runes[i], runes[i]
		// A "-" that stands first or last is a member.
		if i+2 < len(runes) && runes[i+1] == '-' {
			to = runes[i+2]
			i += 2
		}
		switch {
		case from == '/' || to == '/':
			return "", fmt.Errorf("slash between [ and ]: %w", ErrSyntax)
		case from > to:
			return "", fmt.Errorf("range %c-%c ends before it begins: %w", from, to, ErrSyntax)
		// A range that reaches over the slash is cut in two around it.
		case from < '/' && to > '/':
			fmt.Fprintf(&members, `\x{%x}-\x{%x}\x{%x}-\x{%x}`, from, '/'-1, '/'+1, to)
		default:
			fmt.Fprintf(&members, `\x{%x}-\x{%x}`, from, to)
		}
	}
	return members.String(), nil
}
