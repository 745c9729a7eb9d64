package warc

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/stream/member"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

func TestParseDate(t *testing.T) {
	tests := []struct {
		in, want string
		usual    bool
	}{
		{"2008-04-30t20:48:25z", "2008-04-30T20:48:25Z", false},
		{"2024-02-03T04:05:06Z", "2024-02-03T04:05:06Z", true},
		{"2024-02-03T04:05:06.123456789Z", "2024-02-03T04:05:06.123456789Z", true},
		{" 2024-02-03T04:05:06Z ", "2024-02-03T04:05:06Z", true},
		{"2024-02-03T04:05:06+02:00", "2024-02-03T02:05:06Z", false},
		{"2024-02-03T04:05:06", "2024-02-03T04:05:06Z", false},
		{"2024-02-03T04:05Z", "2024-02-03T04:05:00Z", false},
		{"2024-02-03", "2024-02-03T00:00:00Z", false},
		{"2024-02", "2024-02-01T00:00:00Z", false},
		{"2024", "2024-01-01T00:00:00Z", false},
		{"20240203040506", "2024-02-03T04:05:06Z", false},
		{"20240203", "2024-02-03T00:00:00Z", false},
		{"2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z", true},
		{"2016-12-31T23:59:60.5Z", "2016-12-31T23:59:59.5Z", true},
		{"2017-01-01T00:59:60+01:00", "2016-12-31T23:59:59Z", false},
		{"2016-12-31t23:59:60z", "2016-12-31T23:59:59Z", false},
		{"20161231235960", "2016-12-31T23:59:59Z", false},
		{"2016-12-31T00:00:01.235960Z", "2016-12-31T00:00:01.23596Z", true},
		{"2016-12-31T23:59:61Z", "", false},
		{"2016-12-31T23:58:60Z", "", false},
		{"2024-02-30T00:00:00Z", "", false},
		{"2024-02-03T24:00:01Z", "", false},
		{"0000-01-01T00:00:00Z", "", false},
		{"", "", false},
		{"yesterday", "", false},
		{"2024-02-03T04:05:06Zjunk", "", false},
	}
	for _, tt := range tests {
		got, usual, ok := ParseDate(tt.in)
		text := ""
		if ok {
			text = got.Format(time.RFC3339Nano)
		}
		if text != tt.want || usual != tt.usual {
			t.Errorf("ParseDate(%q) = %q, usual %v, want %q, %v", tt.in, text, usual, tt.want, tt.usual)
		}
	}
}

func FuzzParseDate(f *testing.F) {
	for _, s := range []string{
		"2024-02-03T04:05:06Z", "2024", "20240203040506", "2024-02-03T04:05:06.1+23:59",
		"9999-12-31T23:59:59-12:00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, _, ok := ParseDate(s)
		if ok && (got.Location() != time.UTC || got.Year() < 0 || got.Year() > 10_000) {
			t.Errorf("ParseDate(%q) = %v", s, got)
		}
		if !ok && !got.IsZero() {
			t.Errorf("ParseDate(%q) = %v, not ok", s, got)
		}
	})
}

func TestGrammar_Match(t *testing.T) {
	tests := []struct {
		in              string
		lenient, strict bool
	}{
		{"WARC/1.0\r\nWARC-Type: x", true, true},
		{"WARC/0.16\nname:", true, true},
		{"warc/1.1 \r\nName: x", true, true},
		{"WARC/1.", true, false},
		{"WARC/1.0", true, true},
		{"WARC/1.0\r\n", true, true},
		{"WARC/1.0\r\nna", true, true},
		{"WARC/1.0\r\n\r\n", true, false},
		{"WARC/1.0\r\nno field", true, false},
		{"WARC/1.0 is a format\r\n", true, false},
		{"WARC/one\r\na: b", true, false},
		{"WARC/1..0\r\na: b", true, false},
		{"WARC", false, false},
		{"", false, false},
		{"HTTP/1.1 200 OK\r\n", false, false},
	}
	for _, tt := range tests {
		var g Grammar
		if lenient, strict := g.Match([]byte(tt.in), false), g.Match([]byte(tt.in), true); lenient != tt.lenient ||
			strict != tt.strict {
			t.Errorf("Match(%q) = %v, strict %v, want %v, %v", tt.in, lenient, strict, tt.lenient, tt.strict)
		}
	}
}

