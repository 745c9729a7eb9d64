package mimetype_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

const (
	page  = "<!DOCTYPE html><html><head><title>Not found</title></head><body><p>404</p></body></html>"
	xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body/></html>`
	decl  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
)

func result(t, basis, kind string) mimetype.Result {
	return mimetype.Result{Type: t, Basis: basis, Kind: kind}
}

type detectCase struct {
	name, body, declared, file string
	want                       mimetype.Result
}

func runCases(t *testing.T, tests []detectCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mimetype.Detect([]byte(tt.body), tt.declared, tt.file, mimetype.Options{})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Detect(%.80q, %q, %q): -want +got\n%s", tt.body, tt.declared, tt.file, diff)
			}
		})
	}
}

func TestDetect_feeds(t *testing.T) {
	runCases(t, []detectCase{
		{
			"rss", decl + `<rss version="2.0"><channel/></rss>`, "text/html", "",
			result("application/rss+xml", "structure", "rss"),
		},
		{
			"rss without declaration, after blank lines", "\n\n <rss version='0.91'>", "", "",
			result("application/rss+xml", "structure", "rss"),
		},
		{
			"rss after comment, style sheet and document type", decl +
				`<?xml-stylesheet href="a.xsl"?><!-- <html> --><!DOCTYPE rss [<!ENTITY a "b>">]><rss>`, "", "",
			result("application/rss+xml", "structure", "rss"),
		},
		{
			"rss with byte order mark", "\xEF\xBB\xBF" + decl + `<rss/>`, "", "",
			result("application/rss+xml", "structure", "rss"),
		},
		{"rss in UTF-16", wide(decl + `<rss version="2.0"/>`), "", "", result("application/rss+xml", "structure", "rss")},
		{
			"atom", decl + `<feed xmlns="http://www.w3.org/2005/Atom">`, "text/xml", "",
			result("application/atom+xml", "structure", "atom"),
		},
		{
			"atom with prefix", `<a:feed xmlns:a="http://www.w3.org/2005/Atom"></a:feed>`, "", "",
			result("application/atom+xml", "structure", "atom"),
		},
		{
			"atom 0.3", `<feed version="0.3" xmlns="http://purl.org/atom/ns#">`, "", "",
			result("application/atom+xml", "structure", "atom"),
		},
		{
			"atom entry is no feed", `<entry xmlns="http://www.w3.org/2005/Atom">`, "", "",
			result("application/atom+xml", "structure", ""),
		},
		{"someone else's feed", `<feed xmlns="urn:cattle"></feed>`, "", "", result("application/xml", "structure", "")},
		{"rss 1.0", decl + `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">`, "", "", result("application/rdf+xml", "structure", "rdf")},
		{"rss 0.90", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/">`, "", "", result("application/rdf+xml", "structure", "rdf")},
		{"rdf that is no feed", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:foaf="http://xmlns.com/foaf/0.1/">`, "", "", result("application/rdf+xml", "structure", "")},
		{"opml", decl + `<opml version="2.0"><body/></opml>`, "", "list.xml", result("text/x-opml", "structure", "opml")},
		{
			"sitemap", decl + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url/></urlset>`, "text/xml", "",
			result("application/xml", "structure", "sitemap"),
		},
		{
			"index of sitemaps", `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></sitemapindex>`, "", "",
			result("application/xml", "structure", "sitemap"),
		},
		{
			"rss behind a script", "<script>var x=1;</script>\n" + decl + `<rss version="2.0"><channel/></rss>`,
			"application/rss+xml", "", result("application/rss+xml", "structure", "rss"),
		},
		{"rss behind scripts that name it", "<script src=x></script><script>f('<rss>')</script>" + decl +
			`<rss version="2.0"/>`, "", "", result("application/rss+xml", "structure", "rss")},
		{
			"atom behind style sheets", "<link rel=a href=b><style>a{}</style>" + `<feed xmlns="http://www.w3.org/2005/Atom">`,
			"text/html", "", result("application/atom+xml", "structure", "atom"),
		},
		{
			"sitemap behind a frame", "<iframe src=x></iframe>" + decl +
				`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>`, "text/xml", "",
			result("application/xml", "structure", "sitemap"),
		},
		{
			"rss behind a whole page", "<html><body><script></script></body></html>" + decl + `<rss version="2.0"/>`,
			"application/rss+xml", "", result("application/rss+xml", "structure", "rss"),
		},
		{
			"page that shows a feed", "<script>x</script><h1>Feeds</h1><rss version='2.0'>", "", "",
			result("text/html", "structure", ""),
		},
		{"page that begins with a script", "<script>f('<rss>')</script><p>a", "", "", result("text/html", "structure", "")},
		{
			"rss inside of a page", `<html><body><pre>&lt;rss> <rss version="2.0"></pre></body></html>`, "", "",
			result("text/html", "structure", ""),
		},
	})
}

