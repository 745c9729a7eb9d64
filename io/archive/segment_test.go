package archive

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// segmented is a whole response, a first segment, its continuation, and one that names no record.
var segmented = [][]byte{
	warcRecord(0, []byte("whole")),
	withField(warcRecord(1, []byte("in")), "WARC-Segment-Number: 1"),
	withField(continuation("two"), "WARC-Segment-Number: 2\r\nWARC-Segment-Origin-ID: <urn:test:1>"),
	withField(continuation("lost"), "WARC-Segment-Number: 2"),
}

func continuation(block string) []byte {
	return fmt.Appendf(nil, "WARC/1.1\r\nWARC-Type: continuation\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block),
		block)
}

// withField puts a field into a record's head.
func withField(rec []byte, field string) []byte {
	return bytes.Replace(rec, []byte("Content-Length: "), []byte(field+"\r\nContent-Length: "), 1)
}

func TestReader_segments(t *testing.T) {
	data := gzipped(t, bytes.Join(segmented, nil))
	size := int64(len(data))
	whole := "http://example.org/0 []"
	flagged := "http://example.org/1 [segment]"
	for _, tt := range []struct {
		name     string
		limit    int
		captures []string
		quirks   map[string]int64
		flags    map[string]int64
	}{
		{"not asked for", 0, []string{whole, flagged}, map[string]int64{"segment_fields": 1}, map[string]int64{"segment": 3}},
		{"asked for", 9, []string{whole}, map[string]int64{"segment_fields": 1}, map[string]int64{"segment": 1}},
		{
			"over the limit", -1,
			[]string{whole, flagged},
			map[string]int64{"segment_fields": 1, "segment_limit": 2},
			map[string]int64{"segment": 3},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var segments []schemas.Segment
			o := Options{MaxSegments: tt.limit}
			r, err := NewReader(bytes.NewReader(data), Input{Name: "a", Size: size, End: size}, mustFormat(t, "warc+gzip"), o)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			var captures []string
			for item, err := range r.All() {
				if err != nil {
					t.Fatal(err)
				}
				if item.Segment != nil {
					segments = append(segments, *item.Segment)
					continue
				}
				c := item.Capture
				captures = append(captures, fmt.Sprint(c.URL, " ", c.Flags))
			}
			c := r.Counts()
			if !slices.Equal(captures, tt.captures) || c.Captures != int64(len(captures)) || c.Records != 4 ||
				c.ByType["continuation"] != 2 {
				t.Errorf("captures %q, counts %+v; want %q", captures, c, tt.captures)
			}
			if !cmp.Equal(c.ByQuirk, tt.quirks) || !cmp.Equal(c.ByFlag, tt.flags) {
				t.Errorf("quirks %v, flags %v; want %v, %v", c.ByQuirk, c.ByFlag, tt.quirks, tt.flags)
			}
			if tt.limit <= 0 {
				if len(segments) > 0 {
					t.Errorf("segments %+v; want none", segments)
				}
				return
			}
			want := []schemas.Segment{
				{OriginID: "urn:test:1", Number: 1, Size: segments[0].Size, File: "a", Format: "warc+gzip", Sequence: 1},
				{OriginID: "urn:test:1", Number: 2, Size: 3, File: "a", Format: "warc+gzip", Sequence: 2},
			}
			if diff := cmp.Diff(want, segments); diff != "" {
				t.Errorf("segments (-want +got):\n%s", diff)
			}
		})
	}
}
