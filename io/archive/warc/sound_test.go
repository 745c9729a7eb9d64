package warc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/record"
)

// TestParse_soundInOddForms parses heads that are sound, though few writers write them so.
func TestParse_soundInOddForms(t *testing.T) {
	for name, head := range oddForms() {
		var h record.Head
		if size := (Grammar{}).Parse(&h, []byte(head), true); size != len(head) || h.Damaged {
			t.Errorf("%s: %d of %d bytes, damaged: %v", name, size, len(head), h.Damaged)
		}
	}
}

// oddForms are sound heads with something odd.
func oddForms() map[string]string {
	usual := func(kind, date string) string {
		return "WARC/1.0\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: " + date +
			"\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n"
	}
	heads := map[string]string{}
	for _, kind := range []string{"Response", "RESPONSE", "reSource", "Revisit", "WARCinfo", "Metadata", "x-view"} {
		for _, date := range []string{
			"2024-02-03T04:05:06+01:00", "20240203040506", "2024-02-03", "2024-02-03T04:05:06Z", "2024-02-03T04:05:06.789Z",
			"2024-02-03t04:05:06z", "2024-02-03 04:05:06", "2024",
		} {
			heads[kind+" of "+date] = usual(kind, date)
		}
	}
	response := usual("response", "2024-02-03T04:05:06Z")
	for _, r := range [][2]string{
		{"\r\n", "\n"},
		{": ", ":"},
		{": ", ":  "},
		{": ", ":\t"},
		{": ", " : "},
		{": ", ": \t "},
		{"\r\n", " \r\n"},
		{"\r\n", "\r\r\n"},
		{"WARC-Type: ", "WARC-Type:\r\n "},
		{"WARC-Target-URI: ", "WARC-Target-URI:\r\n\t"},
		{"http://a", "http://\r\n\ta"},
		{"http://a.example/", "<http://a.example/>"},
		{"http://", "HTTP://"},
		{"http://", "ftp://"},
		{"http://a.example/", "dns:a.example"},
		{"http://a.example/", "http://\u00e9.example/\u00e9 \u00e9"},
		{"http://a.example/", "urn:x:2"},
		{"http://a.example/", "Https://a.example/"},
		{"WARC/1.0", "warc/1.0"},
		{"WARC/1.0", "WARC/0.18"},
		{"WARC/1.0", "WARC/0.9"},
		{"WARC/1.0", "WARC/1.0 "},
		{"WARC/1.0", "WARC/2.0"},
		{"Content-Type: text/plain\r\n", ""},
		{"WARC-Date", "Content-Language: en\r\nWARC-Date"},
		{"WARC-Date", "WARC-Types: a\r\nWARC-Date"},
		{"WARC-Date", "WARC-Dates: a\r\nWARC-Date"},
		{"WARC-Date", "X-Empty:\r\nWARC-Date"},
		{"WARC-Date", "Warc-Json-Metadata: {\"a\": \"b\"}\r\nWARC-Date"},
		{"WARC-Date", "WARC-Date: 2024-02-03T04:05:06Z\r\nWARC-Date"},
		{"WARC-Target-URI: http://a.example/\r\n", ""},
		{"text/plain", "text/plain;\r\n charset=utf-8"},
	} {
		heads[fmt.Sprintf("%q for %q", r[1], r[0])] = strings.ReplaceAll(response, r[0], r[1])
	}
	for _, name := range names {
		heads["lower case "+name] = strings.ReplaceAll(response, name, strings.ToLower(name))
		heads["upper case "+name] = strings.ReplaceAll(response, name, strings.ToUpper(name))
	}
	return heads
}
