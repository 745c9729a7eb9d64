// Package feed reads captures that are feeds, and finds the feeds that a page announces.
//
// Read takes RSS 0.9x and 2.0, RDF (RSS 0.90 and 1.0), Atom 0.3 and 1.0, CDF, JSON Feed, OPML, and sitemaps with or
// without news, with all their items. Parse gives the short description of a feed that a document carries, Rows the
// lines of feeds-*.jsonl that a capture makes, and Announced what a page and its HTTP head announce. Feeds are not
// fetched, and nothing is made up: a feed without dates has no newest date.
//
// Feeds are often broken. They are read in one pass by a scanner that takes what it finds:
//
//	before the root   byte order marks, blank lines, PHP warnings, comments, DOCTYPE (its entities are kept)
//	encoding          byte order mark or its pattern first, then the XML declaration, then the media type's charset,
//	                  then UTF-8; unknown names and bytes that UTF-8 does not allow are read as windows-1252
//	characters        control characters left out; undefined entities and stray ampersands and < taken as text
//	namespaces        by URI; prefixes that are not declared, or bound to an unknown URI, by their name
//	tags              closed when left open, dropped when they close nothing; bad attributes dropped
//	end               a feed that is cut is closed; an item that was begun counts
//
// Markup of summaries and contents is kept as it is: it is HTML from strangers, to be sanitised by callers that show
// it.
//
//	f, err := feed.Read(c.Body, c.MIMEDeclared, c.URL, feed.Options{})
//	if err != nil {
//		return err // feed.ErrFormat
//	}
//	for _, item := range f.Items {
//		fmt.Println(item.Link, item.Title, item.Date())
//	}
//
// Sources: RSS 2.0.11 specification, RFC 4287 (Atom), RDF Site Summary 1.0, JSON Feed 1.1, the W3C note on CDF of 1997,
// OPML 2.0, sitemaps.org 0.9 and Google's news sitemaps, WebSub (W3C 2018), RFC 7303 (XML media types), RFC 8288
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
const Version = "5"

// ErrFormat says that a body is not a feed.
var ErrFormat = errors.New("feed: not a feed")

// Options bound the reading of a feed; the zero value takes the defaults. Their defaults are above all feeds that
// people read; a sitemap is the largest kind.
type Options struct {
	MaxBytes     int // of the body; the rest is treated as cut off; 8 MiB
	MaxDepth     int // of open elements; deeper tags are dropped; 128
	MaxElements  int // elements, or objects of a JSON Feed, that are read; the rest is treated as cut off; 300,000
	MaxItems     int // of a feed; further ones are left out; 50,000, which is what a sitemap may hold
	MaxTextBytes int // of a title, name or URL: texts are cut, URLs left out; 2,048
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 8<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 128)
	o.MaxElements = cmp.Or(o.MaxElements, 300_000)
	o.MaxItems = cmp.Or(o.MaxItems, 50_000)
	o.MaxTextBytes = cmp.Or(o.MaxTextBytes, 2048)
	return o
}

// Feed is what a feed says of itself, and its items in their order. URLs are resolved. What is not said is empty.
// Strings are copies: a Feed does not keep the body in memory.
type Feed struct {
	Format      string // rss, rdf, atom, cdf, json, opml, sitemap
	Version     string // as declared
	Title       string // plain text
	Description string // HTML
	Link        string // of the site
	Self        string // where the feed says that it is
	ID          string
	Language    string // as declared
	Rights      string // plain text
	Generator   string
	Image       string // URL of the logo
	Authors     []Person
	Categories  []string
	Published   time.Time // UTC, like all dates; zero when not said
	Updated     time.Time
	Hubs        []string // WebSub hubs
	Refresh     schemas.Refresh
	Items       []Item
	// Announced are the feeds that an OPML list, and the sitemaps that an index of sitemaps names. Lists name feeds
	// and have no items.
	Announced []Outline
	Truncated bool // limits were met: something may be missing
}

