package enrich

import (
	"slices"
	"strings"
	"testing"
)

// TestEnrich_saved tests that a page in MHTML is read like a page, and that mail, subtitles and old Office XML have
// text.
func TestEnrich_saved(t *testing.T) {
	const prose = "The council has decided on Tuesday that the old bridge over the river will be closed for repairs " +
		"until the end of the year, " +
		"which affects about two thousand commuters, and that a ferry will go from the market to the mill every hour."
	page := "<html><head><title>Caf=C3=A9</title></head><body><h1>Bridge</h1><p>" + prose +
		"</p><p><a href=3D\"/more\">more</a></p></body></html>"
	part := "Content-Type: text/html; charset=\"utf-8\"\r\nContent-Transfer-Encoding: quoted-printable\r\n" +
		"Content-Location: "
	word := "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=\"----=_N_01\"\r\n\r\nThis document is a " +
		"Single File Web Page.\r\n\r\n" +
		"------=_N_01\r\n" + part + "file:///C:/x.htm\r\n\r\n" + page + "\r\n------=_N_01--\r\n"
	blink := "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://saved.example/a\r\nSubject: Bridge\r\n" +
		"MIME-Version: 1.0\r\n" +
		"Content-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"--B--\"\r\n\r\n\r\n----B--\r\n" + part +
		"https://saved.example/a\r\n\r\n" + page + "\r\n----B----\r\n"
	tests := []struct {
		name, body, declared, mime, source, title, has, link string
	}{
		{"Word's page", word, "application/msword", "multipart/related", "", "Café", prose, ""},
		{"Word's page, named HTML", word, "text/html", "multipart/related", "", "Café", prose, ""},
		{"the type first", "Content-Type: multipart/related; boundary=\"----=_N_01\"\r\nMIME-Version: 1.0\r\n" +
			word[strings.Index(word, "\r\n\r\n"):], "", "multipart/related", "", "Café", prose, ""},
		{"after blank lines", "\r\n\r\n" + word, "application/octet-stream", "multipart/related", "", "Café", prose, ""},
		{"of a browser", blink, "multipart/related", "multipart/related", "", "Café", prose, "https://saved.example/more"},
		{"mail", "From: Ada <a@example.org>\r\nTo: b@example.org\r\nSubject: Tides\r\nDate: Tue, 16 Jul 2019 10:20:30 " +
			"+0200\r\n\r\n" + prose, "message/rfc822", "message/rfc822", "eml", "Tides", prose, ""},
		{
			"WebVTT", "WEBVTT\n\n00:01.000 --> 00:02.000\n<i>" + prose + "</i>\n", "text/plain", "text/vtt", "vtt", "", prose,
			"",
		},
		{
			"SubRip that nothing names", "1\r\n00:00:01,000 --> 00:00:02,000\r\n" + prose + "\r\n", "text/plain",
			"application/x-subrip", "srt", "", prose, "",
		},
		{"Word 2003", `<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body><w:p><w:r><w:t>` + prose + `</w:t></w:r></w:p></w:body></w:wordDocument>`, "text/xml", "application/vnd.ms-wordml", "wordml", "", prose, ""},
		{"Excel 2003", `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table><Row><Cell><Data ss:Type="String">` + prose + `</Data></Cell></Row></Table></Worksheet></Workbook>`, "text/xml", "application/vnd.ms-spreadsheetml", "spreadsheetml", "", prose, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := mustNew(t, Options{Links: true}).Enrich(capture(tt.body, tt.declared), Extra{})
			d := r.Document
			if d.MIMEDetected != tt.mime || d.Title != tt.title || !strings.Contains(d.Text, tt.has) || tt.source != "" &&
				d.TextSource != tt.source {
				t.Errorf("type %q, title %q, source %q, text %q, errors %v", d.MIMEDetected, d.Title, d.TextSource, d.Text,
					d.Errors)
			}
			if strings.Contains(d.Text, "Content-Type") || strings.Contains(d.Text, "=3D") || strings.Contains(d.Text, "-->") {
				t.Errorf("text has the source in it: %q", d.Text)
			}
			var links []string
			for _, l := range r.Links {
				links = append(links, l.Target)
			}
			if tt.link != "" && !slices.Contains(links, tt.link) {
				t.Errorf("links %v, want %s", links, tt.link)
			}
		})
	}
}
