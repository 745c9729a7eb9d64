package view

import (
	"strconv"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// captureColumns are the columns that captureOf reads.
var captureColumns = []string{
	"url", "host", "title", "timestamp", "language", "mime_detected", "page_type", "status", "record_type", "source_id",
	"filename", "offset", "length", "sequence",
}

// captureOf makes the list entry of a document.
func captureOf(collection string, d *schemas.Document) Capture {
	c := Capture{
		URL: d.URL, Host: d.Host, Path: pathOf(d.URL), Title: d.Title, Timestamp: d.Timestamp,
		Language: d.Language, Tongue: Tongue(d.Language), Dir: dirOf(d.Language), MIME: d.MIMEDetected,
		PageType: d.PageType, Status: d.Status, RecordType: string(d.RecordType), Source: d.SourceID,
		Filename: d.Filename, Offset: d.Offset, Length: d.Length, Sequence: d.Sequence,
	}
	// At selects this capture among those of its address, so the link leads to it and not to the newest. A time leads
	// to the answer among captures of the same time, so redirects and errors are linked by their place.
	selects := at(d)
	if d.Status >= 300 && d.Status != 304 {
		selects = placeOf(d)
	}
	c.Link = page(collection, "resource", ResourceRequest{URL: d.URL, At: selects})
	return c
}

// at returns a value of the parameters at, from and to for a capture. It is the time as digits of the Wayback Machine,
// with a fraction if the capture has one. Captures without a time are identified by their place: see placeOf.
func at(d *schemas.Document) string {
	t, ok := query.ParseTime(d.Timestamp)
	if !ok {
		return placeOf(d)
	}
	return stampOf(t)
}

// atOf is at for a version of a list, or its place if the list has another of the same time.
func atOf(list []*schemas.Document, i int) string {
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(list) && at(list[j]) == at(list[i]) {
			return placeOf(list[i])
		}
	}
	return at(list[i])
}

// stampOf writes a time in the format of at.
func stampOf(t time.Time) string {
	text := t.UTC().Format("20060102150405")
	if n := t.Nanosecond(); n != 0 {
		// Nanoseconds are written without their last zeros: WARC 1.1 has fractions of up to nine digits.
		text += strings.TrimRight(t.UTC().Format(".000000000"), "0")
	}
	return text
}

// placeOf identifies a capture by its place: "~offset.sequence.filename". It is unique in a collection. The file name
// comes last, since only the file name may contain dots.
func placeOf(d *schemas.Document) string {
	return "~" + strconv.FormatInt(d.Offset, 10) + "." + strconv.Itoa(d.Sequence) + "." + d.Filename
}

// Place returns the value of the parameter place for the capture.
func (c *Capture) Place() string {
	return placeOf(&schemas.Document{Offset: c.Offset, Sequence: c.Sequence, Filename: c.Filename})
}