func TestGrammar_Parse(t *testing.T) {
	tests := []struct {
		name, in string
		size     int
		length   int64
		fields   string
		quirks   []string
	}{
		{"usual", "WARC/1.0\r\nA: b\r\nContent-Length: 12\r\n\r\nblock", 38, 12, "A=b|Content-Length=12", nil},
		{"LF", "WARC/1.0\nA:b\ncontent-LENGTH:12\n\nblock", 32, 12, "A=b|content-LENGTH=12", []string{"lf_line_end"}},
		{"folded", "WARC/1.0\r\nA: b\r\n c\r\n\td\r\n\r\n", 26, -1, "A=b   c  \td", []string{"folded_field"}},
		{"folded before its value", "WARC/1.0\r\nA:\r\n c\r\n\r\n", 20, -1, "A=c", []string{"folded_field"}},
		{"no colon", "WARC/1.0\r\nnonsense\r\nA: b\r\n\r\n", 28, -1, "A=b", []string{"line_without_colon"}},
		{"no end", "WARC/1.0\r\nA: b", 14, -1, "A=b", []string{"lf_line_end", "head_without_blank_line"}},
		{
			"the next head", "WARC/1.0\r\nContent-Length: 5\r\nWARC/1.0\r\nA: b\r\n\r\n", 29, -1, "Content-Length=5",
			[]string{"head_without_blank_line"},
		},
		{"length with blanks", "WARC/1.0\r\nContent-Length:  7 \r\n\r\n", 33, 7, "Content-Length=7", nil},
		{"length negative", "WARC/1.0\r\nContent-Length: -7\r\n\r\n", 32, -1, "Content-Length=-7", nil},
		{
			"length too long", "WARC/1.0\r\nContent-Length: 99999999999999999999999\r\n\r\n", 53, maxLength,
			"Content-Length=99999999999999999999999", nil,
		},
		{
			"length twice", "WARC/1.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 50, 1,
			"Content-Length=1|Content-Length=2", nil,
		},
		{"no UTF-8", "WARC/1.0\r\nA: \xe9\x00\r\n\r\n", 19, -1, "A=\xe9", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var h record.Head
			size := Grammar{}.Parse(&h, []byte(tt.in), true)
			var fields []string
			for _, f := range h.Fields {
				fields = append(fields, fmt.Sprintf("%s=%s", f.Name, f.Value))
			}
			if got := strings.Join(fields, "|"); size != tt.size || h.Length != tt.length || got != tt.fields ||
				!slices.Equal(h.Quirks, tt.quirks) {
				t.Errorf("size %d, length %d, %q, %q, want %d, %d, %q, %q", size, h.Length, got, h.Quirks, tt.size, tt.length,
					tt.fields, tt.quirks)
			}
		})
	}
}

// read returns the captures of the records, and the quirks.
func read(t testing.TB, data string) (all []*schemas.Capture, quirks []string) {
	t.Helper()
	size := int64(len(data))
	r, err := record.NewReader(strings.NewReader(data), member.Range{End: size, Size: size}, member.Plain, Grammar{},
		record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return all, quirks
		}
		if err != nil {
			t.Fatal(err)
		}
		c, q := Grammar{}.Capture(rec, "a.warc", payload.Options{})
		quirks = append(append(quirks, rec.Quirks...), q...)
		if c != nil {
			all = append(all, c)
		}
	}
}

// lines joins the fields and the block to a record; a line "#" stands for Content-Length.
func lines(block string, head ...string) string {
	text := strings.ReplaceAll(strings.Join(head, "\r\n"), "#", fmt.Sprintf("Content-Length: %d", len(block)))
	return text + "\r\n\r\n" + block + "\r\n\r\n"
}

const ok200 = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nbody"

