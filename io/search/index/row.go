package index

import (
	"math"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// noTime is the time of a version without one: older than all others.
const noTime = math.MinInt64

// micros returns a document's time in microseconds since 1970.
func micros(d *schemas.Document) int64 {
	// The same interpretation by which answers are sorted.
	t := query.KeyOf(d).Timestamp
	// Missing or invalid.
	if t.IsZero() {
		return noTime
	}
	return t.UnixMicro()
}

// moment is the inverse of micros; zero for noTime.
func moment(ts int64) time.Time {
	if ts == noTime {
		return time.Time{}
	}
	return time.UnixMicro(ts).UTC()
}

const monthLayout = "2006-01"

// monthOf returns the month of a time, or "" for noTime.
func monthOf(ts int64) string {
	if ts == noTime {
		return ""
	}
	return moment(ts).Format(monthLayout)
}

// monthSpan returns the first microsecond of a month, and of the month after it.
func monthSpan(month string) (from, to int64, ok bool) {
	// The name comes from the database, which may be damaged.
	t, err := time.Parse(monthLayout, month)
	if err != nil {
		return 0, 0, false
	}
	return t.UnixMicro(), t.AddDate(0, 1, 0).UnixMicro(), true
}

// small is a field with few values.
type small struct {
	kind  kind
	field string // of query.Compare
	facet string // of Facets
	get   func(*schemas.Document) string
	set   func(*schemas.Document, string)
}

// smalls are the fields with bitmaps, in the order of their columns in version. The month is last: it is part of the
// time and has no column.
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
	{
		kindRecordType, "record_type", "record_type", func(d *schemas.Document) string { return string(d.RecordType) },
		func(d *schemas.Document, v string) { d.RecordType = schemas.RecordType(v) },
	},
	{kind: kindMonth, facet: "month", get: func(d *schemas.Document) string { return monthOf(micros(d)) }},
}

// statusText returns a status as a name, or "" for 0.
func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return strconv.Itoa(status)
}

func setStatus(d *schemas.Document, v string) { d.Status, _ = strconv.Atoi(v) } // "" is 0, no status
