package httpmsg

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gleaner-web/gleaner/schemas"
)

// fields makes header fields of names and values in turn.
func fields(pairs ...string) []schemas.Field {
	var out []schemas.Field
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, schemas.Field{Name: pairs[i], Value: pairs[i+1]})
	}
	return out
}

// heads are blocks and what Parse makes of them, except for HasHead, which is true.
var heads = []struct {
	name, block string
	want        Message
}{
	{"plain", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("Content-Type", "text/html"), Body: []byte("<p>"),
	}},
	{"no fields", "HTTP/1.0 404 Not Found\r\n\r\n", Message{Status: 404, Version: "HTTP/1.0", Reason: "Not Found"}},
	{"a revisit's block ends with its head", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n", Message{
		Status: 304, Version: "HTTP/1.1", Reason: "Not Modified", Header: fields("ETag", `"a"`),
		Quirks: []string{QuirkNoBlankLine},
	}},
	{"the last line is not even ended", "HTTP/1.1 200 OK\r\nServer: nginx\r\nConte", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("Server", "nginx"),
		Quirks: []string{QuirkHeaderLine, QuirkNoBlankLine},
	}},
	{"LF only", "HTTP/1.1 200 OK\nA: b\n\nbody\r\n\r\n", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("A", "b"), Body: []byte("body\r\n\r\n"),
		Quirks: []string{QuirkLFLine},
	}},
	{"LF in the middle and at the end", "HTTP/1.1 200 OK\r\nTrailer: Link\nVary: a\r\n\n1efe", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("Trailer", "Link", "Vary", "a"), Body: []byte("1efe"),
		Quirks: []string{QuirkLFLine},
	}},
	{"two carriage returns", "HTTP/1.1 200 OK\r\r\nA: b\r\r\n\r\r\nx", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("A", "b"), Body: []byte("x"),
	}},
	{"folded", "HTTP/1.1 200 OK\r\nA: b\r\n\tc \r\n  \r\n   d\r\nE:f\r\n\r\n", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("A", "b c d", "E", "f"),
		Quirks: []string{QuirkFoldedLine},
	}},
	{"folded before any field", "HTTP/1.1 200 OK\r\n A: b\r\n\r\n", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("A", "b"),
	}},
	{"leading blank lines", "\r\n\nHTTP/1.1 200 OK\r\n\r\nx", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Body: []byte("x"), Quirks: []string{QuirkLeadingBlank},
	}},
	{"line without colon", "HTTP/1.1 200 OK\r\nbroken line\r\nA: b\r\n\r\nx", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("A", "b"), Body: []byte("x"),
		Quirks: []string{QuirkHeaderLine},
	}},
	{"names in any case, blanks around, empty value", "HTTP/1.1 200 OK\r\nconTENT-type : a;b \r\nX:\r\n\r\n", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("conTENT-type", "a;b", "X", ""),
	}},
	{"fields of HTTP/2", "HTTP/2 200\r\n:status: 200\r\na: b:c\r\n\r\n", Message{
		Status: 200, Version: "HTTP/2", Header: fields(":status", "200", "a", "b:c"), Quirks: []string{QuirkStatusLine},
	}},
	{"Latin-1 and UTF-8", "HTTP/1.1 200 D\xe9j\xe0\r\nA: \xfc\r\nB: ü\r\n\r\n\xff", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "Déjà", Header: fields("A", "ü", "B", "ü"), Body: []byte("\xff"),
		Quirks: []string{QuirkHeaderBytes},
	}},
	{"fields without status line", "Content-Type: text/html\r\nDate: today\r\n\r\n<p>", Message{
		Header: fields("Content-Type", "text/html", "Date", "today"), Body: []byte("<p>"),
		Quirks: []string{QuirkNoStatusLine},
	}},
	{"fields alone", "Content-Type: text/html\n folded", Message{
		Header: fields("Content-Type", "text/html folded"), Quirks: []string{
			QuirkNoStatusLine, QuirkLFLine, QuirkFoldedLine,
			QuirkNoBlankLine,
		},
	}},
	{"markup in place of the blank line", "HTTP/1.1 200 OK\r\nA: b\r\n<html>\r\n\r\n<p>a:b\r\n", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("A", "b"), Body: []byte("<html>\r\n\r\n<p>a:b\r\n"),
		Quirks: []string{QuirkNoBlankLine},
	}},
	{"text in place of the blank line", "HTTP/1.1 200 OK\r\nA: b\r\nHello there\r\nc: d", Message{
		Status: 200, Version: "HTTP/1.1", Reason: "OK", Header: fields("A", "b"), Body: []byte("Hello there\r\nc: d"),
		Quirks: []string{QuirkNoBlankLine},
	}},
}

