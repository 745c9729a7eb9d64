package ache

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

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
	Retrieved  string      `json:"retrieved"`
	HTML       *string     `json:"html"` // null for all that is not HTML
	Header     dump.Header `json:"responseHeaders"`
	IsRelevant string      `json:"isRelevant"` // "relevant" or "irrelevant"
	Relevance  float64     `json:"relevance"`
	CrawlerID  string      `json:"crawlerId"`
}

// Capture reads a line.
func (Elastic) Capture(line []byte, o payload.Options) (*schemas.Capture, []string, error) {
	line = value(line)
	if err := dump.Syntax(line); err != nil {
		return nil, nil, fmt.Errorf("ache: %w", err)
	}
	var d document
	if err := json.Unmarshal(line, &d); err != nil {
		return nil, nil, fmt.Errorf("ache: %w", err)
	}
	if d.URL == "" {
		return nil, nil, errors.New("ache: a document without url")
	}
	c := &schemas.Capture{
		URL: d.URL, RecordType: schemas.TypeResponse, Header: d.Header,
		Timestamp: retrieved(d.Retrieved),
	}
	if c.Timestamp.IsZero() {
		c.AddFlag(schemas.FlagTimestamp)
	}
	// A missing judgement differs from false.
	if d.IsRelevant != "" {
		setRelevance(c, d.Relevance, d.IsRelevant == "relevant")
	}
	c.SetCrawl(schemas.CrawlCrawler, d.CrawlerID)
	if d.HTML == nil {
		payload.Absent(c)
		return c, nil, nil
	}
	return c, payload.Body(c, payload.Block{Bytes: []byte(*d.HTML), Size: int64(len(*d.HTML))}, o), nil
}

// retrieved parses a time in the forms of ACHE's versions, or returns the zero time.
func retrieved(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700"} { // both accept fractions
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
