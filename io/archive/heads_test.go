package archive

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestAttack12_damagedHeads has heads of three records in a file, of which the second is damaged. All three come,
// whole, and something says that the file is damaged; compressed for each or not at all.
func TestAttack12_damagedHeads(t *testing.T) {
	change := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	head := func(edit func(string) string) func(string) string {
		return func(s string) string {
			head, block, _ := strings.Cut(s, "HTTP/1.1")
			return edit(head) + "HTTP/1.1" + block
		}
	}
	twice := func(s string) string { return s[:strings.Index(s, "HTTP/1.1")] + s }
	tests := []struct {
		name string
		arc  bool
		hurt func(string) string
	}{
		{"a bit in WARC-Target-URI", false, change("WARC-Target-URI", "WARC-Tarfet-URI")},
		{"a bit in WARC-Type", false, change("WARC-Type", "WARC-Typg")},
		{"a bit in WARC-Record-ID", false, change("WARC-Record-ID", "WARC-Re#ord-ID")},
		{"a bit in Content-Length", false, change("Content-Length: ", "Conte~t-Length: ")},
		{"a bit in WARC-Date", false, change("WARC-Date", "WARK-Date")},
		{"a bit in the colon", false, change("WARC-Target-URI:", "WARC-Target-URI;")},
		{"a letter too few", false, change("WARC-Target-URI", "WARC-TargetURI")},
		{"a letter too many", false, change("WARC-Type", "WARC-Tyype")},
		{"a bit in the type", false, change(": response", ": rgsponse")},
		{"a bit in WARC/", false, change("WARC/1.1", "WARG/1.1")},
		{"a bit in the version", false, change("WARC/1.1", "WARC/q.1")},
		{"a bit in the dot", false, change("WARC/1.1", "WARC/1/1")},
		{"a version without a letter", false, change("WARC/1.1", "WRC/1.1")},
		{"a bit in the version's LF", false, change("WARC/1.1\r\n", "WARC/1.1\r\v")},
		{"a bit in a CR", false, change("06Z\r\n", "06Z\x0f\n")},
		{"a bit in an LF", false, change("06Z\r\n", "06Z\r\v")},
		{"a bit in the blank line's CR", false, change("\r\n\r\nHTTP", "\r\n\x0c\nHTTP")},
		{"a bit in the blank line's LF", false, change("\r\n\r\nHTTP", "\r\n\r\x0eHTTP")},
		{"CR alone", false, head(func(s string) string { return strings.ReplaceAll(s, "\r\n", "\r") })},
		{"LF in the URL", false, change("example.org/", "example.org/\n")},
		{"CR LF in the URL", false, change("example.org/", "example.org/\r\n")},
		{"CR in the URL", false, change("example.org/", "example.org/\r")},
		{"U+00A0", false, head(func(s string) string { return strings.ReplaceAll(s, ": ", ":\u00a0") })},
		{"U+3000", false, head(func(s string) string { return strings.ReplaceAll(s, ": ", ":\u3000") })},
		{"a bit in the URL's scheme", false, change("URI: http", "URI: htvp")},
		{"a line end in the date", false, change("T", "\r\nT")},
		{"a line end in the time", false, change("05:06Z", "05\r\n:06Z")},
		{"a line end in the type", false, change(": response", ": resp\r\nonse")},
		{"a quoted type", false, change(": response", ": \"response\"")},
		{"a zero in the type", false, change(": response", ": resp\x00onse")},
		{"a URL with one slash", false, change("URI: http://", "URI: http:/")},
		{"a URL without a colon", false, change("URI: http://", "URI: http//")},
		{"a head twice", false, twice},
		{"a line of a log", false, func(s string) string { return "2024-02-03 04:05:06 WARN queue is full\n" + s }},
		{"a tab before it", false, func(s string) string { return "\t" + s }},
		{"a blank before it", false, func(s string) string { return "  " + s }},
		{"a mark before it", false, func(s string) string { return "\u200b" + s }},
		{"a bit in HTTP/1.1", false, change("HTTP/1.1", "HTUP/1.1")},
		{"a bit in its version", false, change("HTTP/1.1", "HTTP/1.\x11")},
		{"a bit in its blank", false, change("HTTP/1.1 200", "HTTP/1.1\"200")},
		{"a bit in its status", false, change("HTTP/1.1 200", "HTTP/1.1 2p0")},
		{"a bit in its blank line", false, change("\r\n\r\n<p>", "\r\n\r\v<p>")},
		{"a bit in its blank line, before lines", false, change("\r\n\r\n<p>page 1 ", "\r\n\r\x02<p>page 1\n")},
		{"another bit there", false, change("\r\n\r\n<p>page 1 ", "\r\n\r\x8a<p>page 1\n")},
		{"CR alone there", false, change("\r\n\r\n<p>page 1 ", "\r\n\r<p>page 1\n")},
		{"a bit in its last line end", false, change("\r\n\r\n<p>", "\r\x0e\r\n<p>")},
		{"a bit in the scheme", true, change("http:", "httq:")},
		{"no first letter", true, change("http:", "ttp:")},
		{"a bit in the colon", true, change("http:", "http;")},
		{"a high bit in the scheme", true, change("http:", "ht\xf4p:")},
		{"tabs", true, head(func(s string) string { return strings.ReplaceAll(s, " ", "\t") })},
		{"two blanks", true, head(func(s string) string { return strings.ReplaceAll(s, " ", "  ") })},
		{"two blanks once", true, change(" 2004", "  2004")},
		{"a bit in a blank", true, change(" 2004", "!2004")},
		{"a bit in the blank before the length", true, change("html ", "html$")},
		{"a bit in the line's end", true, change("\nHTTP", "\vHTTP")},
		{"a bit in the date", true, change("20040506070809", "2004p506070809")},
		{"LF in the URL", true, change("example.org/", "example.org/\n")},
		{"a URL with one slash", true, change("http://", "http:/")},
		{"a control character in the URL", true, change("org/1", "org/\r1")},
		{"a line twice", true, twice},
		{"a line of a log", true, func(s string) string { return "2024-02-03 04:05:06 WARN queue is full\n" + s }},
		{"a tab before it", true, func(s string) string { return "\t" + s }},
		{"a bit in HTTP/1.1", true, change("HTTP/1.1", "HTTX/1.1")},
	}
	for _, tt := range tests {
		for _, packing := range []string{"plain", "gzip", "zstd"} {
			t.Run(fmt.Sprint(tt.name, tt.arc, packing), func(t *testing.T) {
				make, format := warcRecord, "warc"
				if tt.arc {
					make, format = arcRecord, "arc"
				}
				var records [][]byte
				for _, i := range []int{0, 1, 3} {
					r := make(i, fmt.Appendf(nil, "<p>page %d %s", i, strings.Repeat("stood high ", 60)))
					if i == 1 {
						r = []byte(tt.hurt(string(r)))
					}
					records = append(records, r)
				}
				checkThree(t, packings[packing](t, records...), format)
			})
		}
	}
}