func TestDetect_markup(t *testing.T) {
	runCases(t, []detectCase{
		{"html", page, "text/html", "", result("text/html", "structure", "")},
		{
			"html served as a document", page, "application/pdf", "https://example.org/report.pdf",
			result("text/html", "structure", ""),
		},
		{"html served as a picture", page, "image/jpeg", "photo.jpg", result("text/html", "structure", "")},
		{
			"html in capitals after a comment", "<!-- made by hand --><HTML><BODY>", "", "",
			result("text/html", "structure", ""),
		},
		{
			"html with control characters", "<html>\x00\x01\x02" + strings.Repeat("\x00", 300), "", "",
			result("text/html", "structure", ""),
		},
		{"document type only", "<!doctype html>Hello", "", "", result("text/html", "structure", "")},
		{"fragment", `<div class="a">b</div>`, "", "", result("text/html", "structure", "")},
		{
			"after a warning of the server", "Warning: mysql_connect() in /x.php\n" + page, "", "",
			result("text/html", "structure", ""),
		},
		{
			"wrapped in another element", `<text id="1"><html><head></head></html>`, "", "",
			result("text/html", "structure", ""),
		},
		{"xhtml by XML declaration", decl + xhtml, "text/html", "", result("application/xhtml+xml", "structure", "")},
		{
			"xhtml by document type", `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd">` + xhtml, "", "",
			result("application/xhtml+xml", "structure", ""),
		},
		{
			"xhtml as declared", "<!DOCTYPE html>" + xhtml, "application/xhtml+xml", "",
			result("application/xhtml+xml", "structure", ""),
		},
		{"xhtml's namespace alone", "<!DOCTYPE html>" + xhtml, "text/html", "", result("text/html", "structure", "")},
		{"declared xhtml without its namespace", page, "application/xhtml+xml", "", result("text/html", "structure", "")},
		{"svg", `<svg viewBox="0 0 1 1"/>`, "text/plain", "", result("image/svg+xml", "structure", "")},
		{
			"svg with prefix", decl + `<s:svg xmlns:s="http://www.w3.org/2000/svg"/>`, "", "",
			result("image/svg+xml", "structure", ""),
		},
		{"mathml", `<math xmlns="http://www.w3.org/1998/Math/MathML">`, "", "", result("application/mathml+xml", "structure",
			"")},
		{"kml", decl + `<kml xmlns="http://www.opengis.net/kml/2.2">`, "", "", result("application/vnd.google-earth.kml+xml",
			"structure", "")},
		{
			"xml of its own", decl + `<inventory><item/></inventory>`, "text/xml", "",
			result("application/xml", "structure", ""),
		},
		{
			"xml made more exact by its name", decl + `<inventory/>`, "", "a.jnlp",
			result("application/x-java-jnlp-file", "name", ""),
		},
		{
			"xml made more exact by its declaration", decl + `<x/>`, "application/vnd.example+xml", "",
			result("application/vnd.example+xml", "declared", ""),
		},
		{"xml is not made a style sheet", decl + `<x/>`, "text/css", "a.css", result("application/xml", "structure", "")},
		{"angle bracket alone", "<3 you all", "", "", result("text/plain", "magic", "")},
		{"one unclosed word in brackets", "<joe@example.org> wrote", "", "", result("text/plain", "magic", "")},
	})
}

