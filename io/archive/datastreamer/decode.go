package datastreamer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/dump"
)

// Issue is an anomaly of a record, and its field.
type Issue struct {
	Kind  string // one of the Issue constants
	Field string
}

// The kinds of issues.
const (
	IssueUnknown  = "unknown"  // a key that is not a field: it is left out
	IssueType     = "type"     // a value that its field cannot hold: it is left out
	IssueEnum     = "enum"     // a value that the enumeration does not have: it is kept
	IssueTime     = "time"     // an invalid time is kept
	IssueLength   = "length"   // a length that is not that of the text: it is kept
	IssueChecksum = "checksum" // a checksum that is not that of the text: it is kept
)

// ErrFormat is the kind of errors about bytes that are not a record.
var ErrFormat = errors.New("no content record")

// fields are the indexes of Content's fields by their names in JSON; names are those names in order.
// Made once: reflection over all fields is too slow for each record.
var fields, names = fieldsOf(reflect.TypeFor[Content]())

func fieldsOf(t reflect.Type) (map[string]int, []string) {
	byName := make(map[string]int, t.NumField())
	list := make([]string, t.NumField())
	for i := range list {
		list[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
		byName[list[i]] = i
	}
	return byName, list
}

// times are the names of the fields that hold a time.
var times = []string{
	"date_found", "last_updated", "published", "modified", "published_partial", "modified_partial",
	"source_date_found", "source_last_updated", "source_last_published", "source_last_posted",
	"source_pshb_last_posted", "source_pshb_lease_expires", "source_next_update", "source_created",
}

// Decode reads one record, a JSON object. It returns its anomalies in the order of the fields' names. The error is of
// kind ErrFormat if the bytes are not an object, or have no field of a record. A null counts as a missing field.
func Decode(object []byte) (*Content, []Issue, error) {
	if err := dump.Syntax(object); err != nil {
		return nil, nil, fmt.Errorf("datastreamer: %w: %w", ErrFormat, err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(object, &raw); err != nil {
		return nil, nil, fmt.Errorf("datastreamer: %w: %w", ErrFormat, err)
	}
	c := &Content{}
	v := reflect.ValueOf(c).Elem()
	var issues []Issue
	// Sorted, so that the issues of a record are always told in the same order.
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		if kind := set(v, key, raw[key]); kind != "" {
			issues = append(issues, Issue{kind, key})
		}
	}
	// An object of other keys is another format, and no empty record.
	if v.IsZero() {
		return nil, nil, fmt.Errorf("datastreamer: %w: it has none of the fields", ErrFormat)
	}
	return c, append(issues, check(c)...), nil
}

// set decodes the field called key, and returns its fault, if any.
func set(v reflect.Value, key string, value json.RawMessage) (kind string) {
	i, ok := fields[key]
	if !ok {
		return IssueUnknown
	}
	// null is not a value of an enumeration: it is handled like other fields, which leaves the field empty.
	if enums[key] != nil && value[0] != 'n' {
		return setEnum(v.Field(i), key, value)
	}
	// Into a fresh value: a decoder that fails halfway leaves parts after.
	field := reflect.New(v.Field(i).Type())
	if json.Unmarshal(value, field.Interface()) != nil {
		return IssueType
	}
	v.Field(i).Set(field.Elem())
	return ""
}

// setEnum decodes a name or an integer.
func setEnum(field reflect.Value, key string, value json.RawMessage) (kind string) {
	text := string(value)
	// The first byte tells the type, since encoding/json has found the value to be sound.
	switch value[0] {
	case '"':
		if json.Unmarshal(value, &text) != nil {
			return IssueType
		}
	case '{', '[', 't', 'f':
		return IssueType
	}
	name, known := enumName(key, text)
	// Also one that is not known: another version of the format may have it.
	field.SetString(name)
	if !known {
		return IssueEnum
	}
	return ""
}

// check returns wrong times, lengths and checksums.
func check(c *Content) (issues []Issue) {
	v := reflect.ValueOf(c).Elem()
	// In the order of this list, then the texts: issues of a record are told in one order.
	for _, name := range times {
		text := v.Field(fields[name]).String()
		if _, err := parseTime(text); text != "" && err != nil {
			issues = append(issues, Issue{IssueTime, name})
		}
	}
	texts := []struct {
		name, text string
		length     *int64
		checksum   string
	}{
		{"html", c.HTML, c.HTMLLength, c.HTMLChecksum},
		{"main", c.Main, c.MainLength, c.MainChecksum},
		{"extract", c.Extract, c.ExtractLength, c.ExtractChecksum},
	}
	for _, t := range texts {
		if t.text == "" {
			continue // records are stored without large fields
		}
		if t.length != nil && *t.length != int64(len(t.text)) {
			issues = append(issues, Issue{IssueLength, t.name})
		}
		if t.checksum != "" && t.checksum != Checksum(t.text) {
			issues = append(issues, Issue{IssueChecksum, t.name})
		}
	}
	return issues
}

// parseTime reads a time as records have it; a fraction and another zone are tolerated.
func parseTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	// Another zone may move a time beyond the four digits that RFC 3339 has for years.
	if t = t.UTC(); err == nil && (t.Year() < 1 || t.Year() > 9999) {
		err = fmt.Errorf("the year %d has no form", t.Year())
	}
	return t, err
}

// Append appends a record to b, with its fields in the order of the specification. It leaves out unknown fields, and
// escapes only as JSON requires. Bytes that are not UTF-8 become U+FFFD.
func Append(b []byte, c *Content) ([]byte, error) {
	buf := bytes.NewBuffer(b)
	e := json.NewEncoder(buf)
	// HTML is what most of a record is: with "<" as six characters it would be far larger.
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil {
		return b, fmt.Errorf("datastreamer: %w", err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'}), nil
}
