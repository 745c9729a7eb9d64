package query

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Common are the questions that commands have flags for, as people type them. All that are not empty must hold. Those
// that say "or several" take several values with commas between them, one of which must hold.
type Common struct {
	Lang        string // ISO 639-1 or 639-3, or several
	MIME        string // application/pdf, image/*, pdf, or several
	From        string // a date, see Period: from its first moment on
	To          string // a date: to its last moment, so --from=2026-03 --to=2026-04 is both months, whole
	Host        string // the host and those below it, or several
	URL         string // by SURT, so regardless of scheme and www; with a star behind it all that begin so
	Text        string // words, and phrases in quotation marks, all of them wanted
	Entity      string // the text of an entity; stars at its ends stand for anything
	Source      string // the feed or source, or several
	Status      string // 404, 2xx, or several
	Where       string // a filter
	At          string // a date: the archive as it stood at its last moment
	AllVersions bool
}

// Query makes one question of them. The error names the flag.
func (c Common) Query() (Query, error) {
	var list []Expr
	// The table keeps the sequence of the flags: of several errors the first flag's is told, and the filter comes out
	// the same.
	for _, f := range []struct {
		name, value string
		read        func(string) (Expr, error)
	}{
		{"lang", c.Lang, anyOf(langIs)},
		{"mime", c.MIME, anyOf(mimeIs)},
		{"from", c.From, compares("timestamp", GreaterEqual)},
		{"to", c.To, compares("timestamp", LessEqual)},
		{"host", c.Host, anyOf(hostIs)},
		{"url", c.URL, urlIs},
		{"text", c.Text, textIs},
		{"entity", c.Entity, compares("entities.text", Equal)},
		{"source", c.Source, anyOf(compares("source_id", Equal))},
		{"status", c.Status, anyOf(statusIs)},
		{"where", c.Where, Parse},
	} {
		if f.value == "" {
			continue
		}
		if len(f.value) > MaxFilter {
			return Query{}, fmt.Errorf("--%s has %d bytes, more than %d", f.name, len(f.value), MaxFilter)
		}
		e, err := f.read(f.value)
		if err != nil {
			return Query{}, fmt.Errorf("--%s: %w", f.name, err)
		}
		list = append(list, e)
	}
	q := Query{Where: conjunction(list), AllVersions: c.AllVersions}
	if err := c.period(&q); err != nil {
		return Query{}, err
	}
	return q, q.Check()
}

// period sets the moment, and checks that the period is one.
func (c Common) period(q *Query) error {
	if c.From != "" && c.To != "" { // both were read before
		from, _, _ := Period(c.From)
		// Both ends are whole periods, so the end is compared, and not the beginning, of the second one.
		if _, to, _ := Period(c.To); !from.Before(to) {
			return fmt.Errorf("--from=%s is behind --to=%s", c.From, c.To)
		}
	}
	if c.At != "" {
		_, to, err := Period(c.At)
		if err != nil {
			return fmt.Errorf("--at: %w", err)
		}
		// The last moment that still belongs to the period: At takes what was captured at that moment as well.
		q.At = to.Add(-1)
	}
	return nil
}

// compares reads a value of a field.
func compares(field string, op Op) func(string) (Expr, error) {
	return func(v string) (Expr, error) { return NewCompare(field, op, v) }
}

// anyOf reads values with commas between them.
func anyOf(one func(string) (Expr, error)) func(string) (Expr, error) {
	return func(v string) (Expr, error) {
		var list []Expr
		for part := range strings.SplitSeq(v, ",") {
			if part = strings.TrimSpace(part); part == "" {
				return nil, fmt.Errorf("a value is missing in %q", clip(v))
			}
			e, err := one(part)
			if err != nil {
				return nil, err
			}
			list = append(list, e)
		}
		// The bound of filters: a flag must not make what could not be typed.
		if len(list) > maxTests {
			return nil, fmt.Errorf("%d values, more than %d", len(list), maxTests)
		}
		return disjunction(list), nil
	}
}

