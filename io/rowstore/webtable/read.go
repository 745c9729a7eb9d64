package webtable

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/schemas"
)

// version identifies one capture in a row.
type version struct {
	millis int64
	id     string
}

// cells are the cells of a row by capture, family and column.
type cells map[version]map[string][]byte

// split separates the captures of a row by id, not by time. Their order is that of their first columns in the row.
// Columns without an id belong to no single capture.
func split(row rowstore.Row) (order []version, byVersion cells) {
	byVersion = cells{}
	for _, c := range row.Cells {
		// A part of a long value has a name after the dot.
		name, rest, _ := strings.Cut(c.Qualifier, ".")
		if !strings.HasPrefix(name, "#") {
			continue
		}
		v := version{rowstore.Millis(c.Time), name}
		if byVersion[v] == nil {
			byVersion[v] = map[string][]byte{}
			order = append(order, v)
		}
		byVersion[v][c.Family+" "+rest] = c.Value
	}
	return order, byVersion
}

// long joins a value that is in several cells. It is nil when there is none. A cell that is not full is the last:
// others are of an earlier, longer value.
func long(cells map[string][]byte, family string) []byte {
	value, ok := cells[family+" "]
	full := len(value) == maxValue
	for n := 1; ok && full; n++ {
		var more []byte
		more, ok = cells[fmt.Sprintf("%s %04d", family, n)]
		full = len(more) == maxValue
		// The capacity is cut, so that append copies: another cell's memory may follow the value.
		value = append(value[:len(value):len(value)], more...)
	}
	return value
}

// Documents returns the documents of a row that was read with all of its versions.
func Documents(row rowstore.Row) ([]*schemas.Document, error) {
	order, byVersion := split(row)
	var list []*schemas.Document
	for _, v := range order {
		d, err := document(byVersion[v])
		if err != nil {
			return nil, fmt.Errorf("webtable: row %.200q, version %d: %w", row.Key, v.millis, err)
		}
		if d != nil {
			list = append(list, d)
		}
	}
	return list, nil
}

// document joins a document. It is nil if Metadata has none: others wrote its row, or it is being taken down. The base
// lists the families, so that cells of an earlier version of the document in other families are ignored.
func document(cells map[string][]byte) (*schemas.Document, error) {
	whole := long(cells, Metadata)
	if whole == nil {
		return nil, nil
	}
	d := &schemas.Document{}
	b := struct {
		Families []string          `json:"families"`
		Document *schemas.Document `json:"document"`
	}{Document: d}
	if err := json.Unmarshal(whole, &b); err != nil {
		return nil, err
	}
	for _, family := range b.Families {
		part := long(cells, family)
		if part == nil {
			continue // it was not requested
		}
		if err := json.Unmarshal(part, d); err != nil {
			return nil, fmt.Errorf("%s: %w", family, err)
		}
	}
	return d, nil
}

// ErrBody means that a payload differs from the data in its capture's head.
var ErrBody = errors.New("the body is not there as it was written")

// Captures calls each with the captures of a row that was read with all of its versions and the family Content. Tables
// without payloads have none. For an incomplete payload the error is ErrBody.
func Captures(row rowstore.Row, each func(*schemas.Capture, error) bool) bool {
	order, byVersion := split(row)
	for _, v := range order {
		raw := byVersion[v][Content+" head"]
		if raw == nil {
			continue
		}
		c, err := capture(byVersion[v], raw)
		if err != nil {
			err = fmt.Errorf("webtable: row %.200q, version %d: %w", row.Key, v.millis, err)
		}
		if !each(c, err) {
			return false
		}
	}
	return true
}

func capture(cells map[string][]byte, raw []byte) (*schemas.Capture, error) {
	h, err := decodeHead(raw)
	if err != nil {
		return &h.capture, err
	}
	if h.length < 0 {
		return &h.capture, nil
	}
	body := long(cells, Content)
	// All of it, or an error: a partial payload looks like a page.
	if len(body) != h.length || sha256.Sum256(body) != h.sum {
		return &h.capture, fmt.Errorf("%w: %d bytes, and there were %d", ErrBody, len(body), h.length)
	}
	// An empty payload is nil after long, and must not look like one that was not read.
	if body == nil {
		body = []byte{}
	}
	h.capture.Body = body
	return &h.capture, nil
}
