// Package cdr reads and writes the crawl data repository format of DARPA's Memex program: JSON lines, often compressed.
// It reads the versions 2, 3.0 and 3.1, and writes 3.1. ACHE wrote it to Kafka and by its exporter, Scrapy with
// scrapy-cdr. The schema's own page is not public; these programs and kmike/memex-cdr are the source.
//
//	{"_id":"2AD4…","content_type":"text/html","crawler":"ACHE","objects":[],"raw_content":"<html>…",
//	 "response_headers":{},
//	 "team":"NYU","timestamp_crawl":"2015-04-16T07:03:50Z","timestamp_index":"…","url":"http://example.com/",
//	 "version":3.1}
//
// A document's raw_content is text, whatever the page was. What a page embeds (objects) is described and stored
// elsewhere: it is a quirk, media_objects, and not read. A line of version 2 about such an object is not a capture.
//
//	line, err := cdr.Append(nil, capture, time.Time{})
//
// docs/formats/cdr.md lists the fields of a document, and the differences between the programs.
package cdr

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// JSON reads documents, one a line.
type JSON struct{}

// Match reports whether head begins with an object that has the keys common to all versions.
func (JSON) Match(_ string, head []byte) bool {
	keys := dump.Keys(head)
	// A long body may hide what follows it. ACHE's version 2 is without _id.
	if keys["raw_content"] && (keys["_id"] || keys["crawler"] && keys["team"]) {
		return true
	}
	return keys["_id"] && keys["content_type"] && (keys["crawler"] || keys["obj_original_url"])
}

// Frames finds documents in arrays, and over several lines.
func (JSON) Frames(r io.Reader, head []byte, limit int) dump.Frames {
	return dump.Values(r, head, limit, "")
}

// document is a line. Version 2 has timestamp, the others timestamp_crawl.
type document struct {
	ID          dump.Word         `json:"_id"`
	URL         string            `json:"url"`
	ContentType dump.Words        `json:"content_type"`
	Crawler     dump.Word         `json:"crawler"`
	Team        dump.Word         `json:"team"`
	RawContent  *string           `json:"raw_content"`
	Header      dump.Header       `json:"response_headers"`
	Crawled     dump.Moment       `json:"timestamp_crawl"`
	Timestamp   dump.Moment       `json:"timestamp"`
	Objects     []json.RawMessage `json:"objects"`
	ObjectURL   dump.Word         `json:"obj_original_url"`
}

// Capture reads a line.
func (JSON) Capture(line []byte, o payload.Options) (*schemas.Capture, []string, error) {
	line, id := dump.Source(line)
	d, quirks, err := dump.Object[document](line)
	if err != nil {
		return nil, nil, fmt.Errorf("cdr: %w", err)
	}
	d.ID = cmp.Or(d.ID, dump.Word(id))
	// Pages may list embedded objects as well, but these have a body.
	if d.ObjectURL != "" && d.RawContent == nil {
		return nil, append(quirks, "media_objects"), nil
	}
	if d.URL == "" {
		return nil, nil, errors.New("cdr: a document without url")
	}
	c := &schemas.Capture{
		URL: d.URL, RecordID: string(d.ID), RecordType: schemas.TypeResponse, Header: d.Header,
		MIMEDeclared: d.ContentType.Join(), Timestamp: d.Crawled.Time,
	}
	// The key that exists tells the version.
	if c.Timestamp.IsZero() {
		c.Timestamp = d.Timestamp.Time
	}
	if c.Timestamp.IsZero() {
		c.AddFlag(schemas.FlagTimestamp)
	}
	c.SetCrawl(schemas.CrawlCrawler, string(d.Crawler))
	c.SetCrawl(schemas.CrawlTeam, string(d.Team))
	if d.RawContent == nil {
		payload.Absent(c)
	} else {
		body := []byte(*d.RawContent)
		quirks = append(quirks, payload.Body(c, payload.Block{Bytes: body, Size: int64(len(body))}, o)...)
	}
	if len(d.Objects) > 0 {
		quirks = append(quirks, "media_objects")
	}
	return c, quirks, nil
}
