package view

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// maxVersions is how many versions of a page are listed: the newest ones. A front page may have been captured every
// hour for years; people can only use a limited list.
const maxVersions = 500

// versionColumns are the columns that a list of versions needs.
var versionColumns = slices.Concat([]string{"quality.words"}, captureColumns, revisit.Columns)

// found is the result of a request for an address.
type found struct {
	list     []*schemas.Document // versions, the oldest first, with placeColumns at first; after read with versionColumns
	all      query.Query         // finds the newest of all versions, of which the list may be a part
	known    int64               // versions of the asked class, if there are more than the list has
	more     int64
	later    int64
	after    string               // the first of the later ones, as a value of at
	moments  []moment             // all captures of the URL, of any status
	shown    *schemas.Document    // with all columns
	from, to *schemas.Document    // the compared versions, from list if it has them; or nil
	pair     [2]*schemas.Document // the same two with textColumns
	changes  []string             // of list, each compared with the previous one
}

// find finds the versions of an address, and the requested one.
func (v *Views) find(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, r ResourceRequest) (*found, error) {
	// All versions of the typed address are found, with any scheme: SURTs decide which addresses are the same.
	all, err := contentdb.Versions(contentdb.Exactly(r.URL))
	if err != nil {
		return nil, asInvalid("url", r.URL, err)
	}
	all.Limit = maxVersions
	f := &found{}
	q, err := f.pick(ctx, now, all, &r)
	if err != nil {
		return nil, err
	}
	if len(f.list) == 0 {
		return nil, v.notThere(ctx, c, now, r.URL)
	}
	shown, err := choose(f.list, "at", r.At, r.URL)
	if err != nil {
		return nil, err
	}
	// They are chosen from the same list, by identity: see versions.
	if err := f.choosePair(ctx, now, r, shown); err != nil {
		return nil, err
	}
	if err := f.read(ctx, now, q, shown); err != nil {
		return nil, err
	}
	if f.moments == nil {
		for _, d := range f.list {
			f.moments = append(f.moments, momentOf(d))
		}
	}
	if err := f.readOriginals(ctx, now); err != nil {
		return nil, err
	}
	f.changes, err = v.changes(ctx, now, q, f)
	return f, err
}

// readOriginals gives compared revisits the texts of their originals, since revisits have none.
func (f *found) readOriginals(ctx context.Context, now *shelf.Snapshot) error {
	for i, d := range f.pair {
		if d == nil || d.Text != "" || d.RecordType != schemas.TypeRevisit {
			continue
		}
		whole := *d
		if o := f.original(d); o != d {
			read, err := readAt(ctx, now, o, textColumns)
			if err != nil {
				return err
			}
			whole.Text = read.Text
		} else {
			// A long list may lack the original.
			read, err := revisited(ctx, now, d)
			if e := (*Error)(nil); errors.As(err, &e) && e.Kind == NotFound {
				continue
			}
			if err != nil {
				return err
			}
			whole.Text = read.Text
		}
		f.pair[i] = &whole
	}
	return nil
}

// placeColumns are the columns that distinguish versions.
var placeColumns = []string{"url", "timestamp", "status", "filename", "offset", "sequence"}

// versions returns the versions that a query for an address finds, the oldest first. more means that there are older
// ones.
func versions(
	ctx context.Context, now *shelf.Snapshot, q query.Query, columns []string,
) (list []*schemas.Document, more bool, err error) {
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: columns})
	if err != nil {
		return nil, false, err
	}
	// The query has the newest first, so that the limit drops the oldest; the list is reversed.
	for _, row := range slices.Backward(a.Rows) {
		list = append(list, row.Document)
	}
	return list, a.Next != nil, nil
}

// textColumns are the columns that a comparison needs.
var textColumns = slices.Concat([]string{"text", "quality.words", "body_bytes"}, captureColumns, revisit.Columns)

// read reads the details: all columns of the shown version, the texts of the compared ones, and the list's columns of
// all. All are read at the same time.
func (f *found) read(ctx context.Context, now *shelf.Snapshot, q query.Query, shown *schemas.Document) error {
	var reading sync.WaitGroup
	var errs [3]error
	for i, d := range []*schemas.Document{f.from, f.to} {
		// No version is compared with itself.
		if f.from != f.to && d != nil && d != shown {
			reading.Go(func() { f.pair[i], errs[i] = readAt(ctx, now, d, textColumns) })
		}
	}
	var list []*schemas.Document
	// Only a few columns are read: documents contain their text, which is needed for one version only.
	reading.Go(func() { list, _, errs[2] = versions(ctx, now, q, versionColumns) })
	var err error
	f.shown, err = readAt(ctx, now, shown, nil)
	reading.Wait()
	// The shown version is usually one of the two.
	for i, d := range []*schemas.Document{f.from, f.to} {
		if d == shown {
			f.pair[i] = f.shown
		}
	}
	if err := cmp.Or(err, errs[0], errs[1], errs[2]); err != nil {
		return err
	}
	return f.fill(list)
}

