package cdr

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/dump"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestAppend_asACHE writes the bytes of ACHE again from the captures read. Its values for embedded objects are not
// read.
func TestAppend_asACHE(t *testing.T) {
	b, err := os.ReadFile(seed)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := bytes.Cut(b, []byte{'\n'})
	c, _, err := JSON{}.Capture(line, payload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Append(nil, c, crawled.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(line), string(got)); diff != "" {
		t.Errorf("-by ACHE +ours:\n%s", diff)
	}
}

func TestAppend(t *testing.T) {
	long := strings.Repeat("<p>Ein Satz mit Umlauten: f\xfcr gr\xf6\xdfere B\xe4ume.</p>\n", 20)
	for _, tt := range []struct {
		name string
		c    schemas.Capture
		want string
		err  error
	}{
		{
			"the least",
			schemas.Capture{URL: "http://a/"},
			`{"_id":"425E1D4AC7342CEF23CC9FBFA46DF21D772CE5154E158E14194018946626B2B6","content_type":"","crawler":"","objects":[],"raw_content":"","response_headers":{},"url":"http://a/","version":3.1}`, nil,
		},
		{
			"values of one name",
			schemas.Capture{
				URL: "http://a/", RecordID: strings.Repeat("A1", 32), Timestamp: crawled.Add(5e8), MIMEDeclared: "text/html",
				Body:   []byte("<b>é\x00"),
				Header: []schemas.Field{{Name: "B", Value: "1"}, {Name: "A", Value: "\"\xff"}, {Name: "B", Value: "2"}},
				Crawl:  map[string]string{"crawler_id": "c", "team": "HG"},
			},
			`{"_id":"` + strings.Repeat("A1", 32) +
				`","content_type":"text/html","crawler":"c","objects":[],"raw_content":"<b>é\u0000","response_headers":{"B":"1,2","A":"\"\ufffd"},"team":"HG","timestamp_crawl":"2015-04-16T07:03:50Z","url":"http://a/","version":3.1}`, nil,
		},
		{
			"bytes",
			schemas.Capture{URL: "http://a/i.png", Body: []byte("\x89PNG\r\n\x1a\n\x00\x01\x02\xff")},
			"",
			dump.ErrRefused,
		},
		{"no URL", schemas.Capture{Body: []byte("x")}, "", dump.ErrRefused},
		{
			"Latin-1",
			schemas.Capture{URL: "http://a/", MIMEDeclared: "text/html; charset=iso-8859-1", Body: []byte(long)},
			"größere Bäume", nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Append(nil, &tt.c, time.Time{})
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if !strings.Contains(string(got), tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestWriter_drops: what a document does not hold is counted.
func TestWriter_drops(t *testing.T) {
	dir, err := dump.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dir.Close(); err != nil {
			t.Error(err)
		}
	})
	w := NewWriter(dir, dump.WriteOptions{})
	c := &schemas.Capture{
		URL: "http://a/", RecordType: schemas.TypeResponse, Status: 200, MIMEDeclared: "text/html; charset=iso-8859-1",
		Body:   []byte("<p>caf\xe9</p>"),
		Header: []schemas.Field{{Name: "B", Value: "1"}, {Name: "B", Value: "2"}, {Name: "B", Value: "3"}},
		Crawl:  map[string]string{"crawler_id": "c", "requested_url": "http://b/"},
	}
	if err := w.Write(c); err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"body": 1, "header_lines": 1, "status": 1, "crawl.requested_url": 1}
	if diff := cmp.Diff(want, w.Drops()); diff != "" {
		t.Errorf("drops, -want +got:\n%s", diff)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// FuzzAppend: a capture that was read and written reads the same again.
func FuzzAppend(f *testing.F) {
	if b, err := os.ReadFile(seed); err == nil {
		for line := range bytes.Lines(b) {
			f.Add(line)
		}
	}
	f.Add([]byte(`{"_id":"x","content_type":["a","b"],"crawler":"","raw_content":"\ud800","response_headers":{"A":["1","2"],"a":"3"},"url":"u","timestamp":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		o := payload.Options{MaxBody: 1 << 16}
		c, _, err := JSON{}.Capture(line, o)
		if err != nil || c == nil || len(c.Flags) > 0 && c.Flags[0] != schemas.FlagTimestamp {
			return
		}
		first, err := Append(nil, c, time.Time{})
		if errors.Is(err, dump.ErrRefused) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := JSON{}.Capture(first, o)
		if err != nil {
			t.Fatalf("%v in %s", err, first)
		}
		second, err := Append(nil, again, time.Time{})
		if err != nil || !bytes.Equal(first, second) && len(again.Flags) == 0 {
			t.Errorf("written again it is another (%v):\n%s\n%s", err, first, second)
		}
	})
}

func ExampleAppend() {
	c := &schemas.Capture{
		URL: "http://example.com/", Timestamp: crawled, MIMEDeclared: "text/html", Body: []byte("<p>café"),
		Crawl: map[string]string{schemas.CrawlCrawler: "default"},
	}
	line, err := Append(nil, c, time.Time{})
	fmt.Println(string(line), err)
	// Output: {"_id":"54EF4D9031F2996CA913F44C327AF7350F5F6F485224469F2626806C713F4F7D","content_type":"text/html","crawler":"default","objects":[],"raw_content":"<p>café","response_headers":{},"timestamp_crawl":"2015-04-16T07:03:50Z","url":"http://example.com/","version":3.1} <nil>
}
