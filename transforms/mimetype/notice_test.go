package mimetype_test

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

func TestDetect_zipAfterNotice(t *testing.T) {
	const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	file := string(zipOf(t, []string{
		"[Content_Types].xml", `<Types><Override ContentType="` + sheet + `.main+xml"/></Types>`, "xl/a.xml", "a",
	}))
	const warning = "<br />\n<b>Warning</b>: Undefined variable $x in <b>/var/www/x.php</b> on line <b>12</b><br />\n"
	for _, before := range []string{
		"\n", "\r\n\r\n", "   ", "\xEF\xBB\xBF", "\xEF\xBB\xBF\n", warning, "\n" + strings.Repeat(warning, 20), "1f40\r\n",
		"Array", "\nNotice: Undefined index: id in /x.php on line 3\n", "PHP Deprecated:  a in b.php\n", "<!DOCTYPE html>\n",
		"<script>x()</script>",
	} {
		if got := mimetype.Detect([]byte(before+file), "text/html", "", mimetype.Options{}); got.Type != sheet {
			t.Errorf("after %.40q it is %+v, want a spreadsheet", before, got)
		}
	}
	plain := string(zipOf(t, []string{"index.html", "<p>a"}))
	saved := "<!DOCTYPE html><html><p>" + strings.Repeat("A word after another. ", 90) + "</p>"
	rss := `<?xml version="1.0"?><rss version="2.0"><channel><title>A</title></channel></rss>`
	for text, want := range map[string]string{
		saved + "<!--" + plain + "-->":                       "text/html",
		saved + "<!--" + file + "-->":                        "text/html",
		saved + plain:                                        "text/html",
		rss + plain:                                          "application/rss+xml",
		warning + plain:                                      "application/zip",
		"\nNotice: a\n" + plain:                              "application/zip",
		"<p>begins with PK\x03\x04 and more</p>":             "application/octet-stream",
		"#!/bin/sh\nunzip $0\n" + file:                       "application/octet-stream",
		strings.Repeat("A word after another. ", 800) + file: "text/plain",
	} {
		if got := mimetype.Detect([]byte(text), "", "", mimetype.Options{}); got.Type != want {
			t.Errorf("%.40q is %+v, want %s", text, got, want)
		}
	}
}

func TestDetect_openDocumentByItsManifest(t *testing.T) {
	const text = "application/vnd.oasis.opendocument.text"
	entry := `<manifest:file-entry manifest:media-type="` + text + `" manifest:version="1.2" manifest:full-path="/"/>`
	picture := `<manifest:file-entry manifest:full-path="a.png" manifest:media-type="image/png"/>`
	for _, list := range []string{
		`<manifest:manifest>` + entry + picture, picture + entry,
		`<file-entry full-path="/" media-type="` + text + `"/>`,
	} {
		file := zipOf(t, []string{"content.xml", "<a/>", "META-INF/manifest.xml", list})
		if got := mimetype.Detect(file, "", "", mimetype.Options{}); got.Type != text {
			t.Errorf("with %s it is %+v", list, got)
		}
	}
	file := zipOf(t, []string{"META-INF/manifest.xml", picture + strings.Replace(entry, `"/"`, `"b.odt"`, 1)})
	if got := mimetype.Detect(file, "", "", mimetype.Options{}); got.Type != "application/zip" {
		t.Errorf("an archive with a document in it is %+v", got)
	}
}
