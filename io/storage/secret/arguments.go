package secret

import (
	"regexp"
	"strings"
)

// NoteArguments has Redact take out the users, queries and fragments of all URLs on a command line, and what else is
// written there as secrets are: also of those that stand where none belongs, and come back in the error that says so.
func NoteArguments(args []string) {
	for _, a := range args {
		noteFields(a)
		noteHeaders(a)
		for _, text := range append(strings.Split(a, ","), a) { // lists, and passwords and queries with commas in them
			noteLogin(text)
			at := schemePattern.FindStringIndex(text)
			if at == nil {
				continue
			}
			if p, ok := split(text[at[0]:]); ok {
				p.note()
			}
		}
	}
	noteHeaders(strings.Join(args, " ")) // a header that nobody quoted is several arguments
}

// noteFields notes the values of fields that are secret by their names. The end of a value depends on the reader: the
// last letter of a password in one language is a delimiter in another.
func noteFields(text string) {
	for _, at := range fieldPattern.FindAllStringSubmatchIndex(text, -1) {
		noteCut(strings.Trim(text[at[2]:at[3]], `"'`))
		noteCut(strings.Trim(text[at[2]:], `"'`))
	}
}

// fieldPattern is a secret by the name of its field, as in DSNs, properties of Kafka, queries of JDBC and of buckets'
// URLs, which are a part of the object's name.
var fieldPattern = regexp.MustCompile(
	`(?i)(?:passw(?:or)?d|secret|token|signature|credential|api[_-]?key|access[_-]?key)` +
		`\w*["']?\s*[=:]\s*("[^"]*"|'[^']*'|[^\s&;,"']+)`)

// noteHeaders notes what HTTP's fields for credentials and cookies hold.
func noteHeaders(text string) {
	for _, m := range headerPattern.FindAllStringSubmatch(text, -1) {
		noteCut(m[1])
		for _, word := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ' ' || r == ';' || r == ',' }) {
			noteCut(word)
			if _, value, ok := strings.Cut(word, "="); ok {
				noteCut(strings.Trim(value, `"`))
			}
		}
	}
	for _, m := range credentialPattern.FindAllStringSubmatch(text, -1) {
		noteCut(m[1])
	}
}

var (
	headerPattern = regexp.MustCompile(`(?i)(?:authorization|cookie)["']?\s*[:=]\s*["']?([^"'\r\n]+)`)
	// credentialPattern is the value of such a field, alone: RFC 6750, section 2.1, and RFC 7617, section 2.
	credentialPattern = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:bearer|basic)[\s+]+([A-Za-z0-9._~+/=-]+)`)
)

// noteLogin notes a user with a password before a host, without the scheme that makes it a URL: together, and the
// password.
func noteLogin(text string) {
	m := loginPattern.FindStringSubmatch(text)
	if m == nil || strings.HasPrefix(m[1], "mailto:") || strings.HasPrefix(m[2], "//") { // an address is not a secret
		return
	}
	noteCut(m[1])
	noteCut(m[2])
}

// noteCut notes a secret, and its rest if it was taken for a path and cut at a slash.
func noteCut(text string) {
	Note(text)
	for i, c := range text {
		if c == '/' {
			Note(text[:i])
		}
	}
}

// loginPattern goes to the last @: a password may have one itself, unescaped.
var loginPattern = regexp.MustCompile(`(?:^|[\s=])([^\s=,:/@]+:(\S+))@[^\s@]`)

// schemePattern is the beginning of a URL.
var schemePattern = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://`)
