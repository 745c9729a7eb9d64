package mimetype_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// at returns n zero bytes with others at offsets: offset, bytes, …
func at(n int, marks ...any) string {
	b := make([]byte, n)
	for i := 0; i < len(marks); i += 2 {
		copy(b[marks[i].(int):], marks[i+1].(string))
	}
	return string(b)
}

func TestDetect_signatures(t *testing.T) {
	magic := func(t string) mimetype.Result { return result(t, "magic", "") }
	avif := "\x00\x00\x00\x1Cftypmif1\x00\x00\x00\x00mif1miafavif"
	runCases(t, []detectCase{
		{
			"arc", "filedesc://a.arc 0.0.0.0 20200101000000 text/plain 76\n", "text/plain", "",
			magic("application/x-internet-archive"),
		},
		{"warc", "WARC/1.0\r\nWARC-Type: response\r\n\r\n", "text/plain", "", magic("application/warc")},
		{"http response", "HTTP/1.1 200 OK\r\nServer: a\r\n\r\n", "", "", magic("application/http")},
		{"rar that holds a pdf", "Rar!\x1A\x07\x00 \n%PDF-1.4 ", "", "", magic("application/vnd.rar")},
		{"avif by a compatible brand", avif, "", "a.heic", magic("image/avif")},
		{"brands cut", avif[:15], "", "", magic("image/heif")},
		{"sound in mp4", "\x00\x00\x00\x18ftypM4A \x00\x00\x00\x00", "", "", magic("audio/mp4")},
		{"transport stream", at(600, 0, "G", 188, "G", 376, "G"), "", "", magic("video/mp2t")},
		{"transport stream with times", at(600, 4, "G", 196, "G", 388, "G"), "", "", magic("video/mp2t")},
		{"a G is no transport stream", at(600, 0, "G", 188, "G"), "", "", magic("application/octet-stream")},
		{"ac-3", "\x0B\x77\x00\x00\x00\x40\x00", "", "", magic("audio/ac3")},
		{"ac-3 enhanced", "\x0B\x77\x00\x00\x00\x80\x00", "", "", magic("audio/eac3")},
		{"netpbm, raw", "P6\n1 1\n255\n\x00\x01\x02", "", "", magic("image/x-portable-pixmap")},
		{"netpbm, commented", "P5 # made by hand\n", "", "", magic("image/x-portable-graymap")},
		{"P1 in prose", "P1 was the first plane", "", "", magic("text/plain")},
		{"web archive of Safari", "bplist00\xD1\x01\x02_\x10\x0FWebMainResource", "", "", magic("application/x-webarchive")},
		{"other list", "bplist00\xD0", "", "", magic("application/x-bplist")},
		{"corel", "RIFF\x00\x00\x00\x00CDR9vrsn", "", "", magic("application/coreldraw")},
		{"geopackage", at(100, 0, "SQLite format 3\x00", 68, "GPKG"), "", "", magic("application/geopackage+sqlite3")},
		{"sqlite", at(100, 0, "SQLite format 3\x00"), "", "", magic("application/vnd.sqlite3")},
		{"certificate", "\x30\x82\x05\x00\x30\x82\x04\x00\xA0\x03\x02\x01\x02", "", "", magic("application/pkix-cert")},
		{"certificate in armor", "-----BEGIN CERTIFICATE-----\nMII\n", "", "", magic("application/pkix-cert")},
		{"key in armor", "-----BEGIN EC PRIVATE KEY-----\nMII\n", "", "", magic("application/x-x509-key")},
		{"signed text is text", "-----BEGIN PGP SIGNED MESSAGE-----\n\nHello\n", "", "", magic("text/plain")},
		{
			"signed message", "\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02", "", "",
			magic("application/pkcs7-signature"),
		},
		{
			"encrypted message", "\x30\x81\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x03", "", "",
			magic("application/pkcs7-mime"),
		},
		{"sequence cut in its length", "\x30\x84\x01\x02", "", "", magic("application/octet-stream")},
		{"targa", at(40, 2, "\x02", 12, "\x10\x00\x10\x00\x18"), "", "", magic("image/x-tga")},
		{"targa without colours", at(40, 2, "\x02", 12, "\x10\x00\x10\x00\x07"), "", "", magic("image/vnd.microsoft.icon")},
		{
			"targa with a map and no mapped picture", at(40, 1, "\x01", 2, "\x03", 12, "\x10\x00\x10\x00\x08"), "", "",
			magic("application/octet-stream"),
		},
		{"targa by its end", "\x00\x01\x02\x03" + at(30) + "TRUEVISION-XFILE.\x00", "", "", magic("image/x-tga")},
		{"paintbrush", at(140, 0, "\x0A\x05\x01\x08"), "", "", magic("image/vnd.zbrush.pcx")},
		{"lzma", "\x5D\x00\x00\x80\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x00\x01", "", "", magic("application/x-lzma")},
		{
			"dictionary of an odd size", "\x5D\x01\x00\x80\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x00\x01", "", "",
			magic("application/octet-stream"),
		},
		{"triangles", at(84+50, 80, "\x01"), "", "", magic("model/stl")},
		{
			"image of a disk", "\x01" + at(600) + at(512, 0, "koly\x00\x00\x00\x04"), "", "",
			magic("application/x-apple-diskimage"),
		},
		{"sheet of Excel 3", "\x09\x02\x06\x00\x00\x00\x10\x00", "", "", magic("application/vnd.ms-excel")},
		{"tape in lha", "\x1A\x00-lh5-\x00\x00", "", "", magic("application/x-lha")},
		{"short words begin no data", "BLENDER is a program", "", "", magic("text/plain")},
		{"and again", "TTA1 and IWAD", "", "", magic("text/plain")},
		{"world", "#VRML V2.0 utf8\n", "", "", magic("model/vrml")},
		{"dashes are no lha", "ls -lha | more", "", "", magic("text/plain")},
		{"png declared, but not there", "\x00\x01\x02\x03", "image/png", "a.png", magic("application/octet-stream")},
		{"zstd with a dictionary", "\x5D\x2A\x4D\x18\x04\x00\x00\x00abcd", "", "", magic("application/zstd")},
	})
}