func TestParse_heads(t *testing.T) {
	for _, test := range heads {
		t.Run(test.name, func(t *testing.T) {
			test.want.HasHead = true
			got := Parse([]byte(test.block), Options{})
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", test.block, diff)
			}
		})
	}
}

func TestParse_statusLines(t *testing.T) {
	tests := []struct {
		line    string
		status  int
		version string
		reason  string
		odd     bool
	}{
		{"HTTP/1.1 200 OK", 200, "HTTP/1.1", "OK", false},
		{"HTTP/1.1 200 ", 200, "HTTP/1.1", "", false},
		{"HTTP/1.1 200", 200, "HTTP/1.1", "", false},
		{"HTTP/1.1 200 a  b", 200, "HTTP/1.1", "a  b", false},
		{"HTTP/2 200", 200, "HTTP/2", "", true},
		{"ICY 200 OK", 200, "ICY", "OK", true},
		{"HTTP/1.1 200OK", 200, "HTTP/1.1", "OK", true},
		{"http/1.0 301 moved", 301, "http/1.0", "moved", true},
		{"HTTP/1.1  \t200 OK", 200, "HTTP/1.1", "OK", true},
		{"HTTP 200 OK", 200, "HTTP", "OK", true},
		{"HTTPX/1.1 200 OK", 200, "HTTPX/1.1", "OK", true},
		{"HTTP/1.1 20 OK", 0, "HTTP/1.1", "20 OK", true},
		{"HTTP/1.1 2000 OK", 0, "HTTP/1.1", "2000 OK", true},
		{"HTTP/1.1 OK", 0, "HTTP/1.1", "OK", true},
		{"HTTP/1.1", 0, "HTTP/1.1", "", true},
		{"HTTP/1.", 0, "HTTP/1.", "", true},
		{"HTTP/", 0, "HTTP/", "", true},
		{"HTTP", 0, "HTTP", "", true},
	}
	for _, test := range tests {
		for _, end := range []string{"", "\r\n\r\nx"} {
			m := Parse([]byte(test.line+end), Options{})
			if end != "" && (test.line == "HTTP" || test.line == "HTTP/") {
				continue // only a block that is cut there is taken for one
			}
			if !m.HasHead || m.Status != test.status || m.Version != test.version || m.Reason != test.reason {
				t.Errorf("Parse(%q) = %t %d %q %q", test.line+end, m.HasHead, m.Status, m.Version, m.Reason)
			}
			if odd := slices.Contains(m.Quirks, QuirkStatusLine); odd != test.odd {
				t.Errorf("Parse(%q): quirks %q, want status_line: %t", test.line+end, m.Quirks, test.odd)
			}
			if body := strings.TrimPrefix(end, "\r\n\r\n"); string(m.Body) != body {
				t.Errorf("Parse(%q): body %q, want %q", test.line+end, m.Body, body)
			}
		}
	}
}

