package contentsql

import (
	"strings"
	"time"

	"modernc.org/sqlite/vtab"

	"github.com/gleaner-web/gleaner/transforms/pattern"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// fixed is the form of times: in UTC and with six decimals, the precision of shards, so that texts compare as times do.
const fixed = "2006-01-02T15:04:05.000000Z"

// momentCollation is the collation of columns of times: see moment.
const momentCollation = "moment"

// timeText returns a capture's time as a value. A text that is not a time is returned as it is.
func timeText(s string) vtab.Value {
	if t, ok := query.ParseTime(s); ok {
		return t.Format(fixed)
	}
	if s == "" {
		return nil
	}
	return s
}

// compareMoments is the collation of columns of times. People omit decimals or use their zone: times of RFC 3339
// compare as moments, and other texts, such as 2026-03, bytewise with the fixed form.
func compareMoments(a, b string) int { return strings.Compare(moment(a), moment(b)) }

// moment returns the text that represents s in comparisons.
func moment(s string) string {
	const length, second = len(fixed), len("2006-01-02T15:04:05")
	// Values of columns already have this form.
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

// writtenMoments are the forms in which people and SQLite's datetime write a moment; without a zone it is UTC.
var writtenMoments = []string{time.RFC3339, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00"}

// A literal of a statement, and a literal that is a moment in one of writtenMoments.
const literal = `'(?:[^']|'')*'|[-+.\w]+`

var literalMoment = pattern.Lazy(`'\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?'`)

// timed matches the parts of a statement that may contain moments: texts and IN lists of literals. It also matches the
// opaque parts, in which nothing is replaced.
var timed = pattern.Lazy(`(?is)\b(?:not\s+)?in\s*\(\s*(?:` + literal + `)(?:\s*,\s*(?:` + literal +
	`))*\s*\)|'(?:[^']|'')*'|` + opaque().String())

// asMoment makes a comparison one of moments: to SQLite the result of a function, such as max(timestamp), is a plain
// text. The literal before it keeps its value.
const asMoment = ` collate ` + momentCollation

// withMoments returns a statement in which literals that are moments are compared as moments. IN uses the collation of
// its left side.
func withMoments(statement string) string {
	return timed().ReplaceAllStringFunc(statement, func(part string) string {
		at := literalMoment().FindStringIndex(part)
		switch {
		case at == nil || strings.ContainsRune("\"`[-/", rune(part[0])):
			return part
		case part[0] != '\'':
			return asMoment[1:] + " " + part // a space or a bracket precedes it
		case at[0] == 0 && at[1] == len(part):
			return part + asMoment
		}
		return part
	})
}
