// Package feed reads feeds, and finds the feeds that a page announces.
//
// Read reads RSS 0.9x and 2.0, RDF (RSS 0.90 and 1.0), Atom 0.3 and 1.0, CDF, JSON Feed, OPML and sitemaps, also of
// news. Parse returns a short description of a feed, Rows its lines in feeds-*.jsonl, and Announced the feeds that a
// page and its HTTP header announce. The package does not fetch feeds.
//
// Feeds are often broken. A lenient scanner reads them in one pass:
//
//	before the root   byte order marks, blank lines, PHP warnings, comments, DOCTYPE (its entities are kept)
//	encoding          byte order mark or its pattern first, then the XML declaration, then the media type's charset,
//	                  then UTF-8; unknown names and bytes that UTF-8 does not allow are read as windows-1252
//	characters        control characters left out; undefined entities and stray ampersands and < taken as text
//	namespaces        by URI; prefixes that are not declared, or bound to an unknown URI, by their name
//	tags              closed when left open, dropped when they close nothing; bad attributes dropped
//	end               a feed that is cut is closed; an item that was begun counts
//
// Summaries and contents are untrusted HTML. Callers that show it must sanitize it.
//
//	f, err := feed.Read(c.Body, c.MIMEDeclared, c.URL, feed.Options{})
//	if err != nil {
//		return err // feed.ErrFormat
//	}
//	for _, item := range f.Items {
//		fmt.Println(item.Link, item.Title, item.Date())
//	}
//
// Sources: RSS 2.0.11 specification, RFC 4287 (Atom), RDF Site Summary 1.0, JSON Feed 1.1, the W3C note on CDF of
// 1997, OPML 2.0, sitemaps.org 0.9 and Google's news sitemaps, WebSub (W3C 2018), RFC 7303 (XML media types), RFC 8288
// (Link).
package feed

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Version changes when the same capture gives another result.
const Version = "11"

// ErrFormat means that a body is not a feed.
var ErrFormat = errors.New("feed: not a feed")

// Options bound the reading of a feed; the zero value takes the defaults, which are above all feeds that people read.
// Sitemaps are the largest kind.
type Options struct {
	MaxBytes     int // of the body; the rest counts as cut off; default 8 MiB
	MaxDepth     int // of open elements; deeper tags are dropped; default 128
	MaxElements  int // elements, or objects of a JSON Feed; the rest counts as cut off; default 300,000
	MaxItems     int // of a feed; further ones are left out; default 50,000, the limit of sitemaps
	MaxTextBytes int // of a title, name or URL: texts are truncated, URLs left out; default 2,048
	// Captured is the time of the capture. Dates of items long after it are mistakes and are left out.
	Captured time.Time
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 8<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 128)
	o.MaxElements = cmp.Or(o.MaxElements, 300_000)
	o.MaxItems = cmp.Or(o.MaxItems, 50_000)
	o.MaxTextBytes = cmp.Or(o.MaxTextBytes, 2048)
	return o
}

// Feed is a feed with its items in order. URLs are resolved. Missing values are empty. Strings are copies, so a Feed
// does not keep the body in memory.
type Feed struct {
	Format      string // rss, rdf, atom, cdf, json, opml, sitemap
	Version     string // as declared
	Title       string // plain text
	Description string // HTML
	Link        string // of the site
	Self        string // the feed's own URL
	ID          string
	Language    string // as declared
	Rights      string // plain text
	Generator   string
	Image       string // URL of the logo
	Authors     []Person
	Categories  []string
	Published   time.Time // UTC, like all dates; zero if missing
	Updated     time.Time
	Hubs        []string // WebSub hubs
	Refresh     schemas.Refresh
	Items       []Item
	// Announced are the feeds in an OPML list, or the sitemaps in a sitemap index, which have no items.
	Announced []Outline
	Truncated bool // a limit was hit: something may be missing
}

// Item is one entry of a feed.
type Item struct {
	ID         string // guid or id as written
	Link       string // resolved; of the page
	Original   string // the page's URL if Link goes through FeedBurner
	Title      string // plain text
	Summary    string // HTML
	Content    string // HTML
	Language   string // as declared, if it differs from the feed's
	Authors    []Person
	Categories []string
	Enclosures []Enclosure
	Published  time.Time
	Updated    time.Time
	// Publication is the name of the newspaper in a news sitemap.
	Publication string
}

// Date is the publication date of an item, or else that of its update, or zero. Lists are sorted by it.
func (i *Item) Date() time.Time {
	if !i.Published.IsZero() {
		return i.Published
	}
	return i.Updated
}

// Person is an author. At least one field is not empty. Two persons with the same fields are the same.
type Person struct{ Name, Email, URL string }