// checkThree checks that the pages 0, 1 and 3 come, and that damage is reported.
func checkThree(t *testing.T, data []byte, format string) {
	t.Helper()
	f, err := Detect("a", bytes.NewReader(data), int64(len(data)))
	if err != nil || f.Name != format {
		t.Fatalf("Detect = %v, %v", f, err)
	}
	docs, counts := captures(t, data, f)
	var got []string
	for _, c := range docs {
		got = append(got, fmt.Sprintf("%s %d %.8s", c.URL, c.Status, c.Body))
	}
	var want []string
	for _, i := range []int{0, 1, 3} {
		want = append(want, fmt.Sprintf("http://example.org/%d 200 <p>page ", i))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !counts.HasDamage() {
		t.Error("nothing tells of the damage")
	}
}

func captures(t *testing.T, data []byte, f Format) (docs []*schemas.Capture, counts schemas.Counts) {
	t.Helper()
	n := int64(len(data))
	r, err := NewReader(bytes.NewReader(data), Input{Name: "a", Size: n, End: n}, f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for c, err := range r.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, c)
	}
	return docs, r.Counts()
}

// TestAttack12_bothFormats reads files that are joined of WARC and ARC.
func TestAttack12_bothFormats(t *testing.T) {
	for _, packing := range []string{"plain", "gzip", "zstd", "lz4", "gzip-one"} {
		for _, turn := range []string{"wa", "aw", "waw", "awaw"} {
			var data []byte
			var want []string
			for i, c := range turn {
				for k := range 3 {
					n := 9*i + 3*k
					record, body := warcRecord, bytes.Repeat([]byte("the tide stood high "), 40)
					if c == 'a' {
						record = arcRecord
					}
					data = append(data, packings[packing](t, record(n, body))...)
					want = append(want, fmt.Sprintf("http://example.org/%d", n))
				}
			}
			f, _ := Detect("a", bytes.NewReader(data), int64(len(data)))
			docs, counts := captures(t, data, f)
			var got []string
			for _, c := range docs {
				got = append(got, c.URL)
			}
			if !slices.Equal(got, want) || counts.ByReject["mixed"] == 0 || counts.BytesLost > 0 {
				t.Errorf("%s %s: got %v, %v", packing, turn, got, counts.ByReject)
			}
		}
	}
}

