package cdr

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

const seed = "../../../testdata/seeds/ache/CDR31.jsonl"

var crawled = time.Date(2015, 4, 16, 7, 3, 50, 0, time.UTC)

func TestCapture(t *testing.T) {
	header := []schemas.Field{
		{Name: "Set-Cookie", Value: "a=1,b=2"},
		{Name: "Content-Type", Value: "text/html; charset=UTF-8"},
	}
	for _, tt := range []struct {
		name, line string
		want       *schemas.Capture
		quirks     []string
	}{
		{
			"3.1, by ACHE",
			`{"_id":"2AD4","content_type":"text/html; charset=UTF-8","crawler":"default","objects":[],"raw_content":"<p>café","response_headers":{"Set-Cookie":"a=1,b=2","Content-Type":"text/html; charset=UTF-8"},"timestamp_crawl":"2015-04-16T07:03:50Z","timestamp_index":"2015-04-16T07:03:51Z","url":"http://example.com/","version":3.1}`,
			&schemas.Capture{
				URL: "http://example.com/", RecordID: "2AD4", Header: header,
				MIMEDeclared: "text/html; charset=UTF-8", Timestamp: crawled, Body: []byte("<p>café"),
				Crawl: map[string]string{"crawler_id": "default"},
			},
			nil,
		},
		{
			"3.1, by scrapy-cdr",
			`{"_id":"A","content_type":["text/html","text/plain"],"crawler":"c","objects":[{"obj_original_url":"http://a/i.png"}],"raw_content":"x","team":"HG","timestamp_crawl":"2015-04-16T07:03:50.500000Z","url":"http://a/","version":3.1,"metadata":{}}`,
			&schemas.Capture{
				URL: "http://a/", RecordID: "A", MIMEDeclared: "text/html, text/plain",
				Timestamp: crawled.Add(500 * time.Millisecond), Body: []byte("x"),
				Crawl: map[string]string{"crawler_id": "c", "team": "HG"},
			},
			[]string{"media_objects"},
		},
		{
			"2",
			`{"_id":"B","timestamp":1429167830000,"content_type":"text/html","crawler":"c","extracted_metadata":{},"extracted_text":"","raw_content":"y","team":"T","url":"http://b/","version":"2.0"}`,
			&schemas.Capture{
				URL: "http://b/", RecordID: "B", MIMEDeclared: "text/html", Timestamp: crawled, Body: []byte("y"),
				Crawl: map[string]string{"crawler_id": "c", "team": "T"},
			},
			nil,
		},
		{"2, an object", `{"_id":"C","content_type":"image/png","obj_original_url":"http://b/i.png","obj_parent":"B","obj_stored_url":"x","timestamp":1,"version":2.0}`, nil, []string{"media_objects"}},
		{
			"no time", `{"_id":"D","content_type":null,"crawler":null,"url":"http://d/","timestamp_crawl":"yesterday"}`,
			&schemas.Capture{
				URL: "http://d/", RecordID: "D", Truncated: "unspecified", Flags: []schemas.Flag{schemas.FlagTimestamp},
			}, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !(JSON{}).Match("", []byte(tt.line)) {
				t.Error("not known for what it is")
			}
			got, quirks, err := JSON{}.Capture([]byte(tt.line), payload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if tt.want != nil {
				tt.want.RecordType = schemas.TypeResponse
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(schemas.Capture{}, "Digest")) +
				cmp.Diff(tt.quirks, quirks); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// FuzzCapture: nothing breaks the reader, and what it is given it does not keep.
func FuzzCapture(f *testing.F) {
	if b, err := os.ReadFile(seed); err == nil {
		for line := range bytes.Lines(b) {
			f.Add(line)
		}
	}
	f.Add([]byte(`{"_id":1,"content_type":[],"crawler":{},"timestamp":-1e400}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		JSON{}.Match("", line)
		c, _, err := JSON{}.Capture(line, payload.Options{MaxBody: 1 << 16})
		if err != nil || c == nil {
			return
		}
		if c.URL == "" || c.Timestamp.Year() > 9999 {
			t.Errorf("capture %+v", c)
		}
		body := bytes.Clone(c.Body)
		clear(line)
		if !bytes.Equal(body, c.Body) {
			t.Error("the body is in the line's memory")
		}
	})
}