type Enclosure struct {
	URL    string
	Type   string // media type as declared
	Length int64  // bytes as declared; 0 if missing
}

// Outline is a feed or sitemap in a list. The embedded Feed is as Announced returns it.
type Outline struct {
	schemas.Feed
	Link    string // of the site
	Updated time.Time
}

// Read reads a capture that is a feed. The body is raw; only the charset of the media type mime is used. Parameter
// pageURL is the capture's, the base of relative URLs without another base. The error is ErrFormat if the body is not
// a feed.
func Read(body []byte, mime, pageURL string, o Options) (*Feed, error) {
	o = o.withDefaults()
	body = inflated(body, o.MaxBytes)
	text := decode(body[:min(len(body), o.MaxBytes)], mime)
	f, err := readText(text, pageURL, o)
	if err != nil {
		return nil, err
	}
	// A body beyond MaxBytes is truncated even if the part before is a whole feed.
	f.Truncated = f.Truncated || len(body) > o.MaxBytes
	if !o.Captured.IsZero() {
		f.forgetFuture(o.Captured.AddDate(maxYearsAhead, 0, 0))
	}
	return f, nil
}

// maxYearsAhead is how far ahead a feed may announce events. Later dates have a wrong century.
const maxYearsAhead = 10

// forgetFuture removes dates after latest.
func (f *Feed) forgetFuture(latest time.Time) {
	forget := func(dates ...*time.Time) {
		for _, d := range dates {
			if d.After(latest) {
				*d = time.Time{}
			}
		}
	}
	forget(&f.Published, &f.Updated)
	for i := range f.Items {
		forget(&f.Items[i].Published, &f.Items[i].Updated)
	}
}

// inflated is the content of a gzip body, or the body itself: most sitemaps are gzip files. It reads one byte more
// than limit, which shows an excess. Damaged data is read as far as possible.
func inflated(body []byte, limit int) []byte {
	for range 2 { // some servers compress twice
		if !bytes.HasPrefix(body, []byte("\x1f\x8b\x08")) {
			break
		}
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			break
		}
		out, err := io.ReadAll(io.LimitReader(z, int64(limit)+1))
		if err != nil && len(out) == 0 {
			break
		}
		body = out
	}
	return body
}

// readText tells JSON from XML by the first character: decode has trimmed what precedes.
func readText(text, pageURL string, o Options) (*Feed, error) {
	if strings.HasPrefix(text, "{") {
		return readJSON(text, pageURL, o)
	}
	// Junk may precede the root, and contain a document type that declares entities.
	root, ok := findRoot(text)
	if !ok {
		return nil, ErrFormat
	}
	t := build(text[root.start:], pageURL, o, declaredEntities(text[:root.start]))
	f := readTree(t, root.kind(), pageURL, o)
	// An RDF or <feed> of another vocabulary is only a feed if it has items.
	if len(f.Items) == 0 && !root.known() {
		return nil, fmt.Errorf("%w: <%s> of another vocabulary", ErrFormat, root.name)
	}
	return f, nil
}

// Parse is Read followed by Info.
func Parse(body []byte, mime, pageURL string, o Options) (*schemas.FeedInfo, error) {
	f, err := Read(body, mime, pageURL, o)
	if err != nil {
		return nil, err
	}
	return f.Info(), nil
}

// Info describes the feed in short. Newest is the latest date of its items, or else the feed's own.
func (f *Feed) Info() *schemas.FeedInfo {
	info := &schemas.FeedInfo{Type: f.Format, Title: f.Title, Link: f.Link, Items: len(f.Items)}
	if t := f.Newest(); !t.IsZero() {
		info.Newest = t.Format(time.RFC3339)
	}
	return info
}

// Years outside these are mistakes: feeds began with CDF in 1997, and placeholders such as 1970 and 9999 are common.
const (
	minYear = 1995
	maxYear = 2100
)

// Newest is the latest of the items' dates, or the feed's own if no item has one. Both dates of an item count: an
// article that was updated today makes the feed new.
func (f *Feed) Newest() time.Time {
	var latest time.Time
	for i := range f.Items {
		latest = later(latest, f.Items[i].Published, f.Items[i].Updated)
	}
	if latest.IsZero() {
		latest = later(latest, f.Published, f.Updated)
	}
	return latest
}

// later is the latest of some plausible dates.
func later(latest time.Time, dates ...time.Time) time.Time {
	for _, d := range dates {
		if plausible(d) && d.After(latest) {
			latest = d
		}
	}
	return latest
}

func plausible(d time.Time) bool { return d.Year() >= minYear && d.Year() <= maxYear }
