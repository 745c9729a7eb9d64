package cdxserver

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Pages are counted in blocks, as those of pywb's and the Wayback Machine's compressed indexes, of as many lines.
const (
	blockLines = 3000
	pageBlocks = 10
)

// paging is which part of the lines is asked for, and how far the answer is.
type paging struct {
	count  bool   // only how many pages there are
	page   int    // from 0; -1 for all
	blocks int    // of a page
	keys   bool   // a key is to lead to the lines after the limit
	from   cursor // where the answer before ended

	place, before cursor // of the line that was found last, and of the one before it
	lines         int    // that were found
	reached       bool   // there is a line on the page
	cut           bool   // lines were left out that were not asked to be
}

// cursor is the place of a line in the order of SURTs and times: the n-th of those that have both.
type cursor struct {
	key, stamp string
	n          int
}

// next moves to a line that stands after.
func (k *cursor) next(e entry) {
	// A line begins with its key and its time, with a blank after each.
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

// String is the key that leads to the lines after k, escaped so that it can be in a URL as it is.
func (k cursor) String() string {
	return url.QueryEscape(fmt.Sprintf("%s %s %d", k.key, k.stamp, k.n))
}

// parseCursor reads a key, as it was given or as clients that escape parameters send it.
func parseCursor(text string) (k cursor, err error) {
	plain := text
	// Keys of lines have no blanks, so that one that has none is still escaped.
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

// The parameters that are read, and those of other servers that ask for what is done here anyway, or for nothing when
// they are false. Any other would be asked without success, and its answer mistaken for what was asked.
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

// understood refuses parameters that are not read.
func understood(v url.Values) error {
	for name, values := range v {
		off := values[0] == "" || values[0] == "false"
		switch {
		case slices.Contains(switches, name) && off:
		// The last lines are always found, and the right ones.
		case name == "fastLatest" && strings.HasPrefix(v.Get("limit"), "-"):
		case !slices.Contains(parameters, name):
			return bad(name, values[0], "There is no such parameter here.")
		case len(values) > 1 && name != "filter":
			return bad(name, values[1], "It is there twice.")
		}
	}
	return nil
}

// number reads a whole number that is not negative.
func number(v url.Values, name string, missing int) (int, error) {
	text := v.Get(name)
	if text == "" {
		return missing, nil
	}
	// 31 bits, so that reach can multiply the result without overflow.
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, bad(name, text, "It takes a whole number that is not negative.")
	}
	return int(n), nil
}

// flag reads true or false.
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

// parsePaging reads the parameters of pages and keys. Both follow the order of the index.
func parsePaging(v url.Values, sort string, last bool) (p paging, err error) {
	if p.page, err = number(v, "page", -1); err != nil {
		return p, err
	}
	if p.blocks, err = number(v, "pageSize", pageBlocks); err != nil {
		return p, err
	}
	// The lines of a page have to fit into 31 bits as well.
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
		p.page = -1 // all is on the first one
	}
	return p, nil
}

// resumed narrows the question to what follows a key.
func (c *question) resumed() {
	// In lines, keys have escapes for what would break a line, which the SURT itself may not have.
	begin, _, _ := strings.Cut(c.from.key, "%")
	// A key that begins with an escape narrows nothing.
	if begin == "" {
		return
	}
	behind := &query.Compare{Field: "surt", Op: query.GreaterEqual, Value: query.Value{Text: begin}}
	c.q.Where = &query.And{List: []query.Expr{c.q.Where, behind}}
}

// reach reports whether a line that was found is left out, since it is before the part that is asked for, or is the
// first after that.
func (p *paging) reach(e entry) (skip, ended bool) {
	p.before = p.place
	p.place.next(e)
	// The client has the line of the key already.
	if p.from.key != "" && p.place.compare(p.from) <= 0 {
		return true, false
	}
	if p.page < 0 {
		return false, false
	}
	p.lines++
	// 64 bits: both numbers have 31.
	size := int64(p.blocks) * blockLines
	// One line more than the page holds ends the search.
	if int64(p.lines) > int64(p.page+1)*size {
		return false, true
	}
	skip = int64(p.lines) <= int64(p.page)*size
	p.reached = p.reached || !skip
	return skip, false
}

// noPage answers who asks for a page after the last one. That ends the pages for clients: with an error as pywb's, and
// with nothing at all as the Wayback Machine's.
func (c *question) noPage() error {
	if c.wayback {
		return nil
	}
	return bad("page", strconv.Itoa(c.page), "There are not so many pages: see showNumPages=true.")
}

// pages says how many pages the answers have. As with other servers, they are of the lines before filters and collapse.
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
	// Both are rounded up, since the last block and the last page may be partly full.
	blocks := (n + blockLines - 1) / blockLines
	pages := (blocks + c.blocks - 1) / c.blocks
	// In another order all lines are on one page: see parsePaging.
	if c.sort != "" && c.sort != "default" || c.last {
		pages = min(pages, 1)
	}
	if c.json {
		w.Header().Set("Content-Type", "application/json")
		// The members of pywb's answer.
		_, err := fmt.Fprintf(w, `{"blocks": %d, "pages": %d, "pageSize": %d}`+"\n", blocks, pages, c.blocks)
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, err := fmt.Fprintln(w, pages)
	return err
}
