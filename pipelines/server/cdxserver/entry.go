package cdxserver

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// entry is a line of the answer. It is stored only as text, since many may be in memory; fields are made when needed.
type entry struct {
	text []byte    // as CDXJ, with its line end
	time time.Time // zero if the capture has none
	fit  int       // see urlkey.Fit; for sort=closest
	n    int       // its number in the index; for sort=closest
}

// entryOf returns the line of a capture in the form that ingest writes into indexes. Parameter dir is the folder at
// the beginning of archive names, which is removed.
func entryOf(d *schemas.Document, dir string) entry {
	// A capture without a time has the zero time, written as a hyphen.
	t, _ := query.ParseTime(d.Timestamp)
	l := cdx.Line{
		SURT: d.SURT, Timestamp: t, URL: d.URL, MIME: d.MIMEDeclared, Status: d.Status, Digest: d.Digest, Length: d.Length,
		Offset: d.Offset, Filename: strings.TrimPrefix(d.Filename, dir),
	}
	// Another record begins there, which a reader would take for this one.
	if d.Sequence > 0 {
		l.Offset = -1
	}
	if d.RecordType == schemas.TypeRevisit {
		// By this word replay tools know that the body is in another record, and search it by the digest.
		l.MIME = cdx.MIMERevisit
	}
	return entry{text: l.AppendTo(nil), time: t}
}

// line holds the known fields of a capture, by pywb's names.
type line map[string]string

// fields parses the text, so that filters use exactly the values in lines. Package cdx alone decides how these are
// written.
func (e entry) fields() line {
	key, rest, _ := strings.Cut(string(e.text), " ")
	stamp, object, _ := strings.Cut(rest, " ")
	l := line{}
	_ = json.Unmarshal([]byte(object), &l) // this package wrote it
	l["urlkey"] = key
	// A hyphen means none.
	if stamp != "-" {
		l["timestamp"] = stamp
	}
	return l
}
