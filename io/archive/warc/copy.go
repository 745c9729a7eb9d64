package warc

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

// What a copy of an archive needs beyond its captures: all other fields, and all other records.

// How a field of a record's head is written again. A field that is not here is written as archived.
type treatment uint8

const (
	asArchived treatment = iota
	made                 // a capture has a place for it, or it is made again
	reference            // ids of records
)

// treatments are by name in lower case.
var treatments = map[string]treatment{
	"warc-type": made, "warc-record-id": made, "warc-target-uri": made, "warc-date": made, "warc-ip-address": made,
	"warc-truncated": made, "warc-block-digest": made, "content-length": made, "ache-isrelevant": made,
	"ache-relevance": made, "ache-requested-url": made, "gleaner-published": made,
	// The first segment is written as a record of its own.
	"warc-segment-number": made, "warc-segment-origin-id": made, "warc-segment-total-length": made,
	"warc-concurrent-to": reference, "warc-warcinfo-id": reference, "warc-refers-to": reference,
}

// isReferral reports whether Capture.RefersTo has the field of a revisit. Other records keep it as archived.
func isReferral(name string) bool {
	switch strings.ToLower(name) {
	case "warc-refers-to", "warc-refers-to-target-uri", "warc-refers-to-date", "warc-profile":
		return true
	}
	return false
}

// treat returns how the field called name is written.
func treat(name string) treatment { return treatments[strings.ToLower(name)] }

// Fields returns the fields of a capture's record that the capture has no other place for. Among them is the payload's
// digest as it was declared, and the type of a block that is HTTP.
func (Grammar) Fields(h *record.Head) (fields []schemas.Field) {
	isRevisit := Type(h) == string(schemas.TypeRevisit)
	for _, f := range h.Fields {
		name := string(f.Name)
		if treat(name) == made || isRevisit && isReferral(name) ||
			strings.EqualFold(name, "Content-Type") && !DeclaresHTTP(f.Value) {
			continue
		}
		fields = append(fields, schemas.Field{Name: name, Value: string(f.Value)})
	}
	return fields
}

// Record returns rec, which is not a capture.
func (Grammar) Record(rec *record.Record) *schemas.Record {
	h := &rec.Head
	r := &schemas.Record{
		Type: Type(h), ID: bracketed(h.Get("WARC-Record-ID")), URL: bracketed(h.Get("WARC-Target-URI")),
		Block: bytes.Clone(rec.Block), Whole: int64(len(rec.Block)) == rec.Size && len(rec.Flags) == 0,
		Cut: int64(len(rec.Block)) < rec.Size,
	}
	r.Timestamp, _, _ = ParseDate(text(h.Get("WARC-Date")))
	for _, f := range h.Fields {
		r.Fields = append(r.Fields, schemas.Field{Name: string(f.Name), Value: string(f.Value)})
	}
	return r
}

// source is the warcinfo record of the archive that is copied.
type source struct{ file, id string }

// infoID is the ID of the warcinfo record for the content of a file: that of the file, or the written one.
func (w *Writer) infoID(file string) string {
	if w.source.id != "" && w.source.file == file {
		return w.source.id
	}
	return w.info
}

// keptID is a record's id as it is written. One that is not a URI gets another, which depends on it alone: so does each
// reference to it, in whichever file.
func keptID(id string) string {
	if isID(id) {
		return id
	}
	return recordID("id", strings.ToValidUTF8(id, "\uFFFD"))
}

// unbracketed is an id or a URI without the brackets around it.
func unbracketed(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "<"), ">")
}

