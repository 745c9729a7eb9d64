package httpmsg_test

import (
	"fmt"
	"testing"

	"github.com/gleaner-web/gleaner/io/archive/httpmsg"
	"github.com/gleaner-web/gleaner/schemas"
)

func TestParse_mendsNames(t *testing.T) {
	tests := []struct {
		line, name, want string
		damaged          bool
	}{
		{"Content-Type: text/html", "Content-Type", "text/html", false},
		{"content-type: text/html", "Content-Type", "text/html", false},
		{"Con\xf4ent-Type: text/html", "Content-Type", "text/html", true},
		{"Content\xadType: text/html", "Content-Type", "text/html", true},
		{"Con\x14ent-Type: text/html", "Content-Type", "text/html", true},
		{"Loc\xe1tion: http://a.example/", "Location", "http://a.example/", true},
		{"Content-Encod\xe9ng: gzip", "Content-Encoding", "gzip", true},
		{"Transfer-\xc5ncoding: chunked", "Transfer-Encoding", "chunked", true},
		{"Content-L\xe5ngth: 4", "Content-Length", "4", true},
		// Servers that cannot spell.
		{"Contant-Type: text/html", "Content-Type", "", false},
		{"Content-Tipe: text/html", "Content-Type", "", false},
		{"Content.Type: text/html", "Content-Type", "", false},
		{"Content=Type: text/html", "Content-Type", "", false},
		{"content=length: 1", "Content-Length", "", false},
		{"Transfer=Encoding: chunked", "Transfer-Encoding", "", false},
		{"Content\x3dT\xf9pe: text/html", "Content-Type", "text/html", true},
		{"Content,Type: text/html", "Content-Type", "text/html", true},
		{"Lokation: http://a.example/", "Location", "", false},
		{"Content-Encodinf: gzip", "Content-Encoding", "", false},
		{"X-Location: http://a.example/", "Location", "", false},
		{"Cont-Type: text/html", "Content-Type", "", false},
	}
	for _, tt := range tests {
		m := httpmsg.Parse([]byte("HTTP/1.1 200 OK\r\nServer: x\r\n"+tt.line+"\r\nX-A: b\r\n\r\n<p>"), httpmsg.Options{})
		got := schemas.FieldValue(m.Header, tt.name)
		if got != tt.want || m.Damaged != tt.damaged || string(m.Body) != "<p>" {
			t.Errorf("%q: %s is %q, damaged %t, body %q", tt.line, tt.name, got, m.Damaged, m.Body)
		}
	}
	// The field itself is there: another one has a name of its own.
	for _, line := range []string{
		"Con\xf4ent-Type: a\r\nContent-Type: b", "Content-Type; a\r\nContent-Type: b",
		"Content-Type> a: c\r\nContent-Type: b",
		"Content-Type: b\r\nContent-Type\xba a: c",
	} {
		m := httpmsg.Parse([]byte("HTTP/1.1 200 OK\r\n"+line+"\r\n\r\n"), httpmsg.Options{})
		if got := schemas.FieldValue(m.Header, "Content-Type"); got != "b" || m.Damaged {
			t.Errorf("%q: Content-Type is %q, damaged %t", line, got, m.Damaged)
		}
	}
}

// TestParse_bodyAfterCR: a blank line is a CR alone, and the body keeps its first letter.
func TestParse_bodyAfterCR(t *testing.T) {
	for _, body := range []string{"Join us today\n", "JOIN US\n", "* one\n", "\x1b$B$\"\n", "\x8aw\n", "<p>\n"} {
		m := httpmsg.Parse([]byte("HTTP/1.1 200 OK\r\nServer: x\r\n\r"+body), httpmsg.Options{})
		if string(m.Body) != body || !m.Damaged {
			t.Errorf("%q: body %q, damaged %t", body, m.Body, m.Damaged)
		}
	}
	for _, bit := range []string{"\x02", "\v", "\x8a"} {
		m := httpmsg.Parse([]byte("HTTP/1.1 200 OK\r\nServer: x\r\n\r"+bit+"<p>page\n"), httpmsg.Options{})
		if string(m.Body) != "<p>page\n" || !m.Damaged {
			t.Errorf("%q: body %q, damaged %t", bit, m.Body, m.Damaged)
		}
	}
}

func TestParse_statusThatIsNone(t *testing.T) {
	for status, want := range map[int]bool{
		200: false, 201: false, 202: false, 204: false, 206: false, 226: false, 208: false, 210: true, 220: true, 240: true,
		600: true,
	} {
		m := httpmsg.Parse(fmt.Appendf(nil, "HTTP/1.1 %d OK\r\nServer: x\r\n\r\n", status), httpmsg.Options{})
		if m.Status != status || m.Damaged != want {
			t.Errorf("%d OK: status %d, damaged %t", status, m.Status, m.Damaged)
		}
	}
}
