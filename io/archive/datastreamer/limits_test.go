package datastreamer_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestJSON_framesLimit: the limit is that of a record, not of the array that it is in.
func TestJSON_framesLimit(t *testing.T) {
	record := func(n int) string {
		return `{"permalink":"http://a.com/","date_found":"2014-06-22T01:08:52Z","html":"` + strings.Repeat("x", n) + `"}`
	}
	const long = 1 << 20
	urls, rejects := readText(t, "["+strings.Repeat(record(long)+",", 79)+record(long)+"]") // more than a record's 68 MiB
	if len(urls) != 80 || rejects != nil {
		t.Errorf("%d records of an array of 80 MiB, rejects %v", len(urls), rejects)
	}
	urls, rejects = readText(t, "["+record(10)+","+record(80*long)+"]")
	if diff := cmp.Diff([]string{"limit"}, rejects); diff != "" || len(urls) != 1 {
		t.Errorf("%d records, rejects (-want +got):\n%s", len(urls), diff)
	}
}

func TestProtostream_manyFields(t *testing.T) {
	many := sized(field(4, join(field(2, join(field(1, "http://a.com/"))))), bytes.Repeat(field(9, uint64(1)), 20_000))
	list, rejects := readStream(t, join(streamHead, nextEntry, many, nextEntry, entryOf("http://a.com/1", "x"), endOfAll))
	if diff := cmp.Diff([]string{"garbage"}, rejects); diff != "" || len(list) != 1 {
		t.Errorf("%d captures, rejects (-want +got):\n%s", len(list), diff)
	}
}

func TestCapture_cutAndHeadOnly(t *testing.T) {
	r := &datastreamer.Content{Permalink: "http://a.com/", HTML: "<p>long</p>"}
	for _, o := range []payload.Options{{MaxBody: 3}, {HeadOnly: true}} {
		if c := datastreamer.Capture(r, o); c.Crawl["content.html"] != "" || len(c.Body) > 3 {
			t.Errorf("with %+v the page is in Crawl, %v, or whole, %q", o, c.Crawl, c.Body)
		}
	}
}

// TestFromCapture_sequences: two pages of one URL and second have sequences of their own, and one page has one.
func TestFromCapture_sequences(t *testing.T) {
	c := schemas.Capture{URL: "http://a.com/", Timestamp: time.Unix(1403399332, 0), RecordType: schemas.TypeResponse}
	var got []int64
	for _, body := range []string{"a", "b", "a"} {
		c.Body = []byte(body)
		got = append(got, *datastreamer.FromCapture(&c).Sequence)
	}
	if got[0] == got[1] || got[0] != got[2] {
		t.Errorf("sequences of the pages a, b, a are %d", got)
	}
}

// TestCapture_oddYears: times without a form in four digits in UTC are invalid.
func TestCapture_oddYears(t *testing.T) {
	for _, text := range []string{"9999-12-31T23:59:59-23:00", "0000-01-01T00:00:00Z"} {
		c := datastreamer.Capture(&datastreamer.Content{Permalink: "http://a.com/", DateFound: text}, payload.Options{})
		if !c.Timestamp.IsZero() || !c.HasFlag(schemas.FlagTimestamp) || c.Crawl["content.date_found"] != text {
			t.Errorf("%s is read as %v, Crawl %v", text, c.Timestamp, c.Crawl)
		}
	}
}
