package cdxserver

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// maxSorted is the maximum number of lines in an answer that needs sorting, since these are held in memory. Others
// have no bound.
const maxSorted = 100_000

// maxSortedBytes limits the lines that are held for sorting. A line may have a URL and a file name of any length.
const maxSortedBytes = 128 << 20

// question is a parsed request.
type question struct {
	q       query.Query
	filters []filter
	limit   int // maximum number of lines; 0 for all
	offset  int // lines of the answer left out before
	last    bool
	paging
	sort     string
	closest  time.Time
	asked    string // the single requested URL; "" if there are many
	fields   []string
	json     bool
	wayback  bool
	collapse collapse
	held     int // bytes of the lines that are held for sorting

	begin, end string // for clusters: 14 digits each, end is after the period; "" if it is open
}

// bad returns an error of the user about one parameter; the API's writer makes a 400 of it.
func bad(param, value, why string) error {
	return &view.Error{Kind: view.Invalid, Title: "The request cannot be read", Detail: why, Param: param, Value: value}
}

// parse parses the parameters.
func parse(v url.Values, wayback bool) (question, error) {
	c := question{wayback: wayback, sort: v.Get("sort")}
	if err := understood(v); err != nil {
		return c, err
	}
	var err error
	match := v.Get("matchType")
	// The closest capture is that of one page: replay tools request it for URLs that end in a star, too.
	if match == "" && c.sort == "closest" && !strings.HasPrefix(v.Get("url"), "*.") {
		match = "exact"
	}
	if c.q, err = captures(v.Get("url"), match); err != nil {
		return c, err
	}
	if match == "" || match == "exact" {
		c.asked = v.Get("url")
	}
	if err := c.period(v); err != nil {
		return c, err
	}
	if err := c.order(v); err != nil {
		return c, err
	}
	if c.paging, err = parsePaging(v, c.sort, c.last); err != nil {
		return c, err
	}
	c.resumed()
	for _, text := range v["filter"] {
		f, err := parseFilter(text, wayback)
		if err != nil {
			return c, err
		}
		c.filters = append(c.filters, f)
	}
	// All are compiled by now. Their total is bounded too, by the size of a request's head in net/http.
	if len(c.filters) > maxFilters {
		return c, bad("filter", "", "It takes 20 filters at most.")
	}
	if c.collapse, err = parseCollapse(v.Get("collapse")); err != nil {
		return c, err
	}
	return c, c.form(v)
}

// captures returns the query for all captures by url and matchType.
func captures(address, match string) (q query.Query, err error) {
	if address == "" {
		return q, bad("url", "", "Name a URL: url=example.org/")
	}
	// This is the short form of matchType=domain in both dialects. With a matchType the star is part of the address,
	// and hostOf removes it.
	if host, is := strings.CutPrefix(address, "*."); is && match == "" {
		address, match = host, "domain"
	}
	switch match {
	case "", "exact":
		// A star after it means any continuation, as in both dialects, except for an exact match.
		if match == "exact" {
			address = contentdb.Exactly(address)
		}
		q, err = contentdb.Versions(address)
	case "prefix":
		// There is one star, whether the user wrote it or not.
		q, err = contentdb.Versions(strings.TrimSuffix(address, "*") + "*")
	case "host", "domain":
		host := hostOf(address)
		// Without a host, a domain would be the whole collection.
		if host == "" {
			return q, bad("url", address, "It has no host.")
		}
		q.Where, err = ofHost(host, match == "domain")
	default:
		return q, bad("matchType", match, "It takes exact, prefix, host or domain.")
	}
	if err != nil {
		return q, bad("url", address, err.Error())
	}
	// This is the order of a CDX file: by SURT, then time. collapse compares adjacent lines and depends on it.
	q.AllVersions, q.Order = true, query.SURT
	return q, nil
}

