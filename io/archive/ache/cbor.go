package ache

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// CBOR reads the files of FILESYSTEM_CBOR: one map. ACHE fills in the URL, the body as text and the time of writing;
// what other tools add to the same schema (the response's status and header fields) is read as well.
type CBOR struct{}

// keyURL is how a map with the key url begins, after its first byte.
// In CBOR 0x63 begins a text of three bytes: major type 3, length 3.
var keyURL = []byte("\x63url")

// Match reports whether head begins a map whose first key is url, with or without the tag that says it is CBOR.
func (CBOR) Match(_ string, head []byte) bool {
	// Tag 55799 marks data as CBOR and means nothing else (RFC 8949, section 3.4.6).
	head = bytes.TrimPrefix(head, []byte{0xd9, 0xd9, 0xf7})
	if len(head) == 0 || head[0]>>5 != majorMap {
		return false
	}
	// The map's length may follow in further bytes, where it has 24 entries or more: ACHE's have six.
	return bytes.HasPrefix(head[1:], keyURL)
}

// Capture reads a file.
func (CBOR) Capture(f dump.File, o payload.Options) (*schemas.Capture, []string, error) {
	item, err := decodeCBOR(f.Bytes)
	if err != nil {
		return nil, nil, fmt.Errorf("ache: %w", err)
	}
	// Unexpected values are read as missing, so that one odd field does not cost the page.
	m := object(item)
	c := &schemas.Capture{URL: m.text("url"), RecordType: schemas.TypeResponse}
	if c.URL == "" {
		return nil, nil, errors.New("ache: a map without url")
	}
	// Seconds: capped before they are multiplied, and one more than the last that setTime accepts, which then flags
	// it.
	seconds, _ := m["timestamp"].(uint64)
	setTime(c, 1000*int64(min(seconds, maxMillis/1000+1)))
	response := object(m["response"])
	// A number above 999 cannot be a status.
	if n, ok := response["status"].(uint64); ok && n < 1000 {
		c.Status = int(n)
	}
	c.IP = object(response["server"]).text("address")
	c.Header = response.fields("headers")
	body := []byte(response.text("body"))
	return c, payload.Body(c, payload.Block{Bytes: body, Size: int64(len(body))}, o), nil
}

// table is a map of CBOR.
type table map[string]any

// object returns item as a map, or an empty map if it is not a map. Reading a nil map gives nothing, so callers need
// not test.
func object(item any) table {
	m, _ := item.(map[string]any)
	return m
}

// text returns a text or a number as text, "" for anything else.
// CBOR has no other types here that a header's value could be; negative numbers and fractions do not occur.
func (t table) text(key string) string {
	switch v := t[key].(type) {
	case string:
		return v
	case uint64:
		return strconv.FormatUint(v, 10)
	}
	return ""
}

// fields returns a map of header fields, in the order of their names.
// Sorted, because Go's maps have no order and the same file should give the same capture.
func (t table) fields(key string) []schemas.Field {
	m := object(t[key])
	var list []schemas.Field
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, schemas.Field{Name: name, Value: m.text(name)})
	}
	return list
}