func TestDetect_texts(t *testing.T) {
	table := "a,b,c\n1,2,3\n4,5,6\n7,\"8, and\",9\n"
	runCases(t, []detectCase{
		{"columns", table, "", "", result("text/csv", "structure", "")},
		{
			"columns of tabs", strings.ReplaceAll(table, ",", "\t"), "text/plain", "",
			result("text/tab-separated-values", "structure", ""),
		},
		{"columns named text", table, "", "a.txt", result("text/plain", "magic", "")},
		{"columns declared as something else", table, "text/x-log", "", result("text/x-log", "declared", "")},
		{"a row that is longer", table + "1,2,3,4\n", "", "", result("text/plain", "magic", "")},
		{"a row that is cut", table + "1,2", "", "", result("text/csv", "structure", "")},
		{"two columns", "a,b\n1,2\n3,4\n5,6\n", "", "", result("text/plain", "magic", "")},
		{"prose in lines", strings.Repeat("one, two, three, and four\n", 6), "", "", result("text/plain", "magic", "")},
		{
			"rss behind a warning", "Warning: a\n" + decl + `<rss version="2.0">`, "", "",
			result("application/rss+xml", "structure", "rss"),
		},
		{
			"rss behind what is no white space", "\u200B\u00A0<rss version='2.0'>", "application/rss+xml", "",
			result("application/rss+xml", "structure", "rss"),
		},
		{"xml in prose", "See " + decl + "<inventory/>", "", "", result("text/plain", "magic", "")},
		{"rss in a script", "var a = '<rss>';", "text/javascript", "", result("text/javascript", "declared", "")},
		{
			"xml declared rss that is none", decl + "<inventory/>", "application/rss+xml", "",
			result("application/xml", "structure", ""),
		},
		{"include", "#include <stdio.h>\n", "", "", result("text/x-csrc", "magic", "")},
		{"include, named", "#include <stdio.h>\n", "", "a.cpp", result("text/x-c++src", "name", "")},
		{
			"dita by document type", `<!DOCTYPE concept PUBLIC "-//OASIS//DTD DITA Concept//EN" "c.dtd"><concept id="a"/>`, "",
			"", result("application/dita+xml", "structure", ""),
		},
		{"flat presentation", `<o:document xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="application/vnd.oasis.opendocument.presentation">`, "", "", result("application/vnd.oasis.opendocument.flat.presentation", "structure", "")},
		{"json by name", `[{"@id": "a"}]`, "", "a.jsonld", result("application/ld+json", "name", "")},
		{"json by declaration", `{"data": []}`, "application/vnd.api+json", "", result("application/vnd.api+json", "declared",
			"")},
		{"page saved by a browser", "From: <Saved by Blink>\r\nSubject: a\r\nMIME-Version: 1.0\r\nContent-Type: " +
			"multipart/related;\r\n\tboundary=b\r\n\r\nTo: c", "", "a.mhtml", result("multipart/related", "structure", "")},
		{
			"mail with pictures", "From: a\r\nTo: c\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n",
			"", "", result("message/rfc822", "structure", ""),
		},
		{
			"mail with lines ended as in mail", "To: a\r\nFrom: b\r\nDate: c\r\n\r\nno field\r\n", "", "",
			result("message/rfc822", "structure", ""),
		},
	})
}

