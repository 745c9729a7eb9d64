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
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// JSON reads documents, one a line.
type JSON struct{}

// Match reports whether head begins with an object that has the keys common to all versions.
func (JSON) Match(_ string, head []byte) bool {
	keys := dump.Keys(head)
	return keys["_id"] && keys["content_type"] && (keys["crawler"] || keys["obj_original_url"])
}

// document is a line. Version 2 has timestamp, the others timestamp_crawl.
type document struct {
	ID          string            `json:"_id"`
	URL         string            `json:"url"`
	ContentType texts             `json:"content_type"`
	Crawler     string            `json:"crawler"`
	Team        string            `json:"team"`
	RawContent  *string           `json:"raw_content"`
	Header      dump.Header       `json:"response_headers"`
	Crawled     json.RawMessage   `json:"timestamp_crawl"`
	Timestamp   json.RawMessage   `json:"timestamp"`
	Objects     []json.RawMessage `json:"objects"`
	ObjectURL   string            `json:"obj_original_url"`
}

// Capture reads a line.
func (JSON) Capture(line []byte, o payload.Options) (*schemas.Capture, []string, error) {
	if err := dump.Syntax(line); err != nil {
		return nil, nil, fmt.Errorf("cdr: %w", err)
	}
	var d document
	if err := json.Unmarshal(line, &d); err != nil {
		return nil, nil, fmt.Errorf("cdr: %w", err)
	}
	// Pages may list embedded objects as well, but these have a body.
	if d.ObjectURL != "" && d.RawContent == nil {
		return nil, []string{"media_objects"}, nil
	}
	if d.URL == "" {
		return nil, nil, errors.New("cdr: a document without url")
	}
	c := &schemas.Capture{
		URL: d.URL, RecordID: d.ID, RecordType: schemas.TypeResponse, Header: d.Header,
		MIMEDeclared: strings.Join(d.ContentType, ", "),
	}
	c.Timestamp = moment(d.Crawled)
	// The key that exists tells the version.
	if c.Timestamp.IsZero() {
		c.Timestamp = moment(d.Timestamp)
	}
	if c.Timestamp.IsZero() {
		c.AddFlag(schemas.FlagTimestamp)
	}
	c.SetCrawl(schemas.CrawlCrawler, d.Crawler)
	c.SetCrawl(schemas.CrawlTeam, d.Team)
	var quirks []string
	if d.RawContent == nil {
		payload.Absent(c)
	} else {
		body := []byte(*d.RawContent)
		quirks = payload.Body(c, payload.Block{Bytes: body, Size: int64(len(body))}, o)
	}
	if len(d.Objects) > 0 {
		quirks = append(quirks, "media_objects")
	}
	return c, quirks, nil
}

// maxMillis is the last millisecond of the year 9999: later times have no RFC 3339 form.
const maxMillis = 253402300799999

// moment parses a time: milliseconds since 1970, or ISO 8601. The default zone is UTC. A missing or invalid time gives
// the zero time.
func moment(raw json.RawMessage) time.Time {
	// 0 counts as missing.
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && n > 0 && n <= maxMillis {
		return time.UnixMilli(n).UTC()
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return time.Time{}
	}
	// All of them accept fractions.
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// texts is a text or a list of texts, as content_type may be.
type texts []string

func (t *texts) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*t = make(texts, 1)
		return json.Unmarshal(b, &(*t)[0])
	}
	return json.Unmarshal(b, (*[]string)(t))
}
