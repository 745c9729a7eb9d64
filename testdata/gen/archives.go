package main

import (
	"fmt"
	"time"
)

// What the warcinfo records say they conform to.
const (
	conforms10 = "http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf"
	conforms11 = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
)

// visit is one page of the first site and how it is sent.
type visit struct {
	path    string
	codings []string
	fields  []field // of the response record
	// overWire takes the payload digest over the body with its chunks, as some crawlers do; others take it without.
	overWire bool
}

func (v visit) exchange(s *site) (exchange, error) {
	p, err := s.get(gazette, v.path)
	if err != nil {
		return exchange{}, err
	}
	return answer(p, v.codings...)
}

func (v visit) record(s *site, w *warc) error {
	x, err := v.exchange(s)
	if err != nil {
		return err
	}
	if v.overWire {
		v.fields = append(v.fields, field{"WARC-Payload-Digest", w.digest(x.wire)})
	}
	w.visit(x, v.fields...)
	return nil
}

// mainWARC holds the pages in English, the feeds, and one record of every kind.
func mainWARC(s *site) (archive, error) {
	w := &warc{
		name: "site.warc.gz", version: "WARC/1.1", pack: gzipped, digest: sha1Base32,
		clock: time.Date(2024, 11, 20, 6, 0, 0, 0, time.UTC), step: 11*24*time.Hour + 3*time.Hour + 29*time.Second,
	}
	w.begin(conforms11)
	w.add(record{
		kind: "response", url: "dns:" + gazette, mime: "text/dns",
		fields: []field{{"WARC-IP-Address", "198.51.100.53"}},
		block:  []byte(w.clock.Format(arcDate) + "\n" + gazette + ".\t3600\tIN\tA\t" + address(gazette) + "\n"),
	})
	for _, v := range mainVisits() {
		if err := v.record(s, w); err != nil {
			return archive{}, err
		}
	}
	for _, add := range []func(*site, *warc) error{addStatuses, addRevisits, addDerived} {
		if err := add(s, w); err != nil {
			return archive{}, err
		}
	}
	return w.finish()
}

func mainVisits() []visit {
	return []visit{
		{path: "/robots.txt"},
		{path: "/"},
		{path: "/2023/05/swing-bridge-reopens.html", codings: []string{"chunked"}},
		{path: "/2023/06/last-shout-at-the-fish-auction.html", codings: []string{"gzip", "chunked"}, overWire: true},
		{path: "/print/swing-bridge.html"},
		{path: "/back-numbers.html", codings: []string{"chunked"}, overWire: true},
		{path: "/assets/gazette.css"},
		{path: "/assets/gazette.js", codings: []string{"deflate"}},
		{path: "/assets/logo.svg", fields: []field{{"WARC-Payload-Digest", sha1Base32([]byte("another logo"))}}},
		{path: "/contact.html", codings: []string{"raw"}},
		{path: "/feeds/news.rss", codings: []string{"br"}},
		{path: "/feeds/news.atom", codings: []string{"zstd"}},
		{path: "/feeds/news.rdf", codings: []string{"says-chunked"}},
		{path: "/feeds/news.json", codings: []string{"says-gzip"}},
		{path: "/feeds/paper.opml"},
		{path: "/sitemap.xml"},
		{path: "/forum/topic-318.html"},
		{path: "/api/v1/tides.json"},
		{path: "/docs/harbour-report-2023.pdf"},
		{path: "/shop/brass-barometer.html"},
		{path: "/shop/oilskin-coat.html"},
	}
}

// addStatuses adds a redirect, a page that is not there, and one that is not there but says 200.
func addStatuses(s *site, w *warc) error {
	missing, err := s.get(gazette, "/not-found.html")
	if err != nil {
		return err
	}
	for _, t := range []struct {
		page
		status string
		header []field
	}{
		{moved, "301 Moved Permanently", []field{{"Location", "/2023/05/swing-bridge-reopens.html"}}},
		{gone, "404 Not Found", nil},
		{page{gazette, "/notices/missing.html", missing.mime, missing.body}, "200 OK", nil},
	} {
		x, err := answer(t.page)
		if err != nil {
			return err
		}
		x.status, x.header = t.status, append(x.header, t.header...)
		w.visit(x)
	}
	return nil
}

// moved and gone are the bodies of a redirect and of a plain 404.
var (
	moved = page{gazette, "/bridge", "text/html", []byte("<html><head><title>301 Moved Permanently</title></head>\n" +
		"<body><h1>Moved Permanently</h1><p>The document is <a " +
		"href=\"/2023/05/swing-bridge-reopens.html\">here</a>.</p></body></html>\n")}
	gone = page{gazette, "/gone.html", "text/html", []byte("<html><head><title>404 Not Found</title></head>\n" +
		"<body><h1>Not Found</h1><hr><address>quay/1.4</address></body></html>\n")}
)

