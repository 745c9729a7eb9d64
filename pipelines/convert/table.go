package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gleaner-web/gleaner/io/capture"
	"github.com/gleaner-web/gleaner/io/codec"
	"github.com/gleaner-web/gleaner/schemas"
)

// table is the table of formats in --help. What writing a format drops, its writer is asked: the table cannot be wrong.
func table() string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "Formats\tread\twritten\twriting drops")
	names := slices.Concat(capture.Inputs(), capture.Outputs())
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", name, yes(capture.Inputs(), name), yes(capture.Outputs(), name), strings.Join(drops(name), ", "))
	}
	_ = t.Flush() // to memory
	return b.String()
}

func yes(list []string, name string) string {
	if slices.Contains(list, name) {
		return "yes"
	}
	return "-"
}

// drops are the fields that a format which is written cannot carry, of a capture that has them all.
func drops(name string) []string {
	w, err := capture.NewWriter(name, nowhere{}, codec.WriteOptions{})
	if err != nil {
		return nil // it is not written
	}
	if err := w.Write(full()); err != nil {
		return []string{err.Error()}
	}
	var list []string
	for _, field := range slices.Sorted(maps.Keys(w.Drops())) {
		if rest, ok := strings.CutPrefix(field, "crawl."); ok {
			field = rest
		}
		list = append(list, field)
	}
	return list
}

// full is a capture that has all fields.
func full() *schemas.Capture {
	return &schemas.Capture{
		URL: "http://example.com/", Timestamp: time.Unix(1e9, 0).UTC(), RecordID: "urn:uuid:9f7b4c5e-0000-4000-8000-000000000000",
		RecordType: schemas.TypeResource, IP: "192.0.2.1", Status: 404, MIMEDeclared: "text/html",
		Header: []schemas.Field{{Name: "Content-Type", Value: "text/html"}}, Body: []byte("<p>"), Truncated: "length",
		Crawl: map[string]string{
			schemas.CrawlRelevance: "0.5", schemas.CrawlRelevant: "true", schemas.CrawlCrawler: "c", schemas.CrawlTeam: "t",
			schemas.CrawlRequested: "http://example.org/",
		},
	}
}

// nowhere is a codec.Sink whose files are not kept.
type nowhere struct{}

// Create begins a file.
func (nowhere) Create(string) (codec.Output, error) { return discard{io.Discard}, nil }

type discard struct{ io.Writer }

// Close ends a file.
func (discard) Close() error { return nil }

// Abort ends a file.
func (discard) Abort() {}
