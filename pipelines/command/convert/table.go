package convert

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/schemas"
)

// table makes the table of formats in --help. It writes a capture in each format to find the dropped fields, so the
// table cannot be wrong.
func table() string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	// A minus stands for formats that are only read or only written.
	fmt.Fprintln(t, "Formats\tread\twritten\twriting drops")
	// Formats that are only read come first.
	for _, name := range archive.Inputs() {
		if !slices.Contains(archive.Outputs(), name) {
			fmt.Fprintf(t, "  %s\tyes\t-\t\n", name)
		}
	}
	for _, name := range archive.Outputs() {
		as, drops := try(name)
		fmt.Fprintf(t, "  %s\t%s\tyes\t%s\n", name, as, strings.Join(drops, ", "))
	}
	_ = t.Flush() // to memory
	return b.String()
}

// try writes a capture with all fields in a format. It returns how the format is read and which fields it drops; an
// error counts as dropping all.
func try(name string) (read string, drops []string) {
	var m memory
	w, err := archive.NewWriter(name, &m, dump.WriteOptions{})
	if err == nil {
		err = w.Write(full())
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return "-", []string{err.Error()}
	}
	// Fields added by a crawl have long names, so the prefix is left out.
	for _, field := range slices.Sorted(maps.Keys(w.Drops())) {
		drops = append(drops, strings.TrimPrefix(field, "crawl."))
	}
	if _, copies := w.(dump.RecordWriter); !copies {
		drops = append(drops, "other records")
	}
	// Detection uses name and bytes, as for a file.
	f, err := archive.Detect(m.name, bytes.NewReader(m.Bytes()), int64(m.Len()))
	switch {
	case err != nil:
		return "-", drops
	case f.Name == name:
		return "yes", drops
	}
	// Some formats are special cases of others and are read as those.
	return "as " + f.Name, drops
}

// full returns a capture with all fields. Add new fields of Capture here, or their loss goes unnoticed.
func full() *schemas.Capture {
	return &schemas.Capture{
		// Fixed values keep the help the same each time.
		URL: "http://example.com/", Timestamp: time.Unix(1e9, 0).UTC(),
		RecordID: "urn:uuid:9f7b4c5e-0000-4000-8000-000000000000", RecordType: schemas.TypeResource, IP: "192.0.2.1",
		Status: 404, MIMEDeclared: "text/html", Header: []schemas.Field{{Name: "Content-Type", Value: "text/html"}},
		Body: []byte("<p>"), Truncated: "length", RecordFields: []schemas.Field{{Name: "WARC-Protocol", Value: "h2"}},
		Crawl: map[string]string{
			schemas.CrawlRelevance: "0.5", schemas.CrawlRelevant: "true", schemas.CrawlCrawler: "c", schemas.CrawlTeam: "t",
			schemas.CrawlRequested: "http://example.org/",
		},
	}
}

// memory is a dump.Sink that keeps the last file. Any file shows how the format is read.
type memory struct {
	bytes.Buffer
	name string
}

// Create begins a file in place of the previous one.
func (m *memory) Create(name string) (dump.Output, error) {
	m.Reset()
	m.name = name
	return m, nil
}

// Close does nothing.
func (m *memory) Close() error { return nil }

// Abort does nothing.
func (m *memory) Abort() {}
