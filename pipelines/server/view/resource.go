package view

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// maxVersions is how many versions of a page are listed: the newest.
const maxVersions = 500

// versionColumns are those that a list of versions needs.
var versionColumns = append([]string{"quality", "body_bytes", "digest", "surt"}, captureColumns...)

// Resource tells of one address.
func (v *Views) Resource(ctx context.Context, r ResourceRequest) (*Resource, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection = c.Name()
	found, err := v.find(ctx, c, now, r)
	if err != nil {
		return nil, changed(err)
	}
	res := &Resource{Answer: answer(c), URL: found.shown.URL, SURT: found.shown.SURT, Crumbs: crumbs(c.Name(), found.shown)}
	res.versions(found, r)
	if err := res.compare(ctx, now, found); err != nil {
		return nil, changed(err)
	}
	res.describe(found.shown)
	res.Links.In = v.sourcesOf(ctx, found.shown)
	res.Replay = v.replay(found.shown)
	v.fromArchive(ctx, now, res, found.shown)
	res.Took = v.since(start)
	return res, nil
}

// found is what a request for an address has found.
type found struct {
	list     []*schemas.Document // versions, the oldest first, with versionColumns
	more     int64
	shown    *schemas.Document // with all columns
	from, to *schemas.Document // that are compared, nil for none; with versionColumns
}

// find finds the versions of an address, and the one that is asked for.
func (v *Views) find(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, r ResourceRequest) (*found, error) {
	q, err := contentdb.Versions(exactly(r.URL))
	if err != nil {
		return nil, asInvalid("url", r.URL, err)
	}
	q.Limit = maxVersions
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: versionColumns})
	if err != nil {
		return nil, err
	}
	if len(a.Rows) == 0 {
		return nil, v.notThere(ctx, c, now, r.URL)
	}
	f := &found{}
	for _, row := range slices.Backward(a.Rows) {
		f.list = append(f.list, row.Document)
	}
	if a.Next != nil {
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
	if err := f.choosePair(r, shown); err != nil {
		return nil, err
	}
	f.shown, err = whole(ctx, now, shown)
	return f, err
}

// exactly keeps a star at the end of an address from standing for anything.
func exactly(address string) string {
	if head, star := strings.CutSuffix(address, "*"); star {
		return head + "%2A"
	}
	return address
}

// choosePair chooses the versions that are compared: those that were asked for, otherwise the one that is shown and the
// one before it.
func (f *found) choosePair(r ResourceRequest, shown *schemas.Document) (err error) {
	if r.From == "" && r.To == "" {
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
	newest := list[len(list)-1]
	if value == "" {
		return newest, nil
	}
	if strings.HasPrefix(value, "~") {
		for _, d := range list {
			if placeOf(d) == value {
				return d, nil
			}
		}
		return nil, notFound("There is no version at this place", "Leave "+param+" out to see the newest.")
	}
	_, until, err := periodOf(value)
	if err != nil {
		return nil, asInvalid(param, value, err)
	}
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
	if t, bad := time.Parse("20060102150405.999999999", value); bad == nil && len(value) > 14 {
		return t, t.Add(1), nil
	}
	return query.Period(value)
}

// whole is a capture with all its columns: the one at the place of d.
func whole(ctx context.Context, now *shelf.Snapshot, d *schemas.Document) (*schemas.Document, error) {
	q, err := contentdb.Versions(exactly(d.URL))
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
	for one, err := range now.DB.Find(ctx, q, nil) {
		if err != nil {
			return nil, err
		}
		if placeOf(one) == placeOf(d) {
			return one, nil
		}
	}
	return nil, &Error{
		Kind: NotReady, Title: "The collection is changing", Detail: "The capture was there a moment ago.",
		Remedy: "Try again in some seconds.", Retry: 5,
	}
}

// place is the capture that a request names, with all its columns.
func (v *Views) place(ctx context.Context, now *shelf.Snapshot, r PlaceRequest) (*schemas.Document, error) {
	q, err := contentdb.Versions(exactly(r.URL))
	if err != nil {
		return nil, asInvalid("url", r.URL, err)
	}
	q.Limit = maxVersions
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: captureColumns})
	if err != nil {
		return nil, err
	}
	if len(a.Rows) == 0 {
		return nil, notFound("This address is not here", "Search for a part of it.")
	}
	list := make([]*schemas.Document, 0, len(a.Rows))
	for _, row := range slices.Backward(a.Rows) {
		list = append(list, row.Document)
	}
	d, err := choose(list, "place", r.Place)
	if err != nil {
		return nil, err
	}
	return whole(ctx, now, d)
}

