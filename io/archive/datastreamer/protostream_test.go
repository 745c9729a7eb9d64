package datastreamer_test

import (
	"bytes"
	"compress/zlib"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/schemas"
)

// field is a field of a message: a text, or a number.
func field[T string | uint64](n protowire.Number, v T) []byte {
	switch v := any(v).(type) {
	case string:
		return protowire.AppendString(protowire.AppendTag(nil, n, protowire.BytesType), v)
	case uint64:
		return protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v)
	}
	return nil
}

func join(parts ...[]byte) string { return string(slices.Concat(parts...)) }

func sized(parts ...[]byte) []byte { return protowire.AppendString(nil, join(parts...)) }

func zlibOf(s string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		panic(err) // a buffer takes everything
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

var (
	streamHead = sized(field(1, "1.0"), field(2, "com.spinn3r.api.protobuf.ContentApi.Entry"))
	nextEntry  = []byte("\x02\x08\x01")
	endOfAll   = []byte("\x02\x08\x02")
)

// entryOf is an entry with a page and its site.
func entryOf(url, html string) []byte {
	link := join(field(1, url), field(2, datastreamer.Tokenize(url)))
	page := join(field(2, link), field(3, "A title"), field(4, "CFScq7aGBGY"), field(5, join(field(1, "en"))),
		field(6, join(field(1, "Ann"), field(2, "ann@a.com"))), field(7, "x"), field(7, "y"),
		field(9, "2010-03-02T05:55:45Z"),
		field(10, "2010-03-03T05:55:45Z"), field(11, uint64(1267595745081612796)),
		field(12, join(field(1, "application/gzip"), field(2, zlibOf(html)))),
		field(13, join(field(1, "text/html"), field(2, zlibOf("<p>main</p>")))))
	source := join(field(2, join(field(1, "http://a.com/"))), field(3, "The site"), field(12, "WEBLOG"),
		field(9, uint64(6)))
	return sized(field(1, source), field(4, page))
}

// readStream returns the captures of a stream, and the kinds of rejects.
func readStream(t *testing.T, text string) (list []*schemas.Capture, rejects []string) {
	t.Helper()
	src, size := strings.NewReader(text), int64(len(text))
	f, err := archive.Detect("a.protostream", src, size)
	if err != nil || f.Name != "protostream" {
		t.Fatalf("Detect = %v, %v", f, err)
	}
	r, err := archive.NewReader(src, archive.Input{Name: "a", Size: size, End: size}, f, archive.Options{MaxBody: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for item, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		if item.Reject != nil {
			rejects = append(rejects, string(item.Reject.Kind))
			continue
		}
		c := item.Capture
		list = append(list, c)
	}
	if n := r.Counts(); n.BytesRead != size || n.BytesLost > size {
		t.Errorf("counts %+v of %d bytes", n, size)
	}
	return list, rejects
}

func TestProtostream(t *testing.T) {
	first, second := entryOf("http://a.com/1", "<p>caf\xe9"), entryOf("http://a.com/2", "<p>2")
	list, rejects := readStream(t, join(streamHead, nextEntry, first, nextEntry, second, endOfAll))
	if len(list) != 2 || rejects != nil {
		t.Fatalf("%d captures, %v", len(list), rejects)
	}
	c := list[0]
	if c.URL != "http://a.com/1" || string(c.Body) != "<p>caf\xe9" ||
		c.Timestamp.Format(datastreamer.TimeLayout) != "2010-03-03T05:55:45Z" {
		t.Errorf("capture = %+v, body %q", c, c.Body)
	}
	if at := len(streamHead) + len(nextEntry); c.Origin.Offset != int64(at) || c.Origin.Length != int64(len(first)) {
		t.Errorf("origin = %+v, want %d and %d", c.Origin, at, len(first))
	}
	want := map[string]string{
		"content.title": "A title", "content.hashcode": "CFScq7aGBGY", "content.lang": "en", "content.author_name": "Ann",
		"content.tags":      `["x","y"]`,
		"content.published": "2010-03-02T05:55:45Z", "content.identifier": "1267595745081612796",
		"content.main":        "<p>main</p>",
		"content.source_link": "http://a.com/", "content.source_title": "The site", "content.source_publisher_type": "WEBLOG",
		"spinn3r.author_email": "ann@a.com", "spinn3r.source_tier": "3",
	}
	if diff := cmp.Diff(want, c.Crawl); diff != "" {
		t.Errorf("Crawl (-want +got):\n%s", diff)
	}
}

func TestProtostream_damaged(t *testing.T) {
	e := entryOf("http://a.com/1", "<p>1")
	whole := join(streamHead, nextEntry, e, nextEntry, e, endOfAll)
	tests := []struct {
		name, text string
		n          int
		rejects    []string
	}{
		{"empty", join(streamHead, endOfAll), 0, nil},
		{"joined", whole + whole, 4, nil},
		{"zipped", zipped(whole), 2, nil},
		{"cut within an entry", whole[:len(whole)-20], 1, []string{"truncated"}},
		{"without an end", whole[:len(whole)-3], 2, []string{"truncated"}},
		{
			"an entry without a link", join(streamHead, nextEntry, sized(field(4, "")), nextEntry, e, endOfAll), 1,
			[]string{"garbage"},
		},
		{
			"an entry that is none", join(streamHead, nextEntry, sized([]byte("\x0f\xff")), nextEntry, e, endOfAll), 1,
			[]string{"garbage"},
		},
		{"a delimiter of another type", join(streamHead, nextEntry, e, []byte("\x02\x08\x07")), 1, []string{"garbage"}},
		{
			"a length over the limit", join(streamHead, nextEntry, e, nextEntry, []byte("\xff\xff\xff\xff\x0f")), 1,
			[]string{"limit"},
		},
		{
			"a length without end", join(streamHead, nextEntry, e, nextEntry, bytes.Repeat([]byte{0xff}, 20)), 1,
			[]string{"garbage"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, rejects := readStream(t, tt.text)
			if diff := cmp.Diff(tt.rejects, rejects); diff != "" || len(list) != tt.n {
				t.Errorf("%d captures, want %d; rejects (-want +got):\n%s", len(list), tt.n, diff)
			}
		})
	}
}

// FuzzProtostream: any bytes are read to their end, and accounted for.
func FuzzProtostream(f *testing.F) {
	e := entryOf("http://a.com/1", "<p>1")
	f.Add([]byte(join(streamHead, nextEntry, e, nextEntry, e, endOfAll)))
	f.Add([]byte(join(streamHead, endOfAll, streamHead, nextEntry,
		sized(field(3, join(field(1, join(field(1, "http://a.com/")))))))))
	f.Fuzz(func(t *testing.T, b []byte) {
		size := int64(len(b))
		r, err := archive.NewReader(bytes.NewReader(b), archive.Input{Name: "a", Size: size, End: size},
			archive.Format{Name: "protostream"}, archive.Options{MaxBody: 1 << 16})
		if err != nil {
			t.Skip("no reader takes this: ", err)
		}
		defer r.Close()
		for c, err := range r.Captures() {
			if err != nil {
				t.Fatal(err)
			}
			if c.URL == "" || c.Origin.Offset+c.Origin.Length > size {
				t.Errorf("%q at %+v in a file of %d bytes", c.URL, c.Origin, size)
			}
		}
		if k := r.Counts(); k.BytesRead != size || k.BytesLost > size {
			t.Errorf("counts %+v in %d bytes", k, size)
		}
	})
}
