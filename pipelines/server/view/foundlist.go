package view

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
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
	f.all = q
	// First only their places are read, which the index has. The rest is read when the versions are known.
	list, more, err := versions(ctx, now, q, placeColumns)
	f.list = list
	if err != nil || len(list) == 0 {
		return q, err
	}
	if more || r.Status != "" {
		if f.moments, err = readMoments(ctx, now, all); err != nil {
			return q, err
		}
	}
	if err := r.nearest(ctx, now, q); err != nil || !more {
		return q, err
	}
	for _, m := range f.moments {
		if r.Status == "" || m.class == r.Status {
			f.known += m.n
		}
	}
	f.more = f.known - int64(len(f.list))
	return f.cut(ctx, now, q, "at", r.At)
}

// edge returns the time of the first capture, in an order, whose time compares with t.
func edge(ctx context.Context, now *shelf.Snapshot, q query.Query, op query.Op, t time.Time) (time.Time, bool, error) {
	q, err := limited(q, op, t)
	if err != nil {
		return t, false, err
	}
	q.Limit = 1
	if q.Order = query.Newest; op == query.Greater || op == query.GreaterEqual {
		q.Order = query.Oldest
	}
	for d, err := range now.DB.Find(ctx, q, placeColumns) {
		if err != nil {
			return t, false, err
		}
		if at, dated := query.ParseTime(d.Timestamp); dated {
			return at.UTC(), true, nil
		}
	}
	return t, false, nil
}

// limited returns the query for the captures whose time compares with t.
func limited(q query.Query, op query.Op, t time.Time) (query.Query, error) {
	e, err := query.NewCompare("timestamp", op, t.Format(time.RFC3339Nano))
	if err == nil {
		q.Where = &query.And{List: []query.Expr{q.Where, e}}
	}
	return q, err
}

// nearest replaces Near by the time of the nearest capture.
func (r *ResourceRequest) nearest(ctx context.Context, now *shelf.Snapshot, q query.Query) error {
	if r.Near == "" {
		return nil
	}
	from, until, err := periodOf(r.Near)
	if err != nil {
		return asInvalid("near", r.Near, err)
	}
	r.Near = ""
	// The last capture of the period itself is as near as it gets.
	before, has, err := edge(ctx, now, q, query.LessEqual, until.Add(-1))
	if err != nil {
		return err
	}
	after, also, err := edge(ctx, now, q, query.GreaterEqual, until)
	if err != nil {
		return err
	}
	switch {
	case also && (!has || after.Sub(until) < from.Sub(before)):
		r.At = stampOf(after)
	case has:
		r.At = stampOf(before)
	}
	return nil
}

// cut narrows a long list to the version that a parameter selects and those before it.
func (f *found) cut(
	ctx context.Context, now *shelf.Snapshot, q query.Query, param, value string,
) (query.Query, error) {
	if value == "" {
		return q, nil
	}
	if strings.HasPrefix(value, "~") {
		return f.endAtPlace(ctx, now, q, value)
	}
	_, until, err := periodOf(value)
	if err != nil {
		return q, asInvalid(param, value, err)
	}
	last, found, err := edge(ctx, now, q, query.LessEqual, until.Add(-1))
	if err == nil && !found {
		last, found, err = edge(ctx, now, q, query.GreaterEqual, until)
	}
	if err != nil || !found {
		return q, err
	}
	return f.endAt(ctx, now, q, last)
}

// endAt lists the versions up to a time.
func (f *found) endAt(
	ctx context.Context, now *shelf.Snapshot, q query.Query, last time.Time,
) (query.Query, error) {
	narrow, err := limited(q, query.LessEqual, last)
	if err != nil {
		return q, err
	}
	list, _, err := versions(ctx, now, narrow, placeColumns)
	if err != nil || len(list) == 0 {
		return q, err
	}
	newer, err := limited(q, query.Greater, last)
	if err != nil {
		return q, err
	}
	if f.later, err = now.DB.Count(ctx, newer); err != nil {
		return q, err
	}
	if f.later > 0 {
		newer.Order, newer.Limit = query.Oldest, 2
		a, err := now.DB.Ask(ctx, contentdb.Request{Query: newer, Columns: placeColumns})
		if err != nil {
			return q, err
		}
		var after []*schemas.Document
		for _, row := range a.Rows {
			after = append(after, row.Document)
		}
		if len(after) > 0 {
			f.after = atOf(after, 0)
		}
	}
	f.list, f.more = list, f.known-int64(len(list))-f.later
	return narrow, nil
}

// endAtPlace lists the versions up to the one at a place. If that one has no time, or too many others have the same, it
// lists the capture at the place.
func (f *found) endAtPlace(
	ctx context.Context, now *shelf.Snapshot, q query.Query, place string,
) (query.Query, error) {
	has := func() int {
		return slices.IndexFunc(f.list, func(d *schemas.Document) bool { return placeOf(d) == place })
	}
	parts := strings.SplitN(strings.TrimPrefix(place, "~"), ".", 3)
	if has() >= 0 || len(parts) < 3 {
		return q, nil
	}
	offset, err := query.NewCompare("offset", query.Equal, parts[0])
	if err != nil {
		return q, nil //nolint:nilerr // no capture is there, and choose says so
	}
	file := &query.Compare{Field: "filename", Op: query.Equal, Value: query.Value{Text: parts[2]}}
	only := q
	only.Where = &query.And{List: []query.Expr{q.Where, offset, file}}
	newest := f.list
	f.list, _, err = versions(ctx, now, only, placeColumns)
	i := has()
	if err != nil || i < 0 {
		f.list = newest
		return q, err
	}
	alone := f.list
	if t, dated := query.ParseTime(alone[i].Timestamp); dated {
		narrow, err := f.endAt(ctx, now, q, t.UTC())
		if err != nil || has() >= 0 {
			return narrow, err
		}
	}
	f.list, f.more, f.later = alone, f.known-int64(len(alone)), 0
	return only, nil
}

// turns adds the calendar, and the links to the versions before and after the shown one.
func (res *Resource) turns(f *found, r ResourceRequest) {
	shown := momentOf(f.shown).at
	res.Calendar = calendarOf(f.moments, shown, r)
	// The value is quoted, as a URL may contain characters of the query language.
	prefix := "url = " + strconv.Quote(f.shown.URL+"*")
	res.Prefix = SearchRequest{Collection: r.Collection, Query: prefix, Order: "surt"}.link()
	if f.shown.Text != "" && f.shown.Timestamp != "" {
		res.Like = SearchRequest{Collection: r.Collection, Like: likeOf(f.shown)}.link()
	}
	link := func(to string) string {
		return page(r.Collection, "resource", ResourceRequest{URL: r.URL, At: to, Status: r.Status})
	}
	i := slices.IndexFunc(f.list, func(d *schemas.Document) bool { return placeOf(d) == placeOf(f.shown) })
	if i > 0 {
		res.Previous = link(atOf(f.list, i-1))
	}
	if i >= 0 && i+1 < len(f.list) {
		res.Next = link(atOf(f.list, i+1))
	} else if f.later > 0 {
		res.Next = link(f.after)
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
