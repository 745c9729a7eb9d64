package query

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Common holds the values of common query flags, as people type them. All non-empty ones must hold. Fields marked "or
// several" accept values separated by commas, one of which must hold.
type Common struct {
	Lang        string // ISO 639-1 or 639-3, or several
	MIME        string // application/pdf, image/*, pdf, or several
	From        string // a date, see Period: from its first moment
	To          string // a date: to its last moment, so --from=2026-03 --to=2026-04 means two whole months
	Host        string // the host and its subdomains, or several
	URL         string // by SURT, so regardless of scheme and www; a star at the end means any continuation
	Text        string // words and quoted phrases, all of which must occur
	Entity      string // the text of an entity; stars at its ends match anything
	Source      string // the feed or source, or several
	Status      string // 404, 2xx, or several
	Where       string // a filter
	At          string // a date: the archive in its state at the last moment of that date
	AllVersions bool
}

// Query combines the fields into one query. An error names the flag.
func (c Common) Query() (Query, error) {
	var list []Expr
	// The table fixes the order of the flags, so the first wrong flag is reported, and the filter is always the same.
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

// period sets the moment and checks that the period is valid.
func (c Common) period(q *Query) error {
	if c.From != "" && c.To != "" { // both were parsed before
		from, _, _ := Period(c.From)
		// Both ends are whole periods, so the comparison is with the end of the second.
		if _, to, _ := Period(c.To); !from.Before(to) {
			return fmt.Errorf("--from=%s is behind --to=%s", c.From, c.To)
		}
	}
	if c.At != "" {
		_, to, err := Period(c.At)
		if err != nil {
			return fmt.Errorf("--at: %w", err)
		}
		// The last moment in the period counts, since At includes captures of its own moment.
		q.At = to.Add(-1)
	}
	return nil
}

// compares returns a function that parses a value of a field.
func compares(field string, op Op) func(string) (Expr, error) {
	return func(v string) (Expr, error) { return NewCompare(field, op, v) }
}

// anyOf returns a function that parses values separated by commas.
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
		// The bound is that of filters: a flag must not create a filter that could not be typed.
		if len(list) > maxTests {
			return nil, fmt.Errorf("%d values, more than %d", len(list), maxTests)
		}
		return disjunction(list), nil
	}
}

// Languages returns the codes in documents for a code of ISO 639-1 or 639-3: fr for fra. It has several for a code of
// several languages: nb and nn for no.
func Languages(code string) ([]string, error) {
	base, err := language.ParseBase(code)
	if err != nil {
		return nil, fmt.Errorf("%q is not a language of ISO 639, such as fr or fra", clip(code))
	}
	return schemas.LanguageCodes(base.String()), nil
}

func langIs(v string) (Expr, error) {
	codes, err := Languages(v)
	if err != nil {
		return nil, err
	}
	var list []Expr
	for _, code := range codes {
		list = append(list, &Compare{"language", Equal, Value{Text: code}})
	}
	return disjunction(list), nil
}

// mimeIs accepts a media type, possibly with stars, or a part of its name.
func mimeIs(v string) (Expr, error) {
	if strings.Contains(v, "/") {
		// Documents have media types in lower case.
		return NewCompare("mime_detected", Equal, strings.ToLower(v))
	}
	// A value without a slash is a part of the name: pdf, html.
	return NewCompare("mime_detected", Has, v)
}

// hostIs accepts a host, which includes its subdomains, or only the subdomains: *.example.org.
func hostIs(v string) (Expr, error) {
	name, below := strings.CutPrefix(v, "*.")
	host := urlkey.Host(name)
	if host == "" || strings.Contains(host, "*") {
		return nil, fmt.Errorf("%q is not a host", clip(v))
	}
	// A subdomain ends in a dot and the name. It is made without NewCompare, which would interpret a star in the text.
	sub := &Compare{"host", Equal, Value{Text: "." + host, Before: true}}
	if below {
		return sub, nil
	}
	return &Or{[]Expr{&Compare{"host", Equal, Value{Text: host}}, sub}}, nil
}

// urlIs accepts a URL, or the beginning of URLs. A SURT has no slash at its end. So the beginning "/docs/" matches the
// page itself, and continuations with a slash or a query.
func urlIs(v string) (Expr, error) {
	base, begins := strings.CutSuffix(urlkey.Asked(v), "*")
	if path, rest, has := strings.Cut(base, "?"); begins && has {
		return queryBegins(path, rest), nil
	}
	// The star is removed first, since SURT would take it for a character of the path.
	surt := urlkey.SURT(base)
	if !begins {
		return &Compare{"surt", Equal, Value{Text: surt}}, nil
	}
	// If the SURT has kept the slash, it is enough by itself.
	if !strings.HasSuffix(base, "/") || strings.HasSuffix(surt, "/") {
		return surtBegins(surt), nil
	}
	page := &Compare{"surt", Equal, Value{Text: surt}}
	return &Or{[]Expr{page, surtBegins(surt + "/"), surtBegins(surt + "?")}}, nil
}

// queryBegins accepts the URLs of a path with a query that begins with a text. A SURT sorts the parameters of a query
// and leaves some out, so the URL itself is tested.
func queryBegins(path, begin string) Expr {
	surt := urlkey.SURT(path)
	page := &Or{[]Expr{&Compare{"surt", Equal, Value{Text: surt}}, surtBegins(surt + "?")}}
	return &And{[]Expr{page, &Compare{"url", Has, Value{Text: "?" + begin}}}}
}

func surtBegins(s string) Expr { return &Compare{"surt", Equal, Value{Text: s, After: true}} }

// textIs parses text as typed into a search box. An apostrophe may be part of a word, so only double quotation marks
// enclose phrases.
func textIs(v string) (Expr, error) {
	var list []Expr
	// Text between two marks has an odd index.
	for i, part := range strings.Split(v, `"`) {
		if i%2 == 1 {
			t, err := NewText(part, true)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
			continue
		}
		// All words must occur, in any order.
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

// endsWord reports whether r ends a bare word in the grammar.
func endsWord(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(bareInWord, r)
}

var statusClass = pattern.Lazy(`^[1-9](?i:xx)$`)

// statusIs accepts a status, or a class of them: 2xx.
func statusIs(v string) (Expr, error) {
	if !statusClass().MatchString(v) {
		return NewCompare("status", Equal, v)
	}
	// It uses two comparisons instead of a list of a hundred, so that an index can answer them as one range.
	first, err := NewCompare("status", GreaterEqual, v[:1]+"00")
	if err != nil {
		return nil, err
	}
	last, err := NewCompare("status", LessEqual, v[:1]+"99")
	return &And{[]Expr{first, last}}, err
}
