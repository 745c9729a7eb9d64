package cdx

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"
)

// Filter chooses lines of an index; the zero value takes all. It is written as terms with blanks between them, of which
// all must hold:
//
//	mime=application/pdf       the field has this value
//	status=200,206             or one of these
//	mime=text/*                or one that begins so
//	status!=404                it has not
//	url~\.pdf$                 a regular expression is found in it (RE2); !~ is the contrary
//	2014..201506               captured from 2014 to June 2015, both included; one of the two may be left out
//	https://example.com/docs/  the URL begins so
//
// Fields are url, surt, mime, status, digest, filename, timestamp and language. Mime, digest and language are compared
// regardless of case, by expressions too. Language (of Common Crawl's indexes) is each of those that the line names, by
// its code of ISO 639-1 or 639-3: en and eng are the same.
type Filter struct{ terms []func(*Line) bool }

// maxFilter bounds a filter, which is compiled by every worker; in bytes.
const maxFilter = 64 << 10

// ParseFilter reads a filter. Errors wrap ErrFilter.
func ParseFilter(s string) (Filter, error) {
	if len(s) > maxFilter {
		return Filter{}, fmt.Errorf("%w: it has %d bytes, more than %d", ErrFilter, len(s), maxFilter)
	}
	var f Filter
	for term := range strings.FieldsSeq(s) {
		// Terms have no blanks in them: a blank in a URL of an index is %20.
		match, err := parseTerm(term)
		if err != nil {
			return Filter{}, fmt.Errorf("%w: %q: %w", ErrFilter, term, err)
		}
		f.terms = append(f.terms, match)
	}
	return f, nil
}

// Match reports whether l is chosen.
// Without terms all lines match, which is what the zero value is for.
func (f Filter) Match(l Line) bool {
	for _, term := range f.terms {
		if !term(&l) {
			return false
		}
	}
	return true
}

var (
	termSyntax = regexp.MustCompile(`^([a-z]+)(!=|!~|=|~)(.*)$`)
	dateSyntax = regexp.MustCompile(`^(\d{4}(?:\d\d){0,5})?\.\.(\d{4}(?:\d\d){0,5})?$`)
)

func parseTerm(term string) (func(*Line) bool, error) {
	// No operator: what begins as a URL does is the beginning of one, even with "=" in its query.
	if strings.HasPrefix(term, "http://") || strings.HasPrefix(term, "https://") {
		return func(l *Line) bool { return strings.HasPrefix(l.URL, term) }, nil
	}
	if dates := dateSyntax.FindStringSubmatch(term); dates != nil {
		return between(dates[1], dates[2]), nil
	}
	parts := termSyntax.FindStringSubmatch(term)
	if parts == nil {
		// The first operator separates the name and the value, so that an expression may contain other operators.
		return nil, fmt.Errorf("neither field=value, field~expression, 2014..2015 nor the beginning of a URL")
	}
	values, fold := fieldsByName[parts[1]], foldsByName[parts[1]]
	if values == nil {
		return nil, fmt.Errorf("no field of an index is called %s", parts[1])
	}
	operator, is := parts[2], equals(parts[3], fold)
	if strings.HasSuffix(operator, "~") {
		expression := parts[3]
		// An expression cannot be folded like values, so its case is ignored instead.
		if fold != nil {
			expression = "(?i)" + expression
		}
		re, err := regexp.Compile(expression)
		if err != nil {
			return nil, err
		}
		// RE2 takes time linear in the value, whatever the expression.
		is = re.MatchString
	}
	negated := strings.HasPrefix(operator, "!")
	// A field with several values matches when one of them does; negated, when none does.
	return func(l *Line) bool { return slices.ContainsFunc(values(l), is) != negated }, nil
}

// fieldsByName are the values that a filter compares.
// They return lists because a digest has two spellings, and a page may be in several languages.
var fieldsByName = map[string]func(*Line) []string{
	"url":       func(l *Line) []string { return []string{l.URL} },
	"surt":      func(l *Line) []string { return []string{l.SURT} },
	"mime":      func(l *Line) []string { return []string{trimMIME(l.MIME)} },
	"status":    func(l *Line) []string { return []string{strconv.Itoa(l.Status)} },
	"digest":    func(l *Line) []string { return []string{l.Digest, shortDigest(l.Digest)} },
	"filename":  func(l *Line) []string { return []string{l.Filename} },
	"timestamp": func(l *Line) []string { return []string{string(appendTimestamp(nil, l.Timestamp))} },
	"language":  func(l *Line) []string { return strings.Split(l.Languages, ",") },
}

// foldsByName give values of a field that are the same one form; fields that are not here are compared as they are.
var foldsByName = map[string]func(string) string{
	"mime": strings.ToLower, "digest": strings.ToLower,
	"language": foldLanguage,
}

// foldLanguage returns the shortest code of a language, or the text in lower case if it is not a language.
func foldLanguage(code string) string {
	if base, err := language.ParseBase(code); err == nil {
		return base.String()
	}
	return strings.ToLower(code)
}

// equals reports whether a value is one of a list, or begins as one that ends in a star.
func equals(list string, fold func(string) string) func(string) bool {
	if fold == nil {
		fold = func(v string) string { return v }
	}
	wanted := strings.Split(list, ",")
	// Folded once here and not for each line.
	for i, w := range wanted {
		wanted[i] = fold(w)
	}
	return func(v string) bool {
		v = fold(v)
		for _, w := range wanted {
			// The star of a wanted value stays in w; a value that ends in a star itself is found by equality.
			if prefix, star := strings.CutSuffix(w, "*"); star && strings.HasPrefix(v, prefix) || v == w {
				return true
			}
		}
		return false
	}
}

// between reports whether a line's time is in a range of dates of which some digits are given. Digits compare as text.
func between(from, to string) func(*Line) bool {
	return func(l *Line) bool {
		at := string(appendTimestamp(nil, l.Timestamp))
		// Both sides are digits of the same kind, so text compares as dates do. For the end only as many digits
		// count as are given: 201506 takes all of June.
		return at != none && at >= from && (to == "" || at[:len(to)] <= to)
	}
}
