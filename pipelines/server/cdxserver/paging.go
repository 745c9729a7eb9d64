package cdxserver

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Pages are counted in blocks of as many lines as in compressed indexes of pywb and the Wayback Machine.
const (
	blockLines = 3000
	pageBlocks = 10
)

// paging is the requested part of the lines, and the progress of the answer.
type paging struct {
	count  bool   // only the number of pages
	page   int    // from 0; -1 for all
	blocks int    // blocks in a page
	keys   bool   // request a key for the lines after the limit
	from   cursor // end of the previous answer

	place, before cursor // position of the last line found, and of the one before
	lines         int    // number of lines found
	reached       bool   // there is a line on the page
	cut           bool   // requested lines were left out
}

// cursor is the position of a line in the order of SURTs and times: the n-th with both.
type cursor struct {
	key, stamp string
	n          int
}

// next moves to a later line.
func (k *cursor) next(e entry) {
	// A line begins with its key and its time, each followed by a blank.
	key, rest, _ := strings.Cut(string(e.text), " ")
	stamp, _, _ := strings.Cut(rest, " ")
	// The number counts within one key and time.
	if key != k.key || stamp != k.stamp {
		*k = cursor{key: key, stamp: stamp}
	}
	k.n++
}

func (k cursor) compare(other cursor) int {
	return cmp.Or(cmp.Compare(k.key, other.key), cmp.Compare(k.stamp, other.stamp), cmp.Compare(k.n, other.n))
}

// String returns the key for the lines after k, escaped for use in a URL.
func (k cursor) String() string {
	return url.QueryEscape(fmt.Sprintf("%s %s %d", k.key, k.stamp, k.n))
}

// parseCursor parses a key, in its original form or escaped once more by a client.
func parseCursor(text string) (k cursor, err error) {
	plain := text
	// Keys have blanks inside, so one without is still escaped.
	if !strings.Contains(plain, " ") {
		plain, err = url.QueryUnescape(text)
	}
	fields := strings.Split(plain, " ")
	if err != nil || len(fields) != 3 || fields[0] == "" {
		return k, bad("resumeKey", text, "It takes the key at the end of an answer with showResumeKey=true.")
	}
	k = cursor{key: fields[0], stamp: fields[1]}
	if k.n, err = strconv.Atoi(fields[2]); err != nil || k.n < 1 {
		return k, bad("resumeKey", text, "It takes the key at the end of an answer with showResumeKey=true.")
	}
	return k, nil
}

// The accepted parameters, and switches of other servers that are always on here, or have no effect if false. Others
// are refused, so that nobody takes an answer for the requested one.
var (
	parameters = []string{
		"url", "matchType", "from", "to", "limit", "offset", "sort", "closest", "filter", "fl", "fields", "output",
		"collapse", "page", "pageSize", "showNumPages", "showResumeKey", "resumeKey", "collection", "gzip",
	}
	switches = []string{
		"resolveRevisits", "showDupeCount", "showSkipCount", "showUniqCount", "showPagedIndex", "allowFuzzy",
		"omitSelfRedirects", "fastLatest",
	}
)

// understood refuses unknown parameters.
func understood(v url.Values) error {
	for name, values := range v {
		off := values[0] == "" || values[0] == "false"
		switch {
		case slices.Contains(switches, name) && off:
		// Here the last lines are always found correctly.
		case name == "fastLatest" && strings.HasPrefix(v.Get("limit"), "-"):
		case !slices.Contains(parameters, name):
			return bad(name, values[0], "There is no such parameter here.")
		case len(values) > 1 && name != "filter":
			return bad(name, values[1], "It is there twice.")
		}
	}
	return nil
}

// number parses a non-negative integer.
func number(v url.Values, name string, missing int) (int, error) {
	text := v.Get(name)
	if text == "" {
		return missing, nil
	}
	// It has 31 bits, so that reach can multiply the result without overflow.
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, bad(name, text, "It takes a whole number that is not negative.")
	}
	return int(n), nil
}

// flag parses true or false.
func flag(v url.Values, name string) (bool, error) {
	switch text := v.Get(name); text {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	default:
		return false, bad(name, text, "It takes true or false.")
	}
}

