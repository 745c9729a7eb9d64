package dump

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// spread writes ASCII in units of several bytes, with the letter at a place in each.
func spread(text string, unit, place int) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(strings.Repeat("\x00", place) + text[i:i+1] + strings.Repeat("\x00", unit-1-place))
	}
	return b.String()
}

func TestText_wide(t *testing.T) {
	const japanese = "<title>\x1b$BF|K\\8l\x1b(B</title>"
	const mark = "\xEF\xBB\xBF"
	const page = "<!DOCTYPE html><title>A page</title>"
	tests := []struct {
		name, mime, body, want string
		ok                     bool
	}{
		{"UTF-16, little-endian", "text/html", spread(page, 2, 0), page, true},
		{"UTF-16, big-endian", "text/html", spread(page, 2, 1), page, true},
		{"UTF-16 with a mark", "text/html", "\xFF\xFE" + spread(page, 2, 0), page, true},
		{"UTF-32, little-endian", "text/html", spread(page, 4, 0), page, true},
		{"UTF-32, big-endian", "text/html", spread(page, 4, 3), page, true},
		{"plain text", "text/plain; charset=utf-16", spread("some words in a plain text", 2, 0), "some words in a plain text", true},
		{"UTF-8", "text/html", page, page, true},
		{"UTF-8 with a mark", "text/html", mark + page, page, true},
		{"UTF-8 with a mark and a NUL", "text/html", mark + page + "\x00", page + "\x00", true},
		{"UTF-8 with a mark, a picture", "image/svg+xml", mark + "<svg/>", "<svg/>", true},
		{"UTF-8 with a mark, damaged", "text/html", mark + page + "\xFF", page + "\uFFFD", true},
		{"nothing but a mark", "text/html", mark, "", true},
		{"a mark within a text", "text/html", page + mark, page + mark, true},
		{"UTF-8 with a NUL", "text/html", page + "\x00", page + "\x00", true},
		{"Latin-1", "text/plain; charset=iso-8859-1", "caf\xE9", "café", true},
		{"ISO-2022-JP", "text/html; charset=ISO-2022-JP", japanese, "<title>日本語</title>", true},
		{
			"ISO-2022-JP in a meta element", "text/html", `<meta charset=iso-2022-jp>` + japanese,
			`<meta charset=iso-2022-jp><title>日本語</title>`, true,
		},
		{"ISO-2022-JP that is not declared", "text/html", japanese, "<title>日本語</title>", true},
		{"ISO-2022-JP, plain", "", "\x1b$BF|K\\8l\x1b(B", "日本語", true},
		{"UTF-8 with other escapes", "text/plain", "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m", true},
		{
			"UTF-8 declared as ISO-2022-JP", "text/html; charset=ISO-2022-JP", "<title>日本語\x1b</title>",
			"<title>日本語\x1b</title>", true,
		},
		{"a picture", "image/png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Text(&schemas.Capture{MIMEDeclared: tt.mime, Body: []byte(tt.body)})
			if got != tt.want || ok != tt.ok {
				t.Errorf("Text(%q) = %q, %v, want %q, %v", tt.body, got, ok, tt.want, tt.ok)
			}
		})
	}
}
