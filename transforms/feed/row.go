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

// The kinds of rows.
const (
	kindFeed      = "feed"
	kindAnnounced = "announced"
)

// The limits of a row. Feeds hold 10 to 100 items, and news sitemaps at most 1,000. A feed of 50,000 items would make
// a line that no reader of JSON takes.
const (
	maxRowItems      = 1000
	maxRowBytes      = 512 << 10 // of the items' texts
	maxRowTitleBytes = 256
	maxOutlineRows   = 5000 // of one list
)

// Rows are the lines of feeds-*.jsonl that a capture which is the feed f makes: its own, and those of the feeds that it
// names. The capture's HTTP head is heeded: hints of when to come again, WebSub links, Content-Language. The row of
// the feed is the first.
func Rows(c *schemas.Capture, f *Feed) []schemas.FeedCapture {
	row := begin(c, kindFeed, c.URL, f.Format)
	row.Status, row.Digest = c.Status, c.Digest
	row.Version, row.Title, row.Link, row.Self = f.Version, f.Title, f.Link, f.Self
	row.Class = source.Class(c.URL, f.Title, "")
	// The head's language is that of the feed, if the feed says none.
	row.Language = cmp.Or(f.Language, clean(c.Get("Content-Language"), 64))
	row.Updated, row.Count, row.Truncated = timestamp(cmp.Or(f.Updated, f.Published)), len(f.Items), f.Truncated
	row.Newest, row.Oldest = timestamp(f.Newest()), timestamp(f.oldest())
	row.Hubs = slices.Clone(f.Hubs)
	// Hubs of the head and of the feed are put together.
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
		// A list names many feeds, each a row of its own; beyond the bound the list's row says so.
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

// AnnouncedRows are the lines of feeds-*.jsonl of a page that announces these feeds. Only what the page says of them
// is known: they were not fetched.
func AnnouncedRows(c *schemas.Capture, feeds []schemas.Feed) []schemas.FeedCapture {
	rows := make([]schemas.FeedCapture, 0, len(feeds))
	for _, f := range feeds {
		r := begin(c, kindAnnounced, f.URL, f.Type)
		r.Page, r.Title, r.Class = c.URL, f.Title, source.Class(f.URL, f.Title, c.URL)
		rows = append(rows, r.FeedCapture)
	}
	return rows
}

// row is a line in the making. It is a type of its own so that it may have methods.
type row struct{ schemas.FeedCapture }

// begin fills in what all rows have: where the capture stands, and the host.
func begin(c *schemas.Capture, kind, url, format string) row {
	host, domain := urlkey.Site(url)
	return row{schemas.FeedCapture{
		Kind: kind, URL: url, Type: format, Host: host, Domain: domain, Timestamp: timestamp(c.Timestamp.UTC()),
		Filename: c.Origin.File, Offset: c.Origin.Offset, Sequence: c.Origin.Sequence,
	}}
}

// addItems adds the items in short: of too many, the newest. Items are sorted only when there are too many: their
// order in the feed says something.
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
			// The original URL, since FeedBurner's would be a stranger's.
			URL: cmp.Or(it.Original, it.Link), Title: clean(it.Title, maxRowTitleBytes),
			Published: timestamp(it.Published), Updated: timestamp(it.Updated),
		}
		// What repeats is left out, for the row's size.
		if it.ID != short.URL {
			short.ID = it.ID
		}
		if short.Updated == short.Published {
			short.Updated = ""
		}
		left -= len(short.URL) + len(short.Title) + len(short.ID)
		// The rest of the items is dropped when the row is full, not cut.
		if left < 0 {
			r.Truncated = true
			return
		}
		r.Items = append(r.Items, short)
	}
}

// oldest is the earliest of the items' dates. Placeholders such as 1970 do not count.
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

// refresh adds what the HTTP head says; nil when nobody says anything. Whoever fetches feeds again wants all hints in
// one place: the feed's own and those of HTTP.
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

// maxAge is the directive of section 5.2.2.1 of RFC 9111; nil when it is not there. The value may be quoted, against
// the standard.
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
