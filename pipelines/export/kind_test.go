package export

import (
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/replay"
)

// TestFits: a page has images, styles, fonts and media only from captures that are them, by their bytes.
func TestFits(t *testing.T) {
	const png, woff = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "wOF2\x00\x01\x00\x00"
	kinds := []replay.Kind{replay.Page, replay.Style, replay.Image, replay.Font, replay.Media}
	for name, tt := range map[string]struct {
		status         int
		declared, body string
		want           string // for each of kinds
	}{
		"image":                {200, "image/png", png, "y-y--"},
		"image as text":        {200, "text/plain", png, "y-y--"},
		"image of a resource":  {0, "image/png", png, "y-y--"},
		"not modified":         {304, "image/png", png, "y-y--"},
		"image in an error":    {404, "image/png", png, "y----"},
		"page":                 {200, "text/html", "<!doctype html><p>x", "y----"},
		"page for an image":    {200, "image/png", "<!doctype html><p>x", "y----"},
		"page for a style":     {200, "text/css", "<!doctype html><title>x</title>", "y----"},
		"style":                {200, "text/css", "p { color: red }", "yy---"},
		"style as text":        {200, "text/plain", "p { color: red }", "yy---"},
		"style in an error":    {500, "text/css", "p { color: red }", "y----"},
		"font":                 {200, "font/woff2", woff, "y--y-"},
		"font without a type":  {200, "", woff, "y--y-"},
		"sound":                {200, "audio/mpeg", "ID3\x03\x00\x00\x00", "y---y"},
		"sound that was moved": {301, "audio/mpeg", "ID3\x03\x00\x00\x00", "y----"},
	} {
		c := &schemas.Capture{URL: "https://a.example/x", Status: tt.status, MIMEDeclared: tt.declared, Body: []byte(tt.body)}
		got := ""
		for _, kind := range kinds {
			got += map[bool]string{true: "y", false: "-"}[Fits(kind, c)]
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// TestIsRedirect: a redirect needs a target.
func TestIsRedirect(t *testing.T) {
	to := []schemas.Field{{Name: "location", Value: "/b"}}
	for _, tt := range []struct {
		status int
		header []schemas.Field
		want   bool
	}{{301, to, true}, {308, to, true}, {304, to, false}, {302, nil, false}, {200, to, false}, {404, to, false}} {
		if got := IsRedirect(&schemas.Capture{Status: tt.status, Header: tt.header}); got != tt.want {
			t.Errorf("%d %v: %v", tt.status, tt.header, got)
		}
	}
}

// TestRechecked_differs: each value that a collection keeps of a record is compared.
func TestRechecked_differs(t *testing.T) {
	h := rechecked{url: "http://a/", digest: "sha1:A", length: 10, status: 200}
	for want, change := range map[string]func(*schemas.Capture){
		"":               func(*schemas.Capture) {},
		"URL":            func(c *schemas.Capture) { c.URL = "http://b/" },
		"digest, length": func(c *schemas.Capture) { c.Digest, c.Origin.Length = "sha1:B", 9 },
		"status":         func(c *schemas.Capture) { c.Status = 404 },
		"damage":         func(c *schemas.Capture) { c.Flags = []schemas.Flag{schemas.FlagChecksum} },
	} {
		c := &schemas.Capture{URL: "http://a/", Digest: "sha1:A", Status: 200, Origin: schemas.Origin{Length: 10}}
		change(c)
		if got := h.differs(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPageOf(t *testing.T) {
	for _, tt := range []struct {
		declared, body, want string
		visual               bool
	}{
		{"text/html; charset=iso-8859-8", "<p>\xED\xE5\xEC\xF9", "<p>\u05dd\u05d5\u05dc\u05e9", true},
		{"text/html; charset=visual", "<p>\xF9\xEC\xE5\xED", "<p>\u05e9\u05dc\u05d5\u05dd", false},
		{"text/html; charset=windows-1255", "<p>\xF9\xEC\xE5\xED", "<p>\u05e9\u05dc\u05d5\u05dd", false},
		{"text/html; charset=iso-8859-1", "<p>\xE9t\xE9", "<p>\u00e9t\u00e9", false},
	} {
		c := &schemas.Capture{MIMEDeclared: tt.declared, Body: []byte(tt.body)}
		if got, visual := PageOf(c); got != tt.want || visual != tt.visual {
			t.Errorf("PageOf(%s) = %q, %t, want %q, %t", tt.declared, got, visual, tt.want, tt.visual)
		}
	}
}