func TestCapture(t *testing.T) {
	stamp := time.Date(2024, 2, 3, 4, 5, 6, 0, time.UTC)
	tests := []struct {
		name, rec string
		want      schemas.Capture
		quirks    []string
	}{
		{
			"resource",
			lines("text", "WARC/1.1", "WARC-Type: resource", "WARC-Record-ID: <urn:x:1>", "WARC-Date: 2024-02-03T04:05:06Z",
				"WARC-Target-URI: ftp://a/b", "Content-Type: text/plain", "WARC-IP-Address: ::1", "#"),
			schemas.Capture{
				URL: "ftp://a/b", Timestamp: stamp, RecordID: "urn:x:1", RecordType: "resource", IP: "::1",
				MIMEDeclared: "text/plain", Body: []byte("text"), Digest: "sha1:G4XKBDFLGPTRYAWGKHN4QOSHJUZMM5XK",
			},
			nil,
		},
		{
			"by ACHE",
			lines("Server: b\r\n\r\nbody", "WARC/1.0", "WARC-Type: response", "WARC-Target-URI: http://a/final",
				"WARC-Date: 2024-02-03T04:05:06Z", "ACHE-IsRelevant: true", "ache-relevance: 0,9731234000",
				"ACHE-Requested-URL: http://a/", "ACHE-Other: x", "Content-Type: application/http; msgtype=response", "#"),
			schemas.Capture{
				URL: "http://a/final", Timestamp: stamp, RecordType: "response",
				Header: []schemas.Field{{Name: "Server", Value: "b"}}, Body: []byte("body"),
				Digest: "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U",
				Crawl:  map[string]string{"relevant": "true", "relevance": "0.9731234", "requested_url": "http://a/"},
			},
			[]string{"no_status_line"},
		},
		{
			"by ACHE, with nothing to say",
			lines(ok200, "WARC/1.0", "WARC-Type: response", "WARC-Target-URI: http://a/", "WARC-Date: 2024-02-03T04:05:06Z",
				"ACHE-Relevance: NaN", "ACHE-Requested-URL: http://a/", "Content-Type: application/http", "#"),
			schemas.Capture{
				URL: "http://a/", Timestamp: stamp, RecordType: "response", Status: 200,
				Header: []schemas.Field{{Name: "Content-Type", Value: "text/html"}}, MIMEDeclared: "text/html",
				Body: []byte("body"), Digest: "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U",
			},
			nil,
		},
		{
			"URI in brackets, other case, odd date",
			lines(ok200, "warc/1.0", "warc-type: RESPONSE", "warc-date: 20240203040506", "WARC-TARGET-URI: < http://a/b c>",
				"content-type: application/http;msgtype=response", "#", "WARC-Truncated: length"),
			schemas.Capture{
				URL: "http://a/b c", Timestamp: stamp, RecordType: "response", Status: 200,
				Header: []schemas.Field{{Name: "Content-Type", Value: "text/html"}}, MIMEDeclared: "text/html",
				Body: []byte("body"), Digest: "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U", Truncated: "length",
			},
			[]string{"lower_case_version", "uri_in_brackets", "uri_with_blanks", "odd_date"},
		},
		{
			"response without a type",
			lines(ok200, "WARC/1.0", "WARC-Type: response", "WARC-Date: 2024-02-03T04:05:06Z", "WARC-Target-URI: http://a/",
				"WARC-Date: again", "#"),
			schemas.Capture{
				URL: "http://a/", Timestamp: stamp, RecordType: "response", Status: 200,
				Header: []schemas.Field{{Name: "Content-Type", Value: "text/html"}}, MIMEDeclared: "text/html",
				Body: []byte("body"), Digest: "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U",
			},
			[]string{"duplicate_field", "no_content_type"},
		},
		{
			"response with two lengths",
			lines(ok200, "WARC/1.0", "WARC-Type: response", "WARC-Date: 2024-02-03T04:05:06Z", "WARC-Target-URI: http://a/", "#",
				"Content-Length: 3"),
			schemas.Capture{
				URL: "http://a/", Timestamp: stamp, RecordType: "response", Status: 200,
				Header: []schemas.Field{{Name: "Content-Type", Value: "text/html"}}, MIMEDeclared: "text/html",
				Body: []byte("body"), Digest: "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U",
			},
			[]string{schemas.QuirkTwoLengths, "no_content_type"},
		},
		{
			"response with the type of its body",
			lines(ok200, "WARC/1.0", "WARC-Type: response", "WARC-Date: 2024-02-03T04:05:06Z", "WARC-Target-URI: http://a/",
				"Content-Type: image/png", "#"),
			schemas.Capture{
				URL: "http://a/", Timestamp: stamp, RecordType: "response", Status: 200,
				Header: []schemas.Field{{Name: "Content-Type", Value: "text/html"}}, MIMEDeclared: "text/html",
				Body: []byte("body"), Digest: "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U",
			},
			[]string{"no_content_type"},
		},
		{
			"resource that is a saved response",
			lines(ok200, "WARC/1.0", "WARC-Type: resource", "WARC-Date: 2024-02-03T04:05:06Z", "WARC-Target-URI: http://a/",
				"Content-Type: text/plain", "#"),
			schemas.Capture{
				URL: "http://a/", Timestamp: stamp, RecordType: "resource", MIMEDeclared: "text/plain",
				Body: []byte(ok200), Digest: digest.SHA1([]byte(ok200)),
			},
			nil,
		},
		{
			"revisit",
			lines("HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", "WARC/1.0", "WARC-Type: revisit",
				"WARC-Date: 2024-02-03T04:05:06Z", "WARC-Target-URI: http://a/", "Content-Type: application/http",
				"WARC-Refers-To: <urn:x:9>", "WARC-Refers-To-Target-URI: <http://b/>", "WARC-Refers-To-Date: 2023-01-01",
				"WARC-Profile: http://netpreserve.org/warc/1.0/revisit/server-not-modified",
				"WARC-Payload-Digest: sha1:K7T6SCEX5Y4NCCHALOLLUGTXP7YL3VLD", "#"),
			schemas.Capture{
				URL: "http://a/", Timestamp: stamp, RecordType: "revisit", Status: 304,
				Header: []schemas.Field{{Name: "ETag", Value: "x"}}, Digest: "sha1:K7T6SCEX5Y4NCCHALOLLUGTXP7YL3VLD",
				RefersTo: &schemas.Reference{
					RecordID: "urn:x:9", URL: "http://b/", Timestamp: "2023-01-01T00:00:00Z",
					Profile: "http://netpreserve.org/warc/1.0/revisit/server-not-modified",
				},
			},
			nil,
		},
		{
			"not UTF-8, no date, no HTTP",
			lines("nothing", "WARC/0.9", "WARC-Type: response", "WARC-Target-URI: http://a/\xe9",
				"Content-Type: application/http", "#"),
			schemas.Capture{
				URL: "http://a/%E9", RecordType: "response", Body: []byte("nothing"),
				Digest: "sha1:B7WKOIHCYKO27MWJABYTXJLA4A5XLBYR", Flags: []schemas.Flag{schemas.FlagTimestamp, schemas.FlagHTTP},
			},
			nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, quirks := read(t, tt.rec)
			if len(all) != 1 {
				t.Fatalf("%d captures", len(all))
			}
			tt.want.Origin = schemas.Origin{File: "a.warc", Length: int64(len(tt.rec))}
			if diff := cmp.Diff(&tt.want, all[0]); diff != "" {
				t.Errorf("capture (-want +got):\n%s", diff)
			}
			if !slices.Equal(quirks, tt.quirks) {
				t.Errorf("quirks %q, want %q", quirks, tt.quirks)
			}
		})
	}
}

