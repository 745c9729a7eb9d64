package cdxserver

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/digest"
)

// names are the fields of lines, with pywb's names and order.
var names = []string{"urlkey", "timestamp", "url", "mime", "status", "digest", "length", "offset", "filename"}

// others maps the Wayback Machine's names to pywb's.
var others = map[string]string{"original": "url", "mimetype": "mime", "statuscode": "status"}

// nameOf returns pywb's name for a field. Unknown names stay unchanged, and are refused.
func nameOf(name string) string {
	if n, is := others[name]; is {
		return n
	}
	return name
}

// noField returns the error text for an unknown field.
func noField(name string) string {
	return fmt.Sprintf("There is no field %q; there are %s.", name, strings.Join(names, ", "))
}

// Bounds of filters. Expressions are RE2's, whose time is linear in the text.
const (
	// A form needs only a few. Each filter is tested for each capture found, so their number determines the cost. The
	// length bounds the expression.
	maxFilters = 20
	maxFilter  = 1000 // bytes
)

// filter tests a field of a line.
type filter struct {
	name string
	not  bool
	fits func(value string) bool
}

// parseFilter parses [!][=|~]field:text.
func parseFilter(text string, wayback bool) (f filter, err error) {
	if len(text) > maxFilter {
		return f, bad("filter", "", "It has more than 1,000 bytes.")
	}
	rest, not := strings.CutPrefix(text, "!")
	// Only pywb has a sign for the kind. In the Wayback Machine's dialect a leading = or ~ is part of the field's
	// name.
	kind := byte(0)
	if wayback {
		kind = '~'
	} else if rest != "" && (rest[0] == '=' || rest[0] == '~') {
		kind, rest = rest[0], rest[1:]
	}
	// The first colon ends the field's name: values such as URLs and digests contain colons.
	name, value, found := strings.Cut(rest, ":")
	if !found {
		return f, bad("filter", text, "It takes [!][=|~]field:text.")
	}
	f = filter{name: nameOf(name), not: not}
	if !slices.Contains(names, f.name) {
		return f, bad("filter", text, noField(name))
	}
	switch kind {
	case '=':
		f.fits = func(v string) bool { return v == value }
	case '~':
		// A bracket too many would end the group below, so the expression must be one by itself.
		if _, err := regexp.Compile(value); err != nil {
			return f, bad("filter", text, err.Error())
		}
		// Both dialects match the whole field. The group keeps an alternation together: ^a|b$ would match values that
		// begin with a or end with b.
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

// passes reports whether a line passes all filters. Missing fields are empty.
func passes(list []filter, l line) bool {
	for _, f := range list {
		// Unknown values are empty, so !status:200 keeps captures without a status too.
		if f.fits(l[f.name]) == f.not {
			return false
		}
	}
	return true
}

// collapse keeps the first of adjacent lines with the same field or the same beginning of it.
type collapse struct {
	name string
	n    int // number of bytes that count; 0 for all
	last string
	// any reports whether there was a line before: last may be empty because of an empty value.
	any bool
}

func parseCollapse(text string) (c collapse, err error) {
	if text == "" {
		return c, nil
	}
	name, n, has := strings.Cut(text, ":")
	if c.name = nameOf(name); !slices.Contains(names, c.name) {
		return c, bad("collapse", text, noField(name))
	}
	if has {
		if c.n, err = strconv.Atoi(n); err != nil || c.n <= 0 {
			return c, bad("collapse", text, "It takes field or field:n.")
		}
	}
	return c, nil
}

// drops reports whether a line equals the one before in the field.
func (c *collapse) drops(e entry) bool {
	if c.name == "" {
		return false
	}
	v := e.fields()[c.name]
	if c.name == "digest" {
		v = digest.Canonical(v) // archives write one digest in several ways
	}
	if c.n > 0 {
		// These are bytes, since the usual use is the first digits of a timestamp, which are ASCII.
		v = v[:min(c.n, len(v))]
	}
	same := c.any && v == c.last
	// A dropped line is also stored for comparison. It equals the kept line, so nothing changes.
	c.last, c.any = v, true
	return same
}