// notThere says what there is instead of an address.
func (v *Views) notThere(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, address string) error {
	e := &Error{
		Kind: NotFound, Title: "This address is not here", Detail: "This collection has no capture of " + address + ".",
		Param: "url", Value: address, Remedy: "Search for a part of it.",
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return e
	}
	e.Remedy = "Search for other pages of " + u.Hostname() + "."
	dir := u.EscapedPath()
	dir = dir[:strings.LastIndexByte(dir, '/')+1]
	q, err := contentdb.Versions(u.Scheme + "://" + u.Host + dir + "*")
	if err != nil {
		return e
	}
	q.AllVersions, q.Order, q.Limit = false, query.SURT, 10
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: captureColumns})
	if err != nil {
		return e // what is near is a courtesy
	}
	for _, row := range a.Rows {
		e.Near = append(e.Near, captureOf(c.Name(), row.Document))
	}
	return e
}

// crumbs are the host of an address and the folders of its path, each with the search for what is below it.
func crumbs(collection string, d *schemas.Document) []Choice {
	u, err := url.Parse(d.URL)
	if err != nil || d.Host == "" {
		return []Choice{}
	}
	list := []Choice{{Value: d.Host, Label: d.Host, Link: hostLink(collection, d.Host)}}
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	below := u.Scheme + "://" + u.Host + "/"
	for _, part := range parts[:max(0, len(parts)-1)] {
		below += part + "/"
		r := SearchRequest{Collection: collection, Query: "url = " + strconv.Quote(below+"*"), Order: "surt"}
		label, err := url.PathUnescape(part)
		if err != nil {
			label = part
		}
		list = append(list, Choice{Value: below, Label: label, Link: r.link()})
	}
	return list
}

// versions lists what was found.
func (res *Resource) versions(f *found, r ResourceRequest) {
	res.More = f.more
	for i, d := range f.list {
		v := versionOf(res.Collection, d)
		v.Change = changeOf(f.list, i)
		v.Shown = placeOf(d) == placeOf(f.shown)
		v.From, v.To = d == f.from, d == f.to
		if v.Shown {
			res.Shown = v
		}
		res.Versions = append(res.Versions, v)
	}
}

// changeOf tells by the digests of payloads whether a version is the one before it.
func changeOf(list []*schemas.Document, i int) string {
	switch {
	case i == 0:
		return "first"
	case list[i].Digest == "" || list[i-1].Digest == "":
		return "unknown"
	case list[i].Digest == list[i-1].Digest:
		return "same"
	}
	return "changed"
}

// replay is the address of a capture in the replay tool; "" where there is none.
func (v *Views) replay(d *schemas.Document) string {
	if v.o.Replay == "" {
		return ""
	}
	t, _ := query.ParseTime(d.Timestamp)
	return strings.NewReplacer("{timestamp}", t.UTC().Format("20060102150405"), "{url}", d.URL).Replace(v.o.Replay)
}

// compare says what changed between two versions.
func (res *Resource) compare(ctx context.Context, now *shelf.Snapshot, f *found) error {
	if f.from == nil || f.to == nil || f.from == f.to {
		return nil
	}
	from, err := whole(ctx, now, f.from)
	if err != nil {
		return err
	}
	to := f.shown
	if placeOf(f.to) != placeOf(f.shown) {
		if to, err = whole(ctx, now, f.to); err != nil {
			return err
		}
	}
	res.Diff = diffOf(from, to)
	return nil
}

// describe tells what is known of a version.
func (res *Resource) describe(d *schemas.Document) {
	res.Document = d
	res.Text, res.TextCut = paragraphsOf(d)
	res.Metadata = metadataOf(res.Collection, d)
	res.Entities = entitiesOf(res.Collection, d)
	res.Links = linksOf(res.Collection, d)
	res.Flags = []Said{}
	for _, f := range d.Flags {
		res.Flags = append(res.Flags, Said{Name: string(f), Text: cmp.Or(flagTexts[f], string(f)), Bad: f.Damages()})
	}
	res.Place = Place{
		Archive: d.Filename, Offset: d.Offset, Length: d.Length, Sequence: d.Sequence, RecordID: d.RecordID,
		RecordType: string(d.RecordType), Digest: d.Digest, IP: d.IP,
	}
	one := PlaceRequest{Collection: res.Collection, URL: d.URL, Place: placeOf(d)}
	if res.HTML = d.MainHTML != ""; res.HTML {
		res.HTMLLink = page(res.Collection, "html", one)
	}
	res.Downloads = []Download{{"json", "JSON", api("resources", ResourceRequest{Collection: res.Collection, URL: d.URL, At: at(d)})}}
	if d.Text != "" {
		res.Downloads = append(res.Downloads, Download{"text", "Text", api("text", one)})
	}
	res.Downloads = append(res.Downloads, Download{"warc", "Record", api("record", one)})
}
