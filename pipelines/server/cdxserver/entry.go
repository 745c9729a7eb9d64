package cdxserver

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// entry is a line that answers. It is the text alone, as many may be held: fields are made of it when they are needed.
type entry struct {
	text []byte    // as CDXJ, with its line end
	time time.Time // zero where the capture has none
	fit  int       // see view.Fit; of sort=closest
}

// entryOf is the line of a capture, as ingest writes it into indexes. dir is the folder that names of archives begin
// with, which is left out.
func entryOf(d *schemas.Document, dir string) entry {
	// A capture without a time has the zero time, for which the text has a hyphen.
	t, _ := query.ParseTime(d.Timestamp)
	l := cdx.Line{
		SURT: d.SURT, Timestamp: t, URL: d.URL, MIME: d.MIMEDeclared, Status: d.Status, Digest: d.Digest, Length: d.Length,
		Offset: d.Offset, Filename: strings.TrimPrefix(d.Filename, dir),
	}
	if d.RecordType == schemas.TypeRevisit {
		// Replay tools find out by this word that the body is in another record, and look for it by
		// the digest.
		l.MIME = cdx.MIMERevisit
	}
	return entry{text: l.AppendTo(nil), time: t}
}

// line is the fields of a capture that are known, by pywb's names.
type line map[string]string

// fields are read back from the text, so that filters see the very values that lines show: what the writer left out or
// made of them is decided in package cdx alone.
func (e entry) fields() line {
	key, rest, _ := strings.Cut(string(e.text), " ")
	stamp, object, _ := strings.Cut(rest, " ")
	l := line{}
	_ = json.Unmarshal([]byte(object), &l) // it was written by us
	l["urlkey"] = key
	// A hyphen is how lines say that there is none.
	if stamp != "-" {
		l["timestamp"] = stamp
	}
	return l
}