// A document that is said to be HTML is a page, also if it begins with a rare element. Without hints, or with a
// declaration of XML, the same elements may be anything.
func TestDetect_saidToBeHTML(t *testing.T) {
	html, xml := result("text/html", "structure", ""), result("application/xml", "structure", "")
	svg := result("image/svg+xml", "structure", "")
	const drawing = `<svg viewBox="0 0 1 1"><svg><path/></svg><svg/></svg>`
	runCases(t, []detectCase{
		{"a sound", `<bgsound src="x.mid"><body bgcolor=white><h1>Club</h1></body>`, "text/html", "", html},
		{"noindex", `<noindex><p>a</p></noindex>`, "text/html", "", html},
		{"an address", `<ADDRESS>a</ADDRESS>`, "text/html", "http://e.org/", html},
		{"a picture", `<picture><img src=a></picture><p>a</p>`, "application/xhtml+xml", "", html},
		{"a custom element", `<my-card>a</my-card>`, "text/html", "", html},
		{"an element of a template", `<esi:include src="a"/><h1>A</h1>b`, "text/html", "", html},
		{"an element of a network", `<fb:like></fb:like><p>a</p>`, "text/html", "", html},
		{"a page in a collection", `<text id="a"><form action="a"><div>a</div></form></text>`, "text/html", "", html},
		{"a page in an unknown element", `<root><table><tr><td>a<br></td></tr></table></root>`, "text/html", "", html},
		{"a page named by its URL", `<page><h1>A</h1><p>b</p></page>`, "", "a.html", html},
		{"data with a paragraph", `<items><item><p>a</p></item></items>`, "text/html", "", xml},
		{"quoted HTML", `<r><c><![CDATA[<div><p>a</p><br></div>]]></c></r>`, "text/html", "", xml},
		{"the same as XML", `<root><div>a</div><br/></root>`, "text/xml", "", xml},
		{"a namespace", `<root xmlns="urn:a"><div>a</div><br/></root>`, "text/html", "", xml},
		{"a word", `<dfn>a</dfn>`, "text/html", "", html},
		{"by name", `<map name=a></map><p>a</p>`, "", "http://e.org/a.html", html},
		{"by name, declared as anything", `<code>a</code>`, "application/octet-stream", "a.htm", html},
		{"without hints", `<map><a/></map>`, "", "", xml},
		{"by name, declared as XML", `<mark>a</mark>`, "application/atom+xml", "a.html", xml},
		{"declared as XML", `<details><a/></details>`, "text/xml", "", xml},
		{"an unknown element", `<response><status/></response>`, "text/html", "", xml},
		{"with an XML declaration", decl + `<map><a/></map>`, "text/html", "", xml},
		{"with the namespace of HTML", `<cite xmlns="http://www.w3.org/1999/xhtml">a</cite>`, "text/html", "", html},
		{"with another namespace", `<cite xmlns="urn:a">a</cite>`, "text/html", "", xml},
		{"a page after a drawing", drawing + `<p>a`, "text/html", "", html},
		{"text after a drawing", drawing + " <!-- a --> words", "text/html", "", html},
		{"a drawing with its namespace", `<svg xmlns="http://www.w3.org/2000/svg"></svg><p>a`, "text/html", "", html},
		{"a formula in a page", `<math><mi>x</mi></math> is <b>a</b>`, "text/html", "", html},
		{"a drawing", drawing + "\n<!-- a -->\n", "text/html", "", svg},
		{"a drawing that is cut", `<svg><path/><p>a`, "text/html", "", svg},
		{"a drawing with a declaration", decl + drawing + "a", "text/html", "", svg},
		{"no page after a drawing", drawing + "<p>a", "image/svg+xml", "", svg},
		{"old elements without hints", `<marquee>a</marquee>`, "", "", html},
	})
}

