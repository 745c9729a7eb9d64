package httpmsg

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestParse_interim: the last head counts, as many as there are before it, and whatever their lines end in.
func TestParse_interim(t *testing.T) {
	const page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page"
	const found = "200 text/html <p>page"
	login := func(length, body string) string {
		return "HTTP/1.1 401 Unauthorized\r\nContent-Type: text/plain\r\n" + length + "WWW-Authenticate: NTLM\r\n\r\n" + body
	}
	lf := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	tests := []struct {
		name, block, want string
		interim           bool
	}{
		{"none", page, found, false},
		{"100", "HTTP/1.1 100 Continue\r\n\r\n" + page, found, true},
		{"102 with fields", "HTTP/1.1 102 Processing\r\nServer: a\r\n\r\n" + page, found, true},
		{"103", "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nContent-Type: x/y\r\n\r\n" + page, found, true},
		{"no reason", "HTTP/1.1 100\r\n\r\n" + page, found, true},
		{"HTTP/2", "HTTP/2 103\r\nlink: <a>\r\n\r\nHTTP/2 200\r\ncontent-type: text/html\r\n\r\n<p>page", found, true},
		{
			"a chain", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n", 9) + page,
			found, true,
		},
		{"LF", lf("HTTP/1.1 100 Continue\r\n\r\n" + page), found, true},
		{"LF, then CR LF", "HTTP/1.1 100 Continue\n\n" + page, found, true},
		{"blank lines between", "HTTP/1.1 100 Continue\r\n\r\n\r\n\r\n" + page, found, true},
		{"a proxy's", "HTTP/1.0 200 Connection established\r\n\r\n" + page, found, true},
		{
			"a proxy's, with fields",
			"HTTP/1.1 200 Connection Established\r\nProxy-Agent: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + page, found, true,
		},
		{"a proxy's in other words", "HTTP/1.1 200 OK\r\nVia: x\r\n\r\n" + page, found, true},
		{"401 without a length", login("", "") + page, found, true},
		{"401 with its page", login("Content-Length: 9\r\n", "Password?") + page, found, true},
		{"401 in chunks", login("Transfer-Encoding: chunked\r\n", "9\r\nPassword?\r\n0\r\n\r\n") + page, found, true},
		{"401 twice", login("Content-Length: 0\r\n", "") + login("Content-Length: 3\r\n", "no\n") + page, found, true},
		{"407", strings.Replace(login("", ""), "401", "407", 1) + page, found, true},
		{"no blank line between", "HTTP/1.1 100 Continue\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n" + page, found, true},
		{"401 with a page of no length", login("", "<p>Log in, HTTP/1.1 works</p>") + page, found, true},
		{
			"401 with a line of a response", login("", "<pre>HTTP/1.1 200 OK\nis what you get"),
			"401 text/plain <pre>HTTP/1.1 200 OK\nis what you get", false,
		},
		{"a status line twice", strings.Replace(page, "\r\n", "\r\nHTTP/1.1 200 OK\r\n", 1), found, false},
		{"101 is final", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n" + page, "101  " + page, false},
		{"nothing behind 100", "HTTP/1.1 100 Continue\r\n\r\n", "100  ", false},
		{"something else behind 100", "HTTP/1.1 100 Continue\r\n\r\nHTTP is a protocol", "100  HTTP is a protocol", false},
		{
			"a page about HTTP", "HTTP/1.1 200 OK\r\nContent-Type: message/http\r\n\r\n" + page,
			"200 message/http " + page, false,
		},
		{"a page that quotes a response", "HTTP/1.1 200 OK\r\nX: y\r\n\r\n" + page, "200  " + page, false},
		{"the same of a server", "HTTP/1.0 200 OK\r\nServer: a\r\nDate: b\r\n\r\n" + page, "200  " + page, false},
		{"the same with a cookie", "HTTP/1.1 200 OK\r\nSet-Cookie: c\r\n\r\n" + page, "200  " + page, false},
		{"a proxy's without fields", "HTTP/1.1 200 OK\r\n\r\n" + page, found, true},
		{"a page about 401", login(fmt.Sprintf("Content-Length: %d\r\n", len(page)), page), "401 text/plain " + page, false},
		{"a login page", login("Content-Length: 9\r\n", "Password?"), "401 text/plain Password?", false},
		{"a redirect before", "HTTP/1.1 302 Found\r\nContent-Type: a/b\r\n\r\n" + page, "302 a/b " + page, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := Parse([]byte(tt.block), Options{})
			if got := fmt.Sprintf("%d %s %s", m.Status, schemas.FieldValue(m.Header, "Content-Type"), m.Body); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if said := slices.Contains(m.Quirks, QuirkInterim); said != tt.interim || m.Damaged {
				t.Errorf("quirks %v, damaged %v", m.Quirks, m.Damaged)
			}
		})
	}
	// A block of nothing else ends at some time, and takes a time that grows with it.
	if m := Parse([]byte(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 100_000)), Options{}); m.Status != 100 {
		t.Errorf("a block of interim responses: status %d", m.Status)
	}
}

