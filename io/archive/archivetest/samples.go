package archivetest

import (
	"bytes"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Samples are captures that between them have all that a format may find hard to hold. They are made again each time.
// Whole seconds: most formats keep no smaller part of a time.
func Samples() []*schemas.Capture {
	when := time.Date(2015, 4, 16, 7, 3, 50, 0, time.UTC)
	html := []schemas.Field{{Name: "Content-Type", Value: "text/html; charset=UTF-8"}}
	list := []*schemas.Capture{
		// Fields of one name twice, quotes, signs of HTML and JSON, U+2028 (which ends a line in
		// JavaScript), and an empty value.
		{
			URL: "http://example.com/", Header: []schemas.Field{
				{Name: "Content-Type", Value: "text/html; charset=UTF-8"},
				{Name: "Set-Cookie", Value: "a=1"},
				{Name: "Set-Cookie", Value: `b="2\3"; <x>`},
				{Name: "X-Odd", Value: "naïve / \u2028 & ' é"},
				{Name: "X-Empty", Value: ""},
			}, Body: []byte("<!DOCTYPE html><title>Café</title>"), Status: 200, IP: "192.0.2.7",
			RecordID: "urn:uuid:00000000-0000-0000-0000-000000000001",
		},
		// The crawler was redirected: the requested address has blanks, escapes, a fragment, and is
		// not the one of the page.
		{
			URL: "https://www.example.com/final", Header: html, Body: []byte("<p>moved</p>\n"),
			Crawl: map[string]string{
				schemas.CrawlRequested: "http://example.com/a b?x=1&y=%20*~(é)#frag", schemas.CrawlRelevant: "true",
				schemas.CrawlRelevance: "0.9731234", schemas.CrawlCrawler: "default",
			},
		},
		// Bytes that are not UTF-8, which formats of text have to encode, and a crawl field that no
		// schema names.
		{
			URL: "http://example.com/img.png", Header: []schemas.Field{{Name: "Content-Type", Value: "image/png"}},
			Body: []byte("\x89PNG\r\n\x1a\n\x00\x01\x02\xff"), Crawl: map[string]string{
				schemas.CrawlRelevant:  "false",
				schemas.CrawlRelevance: "0", "depth": "3",
			},
		},
		// No body, no header, and a port: what writers may leave out, or readers take for damage.
		{URL: "http://example.com/empty", Header: html, Status: 404},
		{URL: "http://example.com:8080/bare", Body: []byte("<p>no header</p>")},
		// An IPv6 literal; line ends of three kinds, which formats of lines must not confuse with
		// their own.
		{URL: "http://[2001:db8::1]/six", Header: html, Body: []byte("line\r\nline\n\nline\u2029")},
		// Longer than one buffer, and very compressible: a limit of ratio must not cut either of them.
		{URL: "http://xn--bcher-kva.example/long", Header: html, Body: []byte(strings.Repeat("<p>A long page, long enough "+
			"for more than one buffer.</p>\n", 1500))},
		{URL: "http://example.com/zeros", Header: html, Body: bytes.Repeat([]byte{0}, 70_000)},
	}
	// What all of them share. The declared type is what a reader takes from the header.
	for _, c := range list {
		c.RecordType, c.Timestamp = schemas.TypeResponse, when
		c.MIMEDeclared = c.Get("Content-Type")
	}
	return list
}