func TestDetect_json(t *testing.T) {
	long := strings.Repeat("x", 5000)
	runCases(t, []detectCase{
		{"object", `{"a": [1, 2]}`, "text/html", "", result("application/json", "structure", "")},
		{"cut object", `{"a": "` + long, "", "", result("application/json", "structure", "")},
		{"with byte order mark", "\xEF\xBB\xBF{\"a\": 1}", "", "", result("application/json", "structure", "")},
		{
			"feed", `{"version": "https:\/\/jsonfeed.org\/version\/1.1", "items": []}`, "", "",
			result("application/feed+json", "structure", "jsonfeed"),
		},
		{
			"feed whose version comes late", `{"title": "` + long + `", "version": "https://jsonfeed.org/version/1"}`, "", "",
			result("application/feed+json", "structure", "jsonfeed"),
		},
		{
			"version of something inside", `{"meta": {"version": "https://jsonfeed.org/version/1"}}`, "", "",
			result("application/json", "structure", ""),
		},
		{
			"linked data", `{ "@context": "https://schema.org", "@type": "Article"}`, "application/json", "",
			result("application/ld+json", "structure", "jsonld"),
		},
		{
			"list of linked data", `[{"@context": "https://schema.org"}, {}]`, "", "",
			result("application/ld+json", "structure", "jsonld"),
		},
		{"context as a value", `{"a": "@context"}`, "", "", result("application/json", "structure", "")},
		{"lines", "{\"a\": 1}\n{\"a\": 2}\n{\"a\"", "", "", result("application/x-ndjson", "structure", "ndjson")},
		{
			"lines longer than signatures look", `{"a": "` + long + "\"}\n{\"a\": 2}\n", "", "",
			result("application/x-ndjson", "structure", "ndjson"),
		},
		{"deeper than is followed", strings.Repeat(`[{"a":`, 10_000), "", "", result("application/json", "structure", "")},
		{"comma before the end", `{"a": 1,}`, "", "", result("text/plain", "magic", "")},
		{"brackets that do not match", `{"a": [1}`, "", "", result("text/plain", "magic", "")},
		{"a word in brackets", "[note] see [1]", "", "", result("text/plain", "magic", "")},
		{"text behind a list", "[1] See there", "", "", result("text/plain", "magic", "")},
		{"cut inside of a word", `[true, fal`, "", "", result("application/json", "structure", "")},
		{"two values on one line", "{} {}", "", "", result("text/plain", "magic", "")},
		{"geojson", `{"type": "FeatureCollection", "features": []}`, "", "", result("application/geo+json", "structure", "")},
		{
			"json with a comment, declared", "{\n// c\n\"a\": 1}", "application/json", "",
			result("application/json", "declared", ""),
		},
		{"error text declared json", "Internal error", "application/json", "", result("text/plain", "magic", "")},
		{"call back", `cb({"a": 1});`, "text/javascript", "", result("text/javascript", "declared", "")},
	})
}

func TestDetect_hints(t *testing.T) {
	pdf, gzip := "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj", "\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03"
	runCases(t, []detectCase{
		{"empty", "", "text/html", "a.html", result("", "empty", "")},
		{"text", "Hello, world", "", "", result("text/plain", "magic", "")},
		{"text in a legacy encoding", "Gr\xFC\xDFe aus K\xF6ln", "", "", result("text/plain", "magic", "")},
		{
			"style sheet as declared", "a { color: red }", "text/css; charset=utf-8", "https://example.org/style.php?v=1",
			result("text/css", "declared", ""),
		},
		{
			"style sheet by name", "a { color: red }", "text/plain", "https://example.org/a.css?v=1.2",
			result("text/css", "name", ""),
		},
		{"style sheet served as a page", "a { color: red }", "text/html", "/a.css", result("text/css", "name", "")},
		{"script", "var a = '<html><head>';", "application/javascript", "a.js", result("text/javascript", "declared", "")},
		{
			"script that writes a page, by name", "document.write('<!doctype html>');", "", "https://example.org/lib/a.js#x",
			result("text/javascript", "name", ""),
		},
		{"values", "a,b\n1,2\n", "", "DATA.CSV", result("text/csv", "name", "")},
		{"commas are no list of values", "Dear Ann, Bob\nthanks, all\nbye, Cy\n", "", "", result("text/plain", "magic", "")},
		{"markdown", "# Title\n\ntext", "application/octet-stream", "README.md", result("text/markdown", "name", "")},
		{"prose served as a page", "pong", "text/html", "", result("text/html", "declared", "")},
		{"text served as a picture", "pong", "image/png", "a.png", result("text/plain", "magic", "")},
		{"the host is no extension", "pong", "", "https://example.css", result("text/plain", "magic", "")},
		{"bytes that nobody knows", "\x00\x01\x02\x03", "", "", result("application/octet-stream", "magic", "")},
		{"bytes named", "\x00\x01\x02\x03", "application/octet-stream", "a.tga", result("image/x-tga", "name", "")},
		{
			"bytes declared", "\x00\x01\x02\x03", "application/x-protobuf", "",
			result("application/x-protobuf", "declared", ""),
		},
		{
			"bytes are not made a page", "\x00\x01\x02\x03", "text/html", "a.html",
			result("application/octet-stream", "magic", ""),
		},
		{"pdf served as a page", pdf, "text/html", "a.html", result("application/pdf", "magic", "")},
		{"pdf with a byte order mark", "\xEF\xBB\xBF" + pdf, "", "", result("application/pdf", "magic", "")},
		{"pdf after empty lines", "\r\n\r\n" + pdf, "", "", result("application/pdf", "magic", "")},
		{"text about pdf", "files begin with %PDF-1.4", "", "", result("text/plain", "magic", "")},
		{"compressed page", gzip, "text/html", "a.html", result("application/gzip", "magic", "")},
		{"compressed tape", "\x1F\x9D\x90", "", "a.tar.Z", result("application/x-compress", "magic", "")},
		{"png", "\x89PNG\r\n\x1A\n\x00\x00\x00\x0DIHDR", "image/jpeg", "a.jpg", result("image/png", "magic", "")},
		{"raw photograph", "II*\x00\x08\x00\x00\x00\x00\x00", "", "a.nef", result("image/x-raw-nikon", "name", "")},
		{
			"mail", "Return-Path: <a@b>\r\nReceived: from c\r\n\tby d\r\nSubject: e\r\n\r\nf", "", "",
			result("message/rfc822", "structure", ""),
		},
		{
			"java class", "\xCA\xFE\xBA\xBE\x00\x00\x00\x34\x00\x1D\x0A\x00\x06\x00\x0F\x09", "", "",
			result("application/java-vm", "magic", ""),
		},
		{
			"universal program", "\xCA\xFE\xBA\xBE\x00\x00\x00\x02\x01\x00\x00\x07\x00\x00\x00\x03", "", "",
			result("application/x-mach-o-universal", "magic", ""),
		},
	})
}

