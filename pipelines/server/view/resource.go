package view

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Resource describes one address.
func (v *Views) Resource(ctx context.Context, r ResourceRequest) (*Resource, error) {
	return v.resource(ctx, r, true)
}

// ResourceAlone is Resource without the comparison of two versions, which takes a second for long texts.
func (v *Views) ResourceAlone(ctx context.Context, r ResourceRequest) (*Resource, error) {
	return v.resource(ctx, r, false)
}

func (v *Views) resource(ctx context.Context, r ResourceRequest, compare bool) (*Resource, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	// All the following queries use one snapshot, so versions and document agree.
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
	res.turns(found, r)
	if from, to := found.pair[0], found.pair[1]; compare && from != nil && to != nil {
		res.Diff = diffOf(from, to)
	}
	res.describe(found.shown)
	res.textOf(found)
	res.Links.In = v.sourcesOf(ctx, found.shown)
	if !now.DB.MayRead(found.shown) {
		res.withhold(v.Withheld(ctx, c.Name(), found.shown))
		res.Took = v.since(start)
		return res, nil
	}
	res.Links.Into, res.Links.On = v.linksOn(ctx, c, now, found)
	// The following parts are additions, and none of them can make the page fail.
	res.Replay = v.ReplayOf(found.shown)
	res.replayed(v, found.shown)
	v.fromArchive(ctx, now, res, found.shown)
	res.Took = v.since(start)
	return res, nil
}

// withhold leaves out what leads to the content of a capture that may not be read. Its document has none.
func (res *Resource) withhold(why error) {
	res.Withheld = why.Error()
	if e := (*Error)(nil); errors.As(why, &e) {
		res.Withheld = e.Title + ". " + e.Detail
	}
	res.Diff = nil
	res.Downloads = slices.DeleteFunc(res.Downloads, func(d Download) bool { return d.Format != "json" })
}

// place returns the capture that a request selects, with all its columns.
func (v *Views) place(ctx context.Context, now *shelf.Snapshot, r PlaceRequest) (*schemas.Document, error) {
	q, err := contentdb.Versions(contentdb.Exactly(r.URL))
	if err != nil {
		return nil, asInvalid("url", r.URL, err)
	}
	q.Limit = maxVersions
	f := &found{}
	if _, err := f.pick(ctx, now, q, &ResourceRequest{At: r.Place}); err != nil {
		return nil, err
	}
	if len(f.list) == 0 {
		return nil, notFound("No capture of this URL", "Search for a part of it.")
	}
	d, err := choose(f.list, "place", r.Place, r.URL)
	if err != nil {
		return nil, err
	}
	return readAt(ctx, now, d, nil)
}

// notThere returns the error for a missing address, with near captures.
func (v *Views) notThere(ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, address string) error {
	e := &Error{
		Kind: NotFound, Title: "No capture of this URL", Detail: "This collection has no capture of " + address + ".",
		Param: "url", Value: address, Remedy: "Search for a part of it.",
		Link: SearchRequest{Collection: c.Name()}.link(),
	}
	// Without a host, no captures are near.
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return e
	}
	e.Remedy = "Search for other pages of " + u.Hostname() + "."
	e.Link = SearchRequest{Collection: c.Name(), Host: u.Hostname()}.link()
	dir := u.EscapedPath()
	// This is the folder of the address.
	dir = dir[:strings.LastIndexByte(dir, '/')+1]
	q, err := contentdb.Versions(u.Scheme + "://" + u.Host + dir + "*")
	if err != nil {
		return e
	}
	// These are the newest of each page, in the order of addresses, since other pages are wanted and not versions.
	q.AllVersions, q.Order, q.Limit = false, query.SURT, 10
	a, err := now.DB.Ask(ctx, contentdb.Request{Query: q, Columns: captureColumns})
	if err != nil {
		return e // near captures are optional
	}
	for _, row := range a.Rows {
		e.Near = append(e.Near, captureOf(c.Name(), row.Document))
	}
	return e
}

// crumbs returns the host of an address and the folders of its path, each with a search for the pages in it.
func crumbs(collection string, d *schemas.Document) []Choice {
	u, err := url.Parse(d.URL)
	// A capture without a host, for example of an e-mail, has no folders.
	if err != nil || d.Host == "" {
		return []Choice{}
	}
	list := []Choice{{Value: d.Host, Label: d.Host, Link: hostLink(collection, d.Host)}}
	path, _, _ := strings.Cut(d.URL, "#")
	path, _, _ = strings.Cut(path, "?")
	// The path stays as it was archived: searches compare it literally, and an escaped slash divides nothing.
	_, path, _ = strings.Cut(path, "://")
	begin := len(u.Scheme) + len("://")
	for i, c := range path {
		if c != '/' {
			continue
		}
		below := d.URL[:begin+i+1]
		part := path[strings.LastIndexByte(path[:i], '/')+1 : i]
		// The first slash follows the host, and two slashes have no folder between them.
		if part == "" || !strings.Contains(path[:i], "/") || i+1 == len(path) {
			continue
		}
		list = append(list, folderOf(collection, part, below))
	}
	return list
}