func TestCapture_otherTypesAreNone(t *testing.T) {
	for _, kind := range []string{"warcinfo", "request", "metadata", "continuation", "x-future", ""} {
		if all, _ := read(t, lines(ok200, "WARC/1.0", "WARC-Type: "+kind, "#")); len(all) != 0 {
			t.Errorf("type %q: %+v", kind, all[0])
		}
	}
}

// TestCapture_headsRunTogether: a head that was cut runs on in the next one, within a line. Each is read for itself,
// and of the first nobody knows how long its block is.
func TestCapture_headsRunTogether(t *testing.T) {
	const typeOf, date, id = "WARC-Type: resource", "WARC-Date: 2024-02-03T04:05:06Z", "WARC-Record-ID: <urn:uuid:1>"
	tests := []struct {
		name string
		head []string
		want string
	}{
		{
			"two types",
			[]string{typeOf, "WARC-Record-IDWARC/1.0", "WARC-Type: metadata", date, "WARC-Target-URI: http://a/"},
			" [length damaged_head timestamp]",
		},
		{
			"two URLs",
			[]string{typeOf, date, "WARC-Target-URI: http://a/", "WARWARC/1.0", typeOf, date, "warc-target-uri: http://b/"},
			"http://a/ [length] http://b/ []",
		},
		{
			"two records",
			[]string{
				typeOf, id, "WARC-DateWARC/1.0", typeOf, date, "WARC-Record-ID: <urn:uuid:2>",
				"WARC-Target-URI: http://a/",
			},
			" [length damaged_head timestamp] http://a/ []",
		},
		{
			"no second version",
			[]string{typeOf, date, "WARC-Target-URI: http://a/", "WARC-Target-URI: http://b/"},
			"http://a/ [length]",
		},
		{
			"said twice",
			[]string{typeOf, date, id, typeOf, id, "WARC-Target-URI: http://a/", "WARC-Target-URI: http://a/"},
			"http://a/ []",
		},
		{
			"two of a server's addresses",
			[]string{typeOf, date, "WARC-IP-Address: 192.0.2.1", "WARC-IP-Address: 192.0.2.2"},
			" [damaged_head]",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, _ := read(t, lines("body", append(append([]string{"WARC/1.0"}, tt.head...), "#")...))
			var got []string
			for _, c := range all {
				got = append(got, fmt.Sprint(c.URL, " ", c.Flags))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestCapture_digests(t *testing.T) {
	const (
		raw     = "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U" // of "body"
		chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"
	)
	tests := []struct {
		name, block, payload, blockDigest, want string
	}{
		{"right", ok200, raw, "", "[]"},
		{"right, hexadecimal", ok200, "sha1:02083F4579E08A612425C0C1A17EE47ADD783B94", "", "[]"},
		{"of the body with its chunks", chunked, "sha1:KXR67IA5TU4S62NSIOSMYCNTVE5L75YT", "", "[]"},
		{"wrong", ok200, "sha1:K7T6SCEX5Y4NCCHALOLLUGTXP7YL3VLD", "", "[payload_digest]"},
		{"of the body without its chunks", chunked, raw, "", "[]"},
		{"wrong block", ok200, "", raw, "[block_digest]"},
		{"unknown algorithm", ok200, "crc99:abc", "", "[digest_unchecked]"},
		{"no digest at all", ok200, "rubbish", "", "[digest_unchecked]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			head := []string{
				"WARC/1.0", "WARC-Type: response", "WARC-Date: 2024-02-03T04:05:06Z", "WARC-Target-URI: http://a/",
				"Content-Type: application/http", "#",
			}
			if tt.payload != "" {
				head = append(head, "WARC-Payload-Digest: "+tt.payload)
			}
			if tt.blockDigest != "" {
				head = append(head, "WARC-Block-Digest: "+tt.blockDigest)
			}
			all, _ := read(t, lines(tt.block, head...))
			if got := fmt.Sprint(all[0].Flags); got != tt.want || string(all[0].Body) != "body" {
				t.Errorf("flags %s, body %q, want %s", got, all[0].Body, tt.want)
			}
		})
	}
}

func FuzzGrammar(f *testing.F) {
	f.Add([]byte(lines(ok200, "WARC/1.0", "WARC-Type: response", "A: b", " c", "#")))
	f.Add([]byte("WARC/1.0\nA:\n b\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var h record.Head
		size := Grammar{}.Parse(&h, bytes.Clone(data), true)
		if size < 0 || size > len(data) || len(data) > 0 && size == 0 {
			t.Errorf("size %d of %d", size, len(data))
		}
		read(t, string(data))
	})
}

// FuzzUsualField compares the shortcut for usual fields with the general way.
func FuzzUsualField(f *testing.F) {
	for _, seed := range []string{
		"A: b\r\n", "A: b\r\nC: d\r\n", "A:b\r\n", "A:  b\r\n", "A  b\r\n", "A : b\r\n", "A: b\n", "A: b \r\n", "A: \r\n",
		"A: b\r\r\n",
		"A: b", ": b\r\n", " A: b\r\n", "A: \x00b\r\n", "A\r\n", "A: b: c\r\n", "WARC/1.0 \r\nA: b\r\n", "A: b\r\n c\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, size := usualField(b)
		if size == 0 {
			return
		}
		line, next := cutLine(b, 0)
		var want record.Head
		addLine(&want, b, 0, line)
		if size != next || (Grammar{}).Match(b, true) || !cmp.Equal(record.Head{Fields: []record.Field{got}}, want) {
			t.Errorf("usualField(%q) = %q, %d, want %v, %d", b, got, size, want, next)
		}
	})
}

func ExampleGrammar() {
	file := strings.NewReader(lines(ok200, "WARC/1.0", "WARC-Type: response", "WARC-Date: 2024-02-03T04:05:06Z",
		"WARC-Target-URI: <http://example.org/>", "Content-Type: application/http", "#"))
	var g Grammar
	r, err := record.NewReader(file, member.Range{End: file.Size(), Size: file.Size()}, member.Plain, g, record.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	rec, err := r.Next()
	if err != nil {
		fmt.Println(err)
		return
	}
	c, quirks := g.Capture(rec, "a.warc", payload.Options{})
	fmt.Println(c.URL, c.Status, string(c.Body), quirks)
	// Output: http://example.org/ 200 body [uri_in_brackets]
}

func ExampleNewReader() {
	file := strings.NewReader(
		lines("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", "WARC/1.0", "WARC-Type: request",
			"WARC-Target-URI: http://example.org/", "Content-Type: application/http", "#") +
			lines(ok200, "WARC/1.0", "WARC-Type: response", "WARC-Target-URI: http://example.org/",
				"Content-Type: application/http", "#"))
	r, err := NewReader(file, file.Size(), record.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for rec, err := range r.All() { // rec is valid until the next one
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %s at byte %d\n", Type(&rec.Head), rec.Head.Get("WARC-Target-URI"), rec.Offset)
		if m := rec.HTTP(); m != nil && m.Status > 0 {
			fmt.Printf("  %d %s: %s\n", m.Status, m.Reason, m.Body)
		}
	}
	// Output:
	// request http://example.org/ at byte 0
	// response http://example.org/ at byte 163
	//   200 OK: body
}
