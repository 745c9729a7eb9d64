package message

import (
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
)

// TestRead_fields: subjects without encoded words, and words in Latin-1 that hold more than it has.
func TestRead_fields(t *testing.T) {
	for _, tt := range []struct{ subject, contentType, want string }{
		{"Le pont \x96 caf\xe9", "text/plain", "Le pont – café"},
		{"\xed\xcf\xd3\xd4 \xde\xc5\xd2\xc5\xda \xd2\xc5\xcb\xd5", "text/plain; charset=koi8-r", "Мост через реку"},
		{"Le pont \xe9troit", "text/plain; charset=utf-8", "Le pont étroit"},
		{"Le pont étroit", "text/plain; charset=iso-8859-1", "Le pont étroit"},
		{"\x1b$B66\x1b(B", "text/plain; charset=iso-2022-jp", "橋"},
		{"=?ISO-8859-1?Q?Pont_=96_=80_5?=", "text/plain", "Pont – € 5"},
		{"=?us-ascii?Q?Pont_=93neuf=94?=", "text/plain", "Pont “neuf”"},
		{"=?iso-8859-2?Q?most_=B3adny?=", "text/plain", "most ładny"},
	} {
		body := "From: ann@example.org\r\nSubject: " + tt.subject + "\r\nContent-Type: " + tt.contentType +
			"\r\n\r\nIt was old.\r\n"
		d, err := Read([]byte(body), doctext.Options{})
		if err != nil || d.Title != tt.want {
			t.Errorf("the subject %q with %s is %q, %v, want %q", tt.subject, tt.contentType, d.Title, err, tt.want)
		}
	}
}
