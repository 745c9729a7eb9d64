package ache

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// CBOR reads the files of FILESYSTEM_CBOR: one map. ACHE only sets the URL, the body as text and the time of writing.
// The response's status and header fields, which other tools add to the same schema, are read as well.
type CBOR struct{}

// keyURL is how a map with the key url begins, after its first byte. In CBOR 0x63 begins a text of three bytes: major
// type 3, length 3.
var keyURL = []byte("\x63url")

// Match reports whether head begins a map with the first key url. A tag that marks CBOR may precede it.
func (CBOR) Match(_ string, head []byte) bool {
	// Tag 55799 marks data as CBOR and means nothing else (RFC 8949, section 3.4.6).
	head = bytes.TrimPrefix(head, []byte{0xd9, 0xd9, 0xf7})
	if len(head) == 0 || head[0]>>5 != majorMap {
		return false
	}
	// ACHE's maps have six entries; lengths above 23 take further bytes and do not match.
	return bytes.HasPrefix(head[1:], keyURL)
}

// Capture reads a file.
func (CBOR) Capture(f dump.File, o payload.Options) (*schemas.Capture, []string, error) {
	item, err := decodeCBOR(f.Bytes)
	if err != nil {
		return nil, nil, fmt.Errorf("ache: %w", err)
	}
	// Unexpected values are read as missing, so that one odd field does not lose the page.
	m := object(item)
	c := &schemas.Capture{URL: m.text("url"), RecordType: schemas.TypeResponse}
	if c.URL == "" {
		return nil, nil, errors.New("ache: a map without url")
	}
	if c.Timestamp = dump.Time(m.text("timestamp"), time.Second); c.Timestamp.IsZero() {
		c.AddFlag(schemas.FlagTimestamp)
	}
	response := object(m["response"])
	// A number above 999 cannot be a status.
	if n, ok := response["status"].(uint64); ok && n < 1000 {
		c.Status = int(n)
	}
	c.IP = object(response["server"]).text("address")
	c.Header = response.fields("headers")
	if response["body"] == nil {
		payload.Absent(c)
		return c, nil, nil
	}
	body := []byte(response.text("body"))
	return c, payload.Body(c, payload.Block{Bytes: body, Size: int64(len(body))}, o), nil
}

type table map[string]any

// object returns item as a map, or nil if it is not a map. Reading a nil map is safe, so callers need no test.
func object(item any) table {
	m, _ := item.(map[string]any)
	return m
}

// text returns a text or number as text, or "" for anything else. Header values have no other types here.
func (t table) text(key string) string {
	switch v := t[key].(type) {
	case string:
		return v
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// fields returns a map of header fields, sorted by name, so that the same file gives the same capture.
func (t table) fields(key string) []schemas.Field {
	m := object(t[key])
	var list []schemas.Field
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list = append(list, schemas.Field{Name: name, Value: m.text(name)})
	}
	return list
}
