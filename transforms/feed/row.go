package feed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

const (
	kindFeed      = "feed"
	kindAnnounced = "announced"
)

// The limits of a row. Feeds hold 10 to 100 items, and news sitemaps at most 1,000. A feed of 50,000 items would make
// a line too long for readers of JSON.
const (
	maxRowItems      = 1000
	maxRowBytes      = 512 << 10 // of the items' texts
	maxRowTitleBytes = 256
	maxOutlineRows   = 5000 // of one list
)

// Rows returns the lines of feeds-*.jsonl for a capture of the feed f: the feed's own row first, then those of the
// feeds it lists. The capture's HTTP header adds hints for revisits, WebSub links and Content-Language.
func Rows(c *schemas.Capture, f *Feed) []schemas.FeedCapture {
	row := begin(c, kindFeed, c.URL, f.Format)
	row.Status, row.Digest = c.Status, c.Digest
	row.Version, row.Title, row.Link, row.Self = f.Version, f.Title, f.Link, f.Self
	row.Class = source.Class(c.URL, f.Title, "")
	// The header's language counts if the feed has none.
	row.Language = cmp.Or(f.Language, clean(c.Get("Content-Language"), 64))
	row.Updated, row.Count, row.Truncated = timestamp(cmp.Or(f.Updated, f.Published)), len(f.Items), f.Truncated
	row.Newest, row.Oldest = timestamp(f.Newest()), timestamp(f.oldest())
	row.Hubs = slices.Clone(f.Hubs)
	// Hubs of the header and of the feed are merged.
	for _, l := range announcedByHeader(c.Header, c.URL) {
		switch {
		case l.Type == typeSelf:
			row.Self = cmp.Or(row.Self, l.URL)
		case l.Type == typeHub && !slices.Contains(row.Hubs, l.URL) && len(row.Hubs) < maxHubs:
			row.Hubs = append(row.Hubs, l.URL)
		}
	}
	row.Refresh = refresh(f.Refresh, c)
	row.addItems(f)
	rows := []schemas.FeedCapture{row.FeedCapture}
	for i, o := range f.Announced {
		// A list names many feeds, each a row of its own; beyond the bound the list's row is truncated.
		if i == maxOutlineRows {
			rows[0].Truncated = true
			break
		}
		// One feed in, one row out.
		r := AnnouncedRows(c, []schemas.Feed{o.Feed})[0]
		r.Link, r.Updated = o.Link, timestamp(o.Updated)
		rows = append(rows, r)
	}
	return rows
}

// AnnouncedRows returns the lines of feeds-*.jsonl for a page that announces these feeds. They have only what the page
// says, since the feeds were not fetched.
func AnnouncedRows(c *schemas.Capture, feeds []schemas.Feed) []schemas.FeedCapture {
	rows := make([]schemas.FeedCapture, 0, len(feeds))
	for _, f := range feeds {
		r := begin(c, kindAnnounced, f.URL, f.Type)
		r.Page, r.Title, r.Class = c.URL, f.Title, source.Class(f.URL, f.Title, c.URL)
		rows = append(rows, r.FeedCapture)
	}
	return rows
}

// row is a type of its own so that it may have methods.
type row struct{ schemas.FeedCapture }

// begin fills the fields that all rows have: the place of the capture, and the host.
func begin(c *schemas.Capture, kind, url, format string) row {
	host, domain := urlkey.Site(url)
	r := row{schemas.FeedCapture{
		Kind: kind, URL: url, Type: format, Host: host, Domain: domain,
		Filename: c.Origin.File, Offset: c.Origin.Offset, Sequence: c.Origin.Sequence,
	}}
	if !c.Timestamp.IsZero() { // with its fraction, as in the document, so that the two can be joined
		r.Timestamp = c.Timestamp.UTC().Format(time.RFC3339Nano)
	}
	return r
}

// addItems adds the items in short form: of too many, the newest. Only then they are sorted, since their order in the
// feed has a meaning.
func (r *row) addItems(f *Feed) {
	items := make([]*Item, len(f.Items))
	for i := range f.Items {
		items[i] = &f.Items[i]
	}
	if len(items) > maxRowItems {
		// Stable, so that items without dates keep their order.
		slices.SortStableFunc(items, func(a, b *Item) int { return b.Date().Compare(a.Date()) })
		items, r.Truncated = items[:maxRowItems], true
	}
	left := maxRowBytes
	for _, it := range items {
		short := schemas.FeedItem{
			// The original URL, since FeedBurner's is of another site.
			URL: cmp.Or(it.Original, it.Link), Title: clean(it.Title, maxRowTitleBytes),
			Published: timestamp(it.Published), Updated: timestamp(it.Updated),
		}
		// Duplicate values are left out, for the row's size.
		if it.ID != short.URL {
			short.ID = it.ID
		}
		if short.Updated == short.Published {
			short.Updated = ""
		}
		left -= len(short.URL) + len(short.Title) + len(short.ID)
		// After the row is full, the remaining items are dropped.
		if left < 0 {
			r.Truncated = true
			return
		}
		r.Items = append(r.Items, short)
	}
}

// oldest is the earliest plausible date of the items.
func (f *Feed) oldest() time.Time {
	var first time.Time
	for i := range f.Items {
		d := f.Items[i].Date()
		if plausible(d) && (first.IsZero() || d.Before(first)) {
			first = d
		}
	}
	return first
}

// refresh adds the hints of the HTTP header to the feed's own, for revisits; nil if there are none.
func refresh(r schemas.Refresh, c *schemas.Capture) *schemas.Refresh {
	r.MaxAge = maxAge(c.Get("Cache-Control"))
	r.Expires = timestamp(date(c.Get("Expires")))
	r.LastModified = timestamp(date(c.Get("Last-Modified")))
	r.ETag = clean(c.Get("ETag"), maxRowTitleBytes)
	if r.TTL == 0 && r.UpdatePeriod == "" && r.UpdateFrequency == 0 && r.UpdateBase == "" && r.SkipHours == nil &&
		r.SkipDays == nil &&
		r.MaxAge == nil && r.Expires == "" && r.ETag == "" && r.LastModified == "" {
		return nil
	}
	return &r
}

// maxAge is the directive of section 5.2.2.1 of RFC 9111, or nil. The value may be quoted, against the standard.
func maxAge(header string) *int64 {
	for directive := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		if strings.EqualFold(name, "max-age") {
			if n, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 64); err == nil && n >= 0 {
				return &n
			}
		}
	}
	return nil
}
