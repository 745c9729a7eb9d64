package archivetest

import (
	"bytes"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
)

// Samples returns new captures that together contain everything that is hard for a format. Times are whole seconds,
// because most formats keep no fractions.
func Samples() []*schemas.Capture {
	when := time.Date(2015, 4, 16, 7, 3, 50, 0, time.UTC)
	html := []schemas.Field{{Name: "Content-Type", Value: "text/html; charset=UTF-8"}}
	list := []*schemas.Capture{
		// Repeated field names, quotes, signs of HTML and JSON, U+2028 (a line end in JavaScript), and an empty value.
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
		// A redirect: the requested URL differs from the page's, and has blanks, escapes and a fragment.
		{
			URL: "https://www.example.com/final", Header: html, Body: []byte("<p>moved</p>\n"),
			Crawl: map[string]string{
				schemas.CrawlRequested: "http://example.com/a b?x=1&y=%20*~(é)#frag", schemas.CrawlRelevant: "true",
				schemas.CrawlRelevance: "0.9731234", schemas.CrawlCrawler: "default",
			},
		},
		// Bytes that are not UTF-8, which formats of text must encode, and an unknown crawl field.
		{
			URL: "http://example.com/img.png", Header: []schemas.Field{{Name: "Content-Type", Value: "image/png"}},
			Body: []byte("\x89PNG\r\n\x1a\n\x00\x01\x02\xff"), Crawl: map[string]string{
				schemas.CrawlRelevant:  "false",
				schemas.CrawlRelevance: "0", "depth": "3",
			},
		},
		// No body, no header, and a port: writers may omit them, or readers take that for damage.
		{URL: "http://example.com/empty", Header: html, Status: 404},
		{URL: "http://example.com:8080/bare", Body: []byte("<p>no header</p>")},
		// An IPv6 literal, and three kinds of line ends, which line formats must not confuse with their own.
		{URL: "http://[2001:db8::1]/six", Header: html, Body: []byte("line\r\nline\n\nline\u2029")},
		// Longer than a buffer, and very compressible: a limit on the ratio must not truncate them.
		{URL: "http://xn--bcher-kva.example/long", Header: html, Body: []byte(strings.Repeat("<p>A long page, long enough "+
			"for more than one buffer.</p>\n", 1500))},
		{URL: "http://example.com/zeros", Header: html, Body: bytes.Repeat([]byte{0}, 70_000)},
	}
	// The declared type is what a reader takes from the header.
	for _, c := range list {
		c.RecordType, c.Timestamp = schemas.TypeResponse, when
		c.MIMEDeclared = c.Get("Content-Type")
	}
	return list
}
