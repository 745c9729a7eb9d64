package sandcrawler

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/io/sink/postgres"
	"github.com/gleaner-web/gleaner/schemas"
)

// Limits of rows. The first two are Sandcrawler's, in characters; rows that its tables cannot hold are skipped.
const (
	maxBaseURL     = 1500
	maxTerminalURL = 2048
	// maxKey limits an index entry, in bytes: PostgreSQL refuses more than 2,704.
	maxKey = 2600
)

// row is a row for a table.
type row struct {
	to     int
	values []byte // after its number in the unit, which is the first column
}

// rowsOf returns the rows of a result, and the reasons for skipped ones.
func rowsOf(r *schemas.FilesetResult, f *schemas.FileResult) (rows []row, skipped []string, err error) {
	// The URL is part of every other row's key, so that none of them could stand without it.
	if tooLong(r.Request.BaseURL, maxBaseURL) {
		return nil, []string{"base_url"}, nil
	}
	m := &maker{}
	m.request(&r.Request)
	m.result(&r.Request, r.Hit, r.Status, r.Terminal)
	m.platform(r)
	m.meta(r.FileMeta)
	// Metadata precede captures only for the reader of this code: tables are written in their own order.
	m.captures(r.CDX, r.RevisitCDX, r.FileMeta)
	for _, file := range []*schemas.FilesetFile{r.File, r.Bundle} {
		if file != nil {
			m.meta(file.FileMeta)
			m.captures(file.CDX, file.RevisitCDX, file.FileMeta)
		}
	}
	// The other result's fileset_file has all parts of the file's result except its status.
	if f != nil {
		m.request(&f.Request)
		m.result(&f.Request, f.Hit, f.Status, f.Terminal)
	}
	return m.rows, m.skipped, m.err
}

// maker makes rows.
type maker struct {
	rows    []row
	skipped []string
	err     error
}

// fail stores an error. The first one stays, since later ones may be its consequence.
func (m *maker) fail(err error) {
	if m.err == nil && err != nil {
		m.err = fmt.Errorf("sandcrawler: %w", err)
	}
}

// json returns a value for a column, or nil.
func (m *maker) json(v any) []byte {
	text, err := json.Marshal(v)
	m.fail(err)
	return text
}

func (m *maker) skip(why string) { m.skipped = append(m.skipped, why) }

// columnsOfRequests are the members of requests with their own column; all others are in the column request.
var columnsOfRequests = []string{
	"link_source", "link_source_id", "ingest_type", "base_url", "ingest_request_source", "release_stage",
}

// request makes the row of a request with a known origin, which is its key.
func (m *maker) request(r *schemas.FilesetRequest) {
	switch {
	case r.LinkSource == "" || r.LinkID == "":
		m.skip("request without link_source_id")
		return
	// The four form one entry of the primary key's index.
	case len(r.LinkSource)+len(r.LinkID)+len(r.Type)+len(r.BaseURL) > maxKey:
		m.skip("link_source_id")
		return
	}
	// Converted to JSON, so that future members of the type are in the column without a change here.
	members := map[string]json.RawMessage{}
	if whole := m.json(r); whole != nil {
		m.fail(json.Unmarshal(whole, &members))
	}
	if m.err != nil {
		return
	}
	for _, name := range columnsOfRequests {
		delete(members, name)
	}
	var rest []byte
	if len(members) > 0 {
		rest = m.json(members) // sorted by name
	}
	m.add(requests, r.LinkSource, r.LinkID, r.Type, r.BaseURL, r.Source, r.Stage, rest)
}

// result makes the row with the result of a request.
func (m *maker) result(r *schemas.FilesetRequest, hit bool, status string, t *schemas.FilesetTerminal) {
	// Without a terminal the row still says that the request was processed, and why it failed.
	if t == nil {
		t = &schemas.FilesetTerminal{}
	}
	if tooLong(t.URL, maxTerminalURL) {
		m.skip("terminal_url")
		return
	}
	m.add(fileResults, r.Type, r.BaseURL, hit, status, t.URL, exactly(14, t.DT), t.Status, exactly(40, t.SHA1))
}

