package secret

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// mark replaces a secret.
const mark = "[secret]"

// least is the shortest text that is searched for, in bytes: shorter ones are in many words.
const least = 6

// salt makes tickets of short secrets hard to guess.
var salt = rand.Text()

// known are the texts that Redact removes.
type known struct {
	forms    map[string]bool
	replacer *strings.Replacer
}

// Note registers texts that Redact removes, in plain form and in the forms of URLs, base64 and hexadecimal. It ignores
// short ones, because they are in too many words.
func Note(texts ...string) {
	kept.Lock()
	defer kept.Unlock()
	k := &kept.known
	before := len(k.forms)
	for _, t := range texts {
		for _, form := range formsOf(t) {
			if len(k.forms) < maxForms && len(form) >= least {
				if k.forms == nil {
					k.forms = map[string]bool{}
				}
				k.forms[form] = true
			}
		}
	}
	if len(k.forms) > before {
		k.replacer = nil // made again when it is needed
	}
}

// maxForms limits the forms to search: a list of URLs may have 100,000 signatures. Hide withholds forms beyond the
// limit.
const maxForms = 20_000

// formsOf returns the forms in which programs write a text. In base64 it is the one that begins with the text: after
// another beginning the digits differ.
func formsOf(text string) []string {
	// Without padding: the part before the "=" where a header was taken for a flag.
	list := []string{text, url.QueryEscape(text), url.PathEscape(text), strings.TrimRight(text, "=")}
	if plain, err := url.PathUnescape(text); err == nil && plain != text {
		list = append(list, formsOf(plain)...)
	}
	b := []byte(text)
	list = append(list, quotedForms(text)...)
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		list = append(list, e.EncodeToString(b), strings.TrimRight(e.EncodeToString(b), "="))
	}
	return append(list, hex.EncodeToString(b))
}

// quotedForms returns the forms in which errors quote a text: those of packages strconv and time, and of JSON. Package
// time writes bytes where strconv writes letters.
func quotedForms(text string) []string {
	list := []string{strconv.Quote(text), strconv.QuoteToASCII(text)}
	if b, err := json.Marshal(text); err == nil {
		list = append(list, string(b))
	}
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			fallthrough
		case ' ' <= c && c < 0x80:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	list = append(list, `"`+b.String()+`"`)
	for i, q := range list {
		list[i] = q[1 : len(q)-1]
	}
	return list
}

// note registers the hidden parts of a URL.
func (p parts) note() {
	list := []string{p.query}
	if user, password, ok := strings.Cut(p.user, ":"); ok {
		list = append(list, p.user, password)
		if plain, err := url.PathUnescape(user); err == nil {
			if word, err := url.PathUnescape(password); err == nil {
				list = append(list, plain+":"+word) // HTTP's Basic encodes this in base64
			}
		}
	} else {
		list = append(list, p.user)
	}
	var fragment string
	if isToken(p.fragment) {
		fragment = p.fragment
	}
	for _, fields := range []string{p.query, fragment} {
		for field := range strings.SplitSeq(fields, "&") {
			if _, value, _ := strings.Cut(field, "="); len(value) >= 2*least {
				list = append(list, value)
			}
		}
	}
	Note(append(list, fragment)...)
}

// isToken reports whether a fragment may be a secret. It has fields, as in OAuth 2 (RFC 6749, section 4.2.2), or does
// not look like words. Such texts mix letters and digits, or have far too many of them. Other fragments name a section,
// and are shown.
func isToken(fragment string) bool {
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if hashed().MatchString("#" + fragment) { // a name from Hide
		return false
	}
	if strings.Contains(fragment, "=") {
		return true
	}
	isNoWord := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(fragment, isNoWord) {
		digit := strings.ContainsFunc(word, unicode.IsDigit)
		mixed := digit && strings.ContainsFunc(word, unicode.IsLetter)
		if len(word) >= 20 || len(word) >= 12 && digit || len(fragment) >= 12 && mixed {
			return true
		}
	}
	return false
}

// userPattern matches the user in a URL.
var userPattern = pattern.Lazy(`([A-Za-z][A-Za-z0-9+.-]*://)[^\s/?#"'<>@]+@`)

// Redact returns text without the known secrets, and without users in URLs.
func Redact(text string) string {
	if strings.Contains(text, "@") {
		text = userPattern().ReplaceAllString(text, "$1")
	}
	return replacer().Replace(text)
}

func replacer() *strings.Replacer {
	kept.RLock()
	r := kept.known.replacer
	kept.RUnlock()
	if r != nil {
		return r
	}
	kept.Lock()
	defer kept.Unlock()
	var list []string
	for form := range kept.known.forms {
		list = append(list, form)
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) }) // longest first
	var pairs []string
	for _, form := range list {
		pairs = append(pairs, form, mark)
	}
	kept.known.replacer = strings.NewReplacer(pairs...)
	return kept.known.replacer
}

// Writer returns a writer to w that redacts texts. It does not find a secret that is split into two writes.
func Writer(w io.Writer) io.Writer { return writer{w} }

type writer struct{ to io.Writer }

func (w writer) Write(b []byte) (int, error) {
	if _, err := io.WriteString(w.to, Redact(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Error returns err with a redacted text. It removes the URL that package net/http puts into its errors: after a
// redirection it has another URL's query.
func Error(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	var of *url.Error
	if errors.As(err, &of) {
		text = strings.ReplaceAll(text, of.Error(), of.Err.Error())
	}
	if text = Redact(queryPattern().ReplaceAllString(text, "$1")); text == err.Error() {
		return err
	}
	return &cleaned{text, err}
}

// queryPattern matches an http or https URL with a query.
var queryPattern = pattern.Lazy(`((?i:https?)://[^\s?"'<>]*)\?[^\s"'<>]*`)

type cleaned struct {
	text string
	err  error
}

func (c *cleaned) Error() string { return c.text }
func (c *cleaned) Unwrap() error { return c.err }

// NoteEnvironment registers the secrets in the environment's variables for Redact. These are keys of Amazon, our
// passwords, and users of proxies and endpoints.
func NoteEnvironment() {
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		switch name = strings.ToUpper(name); {
		case slices.Contains(secretVariables, name):
			Note(value)
		case strings.HasSuffix(name, "_PROXY"), strings.HasPrefix(name, "AWS_ENDPOINT_URL"), name == "STORAGE_EMULATOR_HOST":
			if p, ok := split(value); ok {
				p.note()
			} else if p, ok := split("http://" + value); ok { // as it is read without a scheme
				p.note()
			}
		}
	}
}

var secretVariables = []string{
	"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_CONTAINER_AUTHORIZATION_TOKEN", "ELASTIC_PASSWORD",
	"KAFKA_SASL_JAAS_CONFIG", "PGPASSWORD", "GLEANER_POSTGRES_PASSWORD",
	"KAFKA_SSL_KEYSTORE_KEY",
}
