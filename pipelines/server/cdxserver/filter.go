package cdxserver

import (
	"regexp"
	"strconv"
	"strings"
)

// names are the fields of lines, in pywb's words and order.
// pywb's CDXJ; the Wayback Machine's lines have seven of them, see waybackFields.
var names = []string{"urlkey", "timestamp", "url", "mime", "status", "digest", "length", "offset", "filename"}

// others are the words of the Wayback Machine.
var others = map[string]string{"original": "url", "mimetype": "mime", "statuscode": "status"}

func nameOf(name string) string {
	// Other words are taken as they are: they are fields of lines or not.
	if n, is := others[name]; is {
		return n
	}
	return name
}

// A request costs at most this many tests for each line.
// The bounds of filters. Expressions are RE2's, whose time is linear in the text.
const (
	maxFilters = 20
	maxFilter  = 1000 // bytes
)

// filter tests a field of a line.
// In pywb's word, whichever was used.
type filter struct {
	name string
	not  bool
	fits func(value string) bool
}

// parseFilter reads [!][=|~]field:text.
func parseFilter(text string, wayback bool) (f filter, err error) {
	if len(text) > maxFilter {
		// The value is not repeated, as it is long.
		return f, bad("filter", "", "It has more than 1,000 bytes.")
	}
	// The exclamation mark stands before the kind in both dialects.
	rest, not := strings.CutPrefix(text, "!")
	// 0 is the standard of pywb: contains.
	kind := byte(0)
	if wayback {
		kind = '~'
	} else if rest != "" && (rest[0] == '=' || rest[0] == '~') {
		kind, rest = rest[0], rest[1:]
	}
	name, value, found := strings.Cut(rest, ":")
	// A colon in the text is fine: the first one ends the field.
	if !found {
		return f, bad("filter", text, "It takes [!][=|~]field:text.")
	}
	f = filter{name: nameOf(name), not: not}
	switch kind {
	case '=':
		f.fits = func(v string) bool { return v == value }
	case '~':
		// Both dialects match the whole field.
		// Grouped, so that alternatives are all anchored. Compiled once for each request.
		re, err := regexp.Compile("^(?:" + value + ")$")
		if err != nil {
			return f, bad("filter", text, err.Error())
		}
		f.fits = re.MatchString
	default:
		f.fits = func(v string) bool { return strings.Contains(v, value) }
	}
	return f, nil
}

// passes tells whether a line passes all filters. A field that lines do not have is empty.
func passes(list []filter, l line) bool {
	for _, f := range list {
		// A line passes when the test and the negation differ.
		if f.fits(l[f.name]) == f.not {
			return false
		}
	}
	return true
}

// collapse keeps the first of neighbours that are the same in a field, or its beginning.
type collapse struct {
	// Bytes and not characters: timestamps and SURTs, which it is used for, are ASCII.
	name string
	n    int // of bytes that count; 0 for all
	last string
	// Whether there was a line before: an empty field is equal only to another one.
	any bool
}

func parseCollapse(text string) (c collapse, err error) {
	if text == "" {
		return c, nil
	}
	name, n, has := strings.Cut(text, ":")
	// A field that does not exist is empty everywhere, so that one line is left.
	c.name = nameOf(name)
	if has {
		if c.n, err = strconv.Atoi(n); err != nil || c.n <= 0 {
			return c, bad("collapse", text, "It takes field or field:n.")
		}
	}
	return c, nil
}

// drops tells whether a line is the same as the one before.
func (c *collapse) drops(l line) bool {
	if c.name == "" {
		return false
	}
	v := l[c.name]
	if c.n > 0 {
		// A value may be shorter than what counts.
		v = v[:min(c.n, len(v))]
	}
	same := c.any && v == c.last
	// Kept also when the line is dropped: the first of a run stands for all of it.
	c.last, c.any = v, true
	return same
}
