package view

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// pick lists the requested versions of a URL, and returns the query that finds exactly these. If there are more than
// maxVersions, the list ends with the requested one. It replaces Near by At.
func (f *found) pick(
	ctx context.Context, now *shelf.Snapshot, all query.Query, r *ResourceRequest,
) (q query.Query, err error) {
	q = all
	if r.Status != "" {
		e, err := ofClass(r.Status)
		if err != nil {
			return q, err
		}
		q.Where = &query.And{List: []query.Expr{all.Where, e}}
	}
	// First only their places are read, which the index has. The rest is read when the versions are known.
	list, more, err := versions(ctx, now, q, placeColumns)
	f.list = list
	if err != nil || len(list) == 0 && r.Status == "" {
		return q, err
	}
	if more || r.Status != "" {
		if f.moments, err = readMoments(ctx, now, all); err != nil {
			return q, err
		}
	}
	known := f.known(*r)
	if err := r.nearest(known); err != nil || !more {
		return q, err
	}
	return f.cut(ctx, now, q, known, *r)
}

// known returns the moments among which a request chooses.
func (f *found) known(r ResourceRequest) (list []moment) {
	if f.moments == nil {
		for _, d := range f.list {
			list = append(list, momentOf(d))
		}
		return list
	}
	for _, m := range f.moments {
		if r.Status == "" || m.class == r.Status {
			list = append(list, m)
		}
	}
	return list
}

// nearest replaces Near by the time of the nearest capture.
func (r *ResourceRequest) nearest(known []moment) error {
	if r.Near == "" {
		return nil
	}
	from, until, err := periodOf(r.Near)
	if err != nil {
		return asInvalid("near", r.Near, err)
	}
	if t, found := near(known, from, until); found {
		r.At = stampOf(t)
	}
	r.Near = ""
	return nil
}

// cut narrows a long list to the requested version and those before it.
func (f *found) cut(
	ctx context.Context, now *shelf.Snapshot, q query.Query, known []moment, r ResourceRequest,
) (query.Query, error) {
	f.more = int64(len(known) - len(f.list))
	// A place has no time, so it must be among the newest.
	if r.At == "" || strings.HasPrefix(r.At, "~") {
		return q, nil
	}
	_, until, err := periodOf(r.At)
	if err != nil {
		return q, asInvalid("at", r.At, err)
	}
	last := lastBefore(known, until)
	e, err := query.NewCompare("timestamp", query.LessEqual, last.Format(time.RFC3339Nano))
	if err != nil {
		return q, err
	}
	narrow := q
	narrow.Where = &query.And{List: []query.Expr{q.Where, e}}
	list, _, err := versions(ctx, now, narrow, placeColumns)
	if err != nil || len(list) == 0 {
		return q, err
	}
	f.list = list
	for _, m := range known {
		if m.at.After(last) {
			f.later++
		}
	}
	f.more = int64(len(known)-len(list)) - f.later
	return narrow, nil
}

// lastBefore returns the last time before until, or the first time if all are later.
func lastBefore(known []moment, until time.Time) (last time.Time) {
	for _, m := range known {
		if last.IsZero() || m.at.Before(until) {
			last = m.at
		}
	}
	return last
}

// turns adds the calendar, and the links to the versions before and after the shown one.
func (res *Resource) turns(f *found, r ResourceRequest) {
	shown := momentOf(f.shown).at
	res.Calendar = calendarOf(f.moments, shown, r)
	// The value is quoted, as a URL may contain characters of the query language.
	prefix := "url = " + strconv.Quote(f.shown.URL+"*")
	res.Prefix = SearchRequest{Collection: r.Collection, Query: prefix, Order: "surt"}.link()
	link := func(to string) string {
		return page(r.Collection, "resource", ResourceRequest{URL: r.URL, At: to, Status: r.Status})
	}
	i := slices.IndexFunc(f.list, func(d *schemas.Document) bool { return placeOf(d) == placeOf(f.shown) })
	known := f.known(r)
	switch {
	case i > 0:
		res.Previous = link(at(f.list[i-1]))
	case f.more > 0:
		if t := lastBefore(known, shown); t.Before(shown) && !t.IsZero() {
			res.Previous = link(stampOf(t))
		}
	}
	switch {
	case i >= 0 && i+1 < len(f.list):
		res.Next = link(at(f.list[i+1]))
	case f.later > 0:
		j := slices.IndexFunc(known, func(m moment) bool { return m.at.After(shown) })
		if j >= 0 {
			res.Next = link(stampOf(known[j].at))
		}
	}
}

// differences names what differs between version x and the next one, y. If they are revisits, a and b are their
// originals.
func differences(x, y, a, b *schemas.Document, change string) (list []string) {
	if s, t := statusOf(x, a), statusOf(y, b); s != t {
		list = append(list, "status")
	}
	if a.MIMEDetected != b.MIMEDetected {
		list = append(list, "media type")
	}
	if a.Title != b.Title {
		list = append(list, "title")
	}
	// "same text" is only said if both texts were read.
	if change == changeChanged && a.Quality != nil && b.Quality != nil && a.Quality.Words+b.Quality.Words > 0 {
		list = append(list, "text")
	}
	if change == changeChanged || change == changeSameText {
		list = append(list, "payload")
	}
	return list
}

// statusOf returns the status of a version. A 304 says that the original's status is still true.
func statusOf(d, original *schemas.Document) int {
	if d.RecordType == schemas.TypeRevisit && d.Status == 304 {
		return original.Status
	}
	return d.Status
}
