package webtable

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/schemas"
)

// maxValue is the largest cell in bytes: HBase takes 10 MiB by default.
const maxValue = 4 << 20

// maxContent is the largest value in D8.1's payload column: HBase refuses cells of 10 MiB.
const maxContent = 8 << 20

// d81Content is D8.1's payload column.
const d81Content = "content"

// base is the part of a document in Metadata: the fields that no other family has, and the list of families with the
// others.
type base struct {
	Families []string                   `json:"families,omitempty"`
	Document map[string]json.RawMessage `json:"document"`
}

// Row returns the row of a document with one version. c is its capture, which may be nil if the layout keeps no
// payloads.
func (l Layout) Row(d *schemas.Document, c *schemas.Capture) (rowstore.Row, error) {
	whole, err := json.Marshal(d)
	if err != nil {
		return rowstore.Row{}, fmt.Errorf("webtable: %w", err)
	}
	return l.RowOf(d, c, whole)
}

// RowOf is Row for callers that have the document as JSON. whole must be the JSON of d. The fields come from whole; the
// key, the time and the features come from d.
func (l Layout) RowOf(d *schemas.Document, c *schemas.Capture, whole []byte) (rowstore.Row, error) {
	w := rowWriter{id: id(d), at: rowstore.Cell{Time: timeOf(d)}}
	if err := w.document(whole); err != nil {
		return rowstore.Row{}, fmt.Errorf("webtable: %w", err)
	}
	w.columns(d, c)
	for _, f := range features {
		if v := f.value(d); v != "" {
			w.add(Features, feature(f.field, v), nil)
		}
	}
	if l.Inline && c != nil {
		// The head has the length and hash of the payload, so that a missing part is detected.
		w.add(Content, w.id+".head", encodeHead(c))
		w.long(Content, w.id, c.Body)
		// D8.1's column has no parts: servers refuse longer values. An empty one replaces that of an earlier run.
		content := c.Body
		if len(content) > maxContent {
			content = nil
		}
		w.add(Content, d81Content, content)
	}
	return rowstore.Row{Key: l.key(d), Cells: w.cells}, nil
}

type rowWriter struct {
	id    string
	at    rowstore.Cell // with the time of all
	cells []rowstore.Cell
}

func (w *rowWriter) add(family, qualifier string, value []byte) {
	c := w.at
	c.Family, c.Qualifier, c.Value = family, qualifier, value
	w.cells = append(w.cells, c)
}

// long adds a value in as many cells as it needs.
func (w *rowWriter) long(family, qualifier string, value []byte) {
	// The first cell has the plain name, and exists for an empty value too: long in read.go needs it.
	w.add(family, qualifier, value[:min(len(value), maxValue)])
	// If the last part is full, an empty one ends the value: a row may still have more cells of an earlier value.
	for n := 1; n*maxValue <= len(value); n++ {
		w.add(family, partName(qualifier, n), value[n*maxValue:min(len(value), (n+1)*maxValue)])
	}
}

// partName returns the column of the n-th part of a value.
func partName(qualifier string, n int) string { return fmt.Sprintf("%s.%04d", qualifier, n) }

// document divides a document among families.
func (w *rowWriter) document(whole []byte) error {
	b := base{}
	if err := json.Unmarshal(whole, &b.Document); err != nil {
		return err
	}
	// Only families with a part of the document get a cell. The base lists them, so that cells of an earlier version of
	// the same capture in other families are ignored.
	parts := map[string]map[string]json.RawMessage{}
	for field, value := range b.Document {
		family := extracted[field]
		if family == "" {
			continue
		}
		if parts[family] == nil {
			parts[family] = map[string]json.RawMessage{}
		}
		parts[family][field] = value
		delete(b.Document, field)
	}
	b.Families = slices.Sorted(maps.Keys(parts))
	for _, family := range b.Families {
		if err := w.json(family, parts[family]); err != nil {
			return err
		}
	}
	return w.json(Metadata, b)
}

// json adds a value as JSON. Map keys are sorted, so that the same document gives the same bytes.
func (w *rowWriter) json(family string, v any) error {
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.long(family, w.id, value)
	return nil
}

// columns adds D8.1's columns of metadata, encoded as in its API: see package odm.
func (w *rowWriter) columns(d *schemas.Document, c *schemas.Capture) {
	// Empty ones as well: else the cell of another capture of the same second would stay beside these.
	text := func(name, value string) { w.add(Metadata, name, []byte(value)) }
	text("ip", d.IP)
	text("digest", d.Digest)
	text("mime", d.MIMEDetected)
	text("statusCode", number(d.Status))
	text("url", d.URL)
	// Eight bytes, big-endian, as in HBase's Bytes.toBytes(long).
	w.add(Metadata, "length", binary.BigEndian.AppendUint64(nil, uint64(d.BodyBytes)))
	header := ""
	if c != nil {
		header = headerText(c.Header)
	}
	text("header", header)
}

// maxHeader limits D8.1's header column in bytes. Complete heads of captures are stored beside payloads.
const maxHeader = 1 << 20

func headerText(fields []schemas.Field) string {
	// It is cut between fields, never within one.
	var b strings.Builder
	for _, f := range fields {
		if b.Len()+len(f.Name)+len(f.Value) > maxHeader {
			break
		}
		b.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	return b.String()
}