// addRevisits adds a page seen again unchanged and a style sheet that the server says is not modified (sections
// 6.7.2 and 6.7.3 of WARC/1.1).
func addRevisits(s *site, w *warc) error {
	home, err := visit{path: "/"}.exchange(s)
	if err != nil {
		return err
	}
	first := w.seen[home.url()]
	w.add(record{
		kind: "revisit", url: home.url(), mime: "application/http; msgtype=response", block: []byte(home.head()),
		fields: []field{
			{"WARC-IP-Address", address(gazette)},
			{"WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"},
			{"WARC-Refers-To", first.id},
			{"WARC-Refers-To-Target-URI", home.url()},
			{"WARC-Refers-To-Date", first.date},
			{"WARC-Payload-Digest", w.digest(home.entity)},
		},
	})
	w.tick()
	css := exchange{
		page: page{host: gazette, path: "/assets/gazette.css"}, status: "304 Not Modified",
		header: []field{{"ETag", `"9f-tide"`}},
	}
	w.add(record{
		kind: "revisit", url: css.url(), mime: "application/http; msgtype=response", block: []byte(css.head()),
		fields: []field{
			{"WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/server-not-modified"},
			{"WARC-Refers-To-Target-URI", css.url()},
			{"WARC-Refers-To-Date", w.seen[css.url()].date},
		},
	})
	w.tick()
	return nil
}

// addDerived adds the records that are no exchange, a response that was cut, and a type that nobody knows.
func addDerived(s *site, w *warc) error {
	listing, err := visit{path: "/back-numbers.html"}.exchange(s)
	if err != nil {
		return err
	}
	listing.path, listing.wire = "/back-numbers.html?from=1201", listing.wire[:16<<10]
	listing.entity = listing.wire
	id := w.visit(listing, field{"WARC-Truncated", "length"})
	w.add(record{
		kind: "metadata", url: listing.url(), mime: "application/warc-fields", fields: []field{{"WARC-Concurrent-To", id}},
		block: []byte("via: https://" + gazette + "/\r\nhopsFromSeed: L\r\nfetchTimeMs: 412\r\n" +
			"outlink: https://" + gazette + "/contact.html L a/@href\r\n"),
	})
	for _, a := range s.articles {
		if a.Markup == "broken" {
			text := []byte(a.Title + "\n\n" + a.text)
			w.add(record{
				kind: "conversion", url: a.URL(), mime: "text/plain; charset=utf-8", block: text,
				fields: []field{{"WARC-Refers-To", w.seen[a.URL()].id}, {"WARC-Payload-Digest", w.digest(text)}},
			})
		}
	}
	shot, err := s.get(gazette, "/assets/quay.png")
	if err != nil {
		return err
	}
	w.add(record{
		kind: "resource", url: shot.url(), mime: shot.mime, block: shot.body,
		fields: []field{{"WARC-Payload-Digest", w.digest(shot.body)}},
	})
	w.add(record{
		kind: "x-observation", url: "https://" + gazette + "/", mime: "text/plain",
		block: []byte("A record type that no specification knows.\n"),
	})
	return nil
}

// oldWARC holds the legacy encodings, in version 1.0 of the format, uncompressed.
func oldWARC(s *site) (archive, error) {
	w := &warc{
		name: "site.warc", version: "WARC/1.0", digest: sha1Base32,
		clock: time.Date(2021, 11, 25, 19, 20, 21, 0, time.UTC), step: 29 * time.Hour,
	}
	w.begin(conforms10)
	for _, v := range []visit{
		{path: "/ru/nochnoi-parom.html"},
		{path: "/zh/zaochuan-shifu.html"},
		{path: "/ja/asa-no-gyoko.html"},
		{path: "/sv/vinterbadarna.html"},
		{path: "/features/keeper-of-the-second-light.html"},
		{path: "/letters/guestbook.html"},
		{path: "/docs/reglement-du-port.pdf"},
	} {
		if err := v.record(s, w); err != nil {
			return archive{}, err
		}
	}
	table, err := s.get(gazette, "/docs/tide-table.txt")
	if err != nil {
		return archive{}, err
	}
	w.add(record{
		kind: "resource", url: fmt.Sprintf("ftp://%s%s", gazette, table.path), mime: "text/plain", block: table.body,
	})
	w.tick()
	w.add(record{
		kind: "revisit", url: table.url(), mime: "application/http; msgtype=response",
		block: []byte("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"),
		fields: []field{
			{"WARC-Profile", "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"},
			{"WARC-Payload-Digest", w.digest(table.body)},
		},
	})
	return w.finish()
}
