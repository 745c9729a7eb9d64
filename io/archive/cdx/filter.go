package cdx

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Filter selects lines of an index; the zero value selects all. It is written as terms separated by spaces, which must
// all match:
//
//	mime=application/pdf       the field has this value
//	status=200,206             or one of these
//	mime=text/*                or a value with this beginning
//	status!=404                it does not have this value
//	url~\.pdf$                 a regular expression matches within it (RE2); !~ is the opposite
//	2014..201506               captured from 2014 to June 2015, inclusive; either end may be left out
//	https://example.com/docs/  the URL begins with this
//
// Fields are url, surt, mime, status, digest, filename, timestamp and language. Values and expressions for mime, digest
// and language ignore case. Language (of Common Crawl's indexes) means each language of the line, by its code of ISO
// 639-1 or 639-3: en and eng are the same.
type Filter struct{ terms []func(*Line) bool }

// maxFilter limits a filter in bytes: every worker compiles it.
const maxFilter = 64 << 10

// ParseFilter parses a filter. Errors wrap ErrFilter.
func ParseFilter(s string) (Filter, error) {
	if len(s) > maxFilter {
		return Filter{}, fmt.Errorf("%w: it has %d bytes, more than %d", ErrFilter, len(s), maxFilter)
	}
	var f Filter
	for term := range strings.FieldsSeq(s) {
		// Terms contain no spaces: in an index, a space in a URL is %20.
		match, err := parseTerm(term)
		if err != nil {
			return Filter{}, fmt.Errorf("%w: %q: %w", ErrFilter, term, err)
		}
		f.terms = append(f.terms, match)
	}
	return f, nil
}

// Match reports whether l is selected.
func (f Filter) Match(l Line) bool {
	for _, term := range f.terms {
		if !term(&l) {
			return false
		}
	}
	return true
}

var (
	termSyntax = pattern.Lazy(`^([a-z]+)(!=|!~|=|~)(.*)$`)
	dateSyntax = pattern.Lazy(`^(\d{4}(?:\d\d){0,5})?\.\.(\d{4}(?:\d\d){0,5})?$`)
)

func parseTerm(term string) (func(*Line) bool, error) {
	// A term that begins like a URL is the beginning of one, even with "=" in its query.
	if strings.HasPrefix(term, "http://") || strings.HasPrefix(term, "https://") {
		return func(l *Line) bool { return strings.HasPrefix(l.URL, term) }, nil
	}
	if dates := dateSyntax().FindStringSubmatch(term); dates != nil {
		return between(dates[1], dates[2]), nil
	}
	parts := termSyntax().FindStringSubmatch(term)
	if parts == nil {
		// The first operator separates name and value, so an expression may contain operators.
		return nil, fmt.Errorf("neither field=value, field~expression, 2014..2015 nor the beginning of a URL")
	}
	values, fold := fieldsByName[parts[1]], foldsByName[parts[1]]
	if values == nil {
		return nil, fmt.Errorf("no field of an index is called %s", parts[1])
	}
	operator, is := parts[2], equals(parts[3], fold)
	if strings.HasSuffix(operator, "~") {
		expression := parts[3]
		// Expressions cannot be folded like values, so their case is ignored instead.
		if fold != nil {
			expression = "(?i)" + expression
		}
		re, err := regexp.Compile(expression)
		if err != nil {
			return nil, err
		}
		is = re.MatchString
	}
	negated := strings.HasPrefix(operator, "!")
	// A field with several values matches if one does; negated, if none does.
	return func(l *Line) bool { return slices.ContainsFunc(values(l), is) != negated }, nil
}

// fieldsByName returns the values that a filter compares. They are lists, because a digest has two spellings and a page
// may be in several languages.
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

// foldsByName normalises values of fields; fields not listed are compared as they are.
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

// equals returns a test whether a value is in a list, or has the beginning of an entry that ends in a star.
func equals(list string, fold func(string) string) func(string) bool {
	if fold == nil {
		fold = func(v string) string { return v }
	}
	wanted := strings.Split(list, ",")
	// Folded once, not for each line.
	for i, w := range wanted {
		wanted[i] = fold(w)
	}
	return func(v string) bool {
		v = fold(v)
		for _, w := range wanted {
			// w keeps its star, so that a value which ends in a star equals it.
			if prefix, star := strings.CutSuffix(w, "*"); star && strings.HasPrefix(v, prefix) || v == w {
				return true
			}
		}
		return false
	}
}

// between returns a test whether a line's time is in a range of dates, which are digits from the year on.
func between(from, to string) func(*Line) bool {
	return func(l *Line) bool {
		at := string(appendTimestamp(nil, l.Timestamp))
		// Digits compare as dates do. Of the end only the given digits count: 201506 includes all of June.
		return at != none && at >= from && (to == "" || at[:len(to)] <= to)
	}
}
