package pdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
)

// TestRead_brokenStreams reads sound files with a content stream that is damaged: the loss is reported.
func TestRead_brokenStreams(t *testing.T) {
	var content strings.Builder
	for i := range 60 {
		content.WriteString(show(12, 72, float64(760-12*i), fmt.Sprintf("line %d of %x", i, i*i*7919)))
	}
	data := pdftest.Deflate(content.String())
	middle := len(data) / 2
	flipped := []byte(data)
	for i := range 16 {
		flipped[middle+i] ^= 0xFF
	}
	for _, tt := range []struct {
		name, filter, data string
		lost               bool
	}{
		{"sound", "FlateDecode", data, false},
		{"no checksum", "FlateDecode", data[:len(data)-4], false},
		{"a line end before it", "FlateDecode", "\r\n" + data, false},
		{"bytes after it", "FlateDecode", data + "\n\n", false},
		{"no header", "FlateDecode", data[2:], false},
		{"no header and no checksum", "FlateDecode", data[2:len(data)-4] + "\r\n\r\n", false},
		{"empty", "FlateDecode", "", false},
		{"half of it", "FlateDecode", data[:middle], true},
		{"flipped bytes", "Fl", string(flipped), true},
		{"codes that LZW has not made", "LZWDecode", "\x80\x0B\x60\xFF\xFF\xFF\xFF", true},
	} {
		b := pdftest.New()
		b.Page(show(12, 72, 700, "first page"))
		stream := b.Stream("/Filter/"+tt.filter, tt.data)
		b.PageWith(fmt.Sprintf("/Contents %d 0 R", stream), "")
		d := read(t, b.Bytes())
		lost := len(d.Problems) > 0 && d.Problems[0].Kind == doctext.KindDamaged
		if lost != tt.lost || !strings.Contains(d.Text, "first page") {
			t.Errorf("%s: Read = %d bytes, problems %v", tt.name, len(d.Text), d.Problems)
		}
	}
}
