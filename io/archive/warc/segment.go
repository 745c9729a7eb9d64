package warc

import (
	"bytes"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
)

// Limits of what segment fields may say: records are kept by these values until all are read.
const (
	maxOriginID = 512     // bytes; a "urn:uuid:…" has 45
	maxSegments = 1 << 20 // of one logical record
)

// Segment returns which part of a logical record rec is (section 7 of WARC/1.1), without the file and its format. It is
// nil if rec is not a part, and nil and a quirk if its fields do not say. The first segment has its record's type and
// the number 1; the others are continuation records with higher numbers and the first one's id.
func (Grammar) Segment(rec *record.Record) (*schemas.Segment, string) {
	h := &rec.Head
	number, continued := h.Get("WARC-Segment-Number"), bytes.EqualFold(h.Get("WARC-Type"), []byte("continuation"))
	// Nearly all records end here: they have neither the field nor the type.
	if number == nil && !continued {
		return nil, ""
	}
	n, ok := decimal(number)
	id := h.Get("WARC-Record-ID")
	if continued {
		// A continuation names the first segment; the first is named by its own id. So both have the same key.
		id = h.Get("WARC-Segment-Origin-ID")
	}
	// Number 1 and a continuation contradict each other, as do a higher number and any other type.
	if !ok || n < 1 || n > maxSegments || continued != (n > 1) || len(id) == 0 || len(id) > maxOriginID {
		return nil, "segment_fields"
	}
	// 0 when it cannot be read: then the record counts as not whole
	total, _ := decimal(h.Get("WARC-Segment-Total-Length"))
	// Flags are copied, because rec is used again for the next record.
	return &schemas.Segment{
		OriginID: bracketed(id), Number: int(n), Total: total, Size: rec.Size,
		Flags: append([]schemas.Flag(nil), rec.Flags...), Offset: rec.Offset, Length: rec.Length, Sequence: rec.Ordinal,
	}, ""
}
