package query

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// maxMark bounds the text form of a position: a SURT and a file's name may be long.
const maxMark = 32 << 10

// markText is a position as JSON, with short names, since it is used in URLs.
type markText struct {
	SURT     string     `json:"s"`
	Time     *time.Time `json:"t,omitempty"`
	Filename string     `json:"f"`
	Offset   int64      `json:"o"`
	Sequence int        `json:"n,omitempty"`
	Score    float64    `json:"r,omitempty"`
	Length   int64      `json:"l,omitempty"`
}

// MarshalText writes a position for a URL or a file, in letters, digits, hyphens and underscores. The format is
// private.
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

// errMark gives no details, since people do not write positions.
var errMark = errors.New("query: not a mark of an answer")

// UnmarshalText parses the result of MarshalText.
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
