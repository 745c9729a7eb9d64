package query

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// maxMark bounds a mark as text: a SURT and a file's name are what makes it long.
const maxMark = 32 << 10

// markText is a mark as JSON, with short names: it goes into URLs.
type markText struct {
	SURT     string     `json:"s"`
	Time     *time.Time `json:"t,omitempty"`
	Filename string     `json:"f"`
	Offset   int64      `json:"o"`
	Sequence int        `json:"n,omitempty"`
	Score    float64    `json:"r,omitempty"`
	Length   int64      `json:"l,omitempty"`
}

// MarshalText writes a mark for a URL or a file: letters, digits, hyphens and underscores. Who gets it is not to look
// into it.
func (m Position) MarshalText() ([]byte, error) {
	t := markText{
		SURT: m.Key.SURT, Filename: m.Key.Filename, Offset: m.Key.Offset, Sequence: m.Key.Sequence, Score: m.Score,
		Length: m.Key.Length,
	}
	if !m.Key.Timestamp.IsZero() {
		t.Time = &m.Key.Timestamp
	}
	data, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	return base64.RawURLEncoding.AppendEncode(nil, data), nil
}

// errMark says no more, since people do not write marks.
var errMark = errors.New("query: not a mark of an answer")

// UnmarshalText reads a mark.
func (m *Position) UnmarshalText(text []byte) error {
	if len(text) > maxMark {
		return fmt.Errorf("%w: it has %d bytes", errMark, len(text))
	}
	data, err := base64.RawURLEncoding.AppendDecode(nil, text)
	if err != nil {
		return fmt.Errorf("%w: %w", errMark, err)
	}
	var t markText
	if err := json.Unmarshal(data, &t); err != nil {
		return fmt.Errorf("%w: %w", errMark, err)
	}
	*m = Position{
		Key:   Key{SURT: t.SURT, Filename: t.Filename, Offset: t.Offset, Sequence: t.Sequence, Length: t.Length},
		Score: t.Score,
	}
	if t.Time != nil {
		m.Key.Timestamp = t.Time.UTC()
	}
	return nil
}
