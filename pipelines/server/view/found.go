package view

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/search/revisit"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// maxVersions is how many versions of a page are listed: the newest. A front page may have a capture for each hour of
// years; the bound is of a page that people can use.
const maxVersions = 500

// versionColumns are those that a list of versions needs.
var versionColumns = slices.Concat([]string{"quality.words"}, captureColumns, revisit.Columns)

// found is what a request for an address has found.
type found struct {
	list     []*schemas.Document // versions, the oldest first, with placeColumns; when all is read, with versionColumns
	more     int64
	shown    *schemas.Document    // with all columns
	from, to *schemas.Document    // of list, that are compared; nil for none
	pair     [2]*schemas.Document // the same with textColumns
	changes  []string             // of list, what each is against the one before
}

// find finds the versions of an address, and the one that is asked for.
func (v *Views) find(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, r ResourceRequest) (*found, error) {
	// All versions of the address as it was typed, whatever its scheme: SURTs decide what is the same.
	q, err := contentdb.Versions(contentdb.Exactly(r.URL))
	if err != nil {
		return nil, asInvalid("url", r.URL, err)
	}
	q.Limit = maxVersions
	// Where they stand alone, which the index knows: the rest is read when it is known of which.
	list, more, err := versions(ctx, now, q, placeColumns)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, v.notThere(ctx, c, now, r.URL)
	}
	f := &found{list: list}
	if more {
		// Only a list that was cut needs to be counted.
		all, err := now.DB.Count(ctx, q)
		if err != nil {
			return nil, err
		}
		f.more = all - maxVersions
	}
	shown, err := choose(f.list, "at", r.At)
	if err != nil {
		return nil, err
	}
	// Among the same list, by identity: see versions.
	if err := f.choosePair(r, shown); err != nil {
		return nil, err
	}
	if err := f.read(ctx, now, q, shown); err != nil {
		return nil, err
	}
	if err := f.readOriginals(ctx, now); err != nil {
		return nil, err
	}
	f.changes, err = v.changes(ctx, now, q, f)
	return f, err
}

// readOriginals gives revisits that are compared the texts of what they refer to: they have none.
func (f *found) readOriginals(ctx context.Context, now *shelf.Snapshot) error {
	for i, d := range []*schemas.Document{f.from, f.to} {
		if d == nil || f.pair[i] == nil || f.pair[i].Text != "" {
			continue
		}
		if o := f.original(d); o != d {
			read, err := readAt(ctx, now, o, textColumns)
			if err != nil {
				return err
			}
			revisited := *f.pair[i]
			revisited.Text = read.Text
			f.pair[i] = &revisited
		}
	}
	return nil
}

// placeColumns are those that versions are told apart by.
var placeColumns = []string{"url", "timestamp", "filename", "offset", "sequence"}

// versions are those that a query for an address finds, the oldest first; more: it has older ones.
func versions(
	ctx context.Context, now *shelf.Snapshot, q query.Query, columns []string,
) (list []*schemas.Document, more bool, err error) {
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: columns})
	if err != nil {
		return nil, false, err
	}
	// Newest first, as asked for, so that the limit leaves out the oldest; turned around for the list.
	for _, row := range slices.Backward(a.Rows) {
		list = append(list, row.Document)
	}
	return list, a.Next != nil, nil
}

// textColumns are those that a comparison needs.
var textColumns = append([]string{"text", "digest"}, captureColumns...)

// read reads all columns of the version that is shown, the texts of those that are compared, and what the list says of
// all, each in its shard, at the same time.
func (f *found) read(ctx context.Context, now *shelf.Snapshot, q query.Query, shown *schemas.Document) error {
	var reading sync.WaitGroup
	var errs [3]error
	for i, d := range []*schemas.Document{f.from, f.to} {
		// Nothing is compared with itself.
		if f.from != f.to && d != nil && d != shown {
			reading.Go(func() { f.pair[i], errs[i] = readAt(ctx, now, d, textColumns) })
		}
	}
	var list []*schemas.Document
	// Few columns: documents have their text, which is read of one version only.
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

// fill takes the versions with what is told of them in the place of those without.
func (f *found) fill(list []*schemas.Document) error {
	// Of one snapshot: only an index that is given up between the two questions has others the second time.
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

// choosePair chooses the versions that are compared: those that were asked for, otherwise the one that is shown and the
// one before it.
func (f *found) choosePair(r ResourceRequest, shown *schemas.Document) (err error) {
	if r.From == "" && r.To == "" {
		// The oldest version has none before it.
		if i := slices.Index(f.list, shown); i > 0 {
			f.from, f.to = f.list[i-1], shown
		}
		return nil
	}
	if f.from, err = choose(f.list, "from", r.From); err == nil {
		f.to, err = choose(f.list, "to", r.To)
	}
	return err
}

// choose is the version that a parameter names: by its place, or the newest at or before a time, the oldest where that
// is before all; "" is the newest.
func choose(list []*schemas.Document, param, value string) (*schemas.Document, error) {
	// The list is never empty, and the oldest comes first.
	newest := list[len(list)-1]
	if value == "" {
		return newest, nil
	}
	// A place says exactly which; "~" begins no time.
	if strings.HasPrefix(value, "~") {
		for _, d := range list {
			if placeOf(d) == value {
				return d, nil
			}
		}
		return nil, notFound("No such version", "Leave "+param+" out to see the newest.")
	}
	_, until, err := periodOf(value)
	if err != nil {
		return nil, asInvalid(param, value, err)
	}
	// Undated versions are skipped, as they come first; before all others the oldest of the list is
	// shown.
	chosen := list[0]
	for _, d := range list {
		if t, ok := query.ParseTime(d.Timestamp); ok && t.Before(until) {
			chosen = d
		}
	}
	return chosen, nil
}

// periodOf is query.Period, and takes 14 digits with a fraction as well.
func periodOf(value string) (from, to time.Time, err error) {
	// Only with a fraction: 14 digits alone are a second, of which Period knows the end.
	if t, bad := time.Parse("20060102150405.999999999", value); bad == nil && len(value) > 14 {
		return t, t.Add(1), nil
	}
	return query.Period(value)
}

// readAt is the capture at the place of d, with the columns at least: nil for all, otherwise captureColumns among them.
func readAt(
	ctx context.Context, now *shelf.Snapshot, d *schemas.Document, columns []string,
) (*schemas.Document, error) {
	q, err := contentdb.Versions(contentdb.Exactly(d.URL))
	if err != nil {
		return nil, err
	}
	// Its time narrows the search to one, or some that were captured at the same moment.
	if t, ok := query.ParseTime(d.Timestamp); ok {
		e, err := query.NewCompare("timestamp", query.Equal, t.UTC().Format(time.RFC3339Nano))
		if err != nil {
			return nil, err
		}
		q.Where = &query.And{List: []query.Expr{q.Where, e}}
	}
	// Several captures of one moment differ by their place.
	for one, err := range now.DB.Find(ctx, q, columns) {
		if err != nil {
			return nil, err
		}
		if placeOf(one) == placeOf(d) {
			return one, nil
		}
	}
	// Only a run that ended between the two questions can cause this.
	return nil, changing()
}

func changing() error {
	return &Error{
		Kind: NotReady, Title: "The collection is changing", Detail: "The capture was removed during this request.",
		Remedy: "Try again in some seconds.", Retry: 5,
	}
}