func TestParse_blocksWithoutHead(t *testing.T) {
	blocks := []string{
		"", "\r\n\r\n", "<!doctype html>\n<title>a: b</title>", "\x89PNG\r\n\x1a\n", "\x1f\x8b\x08\x00",
		"20240101000000\nexample.com.\t3600\tIN\tA\t192.0.2.1\n", // what Heritrix stores of a DNS look-up
		"http://example.com/\n", "https://example.com/a: b\n\n", "HTTPS is a protocol: yes\n\n", "http: //a\nb",
		"{\"a\": 1}", "body { color: red }", "Title: yes\nbut this is text\n", " Folded: first\n\n", "ICY weather\n\n",
		":a: b\n\n",
		"User-agent: *\nDisallow: /private\n", "Contact: mailto:a@example.com\nExpires on: May\n\n", "Title: a\nYear: b\n\nc",
	}
	for _, block := range blocks {
		m := Parse([]byte(block), Options{})
		if m.HasHead || string(m.Body) != block || m.Header != nil || m.Quirks != nil || m.Status != 0 {
			t.Errorf("Parse(%q) = %+v, want no head", block, m)
		}
	}
}

// TestParse_fieldsInBody: a body that looks like fields stays one, although lines of its head end in LF.
func TestParse_fieldsInBody(t *testing.T) {
	for _, body := range []string{
		"User-agent: *\r\nDisallow: /private\r\n", "User-agent: *\r\nDisallow: /private\r\n\r\nUser-agent: a\r\n",
		"Name: x\r\nYear: 2001\r\n\r\n", "Content-Type: as the page says\r\n",
	} {
		m := Parse([]byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nServer: x\n\r\n"+body), Options{})
		if string(m.Body) != body || len(m.Header) != 2 || m.Damaged {
			t.Errorf("body %q of %q, header %v, damaged %v", m.Body, body, m.Header, m.Damaged)
		}
	}
	damaged := "HTTP/1.1 200 OK\r\nContent-Type: text/plai\n\r\nETag: x\r\n\r\nbody"
	if m := Parse([]byte(damaged), Options{}); string(m.Body) != "body" || !m.Damaged {
		t.Errorf("body %q, damaged %v", m.Body, m.Damaged)
	}
}

// TestParse_quotedHeadsInLinearTime: a page of many status lines is read once, and not once for each.
func TestParse_quotedHeadsInLinearTime(t *testing.T) {
	const head = "HTTP/1.1 401 No\r\nContent-Type: text/plain\r\n\r\nx\n"
	const status = "HTTP/1.1 200 OK\r\n"
	for _, line := range []string{"a: " + status, "HTTP/1.1 200 ", status, status + "A: b\r\n"} {
		block := []byte(head + strings.Repeat(line, 60_000/len(line)) + "<\n")
		var m Message
		for range 500 { // once took a second
			m.Parse(block, Options{})
		}
		if m.Status != 401 {
			t.Errorf("%q: status %d", line, m.Status)
		}
	}
}

func TestParse_limits(t *testing.T) {
	long := "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 100)
	tests := []struct {
		name, block string
		o           Options
		fields      int
		body        string
	}{
		{"fields", long + "\r\nbody", Options{MaxFields: 7}, 7, "body"},
		{"bytes", long + "\r\nbody", Options{MaxHead: 100}, 13, "body"},
		{"bytes, in the status line", long + "\r\nbody", Options{MaxHead: 10}, 0, "body"},
		{"bytes, no blank line", long, Options{MaxHead: 606}, 98, "A: b\r\nA: b\r\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := Parse([]byte(test.block), test.o)
			if !m.HasHead || len(m.Header) != test.fields || string(m.Body) != test.body {
				t.Errorf("Parse = %t, %d fields, body %q, want %d, %q", m.HasHead, len(m.Header), m.Body, test.fields, test.body)
			}
			if !slices.Contains(m.Quirks, QuirkHeaderCut) {
				t.Errorf("quirks %q, want %q", m.Quirks, QuirkHeaderCut)
			}
		})
	}
}