// TestParse_blankLine: a second blank line after the head does not belong to the body, if anything proves so.
func TestParse_blankLine(t *testing.T) {
	head := func(fields ...string) string {
		return "HTTP/1.1 200 OK\r\n" + strings.Join(append(fields, "\r\n"), "\r\n")
	}
	const odt = "PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x5e\xc6\x32\x0c" +
		"\x27\x00\x00\x00\x27\x00\x00\x00\x08\x00\x00\x00mimetypeapplication/vnd.oasis.opendocument.text"
	length := func(n int) string { return fmt.Sprint("Content-Length: ", n) }
	tests := []struct {
		name, head, body string
		size             int64  // of the block, if more than there is
		want             string // the body if it is another
	}{
		{"by the length", head(length(3)), "\r\nabc", 0, "abc"},
		{"LF, by the length", head(length(3)), "\nabc", 0, "abc"},
		{"two, by the length", head(length(3)), "\r\n\r\nabc", 0, "abc"},
		{"a block that was cut, by the length", head(length(100)), "\r\nabc", int64(len(head(length(100))) + 102), "abc"},
		{"its own, by the length", head(length(5)), "\r\nabc", 0, "\r\nabc"},
		{"its own, before a GIF", head(length(9)), "\nGIF89a\x01\x00", 0, "\nGIF89a\x01\x00"},
		{"its own, before a PDF", head(length(14)), "\r\n%PDF-1.4\n%\xe2\xe3", 0, "\r\n%PDF-1.4\n%\xe2\xe3"},
		{"its own, before gzip", head(length(5)), "\n\x1f\x8b\x08\x00", 0, "\n\x1f\x8b\x08\x00"},
		{
			"its own, of a block that was cut", head(length(100)), "\nGIF89a\x01\x00",
			int64(len(head(length(100))) + 100), "\nGIF89a\x01\x00",
		},
		{"its own, of the first of two", head(length(5)), "\r\n\r\nabc", 0, "\r\nabc"},
		{"a text", head("Content-Type: text/html"), "\r\n<html>", 0, "\r\n<html>"},
		{"a text that begins with blank lines", head(), "\r\n\n\r\n  words", 0, "\r\n\n\r\n  words"},
		{"GIF", head("Content-Type: text/plain"), "\r\nGIF89a\x01\x00", 0, "GIF89a\x01\x00"},
		{"JPEG behind LF", head(), "\n\xff\xd8\xff\xe0\x00\x10JFIF\x00", 0, "\xff\xd8\xff\xe0\x00\x10JFIF\x00"},
		{"PNG", head(), "\r\n\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", 0, "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"},
		{"PDF", head(), "\r\n%PDF-1.4\n%\xe2\xe3", 0, "%PDF-1.4\n%\xe2\xe3"},
		{"a document in a ZIP file", head(), "\r\n" + odt, 0, odt},
		{"gzip", head("Content-Encoding: gzip"), "\r\n\x1f\x8b\x08\x00", 0, "\x1f\x8b\x08\x00"},
		{"chunks", head("Transfer-Encoding: chunked"), "\r\n3\r\nabc\r\n0\r\n\r\n", 0, "3\r\nabc\r\n0\r\n\r\n"},
		{"chunks that are joined", head("Transfer-Encoding: chunked"), "\r\n<p>abc", 0, "\r\n<p>abc"},
		{"nothing else", head(), "\r\n", 0, "\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := Parse([]byte(tt.head+tt.body), Options{Size: tt.size})
			if string(m.Body) != tt.want {
				t.Errorf("body %q, want %q", m.Body, tt.want)
			}
			changed := tt.want != tt.body
			if said := slices.Contains(m.Quirks, QuirkBlankLine); said != changed || changed != (string(m.Rest) == tt.body) {
				t.Errorf("quirks %v, behind the head %q", m.Quirks, m.Rest)
			}
		})
	}
}