func zipped(tb testing.TB, name, content string) []byte {
	tb.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	w.Name, w.Extra, w.Comment = name, []byte(name), name
	if _, err := w.Write([]byte(content)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return buf.Bytes()
}

func TestDetect_insideGzip(t *testing.T) {
	tests := []struct{ name, file, content, want string }{
		{"page", "", page, "text/html"},
		{"sitemap", "sitemap.xml", decl + "<urlset>", "application/xml"},
		{"picture", "", `<svg xmlns="http://www.w3.org/2000/svg"/>`, "image/svg+xml"},
		{"records", "a.warc", "WARC/1.0\r\nWARC-Type: warcinfo\r\n", "application/warc"},
		{"text", "", "Hello, world", "text/plain"},
		{"bytes", "", "\x00\x01\x02\x03", ""},
		{"nothing", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := zipped(t, tt.file, tt.content)
			got := mimetype.Detect(body, "text/html", "a.html", mimetype.Options{})
			if want := (mimetype.Result{Type: "application/gzip", Basis: "magic", Inside: tt.want}); got != want {
				t.Errorf("Detect = %+v, want %+v", got, want)
			}
		})
	}
	long := zipped(t, "a", strings.Repeat(page, 1000))
	for _, n := range []int{10, 11, 12, 13, 60} { // in the header, after it, and in the content
		if got := mimetype.Detect(long[:n], "", "", mimetype.Options{}); got.Type != "application/gzip" {
			t.Errorf("Detect of %d bytes = %+v, want application/gzip", n, got)
		}
	}
	if got := mimetype.Detect(long[:len(long)-9], "", "", mimetype.Options{}).Inside; got != "text/html" {
		t.Errorf("cut: Inside = %q, want text/html", got)
	}
}

func TestConflicts(t *testing.T) {
	tests := []struct {
		declared, detected string
		want               bool
	}{
		{"", "text/html", false},
		{"text/html; charset=utf-8", "text/html", false},
		{"text/html", "", false},
		{"image/jpg", "image/jpeg", false},
		{"application/x-javascript", "text/javascript", false},
		{"application/octet-stream", "application/pdf", false},
		{"application/force-download", "application/zip", false},
		{"text/xml", "application/rss+xml", false},
		{"application/xml", "application/xhtml+xml", false},
		{"text/html", "application/xhtml+xml", false},
		{"application/xhtml+xml", "text/html", false},
		{"text/plain", "text/markdown", false},
		{"text/plain", "application/json", false},
		{"text/plain", "application/rss+xml", false},
		{"text/plain", "text/html", true},
		{"application/json", "application/ld+json", false},
		{"application/zip", "application/epub+zip", false},
		{"video/mp4", "audio/mp4", false},
		{"video/quicktime", "video/mp4", false},
		{"audio/webm", "video/webm", false},
		{"application/x-gtar-compressed", "application/gzip", false},
		{"application/pdf", "text/html", true},
		{"image/png", "image/jpeg", true},
		{"application/rss+xml", "application/xml", true},
		{"application/rss+xml", "application/atom+xml", true},
		{"application/json", "text/plain", true},
		{"text/html", "application/rss+xml", true},
		{"text/html", "application/gzip", true},
		{"application/epub+zip", "application/zip", true},
		{"image/png", "application/octet-stream", true},
		{"text/css", "text/javascript", true},
	}
	for _, tt := range tests {
		if got := mimetype.Conflicts(tt.declared, tt.detected); got != tt.want {
			t.Errorf("Conflicts(%q, %q) = %t, want %t", tt.declared, tt.detected, got, tt.want)
		}
	}
}

func TestDetect_moreContainers(t *testing.T) {
	impress := compoundOf("Root Entry", "StarDrawDocument3")
	binary.LittleEndian.PutUint64(impress[1024+80:], 0x11d185bc565c7221)
	binary.BigEndian.PutUint64(impress[1024+88:], 0x89d0008029e4b0b1)
	tests := []struct {
		name string
		body []byte
		want string
	}{
		{"wacz", zipOf(t, []string{"archive/data.warc.gz", "a", "datapackage.json", "{}"}), "application/wacz"},
		{"records alone", zipOf(t, []string{"archive/data.warc.gz", "a"}), "application/zip"},
		{"epub whose type is not first", zipOf(t, []string{
			"META-INF/container.xml", "a", "mimetype",
			"application/epub+zip",
		}), "application/epub+zip"},
		{
			"pages", zipOf(t, []string{"index.xml", `<sl:document xmlns:sl="http://developer.apple.com/namespaces/sl">`}),
			"application/vnd.apple.pages",
		},
		{"some index", zipOf(t, []string{"index.xml", "<index/>"}), "application/zip"},
		{"maps", zipOf(t, []string{"tour.kml", "a"}), "application/vnd.google-earth.kmz"},
		{"draw", compoundOf("Root Entry", "StarDrawDocument3"), "application/vnd.stardivision.draw"},
		{"impress, which has a document of draw", impress, "application/vnd.stardivision.impress"},
	}
	for _, tt := range tests {
		if got := mimetype.Detect(tt.body, "", "", mimetype.Options{}); got.Type != tt.want {
			t.Errorf("%s: Detect = %+v, want %s", tt.name, got, tt.want)
		}
	}
}

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		"audio/x-wav": "audio/vnd.wave", "text/xml": "application/xml", "image/x-icon": "image/vnd.microsoft.icon",
		"application/x-gzip": "application/gzip", "application/pdf": "application/pdf", "a/b": "a/b", "": "",
	} {
		if got := mimetype.Canonical(in); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", in, got, want)
		}
	}
}

func ExampleConflicts() {
	r := mimetype.Detect([]byte("<!DOCTYPE html><title>Not found</title>"), "application/pdf", "report.pdf",
		mimetype.Options{})
	fmt.Println(r.Type, mimetype.Conflicts("application/pdf", r.Type))
	// Output: text/html true
}
