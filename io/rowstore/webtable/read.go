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

// version is what a row has of one capture.
type version struct {
	millis int64
	id     string
}

// cells are those of a row by capture, family and column.
type cells map[version]map[string][]byte

// split tells the captures of a row apart, in the order in which the row's columns name them first: by id and not by
// time. Columns without an id are of no capture alone.
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

// long puts together a value that is in several cells. It is nil when there is none.
func long(cells map[string][]byte, family string) []byte {
	value, ok := cells[family+" "]
	for n := 1; ok; n++ {
		var more []byte
		more, ok = cells[fmt.Sprintf("%s %04d", family, n)]
		// The capacity is cut, so that append copies: the value's memory may be followed by that of another cell.
		value = append(value[:len(value):len(value)], more...)
	}
	return value
}

// Documents are those of a row that was read with all of its versions.
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

// document puts a document together. It is nil when Metadata has none: its row was written by others, or is being taken
// down. A family that an earlier version of the document had, and this one has not, is left out.
// Families are taken from the base, never from what cells there are.
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
			continue // it was not asked for
		}
		if err := json.Unmarshal(part, d); err != nil {
			return nil, fmt.Errorf("%s: %w", family, err)
		}
	}
	return d, nil
}

// ErrBody is a body that is not what its capture's head says.
var ErrBody = errors.New("the body is not there as it was written")

// Captures are those of a row that was read with all of its versions and the family Content. Captures of tables without
// bodies are none. One whose body is not whole has the error ErrBody in its place.
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
	// All of it, or an error: a body that is half there looks like a page.
	if len(body) != h.length || sha256.Sum256(body) != h.sum {
		return &h.capture, fmt.Errorf("%w: %d bytes, and there were %d", ErrBody, len(body), h.length)
	}
	// A body of no bytes is nil after long, and must not be taken for one that was not read.
	if body == nil {
		body = []byte{}
	}
	h.capture.Body = body
	return &h.capture, nil
}
