package contentsql

import (
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

// timeText is a capture's time as a value. A text that is no time is given as it is.
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
	if len(s) < second+1 || len(s) == length && s[second] == '.' && s[length-1] == 'Z' {
		return s
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.UTC().Format(fixed)
}
