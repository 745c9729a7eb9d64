package httpmsg_test

import (
	"fmt"
	"strings"
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
		{"Kontent-Type: text/html", "Content-Type", "text/html", true},
		{"Content-Uype: text/html", "Content-Type", "text/html", true},
		{"Con\xf4ent-Type: text/html", "Content-Type", "text/html", true},
		{"Content\xadType: text/html", "Content-Type", "text/html", true},
		{"Content-Type; text/html", "Content-Type", "text/html", true},
		{"Content-Typez text/html", "Content-Type", "text/html", true},
		{"content-type\xba text/html", "Content-Type", "text/html", true},
		{"Lmcation: http://a.example/", "Location", "http://a.example/", true},
		{"Location; http://a.example/", "Location", "http://a.example/", true},
		{"Content-Encodhng: gzip", "Content-Encoding", "gzip", true},
		{"Transfer-E.coding: chunked", "Transfer-Encoding", "chunked", true},
		{"Content-Langth: 4", "Content-Length", "4", true},
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
	m := httpmsg.Parse([]byte("HTTP/1.1 200 OK\r\nKontent-Type: a\r\nContent-Type: b\r\n\r\n"), httpmsg.Options{})
	if got := schemas.FieldValue(m.Header, "Content-Type"); got != "b" || m.Damaged {
		t.Errorf("Content-Type is %q, damaged %t", got, m.Damaged)
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

func TestParse_longHeadsInLinearTime(t *testing.T) {
	line := strings.Repeat("Location; x\r\nContent-Typg: a\r\n", 1<<14)
	m := httpmsg.Parse([]byte("HTTP/1.1 200 OK\r\n"+line+"\r\n"), httpmsg.Options{})
	if !m.Damaged {
		t.Error("not damaged")
	}
}
