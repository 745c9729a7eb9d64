package mimetype_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/doctext"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf"
	"github.com/gleaner-web/gleaner/transforms/doctext/pdf/pdftest"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// TestDetect_damagedPDF tests that a PDF after markup, and one without its header, is a PDF, and that its text is
// read. Pages and texts about PDFs are not PDFs.
func TestDetect_damagedPDF(t *testing.T) {
	b := pdftest.New()
	b.Page("BT /F1 12 Tf 72 700 Td (Hello PDF world) Tj ET")
	whole := string(b.Bytes())
	b.Compress = true
	streams := string(b.Bytes())
	bare := whole[strings.Index(whole, "1 0 obj"):]
	const warning = "<br />\n<b>Warning</b>: Undefined variable $x in <b>/var/www/x.php</b> on line <b>12</b><br />\n"
	tests := []struct {
		name, body, declared string
		want                 bool
	}{
		{"a warning", warning + whole, "application/pdf", true},
		{"a warning, another declared", warning + whole, "text/html; charset=utf-8", true},
		{"many warnings", strings.Repeat(warning, 60) + whole, "", true},
		{"no line end behind the markup", "<br /><b>Notice</b>: x<br />" + whole, "", true},
		{"a mark and a comment", "\xEF\xBB\xBF<!-- cache miss -->\r\n" + whole, "", true},
		{
			"a template", "<!DOCTYPE html>\n<html><head><title>Report</title></head><body>\n" + whole + "</body></html>\n",
			"text/html", true,
		},
		{"a script that ends", "<script>var a = 1</script>\n" + whole, "", true},
		{"one with object streams", warning + streams, "", true},
		{"cut", warning + streams[:len(streams)-300], "", true},

		{"no header, the comment left", "%\xe2\xe3\xcf\xd3\n" + bare, "", true},
		{"no header at all", bare, "text/plain", true},
		{"a header that lost its beginning", "DF-1.4\n" + bare, "", true},
		{"a header with wrong letters", "%PFD-1.4\r\n%comment in some words here\r\n" + bare, "", true},
		{"blanks for the header", strings.Repeat(" ", 300) + "\n\n" + bare, "application/pdf", true},
		{"the first bytes lost", "\x00\x9c\x03\xff\xf8\xb1\x11\x02 endstream\nendobj\n" + bare, "", true},

		{"a page about it", "<p>files begin with\n%PDF-1.4 and have 1 0 obj &lt;&lt;", "", false},
		{"a page with a listing", "<html><body><pre>\n" + bare + "</pre></body></html>", "", false},
		{"a page with a listing and header", "<html><body><pre>\n%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n%%EOF</pre>" +
			"</body></html>", "", false},
		{"a page with one in a script", "<script>var s = `\n" + whole + "`</script>", "", false},
		{"a script that holds a feed, behind bytes that are no text", "<SCRIPT>\xff\xff\xff\xff</SCRIPT><p>x", "", false},
		{"a text that shows one", "A file as small as can be:\n\n" + bare, "", false},
		{"an object and no end", "1 0 obj\n<< /A 1 >>\nendobj\n", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mimetype.Detect([]byte(tt.body), tt.declared, "", mimetype.Options{})
			if (got.Type == "application/pdf") != tt.want {
				t.Fatalf("Detect(%.60q) = %+v, want a PDF: %v", tt.body, got, tt.want)
			}
			if !tt.want {
				return
			}
			doc, err := pdf.Read([]byte(tt.body), doctext.Options{})
			if err != nil || doc.Text != "Hello PDF world\n" && !strings.HasPrefix(tt.name, "cut") {
				t.Errorf("text = %+v, %v", doc, err)
			}
		})
	}
}
