package view

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/linkindex"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

const (
	standardLinks = 50
	linksOfPage   = 10 // that the page of a URL lists
)

// Links lists links into or out of a page, or between hosts.
func (v *Views) Links(ctx context.Context, r LinksRequest) (*LinkList, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	r.Collection, r.Limit = c.Name(), cmp.Or(r.Limit, standardLinks)
	r.FromHost, r.ToHost = hostTyped(r.FromHost), hostTyped(r.ToHost)
	switch {
	case r.URL == "" && r.FromHost == "" && r.ToHost == "":
		return nil, invalid("url", "", "Name a page, or a host with from_host or to_host.")
	case r.URL != "" && r.FromHost+r.ToHost != "":
		return nil, invalid("from_host", r.FromHost, "Name either a page or hosts.")
	case r.URL != "" && r.Way == "":
		r.Way = "in"
	}
	leave, err := v.turns.wait(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	where, err := r.where()
	if err != nil {
		return nil, err
	}
	l, missing, err := v.linked(ctx, c, now, where)
	if err != nil {
		return nil, err
	}
	list := &LinkList{Answer: answer(c), Request: r, Filters: r.ownFilters(), Missing: missing, Rows: []LinkRow{}}
	if missing == nil {
		if err := list.fill(ctx, l); err != nil {
			return nil, changed(err)
		}
	}
	list.choices(c.Path())
	list.Took = v.since(start)
	return list, nil
}

// linksOn returns the beginning of the lists of links into and out of a capture, for the page of its URL. The links on
// a revisit are those of its original, which has the same payload.
func (v *Views) linksOn(
	ctx context.Context, c *shelf.Collection, now *shelf.Snapshot, f *found,
) (in, out *LinkList) {
	d, from := f.shown, f.original(f.shown)
	// Links are an addition: without them, or before their index is ready, the page has fewer parts.
	x, err := now.Links()
	if err != nil {
		return nil, nil
	}
	l := &linked{index: x}
	if now.DB.IsLimited() {
		if l.keys, err = v.keysOf(ctx, now, nil); err != nil {
			return nil, nil
		}
	}
	for _, way := range []string{"in", "out"} {
		r := LinksRequest{SearchRequest: SearchRequest{Collection: c.Name(), Limit: linksOfPage}, URL: d.URL, Way: way}
		list := &LinkList{Answer: answer(c), Request: r, Filters: []Filter{}, Rows: []LinkRow{}}
		if way == "out" {
			if t := momentOf(d).at; !t.IsZero() {
				list.Request.At = stampOf(t)
			}
			own := linkindex.Key(from.URL, from.Timestamp)
			err = list.onPage(ctx, l, func(r linkindex.Ref) bool { return r.Key == own })
			out = list
		} else {
			err = list.into(ctx, l)
			in = list
		}
		if err != nil {
			return nil, nil
		}
		list.choices(c.Path())
	}
	return in, out
}

// fill lists the links of a request.
func (l *LinkList) fill(ctx context.Context, from *linked) error {
	r := l.Request
	switch {
	case r.URL == "":
		return l.between(ctx, from)
	case r.Way == "in":
		return l.into(ctx, from)
	}
	fits := func(linkindex.Ref) bool { return true }
	if r.At != "" {
		_, until, err := periodOf(r.At)
		if err != nil {
			return asInvalid("at", r.At, err)
		}
		fits = func(r linkindex.Ref) bool { return r.Time < until.UnixMicro() }
	}
	return l.onPage(ctx, from, fits)
}

// maxInto is how many links to a page are counted and listed: they are held in memory, at about 200 bytes each.
const maxInto = 200_000

// into lists the links to a page: from the newest capture of each page that has one, or from all captures.
func (l *LinkList) into(ctx context.Context, from *linked) error {
	key := urlkey.SURT(l.Request.URL)
	most := cmp.Or(from.most, maxInto)
	refs, more, err := from.index.Into(ctx, key, most)
	if err != nil {
		return err
	}
	if more {
		l.Note = "More links lead here than are counted and listed: these are of the first " + number(int64(most)) +
			" in the files. The command lists all."
	}
	fitting, err := from.inPlace(ctx, slices.DeleteFunc(refs, func(r linkindex.Ref) bool { return !from.has(r) }),
		l.Request.Place)
	if err != nil {
		return err
	}
	captures, newest := map[uint64]bool{}, map[uint64]linkindex.Ref{}
	for _, ref := range fitting {
		l.Links++
		captures[ref.Key] = true
		if last, known := newest[ref.SURT]; !known || ref.Time > last.Time {
			newest[ref.SURT] = ref
		}
	}
	l.Pages, l.Captures = int64(len(newest)), int64(len(captures))
	listed := fitting
	if l.Request.Every != "yes" {
		listed = nil
		for _, ref := range fitting {
			if newest[ref.SURT].Key == ref.Key {
				listed = append(listed, ref)
			}
		}
	}
	// A hash says which rows are read. Rows say whether it was another page with the same hash.
	return l.rows(ctx, from, listed, func(x schemas.Link) bool { return urlkey.SURT(x.Target) == key })
}

// inPlace returns the ref of each link in a place on its page, "" for any. Only the links themselves have their place.
func (l *linked) inPlace(ctx context.Context, refs []linkindex.Ref, place string) (list []linkindex.Ref, err error) {
	if place == "" {
		return refs, nil
	}
	for x, err := range l.index.Links(ctx, refs) {
		if err != nil {
			return nil, err
		}
		if x.Place == place {
			list = append(list, refs[x.Ref])
		}
	}
	return list, nil
}

// onPage lists the links on a page: of its newest capture that fits.
func (l *LinkList) onPage(ctx context.Context, from *linked, fits func(linkindex.Ref) bool) error {
	key := urlkey.SURT(l.Request.URL)
	refs, err := from.index.From(key)
	if err != nil {
		return err
	}
	var shown []linkindex.Ref
	for _, ref := range refs {
		if from.has(ref) && fits(ref) && (len(shown) == 0 || ref.Time > shown[0].Time) {
			shown = []linkindex.Ref{ref}
		}
	}
	if len(shown) == 0 {
		return nil
	}
	l.found = true
	for x, err := range from.index.Links(ctx, shown) {
		if err != nil {
			return err
		}
		if urlkey.SURT(x.URL) == key {
			l.Of = x.Timestamp
			break
		}
	}
	l.Pages, l.Captures, l.Links = 1, 1, int64(shown[0].Rows)
	if l.Request.Place != "" {
		placed, err := from.inPlace(ctx, shown, l.Request.Place)
		if err != nil || len(placed) == 0 {
			l.Pages, l.Captures, l.Links = 0, 0, 0
			return err
		}
		l.Links = int64(len(placed))
	}
	return l.rows(ctx, from, shown, func(x schemas.Link) bool { return urlkey.SURT(x.URL) == key })
}

// hostTyped returns a host as documents have it, whatever its case and script.
func hostTyped(typed string) string {
	typed = strings.TrimSpace(typed)
	port := typed[strings.LastIndexByte(typed, ':')+1:]
	// Hosts of damaged records may have any character.
	if typed == "" || strings.ContainsAny(typed, `/\?#@*`) || port != typed && strings.Trim(port, "0123456789") != "" {
		return typed
	}
	return cmp.Or(urlkey.Host("http://"+typed+"/"), typed)
}

// between lists the links from one host to others, to one host, or both. Links within a host are left out, as in
// graphs.
func (l *LinkList) between(ctx context.Context, from *linked) error {
	r := l.Request
	pages := map[uint64]bool{}
	var listed []linkindex.Ref
	for p, err := range from.index.Pages(ctx) {
		if err != nil {
			return err
		}
		if !from.has(p.Ref) || r.FromHost != "" && p.Host != r.FromHost || p.Host == "" {
			continue
		}
		n := int64(0)
		for host, places := range p.Hosts() {
			if host != p.Host && (r.ToHost == "" || host == r.ToHost) {
				n += places.Of(r.Place)
			}
		}
		if n > 0 {
			l.Links += n
			l.Captures++
			pages[p.SURT] = true
			listed = append(listed, p.Ref)
		}
	}
	l.Pages = int64(len(pages))
	return l.rows(ctx, from, listed, func(x schemas.Link) bool {
		web := strings.HasPrefix(x.Target, "http://") || strings.HasPrefix(x.Target, "https://")
		to := urlkey.Host(x.Target)
		return web && to != "" && to != urlkey.Host(x.URL) && (r.ToHost == "" || to == r.ToHost)
	})
}

// rows lists the links of a page of the list: those of the refs that fit, in their order.
func (l *LinkList) rows(
	ctx context.Context, from *linked, refs []linkindex.Ref, fits func(schemas.Link) bool,
) error {
	first, err := offsetOf(l.Request.Cursor)
	if err != nil {
		return err
	}
	limit, seen := int64(l.Request.Limit), int64(0)
	l.Total = l.Links
	// Refs of one row each can be skipped without reading.
	if l.Request.URL != "" && l.Request.Way == "in" {
		l.Total, seen = int64(len(refs)), min(first, int64(len(refs)))
		refs = refs[seen:]
	}
	for x, err := range from.index.Links(ctx, refs) {
		if err != nil {
			return err
		}
		if !fits(x.Link) || l.Request.Place != "" && x.Place != l.Request.Place {
			continue
		}
		if seen++; seen <= first {
			continue
		}
		if seen > first+limit {
			l.Next = cursorAt(first + limit)
			break
		}
		l.Rows = append(l.Rows, l.row(x.Link))
	}
	if len(l.Rows) > 0 {
		l.First = first + 1
	}
	return nil
}

// row makes the entry of a link.
func (l *LinkList) row(x schemas.Link) LinkRow {
	name := l.Request.Collection
	r := LinkRow{
		URL: x.URL, Timestamp: x.Timestamp, Target: x.Target, Text: x.Text, Rel: x.Rel, Place: x.Place,
		Link: page(name, "resource", ResourceRequest{URL: x.URL, At: at(&schemas.Document{Timestamp: x.Timestamp})}),
	}
	if x.Timestamp == "" {
		r.Link = page(name, "resource", ResourceRequest{URL: x.URL})
	}
	// Other schemes, such as javascript:, are shown and never linked.
	if u, err := url.Parse(x.Target); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		u.Fragment = ""
		r.TargetLink = LinksRequest{SearchRequest: SearchRequest{Collection: name}, URL: u.String()}.link()
	}
	return r
}
