package view

import (
	"cmp"
	"context"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Hosts lists the hosts of a collection, those with most captures first. They are counted once for each manifest.
func (v *Views) Hosts(ctx context.Context, r HostsRequest) (*Hosts, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	defer release()
	// Links contain the collection's name even if the request left it out.
	r.Collection = c.Name()
	groups, err := hostsOf(ctx, now)
	if err != nil {
		return nil, changed(err)
	}
	// It is not nil: an empty list in JSON is [] and not null.
	list := &Hosts{Answer: answer(c), Find: r.Find, Hosts: []Value{}}
	list.explain(now, nil)
	from, err := offsetOf(r.Cursor)
	if err != nil {
		return nil, err
	}
	limit := int64(cmp.Or(r.Limit, 50))
	// Hosts are in lower case in documents.
	find := strings.ToLower(r.Find)
	for _, g := range groups {
		// Captures without a host count for the shares, but are not a row.
		list.Captures += g.Count
		if g.Values[0] == "" || !strings.Contains(g.Values[0], find) {
			continue
		}
		// All hosts are visited: the number of matches is part of the answer.
		if list.Total++; list.Total > from && list.Total <= from+limit {
			list.Hosts = append(list.Hosts, Value{
				Value: g.Values[0], Label: g.Values[0], Count: g.Count, Link: hostLink(c.Name(), g.Values[0]),
			})
		}
	}
	// It is 0 if nothing matches.
	list.First = min(from+1, list.Total)
	// This is only known now: the last page has no link.
	if from+limit < list.Total {
		list.Next = cursorAt(from + limit)
		r.Cursor = list.Next
		list.NextLink = page(c.Name(), "hosts", r)
	}
	// This comes last, so that it includes all work.
	list.Took = v.since(start)
	return list, nil
}

func hostLink(collection, host string) string {
	return hostPage(HostRequest{Collection: collection, Host: host})
}

// hostPage returns the page of a host. The name is escaped, as the host of a damaged record may contain a slash.
func hostPage(r HostRequest) string { return page(r.Collection, "hosts/"+url.PathEscape(r.Host), r) }

// The cursor of a list in memory is a number. It is encoded like other cursors, so that nobody relies on that.
func cursorAt(n int64) string { return base64.RawURLEncoding.EncodeToString([]byte(number(n))) }

func offsetOf(cursor string) (int64, error) {
	if cursor == "" {
		return 0, nil
	}
	// Both errors are checked together: a cursor that cannot be decoded is not a number either.
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	n, bad := strconv.ParseInt(string(data), 10, 64)
	// The limit prevents sums from overflowing.
	if err != nil || bad != nil || n < 0 || n > 1<<40 {
		return 0, invalid("cursor", "", "It is not a cursor of this server. Begin with the first page, without a cursor.")
	}
	return n, nil
}

const (
	// These limit a page for people; the API has cursors for more.
	pagesOfHost = 20 // that are listed on one page
	maxFeeds    = 20 // that are listed
)

// These are more columns than lists need: feeds are collected, and each page is shown with its words and size.
var hostColumns = append([]string{"feeds", "quality", "body_bytes"}, captureColumns...)

// Host describes one host.
func (v *Views) Host(ctx context.Context, r HostRequest) (*Host, error) {
	start := v.o.Now()
	c, now, release, err := v.open(ctx, r.Collection)
	if err != nil {
		return nil, err
	}
	// All the following queries use one snapshot, so the figures agree.
	defer release()
	r.Collection = c.Name()
	r.Host = hostTyped(r.Host)
	where, err := fieldOf("host").equals(r.Host)
	if err != nil {
		return nil, err
	}
	h := &Host{Answer: answer(c), Host: r.Host, Pages: []Version{}, Facets: []Facet{}, Feeds: []Link{}}
	if err := h.count(ctx, now, where, cmp.Or(r.Unit, "month")); err != nil {
		return nil, changed(err)
	}
	// An unknown host is a mistake in the address, and not an empty page.
	if h.Captures == 0 {
		return nil, notFound("This collection has no capture of this host", "GET /api/v1/hosts lists its hosts.")
	}
	if err := h.pages(ctx, now, where, r); err != nil {
		return nil, changed(err)
	}
	h.Took = v.since(start)
	return h, nil
}

func (h *Host) count(ctx context.Context, now *shelf.Snapshot, where query.Expr, unit string) (err error) {
	// These are captures, and further down addresses: the same filter without and with folding.
	all := query.Query{Where: where, AllVersions: true}
	// Without any capture, the rest need not be counted.
	if h.Captures, err = now.DB.Count(ctx, all); err != nil || h.Captures == 0 {
		return err
	}
	if h.Addresses, err = now.DB.Count(ctx, query.Query{Where: where}); err != nil {
		return err
	}
	if h.First, h.Last, err = ends(ctx, now, where); err != nil {
		return err
	}
	// Every capture is included, as the figures count captures.
	every := SearchRequest{Collection: h.Collection, Host: h.Host, Fold: "none"}
	// This lists all captures, including those that are not on the page.
	h.Search = every.link()
	// The host itself is left out, as it is always the same, and so are sources, which have their own pages.
	for _, param := range []string{"lang", "mime", "page_type", "status"} {
		f := fieldOf(param)
		groups, err := now.DB.Facets(ctx, all, []string{f.field}, 0)
		if err != nil {
			return err
		}
		if param == "lang" {
			for _, g := range groups {
				if schemas.IsLanguage(g.Values[0]) {
					h.Languages++
				}
			}
		}
		// Each link keeps the host, and adds one value.
		link := func(value string) string { return every.with(param, value).link() }
		h.Facets = append(h.Facets, facetOf(f, groups, topOverview, link, ""))
	}
	// The timeline needs another query: all units of the host, of which it shows the last.
	groups, err := now.DB.Facets(ctx, all, []string{dated(unit)}, 0)
	h.Time = timelineOf(unit, groups, func(value string) string { return every.with(unit, value).link() })
	h.Time.Brush = every.brushOf()
	return err
}

// pages lists the newest version of each page, and the feeds that these pages announce.
func (h *Host) pages(ctx context.Context, now *shelf.Snapshot, where query.Expr, r HostRequest) error {
	// A cursor of another host's list only leads to another page: see cursor.go.
	after, _, err := parseCursor(r.Cursor)
	if err != nil {
		return err
	}
	a, err := now.DB.Ask(ctx, contentdb.Request{
		Query: query.Query{Where: where, Limit: pagesOfHost, After: after}, Columns: hostColumns,
	})
	if err != nil {
		return err
	}
	// Pages of a site announce the same feeds; each is listed once.
	known := map[string]bool{}
	for _, row := range a.Rows {
		h.Pages = append(h.Pages, versionOf(h.Collection, row.Document))
		for _, f := range row.Feeds {
			// The limit also applies to feeds of a hostile page.
			if !known[f.URL] && len(h.Feeds) < maxFeeds {
				known[f.URL] = true
				h.Feeds = append(h.Feeds, linkTo(h.Collection, f.URL, f.Title, f.Type))
			}
		}
	}
	// The request's other parameters stay in the link.
	if a.Next != nil {
		h.Next = encodeCursor(*a.Next, 0)
		r.Cursor = h.Next
		h.NextLink = hostPage(r)
	}
	return nil
}
