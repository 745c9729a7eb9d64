package secret

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// NoteArguments registers for Redact the users, queries and fragments of all URLs on a command line, and other texts
// that look like secrets. It includes secrets in wrong places, because errors quote them.
func NoteArguments(args []string) {
	for _, a := range args {
		noteFields(a)
		noteHeaders(a)
		for _, text := range append(strings.Split(a, ","), a) { // lists, and passwords and queries with commas in them
			noteLogin(text)
			at := schemePattern().FindStringIndex(text)
			if at == nil {
				continue
			}
			if p, ok := split(text[at[0]:]); ok {
				p.note()
			}
		}
	}
	noteHeaders(strings.Join(args, " ")) // an unquoted header is several arguments
}

// noteFields registers the values of fields that are secret by their names. The end of a value depends on the reader:
// the last letter of a password in one language is a delimiter in another.
func noteFields(text string) {
	for _, at := range fieldPattern().FindAllStringSubmatchIndex(text, -1) {
		noteCut(strings.Trim(text[at[2]:at[3]], `"'`))
		noteCut(strings.Trim(text[at[2]:], `"'`))
	}
}

// fieldPattern matches a secret by the name of its field. Such fields are in DSNs, properties of Kafka and queries of
// JDBC. They are also in queries of buckets' URLs, which belong to the object's name.
var fieldPattern = pattern.Lazy(
	`(?i)(?:passw(?:or)?d|secret|token|signature|credential|api[_-]?key|access[_-]?key)` +
		`\w*["']?\s*[=:]\s*("[^"]*"|'[^']*'|[^\s&;,"']+)`)

// noteHeaders registers the values of HTTP's fields for credentials and cookies.
func noteHeaders(text string) {
	for _, m := range headerPattern().FindAllStringSubmatch(text, -1) {
		noteCut(m[1])
		for _, word := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ' ' || r == ';' || r == ',' }) {
			noteCut(word)
			if _, value, ok := strings.Cut(word, "="); ok {
				noteCut(strings.Trim(value, `"`))
			}
		}
	}
	for _, m := range credentialPattern().FindAllStringSubmatch(text, -1) {
		noteCut(m[1])
	}
}

var (
	headerPattern = pattern.Lazy(`(?i)(?:authorization|cookie)["']?\s*[:=]\s*["']?([^"'\r\n]+)`)
	// credentialPattern matches the value of such a field alone: RFC 6750, section 2.1, and RFC 7617, section 2.
	credentialPattern = pattern.Lazy(`(?i)(?:^|[^a-z])(?:bearer|basic)[\s+]+([A-Za-z0-9._~+/=-]+)`)
)

// noteLogin registers a user with a password before a host without a scheme, and the password alone.
func noteLogin(text string) {
	m := loginPattern().FindStringSubmatch(text)
	if m == nil || strings.HasPrefix(m[1], "mailto:") || strings.HasPrefix(m[2], "//") { // an address is not a secret
		return
	}
	noteCut(m[1])
	noteCut(m[2])
}

// noteCut registers a secret, and its rest in case it was taken for a path and cut at a slash.
func noteCut(text string) {
	Note(text)
	for i, c := range text {
		if c == '/' {
			Note(text[:i])
		}
	}
}

// loginPattern goes to the last @, because a password may contain an unescaped one.
var loginPattern = pattern.Lazy(`(?:^|[\s=])([^\s=,:/@]+:(\S+))@[^\s@]`)

// schemePattern matches the beginning of a URL.
var schemePattern = pattern.Lazy(`[A-Za-z][A-Za-z0-9+.-]*://`)