// WriteRecord copies a record that is not a capture, with its id and all its fields and, when it is whole, its digests.
// Of segments, only what makes captures is written: continuations are counted, and not written.
func (w *Writer) WriteRecord(r *schemas.Record) error {
	if len(r.Fields) == 0 || r.Type == continuation {
		w.Drop(r.Name())
		return nil
	}
	if err := w.ready(r.Timestamp, identity{r.Type, r.ID, r.URL}); err != nil {
		return err
	}
	id := keptID(r.ID)
	// A record must have an id (section 5.2 of WARC/1.1). Made of the contents, it is the same in a second copy.
	if r.ID == "" {
		id = recordID(r.Type, r.URL, r.Timestamp.String(), string(r.Block))
	}
	w.line("WARC/" + w.version())
	w.field("WARC-Type", r.Type)
	w.field("WARC-Record-ID", "<"+id+">")
	switch {
	case r.Type == schemas.RecordWarcinfo:
		// Records that follow from the same file refer to it.
		w.source = source{r.File, id}
	// A record that names its warcinfo record keeps that reference: copied writes it.
	case schemas.FieldValue(r.Fields, infoField) == "":
		w.field(infoField, "<"+w.infoID(r.File)+">")
	}
	w.field("WARC-Date", w.date(r.Timestamp))
	w.copied(r)
	if r.Whole && schemas.FieldValue(r.Fields, blockDigest) != "" {
		w.end("", r.Block)
	} else {
		w.block("", r.Block)
	}
	return w.flush()
}

const (
	continuation = "continuation"
	infoField    = "WARC-Warcinfo-ID"
	blockDigest  = "WARC-Block-Digest"

	payloadDigest = "WARC-Payload-Digest"
)

// copied writes those fields of a record that is not a capture that hold for its copy.
func (w *Writer) copied(r *schemas.Record) {
	for _, f := range r.Fields {
		switch strings.ToLower(f.Name) {
		// These were written before, or follow from the block that is written.
		case "warc-type", "warc-record-id", "warc-date", "content-length":
		case "warc-target-uri":
			w.field(f.Name, escaped(unbracketed(f.Value)))
		case "warc-refers-to":
			w.field(f.Name, "<"+keptID(unbracketed(f.Value))+">")
		case "warc-block-digest", "warc-payload-digest":
			if r.Whole {
				w.keep(f)
			}
		default:
			w.keep(f)
		}
	}
	// A copy of a damaged record says that something may be missing, without a reason.
	if !r.Whole && schemas.FieldValue(r.Fields, "WARC-Truncated") == "" {
		reason := "unspecified"
		if r.Cut {
			reason = "length"
		}
		w.field("WARC-Truncated", reason)
	}
}

// keep writes a field as archived, except for what would break the head.
func (w *Writer) keep(f schemas.Field) {
	name, value := fieldName(f.Name), oneLine(f.Value)
	if treat(name) == reference {
		value = "<" + keptID(unbracketed(value)) + ">"
	}
	// A field without a value has no blank at its end.
	w.line(strings.TrimRight(name+": "+value, " "))
}

// kept writes the fields of a capture's record that are not made again.
func (w *Writer) kept(c *schemas.Capture, kind schemas.RecordType) {
	for _, f := range c.RecordFields {
		switch strings.ToLower(f.Name) {
		case "warc-payload-digest", "content-type", "warc-warcinfo-id":
		default:
			// A response that becomes a revisit has others.
			if kind != schemas.TypeRevisit || !isReferral(f.Name) {
				w.keep(f)
			}
		}
	}
}

// infoOf is the id of the warcinfo record that holds for a capture. The record's own value counts before the first one
// in its file.
func (w *Writer) infoOf(c *schemas.Capture) string {
	if id := unbracketed(schemas.FieldValue(c.RecordFields, infoField)); id != "" {
		return keptID(id)
	}
	return w.infoID(c.Origin.File)
}

// declared is the digest that the archive declares of the payload that is written, or "". A block that is written as
// archived keeps it in any case, because revisits may name it.
func declared(c *schemas.Capture) string {
	value := schemas.FieldValue(c.RecordFields, payloadDigest)
	if c.Block != nil {
		return value
	}
	if d, err := digest.Parse(value); err != nil || !d.Matches(c.Body) {
		return ""
	}
	return value
}

// lostDigest reports whether a record is written with another digest than the archive declares. Revisits that name it
// then lose their original.
func lostDigest(c *schemas.Capture, written string) bool {
	value := schemas.FieldValue(c.RecordFields, payloadDigest)
	return value != "" && value != written
}
