package convert

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// pairing finds the request of each capture. As in cdxj-indexer, the two are neighbours in the archive, in any order,
// and have one URL. The second says that it is concurrent to the first.
type pairing struct {
	add func(c *schemas.Capture, key string) error

	page    *schemas.Capture // the previous record, if it is a capture that waits for its request
	request *schemas.Record  // the previous record, if it is a request
}

// capture takes a capture.
func (p *pairing) capture(c *schemas.Capture) error {
	request := p.request
	if err := p.end(); err != nil {
		return err
	}
	if request != nil && c.RecordType == schemas.TypeResponse && request.URL == c.URL &&
		concurrent(c.RecordFields, request.ID) {
		return p.add(c, keyOf(c, request))
	}
	p.page = c
	return nil
}

// record takes a record that is not a capture.
func (p *pairing) record(r *schemas.Record) error {
	page := p.page
	if r.Type != schemas.RecordRequest {
		return p.end()
	}
	if page != nil && page.RecordType == schemas.TypeResponse && page.URL == r.URL &&
		concurrent(r.Fields, page.RecordID) {
		p.page = nil
		return p.add(page, keyOf(page, r))
	}
	err := p.end()
	p.request = r
	return err
}

// end ends the wait of the previous record.
func (p *pairing) end() error {
	page := p.page
	p.page, p.request = nil, nil
	if page == nil {
		return nil
	}
	return p.add(page, urlkey.SURT(page.URL))
}

// concurrent reports whether a head says that its record is concurrent to another one.
func concurrent(fields []schemas.Field, id string) bool {
	for _, f := range fields {
		if strings.EqualFold(f.Name, "WARC-Concurrent-To") && id != "" && strings.Trim(f.Value, "<> ") == id {
			return true
		}
	}
	return false
}

// keyOf returns the key of a capture for its request.
func keyOf(c *schemas.Capture, r *schemas.Record) string {
	head, body, _ := bytes.Cut(r.Block, []byte("\r\n\r\n"))
	first, rest, _ := strings.Cut(string(head), "\r\n")
	method, _, _ := strings.Cut(first, " ")
	q := urlkey.Request{Method: method, Body: body}
	for line := range strings.SplitSeq(rest, "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		switch strings.ToLower(name) {
		case "content-type":
			q.ContentType = strings.TrimSpace(value)
		case "content-length":
			q.ContentLength = strings.TrimSpace(value)
		}
	}
	return urlkey.SURT(q.Append(c.URL))
}
