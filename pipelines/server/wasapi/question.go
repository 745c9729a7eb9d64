package wasapi

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// perPage is how many files a page has if page_size is missing; maxPerPage is the maximum.
const (
	perPage    = 100
	maxPerPage = 2000
)

// question is a parsed request for a list.
type question struct {
	collections, filetypes []string  // any of them; none means all
	filename               string    // a pattern with stars, or ""
	after, before          time.Time // of captures in the file; zero means any
	page, size             int
}

func bad(param, value, why string) error {
	return &view.Error{
		Kind: view.Invalid, Title: "The request cannot be read", Detail: why, Param: param, Value: value,
	}
}

// parse reads the parameters of the specification. Unsupported ones are refused: a request for the files of one crawl
// must not return all files.
func parse(v url.Values) (q question, err error) {
	q.page, q.size = 1, perPage
	for name, values := range v {
		text := values[0]
		// Only these two may be given several times.
		if len(values) > 1 && name != "collection" && name != "filetype" {
			return q, bad(name, values[1], "It is there twice.")
		}
		switch name {
		case "collection":
			// A parameter without a value does not narrow the list.
			q.collections = slices.DeleteFunc(slices.Clone(values), func(s string) bool { return s == "" })
		case "filetype":
			q.filetypes = slices.DeleteFunc(slices.Clone(values), func(s string) bool { return s == "" })
		case "filename":
			// It is matched against nothing, only to check that the pattern is valid.
			if _, err := path.Match(text, ""); err != nil {
				return q, bad(name, text, "It takes a name, with stars for any part of it.")
			}
			q.filename = text
		case "crawl-time-after":
			q.after, err = moment(name, text)
		case "crawl-time-before":
			q.before, err = moment(name, text)
		case "page":
			// The limit keeps the product with the size within an int64.
			q.page, err = number(name, text, 1<<30)
		case "page_size":
			q.size, err = number(name, text, maxPerPage)
		case "crawl", "crawl-start-after", "crawl-start-before":
			return q, bad(name, text, "Which crawl a file is of is not known here.")
		default:
			return q, bad(name, text, "There is no such parameter of WASAPI here.")
		}
		if err != nil {
			return q, err
		}
	}
	return q, nil
}

func number(name, text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, bad(name, text, fmt.Sprintf("It takes a number from 1 to %d.", most))
	}
	return n, nil
}

// moment reads a date, which may be just a year, or a time.
func moment(name, text string) (time.Time, error) {
	from, _, err := query.Period(text)
	if err != nil {
		return from, bad(name, text, "It takes a date or a time: 2026, 2026-03-09, 2026-03-09T15:30:00Z.")
	}
	return from, nil
}

// captured returns the files that contain captures of the requested time, or nil if no time was requested.
func (q question) captured(ctx context.Context, db *contentdb.DB) (map[string]bool, error) {
	// Without a time, the captures need not be read.
	if q.after.IsZero() && q.before.IsZero() {
		return nil, nil
	}
	where := &query.And{}
	// The period includes its start, but not its end.
	for _, end := range []struct {
		at time.Time
		op query.Op
	}{{q.after, query.GreaterEqual}, {q.before, query.Less}} {
		if end.at.IsZero() {
			continue
		}
		// The full time is written, since the comparison would take the end of a shorter period.
		e, err := query.NewCompare("timestamp", end.op, end.at.UTC().Format(time.RFC3339Nano))
		if err != nil {
			return nil, bad("crawl-time-after", "", err.Error())
		}
		where.List = append(where.List, e)
	}
	found := map[string]bool{}
	// All versions are searched, since a single capture of that time is enough for its file.
	for d, err := range db.Find(ctx, query.Query{Where: where, AllVersions: true}, []string{"filename"}) {
		if err != nil {
			return nil, err
		}
		found[d.Filename] = true
	}
	return found, nil
}

// fits reports whether a file matches. Archives contain more than was requested, as the answer states.
func (q question) fits(f File, captured map[string]bool) bool {
	if len(q.filetypes) > 0 && !slices.ContainsFunc(q.filetypes, func(t string) bool {
		return strings.EqualFold(t, f.Filetype)
	}) {
		return false
	}
	// A star does not match slashes, but a base name has none.
	if ok, err := path.Match(q.filename, f.Filename); q.filename != "" && (err != nil || !ok) {
		return false
	}
	return captured == nil || captured[f.in.File]
}