func TestParse_manyFoldedLinesInLinearTime(t *testing.T) {
	block := []byte("HTTP/1.1 200 OK\r\nA: b" + strings.Repeat("\n c", 300_000) + "\n\n")
	m := Parse(block, Options{})
	if len(m.Header) != 1 || len(m.Header[0].Value) != 1+2*300_000 {
		t.Errorf("%d fields, the first of %d bytes", len(m.Header), len(m.Header[0].Value))
	}
}

func TestParse_bodyIsPartOfTheBlock(t *testing.T) {
	block := []byte("HTTP/1.1 200 OK\r\n\r\nbody")
	m := Parse(block, Options{})
	block[len(block)-1] = 'Y'
	if string(m.Body) != "bodY" {
		t.Errorf("body %q is a copy", m.Body)
	}
}

func ExampleParse() {
	block := []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"5\r\nHello\r\n1\r\n!\r\n0\r\n\r\n")
	m := Parse(block, Options{})
	d := Decode(m.Header, m.Body, Limits{})
	fmt.Println(m.Status, m.Header[0].Value, d.Codings, string(d.Body))
	// Output: 200 text/html [chunked] Hello!
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\nbody", "ICY 200\n\n", "A: b\nC: d\n", "\r\nhttp/1.0 200\r\n<html>",
		"HTTP/2 200\n:a: b\nx\n\xff: \xfe\n",
	} {
		f.Add([]byte(seed), uint16(0), uint16(0))
		f.Add([]byte(seed), uint16(20), uint16(1))
	}
	f.Fuzz(func(t *testing.T, block []byte, maxHead, maxFields uint16) {
		o := Options{MaxHead: int(maxHead), MaxFields: int(maxFields)}
		m := Parse(block, o)
		if !strings.HasSuffix(string(block), string(m.Body)) {
			t.Errorf("body %q is not the end of %q", m.Body, block)
		}
		if !m.HasHead && len(m.Body) != len(block) {
			t.Errorf("no head, and a body of %d of %d bytes", len(m.Body), len(block))
		}
		if len(m.Header) > o.withDefaults().MaxFields {
			t.Errorf("%d fields", len(m.Header))
		}
		for _, field := range m.Header {
			text := field.Name + field.Value
			if !utf8.ValidString(text) || strings.Contains(text, "\n") || field.Name == "" {
				t.Errorf("field %q", field)
			}
		}
	})
}

// FuzzUsualField: a field parses the same with and without the shortcut for usual fields.
func FuzzUsualField(f *testing.F) {
	for _, seed := range []string{
		"A: b\r\n", "A: b\r\nC: d\r\n", "A:b\r\n", "A:  b\r\n", "A  b\r\n", "A : b\r\n", "A: b\n", "A: b \r\n", "A: \r\n",
		"A: b\r\r\n",
		"A: b", ":a: b\r\n", " A: b\r\n", "A: \x00b\r\n", "A\r\n", "A: b: c\r\n", "A: b\r\n c\r\n", "A: b\r\n\tc\r\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, rest, usual := usualField(text)
		if !usual {
			return
		}
		line, after, folded := logicalLine(text)
		var m Message
		(&parser{o: Options{}.withDefaults(), m: &m}).field(line)
		if rest != after || folded || len(m.Quirks) > 0 || !slices.Equal(m.Header, []schemas.Field{got}) {
			t.Errorf("usualField(%q) = %q, %q, want %q, %q", text, got, rest, m.Header, after)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	block := []byte("HTTP/1.1 200 OK\r\nDate: Fri, 10 Jan 2025 03:03:21 GMT\r\nContent-Type: text/html; charset=utf-8\r\n" +
		strings.Repeat("X-Some-Header: some value of usual length\r\n", 12) + "\r\n" + strings.Repeat("<p>text</p>", 2000))
	b.SetBytes(int64(len(block)))
	b.ReportAllocs()
	for b.Loop() {
		if m := Parse(block, Options{}); len(m.Header) != 14 {
			b.Fatal(len(m.Header))
		}
	}
}