// platform makes the row of the platform's data, if there are any.
func (m *maker) platform(r *schemas.FilesetResult) {
	if r.Status == "existing" || r.Platform == "" {
		return // Sandcrawler has no row of these either
	}
	// The columns cannot be empty. A page that was not understood is not a dataset that could be found by them.
	if r.Domain == "" || r.ID == "" || len(r.Platform)+len(r.Domain)+len(r.ID) > maxKey {
		m.skip("platform_id")
		return
	}
	var manifest []byte
	if r.Manifest != nil {
		if manifest = m.json(r.Manifest); manifest == nil {
			return
		}
	}
	// Empty values replace nil pointers: add writes both as NULL.
	bundle := r.Bundle
	if bundle == nil {
		bundle = &schemas.FilesetFile{}
	}
	at := bundle.Terminal
	if at == nil {
		at = &schemas.FilesetTerminal{}
	}
	m.add(platforms, r.Request.Type, r.Request.BaseURL, r.Hit, r.Status, r.Platform, r.Domain, r.ID, r.Strategy,
		r.TotalSize, r.FileCount, r.Item, bundle.BundlePath, at.URL, exactly(14, at.DT), manifest)
}

// meta makes the row of a body.
func (m *maker) meta(f *schemas.FileMeta) {
	// The key of the table; a body without a known hash has no row.
	if f != nil && len(f.SHA1) == 40 {
		m.add(fileMeta, f.SHA1, exactly(64, f.SHA256), exactly(32, f.MD5), f.Size, f.MIME)
	}
}

// captures makes the rows of a body's captures, for index lines with the file of an item. of is the body.
func (m *maker) captures(c, original *schemas.CDXRow, of *schemas.FileMeta) {
	for _, c := range []*schemas.CDXRow{c, original} {
		// A path without a folder belongs to a file without an item, or is invalid.
		switch {
		case c == nil || !strings.Contains(c.Path, "/"):
			continue
		case len(c.Datetime) != 14 || len(c.SHA1) != 40 || tooLong(c.URL, maxTerminalURL):
			m.skip("cdx")
			continue
		}
		// The index has the hash of the body as it was sent, the metadata that of the decoded one.
		body := c.SHA1
		if of != nil && len(of.SHA1) == 40 {
			body = of.SHA1
		}
		m.add(cdx, c.URL, c.Datetime, body, c.SHA1, c.MIME, c.Path, c.Length, c.Offset)
	}
}

// add appends a row. It writes NULL for empty texts, nil pointers and slices, and a number 0 of type int.
func (m *maker) add(to int, values ...any) {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case string:
			b = postgres.AppendText(b, v)
		case bool:
			b = postgres.AppendBool(b, v)
		case int64:
			b = postgres.AppendBig(b, v)
		case int:
			if v == 0 {
				b = postgres.AppendNull(b)
			} else {
				b = postgres.AppendInt(b, v)
			}
		case *int64:
			if v == nil {
				b = postgres.AppendNull(b)
			} else {
				b = postgres.AppendBig(b, *v)
			}
		case []byte:
			if v == nil {
				b = postgres.AppendNull(b)
			} else {
				b = postgres.AppendJSON(b, v)
			}
		default:
			panic(fmt.Sprintf("sandcrawler: a column of type %T", v)) // a mistake of ours
		}
	}
	m.rows = append(m.rows, row{to, b})
}

// tooLong reports whether an index would refuse a text: by Sandcrawler's rule, or by the index's own.
func tooLong(s string, characters int) bool {
	return len(s) > maxKey || utf8.RuneCountInString(s) > characters
}

// exactly returns a text of n bytes, or "": an index may contain anything.
func exactly(n int, s string) string {
	if len(s) != n {
		return ""
	}
	return s
}