// TestDetect_junkBeforeMagic: servers, mail programs, printers and crawlers may leave bytes before a PDF, which is
// still a PDF. A text about PDFs is a text.
func TestDetect_junkBeforeMagic(t *testing.T) {
	const objects = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"
	pdf := result("application/pdf", "magic", "")
	for _, junk := range []string{
		" ", "\t", "   ", "\n ", "\r\n", "\x00", "\x00\x00\x00\x00", "\xEF\xBB\xBF ", "\xEF\xBB\xBF\n", "1", "2000\r\n",
		"1f40 ",
		"junk", "junk\n", "(null)", "null", "undefined", "OK ", "Array", "Warning: division by zero in a.php on line 3 ",
		"Content-Type: application/pdf\r\n\r\n", "HTTP/1.1 ", "\x1B%-12345X@PJL ENTER LANGUAGE=PDF\r\n", "@PJL SET A=B ",
		"%!PS-Adobe-3.0 PDF-1.4\n", "--boundary\r\nContent-Disposition: form-data\r\n\r\n", "data:application/pdf,", "'",
		"\"", "b'",
		strings.Repeat(" ", 1000), strings.Repeat("x", 1019),
	} {
		if got := mimetype.Detect([]byte(junk+objects), "text/html", "", mimetype.Options{}); got != pdf {
			t.Errorf("behind %.40q it is %+v, want a PDF", junk, got)
		}
	}
	for _, text := range []string{
		"files begin with %PDF-1.4", "<p>files begin with %PDF-1.4 and have 1 0 obj", strings.Repeat("x", 1020) + objects,
		"The header is %PDF-1.4" + strings.Repeat(", and much follows", 100) + " 1 0 obj",
	} {
		if got := mimetype.Detect([]byte(text), "", "", mimetype.Options{}); got == pdf {
			t.Errorf("%.60q is a PDF", text)
		}
	}
}

func TestDetect_sound(t *testing.T) {
	const tag = "ID3\x04\x00\x00\x00\x00\x00\x05hello"
	sound := func(want string) mimetype.Result { return result(want, "magic", "") }
	runCases(t, []detectCase{
		{"aac behind a tag", tag + "\xFF\xF1\x50\x80\x02\x1F\xFC", "", "", sound("audio/aac")},
		{"aac of MPEG-2", tag + "\xFF\xF9\x50\x80", "", "", sound("audio/aac")},
		{"aac behind filling", tag + "\x00\x00\x00\xFF\xF1\x50\x80", "", "", sound("audio/aac")},
		{"mp3 behind a tag", tag + "\xFF\xFB\x90\x64", "", "", sound("audio/mpeg")},
		{"flac behind a tag", tag + "fLaC\x00\x00\x00\x22", "", "", sound("audio/flac")},
		{"a tag alone", tag, "", "", sound("audio/mpeg")},
		{"a tag that reaches over the end", "ID3\x04\x00\x00\x7F\x7F\x7F\x7Fhello\xFF\xF1", "", "", sound("audio/mpeg")},
	})
}

