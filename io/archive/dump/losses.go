package dump

import (
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Losses counts what a format cannot hold; writers embed it. The zero value is ready for use.
type Losses struct{ n map[string]int64 }

// Drops returns the counts so far, by field name.
func (l *Losses) Drops() map[string]int64 { return maps.Clone(l.n) }

// Drop counts one capture that lost a field.
func (l *Losses) Drop(field string) { schemas.Count(&l.n, field, 1) }

// Note counts the fields of c that are not in carries. Names are those of a document's fields, with "header" for the
// HTTP header. A field of Crawl is "crawl." and its name, or "crawl" for all of them.
func (l *Losses) Note(c *schemas.Capture, carries ...string) {
	for _, f := range held(c) {
		prefix, _, _ := strings.Cut(f, ".")
		if !slices.Contains(carries, f) && !slices.Contains(carries, prefix) {
			l.Drop(f)
		}
	}
}

// held returns the names of the fields that c has, except for the URL, the body and values computed from it.
func held(c *schemas.Capture) []string {
	fields := []struct {
		name string
		has  bool
	}{
		{"timestamp", !c.Timestamp.IsZero()},
		{"record_id", c.RecordID != ""},
		{"record_type", c.RecordType != schemas.TypeResponse},
		{"ip", c.IP != ""},
		{"status", c.Status != 0},
		{"header", len(c.Header) > 0},
		{"mime_declared", c.MIMEDeclared != ""},
		{"refers_to", c.RefersTo != nil},
		{"truncated", c.Truncated != ""},
		{"record_fields", len(c.RecordFields) > 0},
	}
	var list []string
	for _, f := range fields {
		if f.has {
			list = append(list, f.name)
		}
	}
	// In order, so that counts are the same in each run.
	for _, name := range slices.Sorted(maps.Keys(c.Crawl)) {
		list = append(list, "crawl."+name)
	}
	return list
}
