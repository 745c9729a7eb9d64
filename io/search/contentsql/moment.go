package contentsql

import (
	"regexp"
	"strings"
	"time"

	"modernc.org/sqlite/vtab"

	"github.com/gleaner-web/gleaner/transforms/query"
)

// fixed is how a time is written: in UTC and always with six decimals, which are all that shards have, so that texts
// sort and compare as times do within a second too.
const fixed = "2006-01-02T15:04:05.000000Z"

// momentCollation is the name of the collation of columns of times: see moment.
const momentCollation = "moment"

// timeText is a capture's time as a value. A text that is not time is given as it is.
func timeText(s string) vtab.Value {
	if t, ok := query.ParseTime(s); ok {
		return t.Format(fixed)
	}
	if s == "" {
		return nil
	}
	return s
}

// compareMoments is the collation of columns of times. People write a time without decimals, or in a zone of theirs:
// what is a time by RFC 3339 is compared as that moment, and all else, as 2026-03, byte by byte with its fixed form.
func compareMoments(a, b string) int { return strings.Compare(moment(a), moment(b)) }

// moment is the text that stands for s in comparisons.
func moment(s string) string {
	const length, second = len(fixed), len("2006-01-02T15:04:05")
	// Values of columns have that form already.
	if len(s) < second || len(s) == length && s[second] == '.' && s[length-1] == 'Z' {
		return s
	}
	for _, layout := range writtenMoments {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC().Format(fixed)
		}
	}
	return s
}

// writtenMoments are the forms in which people and SQLite's own datetime write a moment: without a zone it is UTC.
var writtenMoments = []string{time.RFC3339, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00"}

// A literal of a statement, and one that is a moment in one of the forms of writtenMoments.
const literal = `'(?:[^']|'')*'|[-+.\w]+`

var literalMoment = regexp.MustCompile(`'\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?'`)

// timed are the parts of a statement that may have moments, which are texts and lists of IN that are of literals alone,
// and those in which nothing is found: see opaque.
var timed = regexp.MustCompile(`(?is)\b(?:not\s+)?in\s*\(\s*(?:` + literal + `)(?:\s*,\s*(?:` + literal +
	`))*\s*\)|'(?:[^']|'')*'|` + opaque.String())

// asMoment makes a comparison one of moments, whatever it compares: to SQLite what a function gives, as max(timestamp),
// is a plain text. The literal before it keeps its value.
const asMoment = ` collate ` + momentCollation

// withMoments is a statement whose literals that are moments are compared as such. IN goes by its left side.
func withMoments(statement string) string {
	return timed.ReplaceAllStringFunc(statement, func(part string) string {
		at := literalMoment.FindStringIndex(part)
		switch {
		case at == nil || strings.ContainsRune("\"`[-/", rune(part[0])):
			return part
		case part[0] != '\'':
			return asMoment[1:] + " " + part // a blank or a bracket is before it
		case at[0] == 0 && at[1] == len(part):
			return part + asMoment
		}
		return part
	})
}