func TestDetect_lzma(t *testing.T) {
	const unknown = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
	runCases(t, []detectCase{
		{
			"a power of two", "\x5D\x00\x00\x80\x00" + unknown + "\x00\x34\x19", "", "",
			result("application/x-lzma", "magic", ""),
		},
		{
			"three halves of one", "\x5D\x00\x00\xC0\x00" + unknown + "\x00\x34\x19", "", "",
			result("application/x-lzma", "magic", ""),
		},
		{
			"another number", "\x5D\x00\x00\xA1\x00" + unknown + "\x00\x34\x19", "", "",
			result("application/octet-stream", "magic", ""),
		},
		{
			"a first byte that no coder writes", "\x5D\x00\x00\x80\x00" + unknown + "\x01\x34\x19", "", "",
			result("application/octet-stream", "magic", ""),
		},
	})
}

func TestDetect_zip(t *testing.T) {
	office := `<Types><Override PartName="/x" ContentType="application/vnd.%s.main+xml"/></Types>`
	tests := []struct {
		name, file string
		members    []string // name, content, …
		want       mimetype.Result
	}{
		{"plain", "", []string{"a.txt", "a"}, result("application/zip", "magic", "")},
		{
			"epub", "a.zip",
			[]string{"mimetype", "application/epub+zip", "OEBPS/a.xhtml", "a"},
			result("application/epub+zip", "structure", ""),
		},
		{
			"epub that has a manifest too", "",
			[]string{"mimetype", "application/epub+zip", "META-INF/MANIFEST.MF", "a"},
			result("application/epub+zip", "structure", ""),
		},
		{
			"epub by another name", "",
			[]string{"mimetype", "application/x-epub+zip"},
			result("application/epub+zip", "structure", ""),
		},
		{"claims to be a page", "", []string{"mimetype", "text/html"}, result("application/zip", "magic", "")},
		{
			"jar", "",
			[]string{"META-INF/MANIFEST.MF", "Manifest-Version: 1.0", "A.class", "a"},
			result("application/java-archive", "structure", ""),
		},
		{
			"app", "",
			[]string{"META-INF/MANIFEST.MF", "a", "AndroidManifest.xml", "a"},
			result("application/vnd.android.package-archive", "structure", ""),
		},
		{
			"docx with its parts last", "",
			[]string{
				"word/document.xml", "a", "[Content_Types].xml",
				fmt.Sprintf(office, "openxmlformats-officedocument.wordprocessingml.document"),
			},
			result("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "structure", ""),
		},
		{
			"presentation with macros, misnamed", "a.docx",
			[]string{"[Content_Types].xml", fmt.Sprintf(office, "ms-powerpoint.slideshow.macroEnabled")},
			result("application/vnd.ms-powerpoint.slideshow.macroenabled.12", "structure", ""),
		},
		{
			"word template with macros", "",
			[]string{"[Content_Types].xml", `<Types><Override ContentType="application/vnd.ms-word.template.macroEnabledTemplate.main+xml"/></Types>`},
			result("application/vnd.ms-word.template.macroenabled.12", "structure", ""),
		},
		{
			"word document with macros", "",
			[]string{"[Content_Types].xml", `<Types><Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>`},
			result("application/vnd.ms-word.document.macroenabled.12", "structure", ""),
		},
		{
			"binary workbook", "",
			[]string{"[Content_Types].xml", `<Types><Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>`},
			result("application/vnd.ms-excel.sheet.binary.macroenabled.12", "structure", ""),
		},
		{
			"office by folder", "",
			[]string{"[Content_Types].xml", "damaged", "xl/workbook.xml", "a"},
			result("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "structure", ""),
		},
		{"by name", "a.oxt", []string{"description.xml", "a"}, result("application/vnd.openofficeorg.extension", "name", "")},
		{"not by another family's name", "a.html", []string{"a.html", page}, result("application/zip", "magic", "")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			whole := zipOf(t, tt.members)
			cut := whole[:bytes.LastIndex(whole, []byte("PK\x01\x02"))]
			for _, body := range [][]byte{whole, cut} {
				got := mimetype.Detect(body, "", tt.file, mimetype.Options{})
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("Detect of %d of %d bytes: -want +got\n%s", len(body), len(whole), diff)
				}
			}
		})
	}
}