// Language returns the code that documents have for a code of ISO 639-1 or 639-3, the shorter one: fr for fra.
func Language(code string) (string, error) {
	base, err := language.ParseBase(code)
	if err != nil {
		return "", fmt.Errorf("%q is not a language of ISO 639, such as fr or fra", clip(code))
	}
	return base.String(), nil
}

func langIs(v string) (Expr, error) {
	code, err := Language(v)
	if err != nil {
		return nil, err
	}
	return NewCompare("language", Equal, code)
}

// mimeIs takes a media type, with stars if need be, or a part of its name.
func mimeIs(v string) (Expr, error) {
	if strings.Contains(v, "/") {
		// Documents have media types in lower case.
		return NewCompare("mime_detected", Equal, strings.ToLower(v))
	}
	// Without a slash it is a part of the name: pdf, html.
	return NewCompare("mime_detected", Has, v)
}

// hostIs takes a host, for itself and all below it, or those below it alone: *.example.org.
func hostIs(v string) (Expr, error) {
	name, below := strings.CutPrefix(v, "*.")
	host := urlkey.Host(name)
	if host == "" || strings.Contains(host, "*") {
		return nil, fmt.Errorf("%q is not a host", clip(v))
	}
	// A host below ends in a dot and the name. Made without NewCompare, which would read a star in the text.
	sub := &Compare{"host", Equal, Value{Text: "." + host, Before: true}}
	if below {
		return sub, nil
	}
	return &Or{[]Expr{&Compare{"host", Equal, Value{Text: host}}, sub}}, nil
}

// urlIs takes a URL, or the beginning of URLs. A SURT has no slash at its end, so the beginning "/docs/" is the page
// itself, and what continues with a slash or a query.
func urlIs(v string) (Expr, error) {
	base, begins := strings.CutSuffix(v, "*")
	// The star is taken off first: SURT would take it for a letter of the path.
	surt := urlkey.SURT(base)
	if !begins {
		return &Compare{"surt", Equal, Value{Text: surt}}, nil
	}
	// Where the SURT has kept the slash it says by itself where the page ends.
	if !strings.HasSuffix(base, "/") || strings.HasSuffix(surt, "/") {
		return surtBegins(surt), nil
	}
	page := &Compare{"surt", Equal, Value{Text: surt}}
	return &Or{[]Expr{page, surtBegins(surt + "/"), surtBegins(surt + "?")}}, nil
}

func surtBegins(s string) Expr { return &Compare{"surt", Equal, Value{Text: s, Behind: true}} }

// textIs takes what people type into a search box. An apostrophe is a letter of a word there, so phrases have double
// quotation marks.
func textIs(v string) (Expr, error) {
	var list []Expr
	// Text between two marks has an odd place.
	for i, part := range strings.Split(v, `"`) {
		if i%2 == 1 {
			t, err := NewText(part, true)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
			continue
		}
		// All words are wanted, in any order.
		for word := range strings.FieldsFuncSeq(part, endsWord) {
			if t, err := NewText(word, false); err == nil { // a dash between words is not a word
				list = append(list, t)
			}
		}
	}
	switch {
	case strings.Count(v, `"`)%2 == 1:
		return nil, fmt.Errorf("a quotation mark is not closed")
	case len(list) == 0:
		return nil, fmt.Errorf("%q has neither letters nor digits to search for", clip(v))
	case len(list) > maxTests:
		return nil, fmt.Errorf("%d words, more than %d", len(list), maxTests)
	}
	return conjunction(list), nil
}

// endsWord reports whether r is between words that the grammar reads as they are.
func endsWord(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(bareInWord, r)
}

var statusClass = regexp.MustCompile(`^[1-9](?i:xx)$`)

// statusIs takes a status, or a class of them: 2xx.
func statusIs(v string) (Expr, error) {
	if !statusClass.MatchString(v) {
		return NewCompare("status", Equal, v)
	}
	// Two comparisons and not a list of a hundred: an index answers them as one range.
	first, err := NewCompare("status", GreaterEqual, v[:1]+"00")
	if err != nil {
		return nil, err
	}
	last, err := NewCompare("status", LessEqual, v[:1]+"99")
	return &And{[]Expr{first, last}}, err
}
