package view

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// maxVersions is how many versions of a page are listed: the newest. A front page may have a capture for each hour of
// years; the bound is of a page that people can use.
const maxVersions = 500

// versionColumns are those that a list of versions needs.
var versionColumns = append([]string{"quality.words", "body_bytes", "digest", "surt"}, captureColumns...)

// Resource tells of one address.
func (v *Views) Resource(ctx context.Context, r ResourceRequest) (*Resource, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	// All that follows is asked of one snapshot, so that versions and document agree.
	defer release()
	r.Collection = c.Name()
	leave, err := v.turns.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	found, err := v.find(ctx, c, now, r)
	if err != nil {
		return nil, changed(err)
	}
	res := &Resource{
		Answer: answer(c), URL: found.shown.URL, SURT: found.shown.SURT, Crumbs: crumbs(c.Name(), found.shown),
	}
	res.versions(found, r)
	if from, to := found.pair[0], found.pair[1]; from != nil && to != nil {
		res.Diff = diffOf(from, to)
	}
	res.describe(found.shown)
	res.textOf(found)
	res.Links.In = v.sourcesOf(ctx, found.shown)
	// The parts below are additions, none of which can fail the page.
	res.Replay = v.replay(found.shown)
	v.fromArchive(ctx, now, res, found.shown)
	res.Took = v.since(start)
	return res, nil
}

// found is what a request for an address has found.
type found struct {
	list     []*schemas.Document // versions, the oldest first, with versionColumns
	more     int64
	shown    *schemas.Document    // with all columns
	from, to *schemas.Document    // of list, that are compared; nil for none
	pair     [2]*schemas.Document // the same with textColumns
}

// find finds the versions of an address, and the one that is asked for.
func (v *Views) find(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, r ResourceRequest) (*found, error) {
	// All versions of the address as it was typed, whatever its scheme: SURTs decide what is the same.
	q, err := contentdb.Versions(exactly(r.URL))
	if err != nil {
		return nil, asInvalid("url", r.URL, err)
	}
	q.Limit = maxVersions
	// Few columns: documents have their text, which is read of one version only.
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: versionColumns})
	if err != nil {
		return nil, err
	}
	if len(a.Rows) == 0 {
		return nil, v.notThere(ctx, c, now, r.URL)
	}
	f := &found{}
	// Newest first, as asked for, so that the limit leaves out the oldest; turned around for the list.
	for _, row := range slices.Backward(a.Rows) {
		f.list = append(f.list, row.Document)
	}
	if a.Next != nil {
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
	return f, f.read(ctx, now, shown)
}

// textColumns are those that a comparison needs.
var textColumns = append([]string{"text", "digest"}, captureColumns...)

// read reads all columns of the version that is shown, and the texts of those that are compared, each in its shard, at
// the same time.
func (f *found) read(ctx context.Context, now *shelf.Snapshot, shown *schemas.Document) error {
	var reading sync.WaitGroup
	var errs [2]error
	for i, d := range []*schemas.Document{f.from, f.to} {
		// Nothing is compared with itself.
		if f.from != f.to && d != nil && d != shown {
			reading.Go(func() { f.pair[i], errs[i] = readAt(ctx, now, d, textColumns) })
		}
	}
	var err error
	f.shown, err = readAt(ctx, now, shown, nil)
	reading.Wait()
	// The shown version is usually one of the two.
	for i, d := range []*schemas.Document{f.from, f.to} {
		if d == shown {
			f.pair[i] = f.shown
		}
	}
	return cmp.Or(err, errs[0], errs[1])
}

// exactly keeps a star at the end of an address from standing for anything.
func exactly(address string) string {
	// "%2A" is the same address, and no star to the search.
	if head, star := strings.CutSuffix(address, "*"); star {
		return head + "%2A"
	}
	return address
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
		return nil, notFound("There is no version at this place", "Leave "+param+" out to see the newest.")
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
	// The place is looked for among the newest, as on the page that linked to it.
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
	return readAt(ctx, now, d, nil)
}

