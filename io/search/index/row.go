package index

import (
	"math"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// noTime is the time of a version that has none: older than all others.
const noTime = math.MinInt64

// micros is a document's time in microseconds since 1970.
func micros(d *schemas.Document) int64 {
	// The same reading of a timestamp as that by which answers are sorted.
	t := query.KeyOf(d).Timestamp
	// A document without a time, or with one that cannot be read.
	if t.IsZero() {
		return noTime
	}
	return t.UnixMicro()
}

// moment is the time of which micros made ts, zero for none.
func moment(ts int64) time.Time {
	if ts == noTime {
		return time.Time{}
	}
	return time.UnixMicro(ts).UTC()
}

const monthLayout = "2006-01"

// monthOf is the month of a time, "" for none.
func monthOf(ts int64) string {
	if ts == noTime {
		return ""
	}
	return moment(ts).Format(monthLayout)
}

// monthSpan is the time that a month takes, from its first microsecond to the one after it.
func monthSpan(month string) (from, to int64, ok bool) {
	// Names are read from the database, and may be damaged.
	t, err := time.Parse(monthLayout, month)
	if err != nil {
		return 0, 0, false
	}
	// In UTC, as all times here.
	return t.UnixMicro(), t.AddDate(0, 1, 0).UnixMicro(), true
}

// small is a field of a document that has few values: what it is called, and the value.
type small struct {
	kind  kind
	field string // of query.Compare
	facet string // of Facets
	get   func(*schemas.Document) string
	set   func(*schemas.Document, string)
}

// smalls are those that have bitmaps, in the order in which a version has their numbers. The month is last: it is a
// part of a time, and no field of its own.
var smalls = []small{
	{
		kindMIME, "mime_detected", "mime", func(d *schemas.Document) string { return d.MIMEDetected },
		func(d *schemas.Document, v string) { d.MIMEDetected = v },
	},
	{
		kindLanguage, "language", "language", func(d *schemas.Document) string { return d.Language },
		func(d *schemas.Document, v string) { d.Language = v },
	},
	{kindStatus, "status", "status", func(d *schemas.Document) string { return statusText(d.Status) }, setStatus},
	{
		kindHost, "host", "host", func(d *schemas.Document) string { return d.Host },
		func(d *schemas.Document, v string) { d.Host = v },
	},
	{
		kindDomain, "domain", "domain", func(d *schemas.Document) string { return d.Domain },
		func(d *schemas.Document, v string) { d.Domain = v },
	},
	{
		kindType, "page_type", "page_type", func(d *schemas.Document) string { return d.PageType },
		func(d *schemas.Document, v string) { d.PageType = v },
	},
	{
		kindSource, "source_id", "source", func(d *schemas.Document) string { return d.SourceID },
		func(d *schemas.Document, v string) { d.SourceID = v },
	},
	{
		kindFilename, "filename", "filename", func(d *schemas.Document) string { return d.Filename },
		func(d *schemas.Document, v string) { d.Filename = v },
	},
	{kind: kindMonth, facet: "month", get: func(d *schemas.Document) string { return monthOf(micros(d)) }},
}

// statusText is a status as a name, "" for none.
func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return strconv.Itoa(status)
}

func setStatus(d *schemas.Document, v string) { d.Status, _ = strconv.Atoi(v) } // "" is 0, which is none