// fill replaces the versions by those with details.
func (f *found) fill(list []*schemas.Document) error {
	// Both come from one snapshot. They differ only if the index was given up between the two queries.
	same := func(a, b *schemas.Document) bool { return placeOf(a) == placeOf(b) }
	if !slices.EqualFunc(list, f.list, same) {
		return changing()
	}
	for i, d := range f.list {
		for _, chosen := range []**schemas.Document{&f.from, &f.to} {
			if *chosen == d {
				*chosen = list[i]
			}
		}
	}
	f.list = list
	return nil
}

// choosePair chooses the versions that are compared: the requested ones, or the shown one and the previous one.
func (f *found) choosePair(
	ctx context.Context, now *shelf.Snapshot, r ResourceRequest, shown *schemas.Document,
) (err error) {
	if r.From == "" && r.To == "" {
		// The oldest version has no previous one.
		if i := slices.Index(f.list, shown); i > 0 {
			f.from, f.to = f.list[i-1], shown
		}
		return nil
	}
	if f.from, err = f.version(ctx, now, r, "from", r.From); err != nil {
		return err
	}
	f.to, err = f.version(ctx, now, r, "to", r.To)
	if err == nil && f.from != f.to && placeOf(f.from) == placeOf(f.to) && f.more+f.later > 0 {
		f.to = f.from // neither is listed
	}
	return err
}

// version returns the version that a parameter selects of all, also of those that a long list leaves out.
func (f *found) version(
	ctx context.Context, now *shelf.Snapshot, r ResourceRequest, param, value string,
) (*schemas.Document, error) {
	if f.more == 0 && f.later == 0 {
		return choose(f.list, param, value, r.URL)
	}
	other := &found{}
	var err error
	if other.list, _, err = versions(ctx, now, f.all, placeColumns); err != nil {
		return nil, err
	}
	if _, err = other.cut(ctx, now, f.all, param, value); err != nil {
		return nil, err
	}
	d, err := choose(other.list, param, value, r.URL)
	if err != nil {
		return nil, err
	}
	// The list has it as another value.
	if i := slices.IndexFunc(f.list, func(c *schemas.Document) bool { return placeOf(c) == placeOf(d) }); i >= 0 {
		d = f.list[i]
	}
	return d, nil
}

// choose returns the version that a parameter selects. A place selects its version. A time selects the newest version
// at or before it, or the oldest with a date if all are later. "" selects the newest. Of versions of the same time, the
// one that answers best for the URL is selected, as in package memento.
func choose(list []*schemas.Document, param, value, url string) (*schemas.Document, error) {
	// The list is never empty, and the oldest comes first.
	chosen := list[len(list)-1]
	if value == "" {
		return fitting(list, chosen, url), nil
	}
	// A place is exact; no time begins with "~".
	if strings.HasPrefix(value, "~") {
		for _, d := range list {
			if placeOf(d) == value {
				return d, nil
			}
		}
		return nil, noVersion(param)
	}
	_, until, err := periodOf(value)
	if err != nil {
		return nil, asInvalid(param, value, err)
	}
	// Undated versions come first. They are only chosen if no version has a date.
	chosen, dated := list[0], false
	for _, d := range list {
		if t, ok := query.ParseTime(d.Timestamp); ok && (!dated || t.Before(until)) {
			chosen, dated = d, true
		}
	}
	return fitting(list, chosen, url), nil
}

// fitting returns the capture of the same time as d that answers best for a URL, the last of equal ones.
func fitting(list []*schemas.Document, d *schemas.Document, url string) *schemas.Document {
	best := d
	for _, c := range list {
		if d.Timestamp != "" && at(c) == at(d) && urlkey.Fit(url, c.URL, c.Status) >= urlkey.Fit(url, best.URL, best.Status) {
			best = c
		}
	}
	return best
}

func noVersion(param string) error {
	return notFound("No such version", "Leave "+param+" out to see the newest.")
}

// periodOf is query.Period, but also accepts 14 digits with a fraction.
func periodOf(value string) (from, to time.Time, err error) {
	// Only values with a fraction are handled here: 14 digits alone are a second, whose end Period knows.
	if t, bad := time.Parse("20060102150405.999999999", value); bad == nil && len(value) > 14 {
		return t, t.Add(1), nil
	}
	return query.Period(value)
}

// readAt returns the capture at the place of d. columns is nil for all columns, otherwise it must include
// captureColumns.
func readAt(
	ctx context.Context, now *shelf.Snapshot, d *schemas.Document, columns []string,
) (*schemas.Document, error) {
	q, err := contentdb.Versions(contentdb.Exactly(d.URL))
	if err != nil {
		return nil, err
	}
	// Its time narrows the search to captures of the same time, usually one.
	if t, ok := query.ParseTime(d.Timestamp); ok {
		e, err := query.NewCompare("timestamp", query.Equal, t.UTC().Format(time.RFC3339Nano))
		if err != nil {
			return nil, err
		}
		q.Where = &query.And{List: []query.Expr{q.Where, e}}
	}
	// Several captures of the same time differ by their place.
	for one, err := range now.DB.Find(ctx, q, columns) {
		if err != nil {
			return nil, err
		}
		if placeOf(one) == placeOf(d) {
			return one, nil
		}
	}
	// This happens only if a run ended between the two queries.
	return nil, changing()
}

func changing() error {
	return &Error{
		Kind: NotReady, Title: "The collection is changing", Detail: "The capture was removed during this request.",
		Remedy: "Try again in a few seconds.", Retry: 5,
	}
}