// folderOf returns a folder of a path, with a search for the pages below its URL.
func folderOf(collection, name, below string) Choice {
	label, err := url.PathUnescape(name)
	if err != nil {
		label = name
	}
	c := Choice{Value: below, Label: label}
	// The folder itself matches literally, whatever signs of the query language it has.
	if e, err := query.NewCompare("url", query.Equal, escapeStar(below)+"*"); err == nil {
		c.Link = SearchRequest{Collection: collection, Query: e.String(), Order: "surt"}.link()
	}
	return c
}

// versions lists the found versions.
func (res *Resource) versions(f *found, r ResourceRequest) {
	res.More, res.Later = f.more, f.later
	// It begins with the oldest, since each is compared with the previous one.
	for i, d := range f.list {
		v := versionOf(res.Collection, d)
		v.Change = f.changes[i]
		if i > 0 {
			v.Differs = differences(f.list[i-1], d, f.original(f.list[i-1]), f.original(d), v.Change)
		}
		// They are compared by place, as the shown one was read again and is a different value.
		v.Shown = placeOf(d) == placeOf(f.shown)
		v.From, v.To = d == f.from, d == f.to
		v.At = atOf(f.list, i)
		if v.Shown && strings.HasPrefix(r.At, "~") {
			v.At = r.At // others of its time may not be in the list
		}
		v.Link = page(res.Collection, "resource", ResourceRequest{URL: d.URL, At: v.At})
		if v.Shown {
			res.Shown = v
		}
		res.Versions = append(res.Versions, v)
	}
	for i, d := range f.pair {
		if d != nil {
			res.Compared[i] = versionOf(res.Collection, d)
			res.Compared[i].At = placeOf(d)
		}
	}
}

// ReplayOf returns the address of a capture in the replay tool, or "" if there is none. A replay tool is another
// program: only its address is known.
func (v *Views) ReplayOf(d *schemas.Document) string {
	if v.o.Replay == "" {
		return ""
	}
	t, _ := query.ParseTime(d.Timestamp)
	// An undated capture has the zero time; the tool then uses a capture that it has.
	return strings.NewReplacer("{timestamp}", t.UTC().Format("20060102150405"), "{url}", d.URL).Replace(v.o.Replay)
}

// describe adds the details of a version. All of them come from the document; the archive is only needed for the HTTP
// header.
func (res *Resource) describe(d *schemas.Document) {
	res.Document = d
	res.Text, res.TextCut = paragraphsOf(d)
	res.Metadata = metadataOf(res.Collection, d)
	res.Entities = entitiesOf(res.Collection, d)
	res.Links = linksOf(res.Collection, d)
	res.Flags = []Said{}
	// A flag without a text here is shown by its name.
	for _, f := range d.Flags {
		res.Flags = append(res.Flags, Said{Name: string(f), Text: cmp.Or(flagTexts[f], string(f)), Bad: f.Damages()})
	}
	res.Place = Place{
		Archive: d.Filename, Offset: d.Offset, Length: d.Length, Sequence: d.Sequence, RecordID: d.RecordID,
		RecordType: string(d.RecordType), Digest: d.Digest, IP: d.IP,
	}
	// The place is used, so that the link leads to exactly this capture, also after another run.
	one := PlaceRequest{Collection: res.Collection, URL: d.URL, Place: placeOf(d)}
	// The HTML itself is not in the answer: it is only sent as a response for a sandboxed frame.
	if res.HTML = d.MainHTML != ""; res.HTML {
		res.HTMLLink = page(res.Collection, "html", one)
	}
	res.Downloads = []Download{
		{"json", "JSON", api("resources", ResourceRequest{Collection: res.Collection, URL: d.URL, At: res.Shown.At})},
	}
	if d.Text != "" {
		res.Downloads = append(res.Downloads, Download{"text", "Text", api("text", one)})
	}
	// It is also offered if the archive is missing: the answer then contains the remedy.
	res.Downloads = append(res.Downloads, Download{"warc", "Record", api("record", one)})
}