// parsePaging parses the parameters of pages and keys. Both follow the order of the index.
func parsePaging(v url.Values, sort string, last bool) (p paging, err error) {
	if p.page, err = number(v, "page", -1); err != nil {
		return p, err
	}
	if p.blocks, err = number(v, "pageSize", pageBlocks); err != nil {
		return p, err
	}
	// The lines of a page must fit into 31 bits as well.
	if p.blocks == 0 || p.blocks > math.MaxInt32/blockLines {
		return p, bad("pageSize", v.Get("pageSize"), "It takes a number of blocks of 3000 lines, from 1.")
	}
	if p.count, err = flag(v, "showNumPages"); err != nil {
		return p, err
	}
	if p.keys, err = flag(v, "showResumeKey"); err != nil {
		return p, err
	}
	if key := v.Get("resumeKey"); key != "" {
		if p.from, err = parseCursor(key); err != nil {
			return p, err
		}
	}
	resumes := p.keys || p.from != cursor{}
	// Keys and pages have no meaning in another order than the index's.
	switch sorts := last || sort != "" && sort != "default"; {
	case resumes && p.page >= 0:
		return p, bad("page", v.Get("page"), "It does not go with showResumeKey and resumeKey.")
	case sorts && resumes:
		return p, bad("showResumeKey", "", "Keys go with sort=default and a limit from 1.")
	case sorts && p.page > 0:
		return p, bad("page", v.Get("page"), "Pages go with sort=default and a limit from 1.")
	case sorts:
		p.page = -1 // the first page has everything
	}
	return p, nil
}

// resumed narrows the question to lines after a key.
func (c *question) resumed() {
	// Keys in lines have escapes for characters that would break a line; the SURT itself may not have these.
	begin, _, _ := strings.Cut(c.from.key, "%")
	// A key that begins with an escape narrows nothing.
	if begin == "" {
		return
	}
	behind := &query.Compare{Field: "surt", Op: query.GreaterEqual, Value: query.Value{Text: begin}}
	c.q.Where = &query.And{List: []query.Expr{c.q.Where, behind}}
}

// reach reports whether a line is before the requested part and must be skipped, or is the first after that part.
func (p *paging) reach(e entry) (skip, ended bool) {
	p.before = p.place
	p.place.next(e)
	// The client already has the line of the key.
	if p.from.key != "" && p.place.compare(p.from) <= 0 {
		return true, false
	}
	if p.page < 0 {
		return false, false
	}
	p.lines++
	// 64 bits are needed, since both numbers have 31.
	size := int64(p.blocks) * blockLines
	// One line more than the page holds ends the search.
	if int64(p.lines) > int64(p.page+1)*size {
		return false, true
	}
	skip = int64(p.lines) <= int64(p.page)*size
	p.reached = p.reached || !skip
	return skip, false
}

// noPage answers a request for a page after the last one. That ends the pages for clients: with an error as in pywb,
// or with an empty answer as in the Wayback Machine.
func (c *question) noPage() error {
	if c.wayback {
		return nil
	}
	return bad("page", strconv.Itoa(c.page), "There are not so many pages: see showNumPages=true.")
}

// pages writes the number of pages. As with other servers, lines are counted before filters and collapse.
func (c *question) pages(ctx context.Context, w http.ResponseWriter, now *shelf.Snapshot) error {
	n := 0
	for d, err := range now.DB.Find(ctx, c.q, []string{"surt"}) {
		if err != nil {
			return err
		}
		// Captures without a SURT have no place in the order.
		if d.SURT != "" {
			n++
		}
	}
	return c.writePages(w, n)
}

// countPages is pages for the lines of a cluster, whose number is only known by reading them.
func (c *question) countPages(w http.ResponseWriter, each iter.Seq2[entry, error]) error {
	n := 0
	c.filters, c.page = nil, -1
	for _, err := range each {
		if err != nil {
			return err
		}
		n++
	}
	return c.writePages(w, n)
}

// writePages writes the number of pages for n lines.
func (c *question) writePages(w http.ResponseWriter, n int) error {
	// Both are rounded up, since the last block and the last page may be partly full.
	blocks := (n + blockLines - 1) / blockLines
	pages := (blocks + c.blocks - 1) / c.blocks
	// In another order all lines are on one page: see parsePaging.
	if c.sort != "" && c.sort != "default" || c.last {
		pages = min(pages, 1)
	}
	if c.json {
		w.Header().Set("Content-Type", "application/json")
		// These are the members of pywb's answer.
		_, err := fmt.Fprintf(w, `{"blocks": %d, "pages": %d, "pageSize": %d}`+"\n", blocks, pages, c.blocks)
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err := fmt.Fprintln(w, pages)
	return err
}
