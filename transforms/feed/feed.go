// Package feed finds the feeds that a page announces, and reads captures that are feeds themselves.
//
// Announced looks at a page's links. Parse reads RSS 0.9x and 2.0, RDF (RSS 0.90 and 1.0), Atom 0.3 and 1.0, JSON Feed
// and, as far as title and items go, CDF; it keeps what describes the feed, not its items. The grammar of the formats
// is that of github.com/mmcdole/gofeed. What that refuses is repaired and tried again:
//
//	before the root   byte order marks, blank lines, PHP warnings, comments, DOCTYPE
//	encoding          byte order mark or its pattern first, then the XML declaration, then the media type's charset,
//	                  then UTF-8; unknown names and bytes that UTF-8 does not allow are read as windows-1252
//	characters        control characters left out; undefined entities and stray ampersands and < taken as text
//	tags              closed when left open, dropped when they close nothing; bad attributes dropped
//	end               a feed that is cut is closed; an item that was begun counts
//
// Feeds are not fetched, and nothing is made up: a feed without dates has no newest date.
//
//	if info, err := feed.Parse(c.Body, c.MIMEDeclared, feed.Options{}); err == nil {
//		fmt.Println(info.Type, info.Title, info.Items, info.Newest)
//	}
//
// Sources: RSS 2.0.11 specification, RFC 4287 (Atom), RDF Site Summary 1.0, JSON Feed 1.1, RFC 7303 (XML media types).
package feed

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"
	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// Version changes when the same capture gives another result.
const Version = "1"

// ErrFormat says that a body is no feed.
var ErrFormat = errors.New("feed: not a feed")

// Options bound the reading of a feed; the zero value takes the defaults.
type Options struct {
	MaxBytes      int // of the body; the rest is treated as cut off; 8 MiB
	MaxDepth      int // of open elements; deeper tags are dropped; 128
	MaxAttributes int // an element; 64
	MaxElements   int // elements, or objects of a JSON Feed, that are read; the rest is treated as cut off; 100,000
	MaxTextBytes  int // of title and link; 2,048
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 8<<20)
	o.MaxDepth = cmp.Or(o.MaxDepth, 128)
	o.MaxAttributes = cmp.Or(o.MaxAttributes, 64)
	o.MaxElements = cmp.Or(o.MaxElements, 100_000)
	o.MaxTextBytes = cmp.Or(o.MaxTextBytes, 2048)
	return o
}

// Parse reads a capture that is a feed. The body is raw; mime is its media type as declared, of which only the charset
// parameter is used. Items counts the items there are, Newest is the latest of their dates, or the feed's own date
// where no item has one; a date without a zone is taken as UTC. The error is ErrFormat when the body is no feed.
func Parse(body []byte, mime string, o Options) (*schemas.FeedInfo, error) {
	o = o.withDefaults()
	text := decode(body[:min(len(body), o.MaxBytes)], mime)
	if strings.HasPrefix(text, "{") {
		return parseJSON(text, o)
	}
	root, ok := findRoot(text)
	if !ok {
		return nil, ErrFormat
	}
	f, err := parseXML(text[root.start:], root, o)
	if err != nil {
		return nil, err
	}
	if len(f.Items) == 0 && !root.known() {
		return nil, fmt.Errorf("%w: <%s> of another vocabulary", ErrFormat, root.name)
	}
	return info(f, root.kind(), o), nil
}

// parseXML reads the text as it is when it is sound, and otherwise a repaired copy.
func parseXML(text string, root token, o Options) (*gofeed.Feed, error) {
	before, after := "", ""
	if root.kind() == typeCDF { // read as what it became
		before, after = "<rss>", "</rss>"
	}
	if sound(text, o) {
		if f, err := parse(before + text + after); err == nil {
			return f, nil
		}
	}
	return parse(before + repair(text, o) + after)
}

// parse calls gofeed. Its panics become errors: it is somebody else's code on hostile input.
func parse(text string) (f *gofeed.Feed, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("feed: parser panicked: %v", r)
		}
	}()
	f, err = gofeed.NewParser().Parse(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("feed: %w", err)
	}
	return f, nil
}

// parseJSON reads a JSON Feed. Any object would do for gofeed, so the version is checked first.
func parseJSON(text string, o Options) (*schemas.FeedInfo, error) {
	if !json.Valid([]byte(text)) || strings.Count(text, "{") > o.MaxElements {
		nodes, err := jsonld.Parse(text, jsonld.Options{MaxBytes: o.MaxBytes, MaxNodes: o.MaxElements})
		if err != nil || len(nodes) == 0 {
			return nil, ErrFormat
		}
		repaired, err := json.Marshal(nodes[0])
		if err != nil {
			return nil, fmt.Errorf("feed: %w", err)
		}
		text = string(repaired)
	}
	var head struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal([]byte(text), &head); err != nil || !strings.Contains(head.Version, "jsonfeed.org/version") {
		return nil, ErrFormat
	}
	f, err := parse(text)
	if err != nil {
		return nil, err
	}
	return info(f, "json", o), nil
}

func info(f *gofeed.Feed, kind string, o Options) *schemas.FeedInfo {
	return &schemas.FeedInfo{
		Type:   kind,
		Title:  clean(plain(f.Title), o.MaxTextBytes),
		Link:   clean(f.Link, o.MaxTextBytes),
		Items:  len(f.Items),
		Newest: newest(f),
	}
}

// newest is the latest date of the items, or of the feed.
func newest(f *gofeed.Feed) string {
	var latest time.Time
	for _, item := range f.Items {
		latest = later(latest, item.Published, item.Updated)
	}
	if latest.IsZero() {
		latest = later(latest, f.Published, f.Updated)
	}
	if latest.IsZero() {
		return ""
	}
	return latest.UTC().Format(time.RFC3339)
}

func later(latest time.Time, dates ...string) time.Time {
	for _, s := range dates {
		if d, ok := pagemeta.ParseDate(s); ok && d.Time.After(latest) {
			latest = d.Time
		}
	}
	return latest
}

// plain is the text of a title, in which RSS allows escaped markup: without tags, scripts and styles.
func plain(s string) string {
	if !strings.Contains(s, "<") && !strings.Contains(s, "&") {
		return s
	}
	var text strings.Builder
	hidden := false
	for z := html.NewTokenizer(strings.NewReader(s)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return text.String()
		}
		name, _ := z.TagName()
		switch {
		case kind == html.TextToken && !hidden:
			text.Write(z.Text())
		case kind == html.StartTagToken || kind == html.EndTagToken:
			hidden = kind == html.StartTagToken && (string(name) == "script" || string(name) == "style")
		}
	}
}

// clean collapses white space and cuts at a rune's start.
func clean(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "")
	}
	return s
}

// bom is a byte order mark in UTF-8.
var bom = []byte("\xef\xbb\xbf")

// trimHead cuts off what may stand before the first tag or brace and means nothing.
func trimHead(b []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(b, bom), " \t\r\n\x00")
}