// Item is one entry of a feed.
type Item struct {
	ID         string // guid or id as written
	Link       string // resolved; of the page
	Original   string // the page's URL where Link goes through FeedBurner
	Title      string // plain text
	Summary    string // HTML
	Content    string // HTML
	Language   string // as declared, when it is not the feed's
	Authors    []Person
	Categories []string
	Enclosures []Enclosure
	Published  time.Time
	Updated    time.Time
	// Publication is the name that a news sitemap gives the paper.
	Publication string
}

// Date is when the item was published or, where that is not said, updated; zero when neither is said. It is what
// lists are sorted by and what "newest" means.
func (i *Item) Date() time.Time {
	if !i.Published.IsZero() {
		return i.Published
	}
	return i.Updated
}

// Person is an author. At least one field is not empty. Two persons with the same fields are the same.
type Person struct{ Name, Email, URL string }

// Enclosure is a file that belongs to an item.
type Enclosure struct {
	URL    string
	Type   string // media type as declared
	Length int64  // bytes as declared; 0 when not said
}

// Outline is a feed or sitemap that a list names. The embedded Feed is as Announced returns it.
type Outline struct {
	schemas.Feed
	Link    string // of the site
	Updated time.Time
}

// Read reads a capture that is a feed. The body is raw; mime is its media type as declared, of which only the charset
// parameter is used; pageURL is the capture's, with which relative URLs are resolved that nothing else says how to. The
// error is ErrFormat when the body is not a feed.
func Read(body []byte, mime, pageURL string, o Options) (*Feed, error) {
	o = o.withDefaults()
	body = inflated(body, o.MaxBytes)
	text := decode(body[:min(len(body), o.MaxBytes)], mime)
	f, err := readText(text, pageURL, o)
	if err != nil {
		return nil, err
	}
	// A body beyond MaxBytes was not read to its end, even where what was read is a whole feed.
	f.Truncated = f.Truncated || len(body) > o.MaxBytes
	return f, nil
}

// inflated is what a body in gzip holds, and another body as it is: sitemaps are most often files in gzip. One byte
// more than limit is read, so that what is beyond shows. What is damaged is read as far as it goes.
func inflated(body []byte, limit int) []byte {
	for range 2 { // some servers compress what is compressed
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
	// The root may stand after junk, whose document type still declares entities.
	root, ok := findRoot(text)
	if !ok {
		return nil, ErrFormat
	}
	t := build(text[root.start:], pageURL, o, declaredEntities(text[:root.start]))
	f := readTree(t, root.kind(), pageURL, o)
	// An RDF or <feed> of another vocabulary is only a feed if items were found in it.
	if len(f.Items) == 0 && !root.known() {
		return nil, fmt.Errorf("%w: <%s> of another vocabulary", ErrFormat, root.name)
	}
	return f, nil
}

// Parse reads a capture that is a feed and describes it in short: see Read. Items counts the items there are, Newest is
// the latest of their dates, or the feed's own date where no item has one.
func Parse(body []byte, mime, pageURL string, o Options) (*schemas.FeedInfo, error) {
	f, err := Read(body, mime, pageURL, o)
	if err != nil {
		return nil, err
	}
	return f.Info(), nil
}

// Info describes the feed in short.
func (f *Feed) Info() *schemas.FeedInfo {
	info := &schemas.FeedInfo{Type: f.Format, Title: f.Title, Link: f.Link, Items: len(f.Items)}
	if t := f.Newest(); !t.IsZero() {
		info.Newest = t.Format(time.RFC3339)
	}
	return info
}

// Years outside these are mistakes: there were no feeds before, and placeholders such as 1970 and 9999 are common.
// Feeds began with CDF in 1997; the upper bound is far beyond any plan.
const (
	minYear = 1995
	maxYear = 2100
)

// Newest is the latest of the items' dates, or the feed's own where no item has one. Both dates of an item count: an
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

// later is the latest of some dates that are plausible.
func later(latest time.Time, dates ...time.Time) time.Time {
	for _, d := range dates {
		if plausible(d) && d.After(latest) {
			latest = d
		}
	}
	return latest
}

func plausible(d time.Time) bool { return d.Year() >= minYear && d.Year() <= maxYear }