// TestPayload: a page has the same bytes whatever it was sent in.
func TestPayload(t *testing.T) {
	page := strings.Repeat("the page ", 50)
	gz := encode(t, page, "gzip")
	chunks := func(s string, n int) string {
		var b strings.Builder
		for part := range slices.Chunk([]byte(s), n) {
			fmt.Fprintf(&b, "%x\r\n%s\r\n", len(part), part)
		}
		return b.String() + "0\r\n\r\n"
	}
	tests := []struct {
		name, body, want string
		header           []schemas.Field
	}{
		{"plain", page, page, nil},
		{"one chunk", chunks(page, 1000), page, fields("Transfer-Encoding", "chunked")},
		{"many", chunks(page, 7), page, fields("transfer-encoding", "Chunked")},
		{"chunks that were joined", page, page, fields("Transfer-Encoding", "chunked")},
		{"a transfer coding", gz, page, fields("Transfer-Encoding", "gzip")},
		{"in chunks", chunks(gz, 9), page, fields("Transfer-Encoding", "gzip, chunked")},
		{"in two fields", chunks(gz, 30), page, fields("Transfer-Encoding", "gzip", "Transfer-Encoding", "chunked")},
		{"a transfer coding that was undone", page, page, fields("Transfer-Encoding", "gzip, chunked")},
		{"a content coding", chunks(gz, 9), gz, fields("Content-Encoding", "gzip", "Transfer-Encoding", "chunked")},
		{"damaged", chunks(gz[:len(gz)-20], 9), gz[:len(gz)-20], fields("Transfer-Encoding", "gzip, chunked")},
	}
	for _, tt := range tests {
		if got := Payload(tt.header, []byte(tt.body), Limits{}); string(got) != tt.want {
			t.Errorf("%s: Payload = %.40q of %d bytes, want %.40q of %d", tt.name, got, len(got), tt.want, len(tt.want))
		}
	}
}