// notThere says what there is instead of an address.
func (v *Views) notThere(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, address string) error {
	e := &Error{
		Kind: NotFound, Title: "This address is not here", Detail: "This collection has no capture of " + address + ".",
		Param: "url", Value: address, Remedy: "Search for a part of it.",
		Link: SearchRequest{Collection: c.Name()}.link(),
	}
	// Without a host there is nothing that could be near.
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return e
	}
	e.Remedy = "Search for other pages of " + u.Hostname() + "."
	e.Link = SearchRequest{Collection: c.Name(), Host: u.Hostname()}.link()
	dir := u.EscapedPath()
	// The folder that the address is in.
	dir = dir[:strings.LastIndexByte(dir, '/')+1]
	q, err := contentdb.Versions(u.Scheme + "://" + u.Host + dir + "*")
	if err != nil {
		return e
	}
	// The newest of each page, in the order of addresses: neighbours, not versions.
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
	// A capture without a host, as of an e-mail, has no folders.
	if err != nil || d.Host == "" {
		return []Choice{}
	}
	list := []Choice{{Value: d.Host, Label: d.Host, Link: hostLink(collection, d.Host)}}
	// As escaped: an escaped slash divides nothing.
	parts := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	below := u.Scheme + "://" + u.Host + "/"
	// The last part is the page itself.
	for _, part := range parts[:max(0, len(parts)-1)] {
		below += part + "/"
		// Quoted, as a path may hold signs of the language.
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
	// From the oldest on, since each is compared with the one before it.
	for i, d := range f.list {
		v := versionOf(res.Collection, d)
		v.Change = changeOf(f.list, i)
		// By place, as the shown one was read again and is another value.
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
	// Without digests nothing is claimed.
	case list[i].Digest == "" || list[i-1].Digest == "":
		return "unknown"
	// Digests of payloads, so a new header alone is no change.
	case list[i].Digest == list[i-1].Digest:
		return "same"
	}
	return "changed"
}

// replay is the address of a capture in the replay tool; "" where there is none.
// A replay tool is another program: we only know its address.
func (v *Views) replay(d *schemas.Document) string {
	if v.o.Replay == "" {
		return ""
	}
	t, _ := query.ParseTime(d.Timestamp)
	// An undated capture has the zero time, with which the tool finds what it has.
	return strings.NewReplacer("{timestamp}", t.UTC().Format("20060102150405"), "{url}", d.URL).Replace(v.o.Replay)
}

// describe tells what is known of a version.
// Everything here comes from the document; the archive is only needed for the HTTP head.
func (res *Resource) describe(d *schemas.Document) {
	res.Document = d
	res.Text, res.TextCut = paragraphsOf(d)
	res.Metadata = metadataOf(res.Collection, d)
	res.Entities = entitiesOf(res.Collection, d)
	res.Links = linksOf(res.Collection, d)
	res.Flags = []Said{}
	// A flag without words here is shown by its name.
	for _, f := range d.Flags {
		res.Flags = append(res.Flags, Said{Name: string(f), Text: cmp.Or(flagTexts[f], string(f)), Bad: f.Damages()})
	}
	res.Place = Place{
		Archive: d.Filename, Offset: d.Offset, Length: d.Length, Sequence: d.Sequence, RecordID: d.RecordID,
		RecordType: string(d.RecordType), Digest: d.Digest, IP: d.IP,
	}
	// By place: a link to this very capture, now and after a further run.
	one := PlaceRequest{Collection: res.Collection, URL: d.URL, Place: placeOf(d)}
	// The HTML itself is not in the answer: it is only given as a response for a sandboxed frame.
	if res.HTML = d.MainHTML != ""; res.HTML {
		res.HTMLLink = page(res.Collection, "html", one)
	}
	res.Downloads = []Download{
		{"json", "JSON", api("resources", ResourceRequest{Collection: res.Collection, URL: d.URL, At: at(d)})},
	}
	if d.Text != "" {
		res.Downloads = append(res.Downloads, Download{"text", "Text", api("text", one)})
	}
	// Offered also where the archive is gone: the answer then says what to do.
	res.Downloads = append(res.Downloads, Download{"warc", "Record", api("record", one)})
}