// ofHost matches the SURTs of a host, and of those below it for a domain. As in pywb and in clusters, www does not
// count, and the host itself has no port.
func ofHost(host string, below bool) (query.Expr, error) {
	if strings.Contains(host, ":") {
		host = "[" + host + "]" // of IPv6
	}
	key := strings.TrimSuffix(urlkey.SURT("http://"+host+"/"), ")/")
	ends := []string{")"}
	if below {
		ends = append(ends, ",")
	}
	var list []query.Expr
	for _, end := range ends {
		e, err := query.NewCompare("surt", query.Equal, key+end+"*")
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return &query.Or{List: list}, nil
}

// hostOf returns the host of an address, which may have a scheme, a user, a port and a path.
func hostOf(address string) string {
	// url.Parse is not suitable: it reads example.org:80/ as a scheme, and refuses many archived URLs.
	if _, rest, is := strings.Cut(address, "://"); is {
		address = rest
	}
	host := strings.TrimPrefix(address, "//")
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	// The colons of an IPv6 address are in brackets.
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return strings.ToLower(strings.Trim(host, "*.[]"))
}

// period adds from and to.
func (c *question) period(v url.Values) error {
	for _, end := range []struct {
		param string
		op    query.Op
	}{{"from", query.GreaterEqual}, {"to", query.LessEqual}} {
		value := v.Get(end.param)
		if value == "" {
			continue
		}
		// A time with fewer digits is a period; the comparison uses its beginning for from and its end for to.
		e, err := query.NewCompare("timestamp", end.op, value)
		if err != nil {
			return bad(end.param, value, "It takes 4 to 14 digits: 2026, 202603, 20260309153000.")
		}
		c.q.Where = &query.And{List: []query.Expr{c.q.Where, e}}
	}
	return nil
}

// order parses sort, closest and limit.
func (c *question) order(v url.Values) (err error) {
	if text := v.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		// The smallest int has no positive counterpart: -n below would be negative again.
		if err != nil || n == math.MinInt {
			return bad("limit", text, "It takes a whole number.")
		}
		c.last = n < 0
		c.limit = min(max(n, -n), math.MaxInt/2) // 0 means none
	}
	if c.offset, err = number(v, "offset", 0); err != nil {
		return err
	}
	if c.offset > 0 && c.last {
		return bad("offset", v.Get("offset"), "It takes a limit from 1, or none.")
	}
	switch c.sort {
	// These need no other parameter; sorted describes the cost of reverse.
	case "", "default", "reverse":
	case "closest":
		// The last of them would be the farthest, which nobody needs.
		if c.last {
			return bad("limit", v.Get("limit"), "With sort=closest it takes a number from 1.")
		}
		// If there is no time, pywb's template leaves the braces, or sends nothing. In that case the newest is meant.
		text := v.Get("closest")
		if from, _, err := query.Period(text); err == nil {
			c.closest = from
		} else if text != "" && text[0] >= '0' && text[0] <= '9' {
			return bad("closest", text, "It takes 4 to 14 digits.")
		} else {
			c.closest = time.Now()
		}
	default:
		return bad("sort", c.sort, "It takes default, reverse or closest.")
	}
	if sorts := c.sort != "" && c.sort != "default"; (sorts || c.last) && c.limit > maxSorted-c.offset {
		why := fmt.Sprintf("In this order it takes at most %d, with the offset.", maxSorted)
		return bad("limit", v.Get("limit"), why)
	}
	return nil
}

// form parses the format of the answer.
func (c *question) form(v url.Values) error {
	switch out := v.Get("output"); out {
	// These are pywb's own names for its lines. All are one format here: CDXJ, or columns if fl names fields.
	case "", "text", "cdxj", "cdx":
	case "json":
		c.json = true
	default:
		return bad("output", out, "It takes text or json.")
	}
	list := v.Get("fl")
	if list == "" {
		// Both names mean the same; fl wins if both are there.
		list = v.Get("fields")
	}
	if list == "" {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		name = nameOf(strings.TrimSpace(name))
		// It is refused instead of left out: columns of a text answer have no names, so a missing one would shift the
		// others.
		if !slices.Contains(names, name) {
			return bad("fl", list, noField(name))
		}
		c.fields = append(c.fields, name)
	}
	return nil
}