// zipOf writes members as most programs do: the first is stored, and sizes follow the contents.
func zipOf(tb testing.TB, members []string) []byte {
	tb.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for i := 0; i < len(members); i += 2 {
		h := &zip.FileHeader{Name: members[i], Method: zip.Deflate}
		if members[i] == "mimetype" {
			h.Method = zip.Store
		}
		m, err := w.CreateHeader(h)
		if err == nil {
			_, err = m.Write([]byte(members[i+1]))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return buf.Bytes()
}

// compoundOf makes a compound file with the names in its directory, which is in sector 1. Sector 0 is the allocation
// table, in which the directory's next sector is itself.
func compoundOf(names ...string) []byte {
	body := make([]byte, 3*512)
	copy(body, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	binary.LittleEndian.PutUint16(body[26:], 3)
	binary.LittleEndian.PutUint16(body[30:], 9)
	binary.LittleEndian.PutUint32(body[48:], 1)
	binary.LittleEndian.PutUint32(body[512+4:], 1)
	for i, name := range names {
		entry := body[1024+128*i:]
		units := utf16.Encode([]rune(name))
		for k, u := range units {
			binary.LittleEndian.PutUint16(entry[2*k:], u)
		}
		binary.LittleEndian.PutUint16(entry[64:], uint16(2*len(units)+2))
	}
	return body
}

func TestDetect_compoundFile(t *testing.T) {
	runCases(t, []detectCase{
		{
			"word", string(compoundOf("Root Entry", "WordDocument")), "application/pdf", "a.xls",
			result("application/msword", "structure", ""),
		},
		{
			"works", string(compoundOf("Root Entry", "CONTENTS", "SPELLING")), "", "",
			result("application/vnd.ms-works", "structure", ""),
		},
		{
			"unknown, named", string(compoundOf("Root Entry", "x")), "", "a.mpp",
			result("application/vnd.ms-project", "name", ""),
		},
		{
			"directory beyond the end", string(compoundOf("Root Entry", "WordDocument")[:700]), "", "",
			result("application/x-ole-storage", "magic", ""),
		},
	})
}

func wide(s string) string {
	out := []byte("\xFF\xFE")
	for _, u := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

func TestDetect_smallestLimits(t *testing.T) {
	o := mimetype.Options{MaxHead: 1, MaxMembers: 1}
	bodies := []string{
		page, wide(decl), `{"a": 1}`, string(zipOf(t, []string{"a", "b", "mimetype", "c"})),
		string(compoundOf("Root Entry", "Book")),
	}
	for _, body := range bodies {
		if got := mimetype.Detect([]byte(body), "", "", o); got.Type == "" {
			t.Errorf("Detect(%.40q, %+v) = %v, want a type", body, o, got)
		}
	}
}

func TestBase(t *testing.T) {
	tests := []struct{ in, want string }{
		{"text/html", "text/html"},
		{"TEXT/HTML; charset=UTF-8", "text/html"},
		{" text/html ;charset", "text/html"},
		{"text/html,text/html", "text/html"},
		{`"text/html"`, "text/html"},
		{"application/rss+xml charset=utf-8", "application/rss+xml"},
		{"application/vnd.a-b.c+json;v=1", "application/vnd.a-b.c+json"},
		{"text", ""},
		{"/html", ""},
		{"text/", ""},
		{"a/b/c", ""},
		{"; charset=utf-8", ""},
		{"", ""},
		{"text/html\x00", "text/html"},
		{strings.Repeat("a", 1<<20), ""},
	}
	for _, tt := range tests {
		if got := mimetype.Base(tt.in); got != tt.want {
			t.Errorf("Base(%.40q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestIs(t *testing.T) {
	tests := []struct {
		mediaType       string
		html, xml, text bool
	}{
		{"text/html", true, false, true},
		{"application/xhtml+xml", true, true, true},
		{"application/xml", false, true, true},
		{"text/xml", false, true, true},
		{"image/svg+xml", false, true, true},
		{"text/x-opml", false, true, true},
		{"application/vnd.example+json", false, false, true},
		{"application/javascript", false, false, true},
		{"message/rfc822", false, false, true},
		{"application/epub+zip", false, false, false},
		{"application/pdf", false, false, false},
		{"application/octet-stream", false, false, false},
		{"", false, false, false},
	}
	for _, tt := range tests {
		if html, xml, text := mimetype.IsHTML(tt.mediaType), mimetype.IsXML(tt.mediaType),
			mimetype.IsText(tt.mediaType); html != tt.html || xml != tt.xml || text != tt.text {
			t.Errorf("%q: IsHTML, IsXML, IsText = %t, %t, %t, want %t, %t, %t", tt.mediaType, html, xml, text, tt.html, tt.xml,
				tt.text)
		}
	}
}

func ExampleDetect() {
	body := []byte(`<?xml version="1.0"?><rss version="2.0"><channel><title>News</title></channel></rss>`)
	r := mimetype.Detect(body, "text/html; charset=utf-8", "https://example.org/feed", mimetype.Options{})
	fmt.Println(r.Type, r.Basis, r.Kind)
	// Output: application/rss+xml structure rss
}

func FuzzDetect(f *testing.F) {
	for _, body := range []string{
		page, decl + xhtml, decl + `<!DOCTYPE a [<!ENTITY b "c">]><a:feed xmlns:a="http://www.w3.org/2005/Atom">`,
		wide(decl + "<rss/>"),
		`[{"@context": "\"", "version": "https://jsonfeed.org/version/1"}]`, "{}\n{}", "From a Mon 1:00\nTo: b\n",
		"12\nTo: a\nFrom: b\nDate: c\n",
		string(zipOf(f, []string{"mimetype", "application/epub+zip", "[Content_Types].xml", "a"})),
		string(compoundOf("Root Entry", "Book")),
		string(zipOf(f, []string{"index.xml", "<sl:document>", "META-INF/container.xml", "a"})), string(zipped(f, "a", page)),
		"\x1F\x8B\x08\x1F",
		"\x00\x00\x00\x1Cftypmif1\x00\x00\x00\x00mif1avif", "\x30\x82\x01\x00\x30\x84\x01", "a,b,c\n1,2,3\n\"",
		"Warning\n<?xml?><rss>",
		"-----BEGIN CERTIFICATE-----", "-----BEGIN ", "P6\n1", "RIFF\x00\x00\x00\x00CDR", "bplist00",
		"\x0B\x77\x00\x00\x00\x40",
		at(140, 0, "\x0A\x05\x01\x08"), at(85, 80, "\x01"), at(20, 12, "\x01\x00\x01\x00\x08"), "#define a_width 1",
		"HTTP/1.1 200 OK",
		"\xCA\xFE\xBA\xBE\x00\x00\x00\x02", "\xCF\xFA\xED\xFE", "%PDF-", "<", "<!", "<!--", "<?", "</", "<a", "<a b='",
		"<!DOCTYPE [",
		"<br>%PDF-1.4\n1 0 obj<<\nstartxref\n1", "1 0 obj\n<<>>\nstartxref\n0\n%%EOF", "<\x00p\x00>\x00a\x00b",
		"MIME-Version: 1.0\nContent-Type: multipart/related;\n",
		"1\n00:00:01,000 --> 00:00:02,000\na",
	} {
		f.Add([]byte(body), "text/html; charset=x", "https://example.org/a.b?c#d")
	}
	f.Fuzz(func(t *testing.T, body []byte, declared, name string) {
		r := mimetype.Detect(body, declared, name, mimetype.Options{})
		if (r.Type == "") != (len(body) == 0) || r.Type != strings.ToLower(r.Type) ||
			strings.ContainsAny(r.Type, "; \t\r\n") {
			t.Errorf("Detect = %v, want a media type", r)
		}
		if r.Type != mimetype.Canonical(r.Type) || r.Inside != "" && r.Type != "application/gzip" {
			t.Errorf("Detect = %v, want the usual name, and an inside of gzip only", r)
		}
		if mimetype.Conflicts(r.Type, r.Type) {
			t.Errorf("Conflicts(%q) with itself", r.Type)
		}
		if again := mimetype.Detect(body, declared, name, mimetype.Options{}); again != r {
			t.Errorf("Detect = %v, then %v", r, again)
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	text := strings.Repeat("word and word, ", 5000)
	for _, bm := range []struct{ name, body string }{
		{"page", "<!DOCTYPE html>\n<html lang=en><head><title>t</title></head><body>" + text},
		{"text", text},
		{"json", `{"a": "` + text + `"}`},
		{"docx", string(zipOf(b, []string{
			"[Content_Types].xml", `ContentType="application/vnd.x.main+xml"`,
			"word/document.xml", text,
		}))},
		{"binary", strings.Repeat("\x00\x01\x02\xFF", 10_000)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			body := []byte(bm.body)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				mimetype.Detect(body, "text/html; charset=utf-8", "https://example.org/a.html", mimetype.Options{})
			}
		})
	}
}
