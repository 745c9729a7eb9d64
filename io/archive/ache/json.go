package ache

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// JSON reads the JSON objects of FILESYSTEM_JSON, FILES and KAFKA: one a line. In a Kafka dump the message's key and a
// tab may precede the object.
type JSON struct{}

// Match reports whether head begins with an object that has the key url and a key specific to ACHE. If the path is a
// page's, it must be named after that url. Otherwise the file is a page with a body of JSON.
func (JSON) Match(path string, head []byte) bool {
	head = dump.Begin(value(head))
	keys := dump.Keys(head)
	// Other tools have objects with a url as well; the keys after it are ACHE's.
	if !keys["url"] || !keys["redirected_url"] && !keys["content"] && !keys["response_body"] && !keys["fetch_time"] {
		return false
	}
	return !IsPage(path) || isNamedBy(path, firstURL(head))
}

// firstURL returns the value of the key url, if that is the first key.
func firstURL(head []byte) string {
	// Token by token, because head may end within the object.
	d := json.NewDecoder(bytes.NewReader(head))
	for _, want := range []json.Token{json.Delim('{'), "url"} {
		if t, err := d.Token(); err != nil || t != want {
			return ""
		}
	}
	t, _ := d.Token() // a value that is not a string is not a URL
	url, _ := t.(string)
	return url
}

// page is an object of ACHE's class TargetModelJson. Missing and null are the same.
type page struct {
	URL          string      `json:"url"`
	Redirected   string      `json:"redirected_url"`
	Content      content     `json:"content"`
	ContentType  dump.Word   `json:"content_type"`
	Header       dump.Header `json:"response_headers"`
	FetchTime    dump.Moment `json:"fetch_time"` // milliseconds since 1970; 0 if unknown
	Relevance    *relevance  `json:"relevance"`
	CrawlerID    dump.Word   `json:"crawler_id"`
	ResponseBody *string     `json:"response_body"` // body as text, in early versions instead of content
}

type relevance struct {
	Relevance  dump.Word `json:"relevance"`
	IsRelevant *bool     `json:"isRelevant"`
}

// errNoURL is made once, because millions of lines may need it.
var errNoURL = errors.New("ache: an object without url")

// Frames finds objects in arrays, and over several lines.
func (JSON) Frames(r io.Reader, head []byte, limit int) dump.Frames {
	return dump.Values(r, head, limit, "")
}

// Capture reads a line.
func (JSON) Capture(line []byte, o payload.Options) (*schemas.Capture, []string, error) {
	line, _ = dump.Source(value(line))
	p, quirks, err := dump.Object[page](line)
	if err != nil {
		return nil, nil, fmt.Errorf("ache: %w", err)
	}
	if p.URL == "" {
		return nil, nil, errNoURL
	}
	c := &schemas.Capture{
		URL: p.URL, RecordType: schemas.TypeResponse, Header: p.Header, MIMEDeclared: string(p.ContentType),
		Timestamp: p.FetchTime.Time,
	}
	// ACHE's url is the requested one; a capture's is the one that answered.
	if p.Redirected != "" && p.Redirected != c.URL {
		c.SetCrawl(schemas.CrawlRequested, c.URL)
		c.URL = p.Redirected
	}
	if c.Timestamp.IsZero() {
		c.AddFlag(schemas.FlagTimestamp)
	}
	// Without an object the judgement is unknown, not false.
	if p.Relevance != nil {
		setRelevance(c, p.Relevance.Relevance)
		if is := p.Relevance.IsRelevant; is != nil {
			c.SetCrawl(schemas.CrawlRelevant, strconv.FormatBool(*is))
		}
	}
	c.SetCrawl(schemas.CrawlCrawler, string(p.CrawlerID))
	if !p.Content.given && p.ResponseBody == nil {
		payload.Absent(c)
		return c, quirks, nil
	}
	body := p.body(c)
	return c, append(quirks, payload.Body(c, payload.Block{Bytes: body, Size: int64(len(body))}, o)...), nil
}

// body returns the page's body. Early versions have no content; if both exist, content is exact and response_body is
// not.
func (p *page) body(c *schemas.Capture) []byte {
	if !p.Content.given && p.ResponseBody != nil {
		return []byte(*p.ResponseBody)
	}
	if p.Content.damaged {
		c.AddFlag(schemas.FlagEncoding)
		c.AddFlag(schemas.FlagIncomplete)
	}
	return p.Content.bytes
}

// content is a text of Base64. It is most of a line, so it is decoded in place.
type content struct {
	bytes   []byte // of damaged Base64, the beginning
	damaged bool
	given   bool // not null
}

// UnmarshalJSON decodes the text.
func (c *content) UnmarshalJSON(b []byte) error {
	// null and other types count as missing.
	if len(b) < 2 || b[0] != '"' {
		return nil
	}
	text := b[1 : len(b)-1]
	if bytes.IndexByte(text, '\\') >= 0 { // some writers escape the slash
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		text = []byte(s)
	}
	// Padding may be missing or too long, and lines may end within.
	text = bytes.TrimRight(text, "=\r\n")
	// The alphabet for URLs differs in two characters.
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte{'-'}, []byte{'+'}), []byte{'_'}, []byte{'/'})
	c.bytes = make([]byte, base64.RawStdEncoding.DecodedLen(len(text)))
	n, err := base64.RawStdEncoding.Decode(c.bytes, text)
	// Bytes before the damage are kept.
	c.bytes, c.damaged, c.given = c.bytes[:n], err != nil, true
	return nil
}

// setRelevance sets the score of a judgement, if it has one.
func setRelevance(c *schemas.Capture, score dump.Word) {
	if f, err := strconv.ParseFloat(string(score), 64); err == nil {
		c.SetCrawl(schemas.CrawlRelevance, strconv.FormatFloat(f, 'f', -1, 64))
	}
}

// value returns a line without the key that Kafka dumps put first. A key has no tab, and an object must follow it.
func value(line []byte) []byte {
	if len(line) > 0 && line[0] != '{' {
		if _, after, ok := bytes.Cut(line, []byte{'\t'}); ok && bytes.HasPrefix(after, []byte{'{'}) {
			return after
		}
	}
	return line
}
