package cdxserver

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/digest"
)

// names are the fields of lines, in pywb's words and order.
var names = []string{"urlkey", "timestamp", "url", "mime", "status", "digest", "length", "offset", "filename"}

// others are the words of the Wayback Machine.
var others = map[string]string{"original": "url", "mimetype": "mime", "statuscode": "status"}

// nameOf is pywb's word for a field. A word of neither dialect stays as it is, and is refused.
func nameOf(name string) string {
	if n, is := others[name]; is {
		return n
	}
	return name
}

// noField says of a field that there is none.
func noField(name string) string {
	return fmt.Sprintf("There is no field %q; there are %s.", name, strings.Join(names, ", "))
}

// The bounds of filters. Expressions are RE2's, whose time is linear in the text.
const (
	// One page of a form needs a handful. Each filter is tried on each capture that the query finds,
	// so their number is what a request costs, and the length bounds what is compiled.
	maxFilters = 20
	maxFilter  = 1000 // bytes
)

// filter tests a field of a line.
type filter struct {
	name string
	not  bool
	fits func(value string) bool
}

// parseFilter reads [!][=|~]field:text.
func parseFilter(text string, wayback bool) (f filter, err error) {
	if len(text) > maxFilter {
		return f, bad("filter", "", "It has more than 1,000 bytes.")
	}
	rest, not := strings.CutPrefix(text, "!")
	// Only pywb has a sign for the kind. In the Wayback Machine's dialect a leading = or ~ is part of
	// the field's name.
	kind := byte(0)
	if wayback {
		kind = '~'
	} else if rest != "" && (rest[0] == '=' || rest[0] == '~') {
		kind, rest = rest[0], rest[1:]
	}
	// The first colon ends the field's name: values such as URLs and digests have colons of their own.
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
		// Both dialects match the whole field.
		// The group keeps an alternation whole: ^a|b$ would match what begins with a or ends with b.
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

// passes reports whether a line passes all filters. A field that a line does not have is empty.
func passes(list []filter, l line) bool {
	for _, f := range list {
		// Lines say nothing for what is unknown, so that !status:200 keeps captures without a status
		// too.
		if f.fits(l[f.name]) == f.not {
			return false
		}
	}
	return true
}

// collapse keeps the first of neighbours that are the same in a field, or its beginning.
type collapse struct {
	name string
	n    int // of bytes that count; 0 for all
	last string
	// Whether there was a line before: its value may have been empty, so last alone cannot tell.
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

// drops reports whether a line is the same as the one before.
func (c *collapse) drops(e entry) bool {
	if c.name == "" {
		return false
	}
	v := e.fields()[c.name]
	if c.name == "digest" {
		v = digest.Canonical(v) // archives write one digest in several ways
	}
	if c.n > 0 {
		// Bytes and not characters: the usual use is the first digits of a timestamp, which are ASCII.
		v = v[:min(c.n, len(v))]
	}
	same := c.any && v == c.last
	// A line that is dropped is the one to compare with as well. It equals the line that was kept, so
	// nothing changes.
	c.last, c.any = v, true
	return same
}
