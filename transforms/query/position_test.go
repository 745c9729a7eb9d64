package query

import (
	"bytes"
	"testing"
	"time"
)

func TestMark_asText(t *testing.T) {
	for _, m := range []Position{
		{},
		{Key: Key{SURT: "com,example)/?é", Filename: "a b.warc.gz", Offset: 1 << 40, Sequence: 3, Length: 9}, Score: 1.25},
		{Key: Key{SURT: "x", Timestamp: time.Date(2026, 3, 1, 2, 3, 4, 567_891_000, time.UTC)}},
	} {
		text, err := m.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var got Position
		if err := got.UnmarshalText(text); err != nil || got != m {
			t.Errorf("%s: %+v, %v, want %+v", text, got, err, m)
		}
	}
	for _, text := range []string{"", "?", "e30=", "W10", string(bytes.Repeat([]byte("e"), maxMark+1))} {
		if err := new(Position).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%.10q: no error", text)
		}
	}
}