// TestDecode_awsChunked: the coding that S3 stores with an upload is not a coding of the answer, alone or in a list. If
// the frames of the upload were stored too, they are removed, signed or not. They are outside of all other content
// codings.
func TestDecode_awsChunked(t *testing.T) {
	const page = "the page"
	gz, sign := encode(t, page, "gzip"), ";chunk-signature="+strings.Repeat("0a", 32)
	frames := func(body, extension, trailer string) string {
		var b strings.Builder
		for part := range slices.Chunk([]byte(body), 3) {
			fmt.Fprintf(&b, "%x%s\r\n%s\r\n", len(part), extension, part)
		}
		return b.String() + "0" + extension + "\r\n" + trailer + "\r\n"
	}
	const sum, signed = "x-amz-checksum-crc32:x==\r\n", "x-amz-trailer-signature:0a\r\n"
	chunks := func(s string) string { return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(s), s) }
	const enc, te = "Content-Encoding", "Transfer-Encoding"
	tests := []struct {
		name, body, want string
		header           []schemas.Field
		codings          string
		broken           bool
	}{
		{"plain", page, page, fields(enc, "aws-chunked"), "[]", false},
		{"in capitals", page, page, fields(enc, "AWS-Chunked"), "[]", false},
		{"in a list", gz, page, fields(enc, "aws-chunked, gzip"), "[gzip]", false},
		{"behind another", gz, page, fields(enc, "gzip,aws-chunked"), "[gzip]", false},
		{"with a comma", page, page, fields(enc, "aws-chunked,"), "[]", false},
		{"with identity", gz, page, fields(enc, "gzip, identity, aws-chunked"), "[gzip]", false},
		{"signed", frames(page, sign, ""), page, fields(enc, "aws-chunked"), "[aws-chunked]", false},
		{"signed, with a trailer", frames(page, sign, sum+signed), page, fields(enc, "aws-chunked"), "[aws-chunked]", false},
		{"unsigned, with a trailer", frames(page, "", sum), page, fields(enc, "aws-chunked"), "[aws-chunked]", false},
		{"signed, of gzip", frames(gz, sign, ""), page, fields(enc, "aws-chunked,gzip"), "[aws-chunked gzip]", false},
		{"of gzip, named behind", frames(gz, "", sum), page, fields(enc, "gzip,aws-chunked"), "[aws-chunked gzip]", false},
		{
			"in chunks of HTTP", chunks(frames(gz, sign, "")), page, fields(enc, "aws-chunked,gzip", te, "chunked"),
			"[chunked aws-chunked gzip]", false,
		},
		{"signed, nothing", frames("", sign, ""), "", fields(enc, "aws-chunked"), "[aws-chunked]", false},
		{"signed, cut", frames(page, sign, "")[:95], "the", fields(enc, "aws-chunked"), "[aws-chunked]", true},
		{"unsigned, cut", frames(page, "", "")[:18], "the pa", fields(enc, "aws-chunked"), "[aws-chunked]", true},
		{"a list of numbers", "12\r\n8\r\n0\r\n", "12\r\n8\r\n0\r\n", fields(enc, "aws-chunked"), "[]", false},
		{"a number and text", "3\r\nmen in a boat", "3\r\nmen in a boat", fields(enc, "aws-chunked"), "[]", false},
		{"frames that nobody declares", frames(page, sign, ""), frames(page, sign, ""), nil, "[]", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Decode(tt.header, []byte(tt.body), Limits{})
			if string(d.Body) != tt.want || fmt.Sprint(d.Codings) != tt.codings || d.Broken != tt.broken {
				t.Errorf("body %q, codings %v, broken %v, want %q, %s", d.Body, d.Codings, d.Broken, tt.want, tt.codings)
			}
			if (len(d.Flags) > 0) != tt.broken || len(d.Quirks) > 0 {
				t.Errorf("flags %v, quirks %v", d.Flags, d.Quirks)
			}
			// A content coding is part of the payload, of which digests are made.
			payload := tt.body
			if schemas.FieldValue(tt.header, te) != "" {
				payload = frames(gz, sign, "")
			}
			if string(d.Payload) != payload {
				t.Errorf("payload %q", d.Payload)
			}
		})
	}
}

// TestMessage_isPlain: messages that are passed over by their first byte are those in which nothing is found.
func TestMessage_isPlain(t *testing.T) {
	starts := []string{
		"", "H", "HTTP/1.1 200 OK\r\n\r\n<p>", "http/1.1 200 OK\r\n\r\n<p>", "\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n<p>",
		"\n\x1f\x8b\x08",
		"<p>", " HTTP/1.1 200 OK\r\n\r\n", "\tGIF89a", "\x00\x00", "\xef\xbb\xbfHTTP/1.1 200 OK\r\n\r\n",
		"0\r\n\r\n", "ICY 200 OK\r\n\r\n",
	}
	skipped := 0
	statuses := []string{"100 Continue", "200 OK", "200 Connection established", "206 Part", "301 Moved", "401 No", ""}
	for _, status := range statuses {
		for _, body := range starts {
			block := []byte("HTTP/1.1 " + status + "\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
			var m Message
			o := Options{}.withDefaults()
			if m.parse(block, o); !m.isPlain() {
				continue
			}
			skipped++
			m.final(o)
			m.bodyStart(int64(len(m.Body)))
			if string(m.Body) != body || m.Rest != nil || len(m.Quirks) > 0 {
				t.Errorf("%q: body %q, quirks %v", block, m.Body, m.Quirks)
			}
		}
	}
	// Or nothing would have been compared.
	if skipped < 10 {
		t.Errorf("%d messages are plain, want 10 and more", skipped)
	}
}
