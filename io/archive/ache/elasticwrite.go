package ache

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/boilerpipe"
	"github.com/gleaner-web/gleaner/transforms/term"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// ElasticDocument returns the document of ELASTICSEARCH for c, as ACHE's class TargetModelElasticSearch writes it, keys
// in this order. Documents are merged into those of an index, so that an unknown judgement, crawler, time or header is
// left out. The argument html is c's body as UTF-8 if c is an HTML page, otherwise nil. Without it the document has
// only URL, header and relevance.
func ElasticDocument(c *schemas.Capture, html []byte) []byte {
	// ACHE keeps a page under the requested URL.
	requested := c.RequestedURL()
	domain, registered := domains(requested)
	var text []byte // null
	var terms term.Terms
	title, body := []byte("null"), []byte("null")
	// null, unlike an empty text, means that the page is not HTML.
	if html != nil {
		text = appendString(nil, boilerpipe.Text(html))
		terms = term.Of(html, requested)
		title, body = appendNullable(nil, terms.Title), appendString(nil, string(html))
	}
	// Not by encoding/json: the order of keys and the escapes must be ACHE's.
	b := appendString([]byte(`{"domain":`), domain)
	b = appendString(append(b, `,"url":`...), requested)
	b = append(append(b, `,"title":`...), title...)
	// text is a complete JSON string or empty.
	b = append(append(b, `,"text":`...), cmp.Or(string(text), "null")...)
	b = appendRetrieved(b, c.Timestamp)
	b = appendList(append(b, `,"words":`...), terms.Words)
	b = appendList(append(b, `,"wordsMeta":`...), terms.Meta)
	b = appendString(append(b, `,"topPrivateDomain":`...), registered)
	b = append(append(b, `,"html":`...), body...)
	if len(c.Header) > 0 {
		b = appendHeader(append(b, `,"responseHeaders":`...), c.Header)
	}
	b = appendJudgement(b, c)
	if crawler := c.Crawl[schemas.CrawlCrawler]; crawler != "" {
		b = appendString(append(b, `,"crawlerId":`...), crawler)
	}
	return append(b, '}')
}

// domains returns the host of a URL, without a leading "www.", and its registered domain, or the host itself if it has
// none.
func domains(s string) (domain, registered string) {
	// Not by net/url, which refuses a bare % in a path.
	host := urlkey.RawHost(s)
	return strings.TrimPrefix(host, "www."), cmp.Or(urlkey.RegistrableDomain(urlkey.Host(s)), host)
}

// appendRetrieved appends the time, if it is known, as current versions of ACHE write it.
func appendRetrieved(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return b
	}
	// Always with milliseconds, and with a numeric zone instead of Z.
	return t.UTC().AppendFormat(b, `,"retrieved":"2006-01-02T15:04:05.000+00:00"`)
}

// appendList appends a list of texts; nil becomes null.
func appendList(b []byte, list []string) []byte {
	if list == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s)
	}
	return append(b, ']')
}

// appendJudgement appends the known parts of the classifier's judgement. ACHE itself always has both.
func appendJudgement(b []byte, c *schemas.Capture) []byte {
	switch c.Crawl[schemas.CrawlRelevant] {
	case "true":
		b = append(b, `,"isRelevant":"relevant"`...)
	case "false":
		b = append(b, `,"isRelevant":"irrelevant"`...)
	}
	// A score without a judgement is possible.
	if score, err := strconv.ParseFloat(c.Crawl[schemas.CrawlRelevance], 64); err == nil {
		return appendDouble(append(b, `,"relevance":`...), score)
	}
	return b
}
