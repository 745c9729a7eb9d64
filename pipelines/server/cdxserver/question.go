package cdxserver

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// maxLines is how many lines an answer has at most, as pywb's.
const maxLines = 100_000

// In the order of SURTs lines are streamed; any other order has to hold them.
// maxSorted is how many lines are held to be put into another order.
const maxSorted = 10_000

// question is what is asked for.
type question struct {
	q       query.Query
	filters []filter
	// last takes the last lines of the order, which need not be the newest captures.
	limit    int // most lines
	last     bool
	sort     string
	closest  time.Time
	fields   []string
	json     bool
	wayback  bool
	collapse collapse
}

func bad(param, value, why string) error {
	// View's errors, so that all interfaces refuse alike.
	return &view.Error{Kind: view.Invalid, Title: "The request cannot be read", Detail: why, Param: param, Value: value}
}

// parse reads the parameters.
func parse(v url.Values, wayback bool) (question, error) {
	// sort is checked in order, with what depends on it.
	c := question{wayback: wayback, limit: maxLines, sort: v.Get("sort")}
	var err error
	if c.q, err = captures(v.Get("url"), v.Get("matchType")); err != nil {
		return c, err
	}
	if err := c.period(v); err != nil {
		return c, err
	}
	if err := c.order(v); err != nil {
		return c, err
	}
	// How many are parsed before they are counted is bounded by the length of a request's head.
	for _, text := range v["filter"] {
		f, err := parseFilter(text, wayback)
		if err != nil {
			return c, err
		}
		c.filters = append(c.filters, f)
	}
	if len(c.filters) > maxFilters {
		return c, bad("filter", "", "It takes 20 filters at most.")
	}
	if c.collapse, err = parseCollapse(v.Get("collapse")); err != nil {
		return c, err
	}
	return c, c.form(v)
}

// captures asks for all captures of what url and matchType say.
// The order matters: each step adds its test to the one before.
func captures(address, match string) (q query.Query, err error) {
	if address == "" {
		return q, bad("url", "", "Name a URL: url=example.org/")
	}
	// "*.example.org" is the domain, with all that is below it.
	if host, is := strings.CutPrefix(address, "*."); is && match == "" {
		address, match = host, "domain"
	}
	switch match {
	case "", "exact":
		// A star behind it stands for all that begin so, as in both dialects.
		if match == "exact" {
			address = strings.TrimSuffix(address, "*")
		}
		q, err = contentdb.Versions(address)
	case "prefix":
		// With or without a star, prefix means the same.
		q, err = contentdb.Versions(strings.TrimSuffix(address, "*") + "*")
	case "host", "domain":
		host := hostOf(address)
		if match == "domain" {
			// A domain is asked for as the command query does, so both find the same.
			q, err = query.Common{Host: host, AllVersions: true}.Query()
			break
		}
		q.Where, err = query.NewCompare("host", query.Equal, host)
	default:
		return q, bad("matchType", match, "It takes exact, prefix, host or domain.")
	}
	if err != nil {
		return q, bad("url", address, err.Error())
	}
	q.AllVersions, q.Order = true, query.SURT
	// All versions, in the order that a CDX file has.
	return q, nil
}

// hostOf is the host of an address, which may have a scheme and a path or not.
// What is typed may be a host or a URL.
func hostOf(address string) string {
	if _, rest, is := strings.Cut(address, "://"); is {
		address = rest
	}
	host, _, _ := strings.Cut(address, "/")
	// A port is no part of the host that captures are filed under.
	host, _, _ = strings.Cut(host, ":")
	// Dots at the ends, as in ".example.org" and "example.org.".
	return strings.ToLower(strings.Trim(host, "*."))
}

// period adds from and to.
func (c *question) period(v url.Values) error {
	for _, end := range []struct {
		param string
		op    query.Op
		// Both ends are inclusive: to=2020 takes all of 2020.
	}{{"from", query.GreaterEqual}, {"to", query.LessEqual}} {
		value := v.Get(end.param)
		if value == "" {
			continue
		}
		e, err := query.NewCompare("timestamp", end.op, value)
		if err != nil {
			// The message is about digits, since that is what this interface takes.
			return bad(end.param, value, "It takes 4 to 14 digits: 2026, 202603, 20260309153000.")
		}
		c.q.Where = &query.And{List: []query.Expr{c.q.Where, e}}
	}
	return nil
}

// order reads sort, closest and limit.
func (c *question) order(v url.Values) (err error) {
	if text := v.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		// MinInt has no positive counterpart.
		if err != nil || n == math.MinInt {
			return bad("limit", text, "It takes a whole number.")
		}
		c.last = n < 0
		// limit=0 asks for no limit of its own. The bound holds whatever is asked for.
		if n = max(n, -n); n > 0 {
			c.limit = min(n, maxLines)
		}
	}
	switch c.sort {
	case "", "default", "reverse":
	case "closest":
		// pywb's template leaves the braces when there is no time, or gives nothing: the newest then.
		text := v.Get("closest")
		if from, _, err := query.Period(text); err == nil {
			// The beginning of the period that the digits name.
			c.closest = from
			// Digits that cannot be read are a mistake; a template that was not filled in is none.
		} else if text != "" && text[0] >= '0' && text[0] <= '9' {
			return bad("closest", text, "It takes 4 to 14 digits.")
		} else {
			c.closest = time.Now()
		}
	default:
		return bad("sort", c.sort, "It takes default, reverse or closest.")
	}
	// An answer is one page, so any other does not exist.
	if page := v.Get("page"); page != "" && page != "0" {
		return bad("page", page, "Answers are one page: 0.")
	}
	return nil
}

// form reads what the answer is to look like.
func (c *question) form(v url.Values) error {
	switch out := v.Get("output"); out {
	// All of these are lines of text, which is what is given without it.
	case "", "text", "cdxj", "cdx":
	case "json":
		c.json = true
	default:
		return bad("output", out, "It takes text or json.")
	}
	// The dialects have different names for the same parameter.
	list := v.Get("fl")
	if list == "" {
		list = v.Get("fields")
	}
	if list == "" {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		name = nameOf(strings.TrimSpace(name))
		// Refused, not left empty: a wrong name would give columns of dashes.
		if !slices.Contains(names, name) {
			return bad("fl", list, fmt.Sprintf("There is no field %q; there are %s.", name, strings.Join(names, ", ")))
		}
		c.fields = append(c.fields, name)
	}
	return nil
}
