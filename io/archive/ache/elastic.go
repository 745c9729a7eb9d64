package ache

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// Elastic reads the documents of ELASTICSEARCH, one a line, as KAFKA's format ELASTIC writes them. Only HTML pages have
// a body, which ACHE converted to text encoding. The targets of redirects are unknown. Title, text and words of ACHE
// are not read: Gleaner extracts its own.
type Elastic struct{}

// Match reports whether head begins with an object that has ACHE's keys.
func (Elastic) Match(_ string, head []byte) bool {
	keys := dump.Keys(value(head))
	// Other tools' objects may have url and domain, too.
	return keys["domain"] && keys["url"] && (keys["topPrivateDomain"] || keys["retrieved"])
}

// document is an object of ACHE's class TargetModelElasticSearch.
type document struct {
	URL        string      `json:"url"`
	Retrieved  dump.Moment `json:"retrieved"`
	HTML       *string     `json:"html"` // null for all that is not HTML
	Header     dump.Header `json:"responseHeaders"`
	IsRelevant dump.Word   `json:"isRelevant"` // "relevant" or "irrelevant"
	Relevance  dump.Word   `json:"relevance"`
	CrawlerID  dump.Word   `json:"crawlerId"`
}

// Frames finds documents in arrays, and over several lines.
func (Elastic) Frames(r io.Reader, head []byte, limit int) dump.Frames {
	return dump.Values(r, head, limit, "")
}

// Capture reads a line.
func (Elastic) Capture(line []byte, o payload.Options) (*schemas.Capture, []string, error) {
	line, _ = dump.Source(value(line))
	d, quirks, err := dump.Object[document](line)
	if err != nil {
		return nil, nil, fmt.Errorf("ache: %w", err)
	}
	if d.URL == "" {
		return nil, nil, errors.New("ache: a document without url")
	}
	c := &schemas.Capture{
		URL: d.URL, RecordType: schemas.TypeResponse, Header: d.Header,
		Timestamp: d.Retrieved.Time,
	}
	if c.Timestamp.IsZero() {
		c.AddFlag(schemas.FlagTimestamp)
	}
	// A missing judgement differs from false.
	if d.IsRelevant != "" {
		setRelevance(c, d.Relevance)
		c.SetCrawl(schemas.CrawlRelevant, strconv.FormatBool(d.IsRelevant == "relevant"))
	}
	c.SetCrawl(schemas.CrawlCrawler, string(d.CrawlerID))
	if d.HTML == nil {
		payload.Absent(c)
		return c, quirks, nil
	}
	return c, append(quirks, payload.Body(c, payload.Block{Bytes: []byte(*d.HTML), Size: int64(len(*d.HTML))}, o)...), nil
}
