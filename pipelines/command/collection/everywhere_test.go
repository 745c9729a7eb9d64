package collection

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/gleaner-web/gleaner/io/search/contentdb"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// hostile writes an archive in which a host is in every place of a page: title, text, feeds, links, persons and
// metadata. It also has a redirect, a body that cannot be decoded, and a record with a wrong length. A gzip member is
// damaged after its head. One page is of another host.
func hostile(t *testing.T, dir string) {
	t.Helper()
	var b bytes.Buffer
	record := func(url, headers, body string) {
		block := "HTTP/1.1 200 OK\r\n" + headers + "\r\n" + body
		z := gzip.NewWriter(&b)
		_, err := fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: "+
			"2024-05-03T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:x:%d>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n"+
			"%s\r\n\r\n",
			url, b.Len(), len(block), block)
		if err = errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
	}
	const html = "Content-Type: text/html\r\n"
	at := "http://www." + secretHost + "/"
	text := strings.Repeat("The "+hostMarker+" of Angela Merkel was seen in Paris, and nobody knew what it was. ", 10)
	record(at+"page", html, "<html><head><title>"+hostMarker+"</title><meta name=description content='"+hostMarker+"'>"+
		"<link rel=alternate type='application/rss+xml' href='/"+hostMarker+".rss'><link rel=canonical href='"+at+hostMarker+
		"'></head><body><article><h1>"+hostMarker+"</h1><p>"+text+"<a href='/"+hostMarker+
		"'>more</a></p></article></body></html>")
	record(at+hostMarker+".rss", "Content-Type: application/rss+xml\r\n", "<rss version='2.0'><channel><title>"+hostMarker+
		"</title><link>"+at+"</link><item><title>"+hostMarker+"</title><link>"+at+hostMarker+"</link></item></channel></rss>")
	record(at+hostMarker+"-moved", "Location: "+at+hostMarker+"\r\n", "")
	record(at+hostMarker+"-coded", html+"Content-Encoding: gzip\r\n", "this is no gzip: "+hostMarker)
	record(at+hostMarker+"-chunked", html+"Transfer-Encoding: chunked\r\n", "zzz\r\n"+hostMarker)
	record(at+hostMarker+".pdf", "Content-Type: application/pdf\r\n", "%PDF-1.4\n1 0 obj << /Broken "+hostMarker+
		"\ntrailer")
	record("http://stays.example/", html, "<html><body><p>This page stays where it is.</p></body></html>")
	from := b.Len()
	record(at+hostMarker+"-damaged", html, strings.Repeat(hostMarker+" ", 2000))
	data := b.Bytes()
	data[from+len(data[from:])*3/4] ^= 0xff
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "a.warc.gz"), data,
		0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestTakedown_everywhere: after a takedown, no file of a collection has anything of the host. This covers documents
// in all formats, rejects, feeds, reports, the full-text index, outlines, the Iceberg table and compacted shards. It
// covers both indexes of captures, and the files of killed runs and queries in the hidden folder.
func TestTakedown_everywhere(t *testing.T) {
	root := t.TempDir()
	out, shelf := filepath.Join(root, "out"), filepath.Join(root, "shelf")
	hostile(t, shelf)
	at := "--collection=" + out
	code, text := command(t, "ingest", "--output="+out, "--format=parquet,jsonl,wet,content,cdxj,links",
		"--report=html", shelf)
	if code != cli.ExitDone && code != cli.ExitLosses {
		t.Fatalf("ingest: exit code %d\n%s", code, text)
	}
	for _, task := range []string{"lake", "compact", "index"} {
		must(t, "collection", task, at)
	}
	db, err := contentdb.Open(t.Context(), folder.Open(t.Context(), out, nil), contentdb.Options{NoIndex: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Count(t.Context(), query.Query{}); err != nil { // makes outlines
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(out, ".gleaner", "listing-"+strings.Repeat("0a", 32)) // of a run that was killed
	if err := os.WriteFile(left, []byte(hostMarker+secretHost), 0o644); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, name := range slices.Concat(found(t, out, hostMarker), found(t, out, secretHost)) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(name, out+"/"), "-")
		kinds[kind] = true
	}
	for _, kind := range []string{
		"documents", "texts", "content", "feeds", "captures", "rejects", "index.cdxj", "report.json", "report.html",
		".gleaner/listing",
		".gleaner/index/index.db", ".gleaner/index/links/links", "links", "manifest.json",
	} {
		if !kinds[kind] {
			t.Errorf("nothing of it is in %s before, so there is nothing to test: %v", kind, kinds)
		}
	}
	must(t, "collection", "takedown", at, secretHost)
	for _, text := range []string{hostMarker, secretHost, "example,gone"} {
		if list := found(t, out, text); len(list) > 0 {
			t.Errorf("%s is in %v", text, list)
		}
	}
	must(t, "collection", "check", at)
	if list := documents(t, out); len(list) != 1 || !strings.Contains(list[0], "stays.example") {
		t.Errorf("documents: %v", list)
	}
}
