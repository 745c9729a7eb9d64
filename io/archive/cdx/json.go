package cdx

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// object is a capture as index servers give it with output=json: a CDXJ line completely in JSON.
type object struct {
	fields
	Key  text `json:"urlkey"`
	Time text `json:"timestamp"`
	// The Wayback Machine's names.
	Original text `json:"original"`
	Type     text `json:"mimetype"`
	Code     text `json:"statuscode"`
}

func parseObject(raw []byte) (Line, error) {
	if !utf8.Valid(raw) {
		raw = []byte(urlkey.Text(string(raw))) // see Parse
	}
	var o object
	if err := json.Unmarshal(raw, &o); err != nil {
		return Line{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	f := o.fields
	f.SURT, f.Timestamp = o.Key, o.Time
	// The Wayback Machine's names only fill in missing values.
	for _, other := range []struct {
		to    *text
		value text
	}{{&f.URL, o.Original}, {&f.MIME, o.Type}, {&f.Status, o.Code}} {
		if *other.to == "" {
			*other.to = other.value
		}
	}
	return f.line()
}

// rowLetters maps column names of arrays of arrays to letters of a legend.
var rowLetters = map[string]byte{
	"urlkey": 'N', "timestamp": 'b', "url": 'a', "original": 'a', "mime": 'm', "mimetype": 'm', "status": 's',
	"statuscode": 's', "digest": 'k', "length": 'S', "offset": 'V', "filename": 'g', "file": 'g',
}

// plainRow are the columns of an array without a row of names, as in OutbackCDX.
const plainRow = "NbamskrMSVg"

// cells returns the row of a line in an array of arrays, as the Wayback Machine's servers answer, or nil for other
// lines. CDXJ keys may begin with a bracket as well.
func cells(raw []byte) []text {
	// Each row but the last is followed by a comma.
	raw = bytes.TrimRight(raw, " \t\r,")
	// The first and the last row include the outer brackets.
	if bytes.HasPrefix(raw, []byte("[[")) {
		raw = raw[1:]
	}
	if bytes.HasSuffix(raw, []byte("]]")) {
		raw = raw[:len(raw)-1]
	}
	var row []text
	if !bytes.HasPrefix(raw, []byte(`["`)) || json.Unmarshal(raw, &row) != nil {
		return nil
	}
	return row
}

// rowNames returns the letters of the columns that a row names, or nil for a row of values.
func rowNames(row []text) []byte {
	if !slices.Contains(row, "timestamp") && !slices.Contains(row, "filename") {
		return nil
	}
	letters := make([]byte, len(row))
	for i, name := range row {
		// An unknown name gets the letter 0, for which set stores nothing.
		letters[i] = rowLetters[string(name)]
	}
	return letters
}

// row reads a row of values.
func (r *Reader) row(row []text) (Line, error) {
	letters := r.names
	if letters == nil {
		letters = []byte(plainRow)
	}
	if len(row) != len(letters) {
		return Line{}, fmt.Errorf("%w: %d columns", ErrFormat, len(row))
	}
	f := &fields{}
	for i, v := range row {
		f.set(letters[i], []byte(v))
	}
	return f.line()
}
