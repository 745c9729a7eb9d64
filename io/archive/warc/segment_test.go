package warc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestGrammar_Segment(t *testing.T) {
	first := &schemas.Segment{OriginID: "urn:a", Number: 1, Size: 9, Offset: 5, Length: 6, Sequence: 7}
	tests := []struct {
		name, head string
		want       *schemas.Segment
		quirk      string
	}{
		{"no segment", "WARC-Type: response\r\nWARC-Record-ID: <urn:a>", nil, ""},
		{"first", "WARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nWARC-Segment-Number: 1", first, ""},
		{"first of a request", "WARC-Type: request\r\nWARC-Record-ID: <urn:a>\r\nwarc-segment-number: 1", first, ""},
		{
			"last", "WARC-Type: Continuation\r\nWARC-Record-ID: <urn:b>\r\nWARC-Segment-Origin-ID: <urn:a>\r\n" +
				"WARC-Segment-Number: 12\r\nWARC-Segment-Total-Length: 1902",
			&schemas.Segment{OriginID: "urn:a", Number: 12, Total: 1902, Size: 9, Offset: 5, Length: 6, Sequence: 7}, "",
		},
		{"unreadable total", "WARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nWARC-Segment-Number: 1\r\n" +
			"WARC-Segment-Total-Length: many", first, ""},
		{
			"continuation without a number", "WARC-Type: continuation\r\nWARC-Segment-Origin-ID: <urn:a>", nil,
			"segment_fields",
		},
		{
			"continuation without an origin", "WARC-Type: continuation\r\nWARC-Record-ID: <urn:a>\r\nWARC-Segment-Number: 2",
			nil, "segment_fields",
		},
		{"continuation that is the first", "WARC-Type: continuation\r\nWARC-Segment-Origin-ID: <urn:a>\r\n" +
			"WARC-Segment-Number: 1", nil, "segment_fields"},
		{"number 0", "WARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nWARC-Segment-Number: 0", nil, "segment_fields"},
		{
			"number 2 of a response", "WARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nWARC-Segment-Number: 2", nil,
			"segment_fields",
		},
		{"empty number", "WARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nWARC-Segment-Number:", nil, ""},
		{"no number", "WARC-Type: response\r\nWARC-Record-ID: <urn:a>\r\nWARC-Segment-Number: one", nil, "segment_fields"},
		{"huge number", "WARC-Type: continuation\r\nWARC-Segment-Origin-ID: <urn:a>\r\nWARC-Segment-Number: " +
			"99999999999999999999", nil, "segment_fields"},
		{"first without an id", "WARC-Type: response\r\nWARC-Segment-Number: 1", nil, "segment_fields"},
		{"long id", "WARC-Type: response\r\nWARC-Segment-Number: 1\r\nWARC-Record-ID: <urn:" +
			strings.Repeat("a", maxOriginID) + ">", nil, "segment_fields"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := record.Record{Size: 9, Offset: 5, Length: 6, Ordinal: 7}
			if n := (Grammar{}).Parse(&rec.Head, []byte("WARC/1.1\r\n"+tt.head+"\r\n\r\n"), true); n == 0 {
				t.Fatal("the head was not parsed")
			}
			got, quirk := Grammar{}.Segment(&rec)
			if diff := cmp.Diff(tt.want, got); diff != "" || quirk != tt.quirk {
				t.Errorf("Segment: quirk %q, want %q (-want +got):\n%s", quirk, tt.quirk, diff)
			}
		})
	}
}
