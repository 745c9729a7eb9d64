// Package webtable keeps documents, and where it is asked for their captures, as rows of a [rowstore.Store], and finds
// them again. A row is a page, and its versions are its captures, as in the Content DB of deliverable D8.1 of the
// project ASAP (FP7 619706):
//
//	key       the page's SURT: "com,example)/path"; or its URL, as D8.1 has it
//	version   the time of the capture, in milliseconds
//	metadata  D8.1's columns: ip header length statusCode digest mime, and url; "#id" is what else is known of a capture
//	text language entities feeds links neardup quality
//	          "#id" is what the extractor of this name says of a capture: an object of JSON
//	features  "language=fr": that a capture of this version has the feature. Filters look here, and nowhere else
//	content   of tables with bodies: "#id" the body, "#id.head" what the archive says of the capture; D8.1's column
//	          content, the body once more, if it has at most 8 MiB
//
// D8.1 distinguishes captures by their time alone. But archives have captures of one page in the same second, and so
// in the same millisecond. Examples are http and https, or a redirect and its target. So columns whose values must not
// be lost have the capture's id: 16 hexadecimal digits of a hash of the capture's file and offset. D8.1's own columns
// have no id, so the value that was written last remains. Values of more than 4 MiB continue in columns ".0001",
// ".0002" and so on.
//
//	row, err := webtable.Layout{}.Row(document, capture)
//	err = store.Put(ctx, []rowstore.Row{row})
//	for d, err := range webtable.Find(ctx, store, webtable.Layout{}, query.Query{Where: french}) { … }
package webtable

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Version changes when the same document makes another row.
// It is among the versions that the sink tells: see Versions of io/sink/hbase.
const Version = "2"

// The families that every table has.
const (
	Metadata = "metadata"
	Features = "features"
	Content  = "content"
)

// extracted has the families of fields by their names in JSON; other fields are in Metadata. Families hold fields that
// are large or seldom read, so that other scans skip them.
var extracted = func() map[string]string {
	families := map[string]string{}
	for _, c := range schemas.Columns() {
		if c.Family != "" {
			families[c.Name] = c.Family
		}
	}
	return families
}()

// Families are all families that documents need, and captures when they are kept.
func (l Layout) Families() []string {
	names := slices.Concat([]string{Metadata, Features}, slices.Compact(slices.Sorted(maps.Values(extracted))))
	if l.Inline {
		names = append(names, Content)
	}
	return names
}

// Layout says how pages are stored as rows. The zero value has SURTs as keys, and no bodies.
type Layout struct {
	ByURL  bool // keys are URLs
	Inline bool // bodies are kept
}

// maxKey limits the bytes of a page's name in a key. A longer name is replaced by its beginning and a hash. HBase
// repeats the key in each cell, and Bigtable takes at most rowstore.MaxKey bytes. The beginning is kept so that rows of
// a host stay together.
const maxKey = 1000

// Key returns the row key of a page. It is "" if the layout needs a SURT and the URL has none.
func (l Layout) Key(url string) string {
	if l.ByURL {
		return shortKey(url)
	}
	return shortKey(urlkey.SURT(url))
}

// nameless begins the keys of captures that have no name for a key: each has a row of its own. No SURT and no URL
// begins so.
const nameless = "#"

// key is that of a document, whose SURT was made before.
func (l Layout) key(d *schemas.Document) string {
	name := d.SURT
	if l.ByURL {
		name = d.URL
	}
	if name == "" {
		return id(d) // which begins with nameless
	}
	return shortKey(name)
}

func shortKey(name string) string {
	if len(name) <= maxKey {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return name[:maxKey] + "#" + hex.EncodeToString(sum[:])
}

// id tells captures of one page and millisecond apart.
// Eight bytes are enough: they have to differ within one row and millisecond only.
func id(d *schemas.Document) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s#%d.%d", d.Filename, d.Offset, d.Sequence))
	return "#" + hex.EncodeToString(sum[:8])
}

// timeOf is the version of a document: 1970 where its time is not known.
// Fractions of a millisecond are cut off here, and are whole in the document.
func timeOf(d *schemas.Document) time.Time {
	t, _ := query.ParseTime(d.Timestamp)
	return rowstore.At(rowstore.Millis(t))
}

// maxFeature is how many bytes a feature's value may have to be found by a filter: a hash stands for a longer one.
// Qualifiers are repeated in each cell, so they are kept short.
const maxFeature = 200

func feature(name, value string) string {
	if len(value) > maxFeature {
		sum := sha256.Sum256([]byte(value))
		value = "#" + hex.EncodeToString(sum[:])
	}
	return name + "=" + value
}

// features are the fields that filters find rows by, with the value that a document has: "" for none.
// They are few on purpose: each is one more cell for each capture.
var features = []struct {
	field string
	value func(*schemas.Document) string
}{
	{"language", func(d *schemas.Document) string { return d.Language }},
	{"mime_detected", func(d *schemas.Document) string { return d.MIMEDetected }},
	{"status", func(d *schemas.Document) string { return number(d.Status) }},
	{"page_type", func(d *schemas.Document) string { return d.PageType }},
	{"record_type", func(d *schemas.Document) string { return string(d.RecordType) }},
	{"source_id", func(d *schemas.Document) string { return d.SourceID }},
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// ParseLayout reads a layout as addresses of tables have it: row_key=surt or url, content=reference or inline.
func ParseLayout(values url.Values) (l Layout, err error) {
	for name, list := range values {
		// Of a name that is there twice, the last one counts.
		switch value := list[len(list)-1]; name + "=" + value {
		case "row_key=surt", "content=reference":
		case "row_key=url":
			l.ByURL = true
		case "content=inline":
			l.Inline = true
		default:
			return l, fmt.Errorf("%.80s=%.80s: there are row_key=surt and url, content=reference and inline", name, value)
		}
	}
	return l, nil
}
