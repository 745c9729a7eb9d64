package query

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Series is a filter that is counted beside others, for example by year.
type Series struct {
	Name  string // the filter as written
	Where Expr
}

// MaxSeries is the maximum number of series of one answer: more lines in one chart cannot be told apart.
const MaxSeries = 6

// ParseSeries parses filters with commas between them, as in `climate, "sea level", language = fr`. Commas within
// quotation marks and parentheses belong to a filter.
func ParseSeries(text string) ([]Series, error) {
	var list []Series
	known := map[string]bool{}
	for _, p := range splitSeries(text) {
		e, err := Parse(p.text)
		if err != nil {
			return nil, shifted(err, utf8.RuneCountInString(text[:p.from]))
		}
		name := strings.TrimSpace(p.text)
		// A comma at the end, or two of them, mean nothing.
		if e == nil || known[name] {
			continue
		}
		if known[name] = true; len(list) == MaxSeries {
			return nil, &SyntaxError{utf8.RuneCountInString(text[:p.from]), fmt.Sprintf("there are more than %d", MaxSeries)}
		}
		list = append(list, Series{name, e})
	}
	return list, nil
}

// OneSeries returns a filter as ParseSeries takes it for one series: in parentheses if it has a comma.
func OneSeries(filter string) string {
	if len(splitSeries(filter)) == 1 {
		return filter
	}
	return "(" + filter + ")"
}

// shifted moves the position of an error.
func shifted(err error, by int) error {
	if s := (*SyntaxError)(nil); errors.As(err, &s) {
		return &SyntaxError{s.Offset + by, s.Message}
	}
	return err
}

// seriesPart is a part of a text, and its position in bytes.
type seriesPart struct {
	text string
	from int
}

func splitSeries(text string) (list []seriesPart) {
	from, depth, mark := 0, 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case mark != 0 && c == '\\':
			i++
		case mark != 0:
			if c == mark {
				mark = 0
			}
		case c == '"', c == '\'' && (i == 0 || strings.IndexByte(" (,=:<>!", text[i-1]) >= 0):
			// An apostrophe within a word is not a quotation mark.
			mark = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth <= 0:
			list = append(list, seriesPart{text[from:i], from})
			from = i + 1
		}
	}
	return append(list, seriesPart{text[from:], from})
}