// TestAttack12_storedArchivesStay: a record that holds an archive of the other format, or heads, is one record.
func TestAttack12_storedArchivesStay(t *testing.T) {
	inner := [][]byte{
		slices.Concat(arcRecord(7, []byte("x")), arcRecord(8, []byte("y"))),
		slices.Concat(warcRecord(9, []byte("x")), warcRecord(12, []byte("y"))),
		[]byte("see:\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\n\r\nand\nhttp://a/ 1.2.3.4 20240203040506 text/html 5\nor\r\n"),
		[]byte("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x>\r\nContent-Length: 5\r\n\r\n"),
	}
	for i, body := range inner {
		for _, record := range []func(int, []byte) []byte{warcRecord, arcRecord} {
			data := slices.Concat(record(0, nil), record(3, body), record(6, nil))
			f, _ := Detect("a", bytes.NewReader(data), int64(len(data)))
			if docs, counts := captures(t, data, f); len(docs) != 3 || string(docs[1].Body) != string(body) ||
				counts.BytesLost > 0 {
				t.Errorf("%d: %d captures, %v", i, len(docs), counts.ByReject)
			}
		}
	}
}

// TestAttack12_paddedJSON reads lines of JSON with zeros around them.
func TestAttack12_paddedJSON(t *testing.T) {
	zeros := strings.Repeat("\x00", 700)
	row := fmt.Sprintf(`{"url":"http://a.example/","redirected_url":null,"content":%q,"fetch_time":1700000000000}`,
		base64.StdEncoding.EncodeToString([]byte("body")))
	for name, text := range map[string]string{
		"behind": row + zeros, "behind a line end": row + "\n" + zeros, "before": "" + row + "\n" + zeros + row + "\n",
		"between": row + "\n" + zeros + "\n" + row + "\n", "behind CR LF": row + "\r\n" + zeros,
	} {
		docs, counts := captures(t, []byte(text), Format{Name: "ache-json"})
		if len(docs) != strings.Count(text, "{") || string(docs[0].Body) != "body" || !counts.HasDamage() ||
			counts.BytesLost > 0 {
			t.Errorf("%s: %d captures, %v, %d bytes lost", name, len(docs), counts.ByQuirk, counts.BytesLost)
		}
	}
}
