package damage

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// archive is an archive before it is written, in parts, since some damage affects parts: a wrong head, a missing
// tail.
type archive struct {
	c       Case
	records []record
	pages   []Page
}

// record is a record. page is the index of its page, or -1. tail has the bytes before the next record, which its
// length excludes.
type record struct {
	head, block, tail []byte
	page              int
}

// bytes returns the record as it is written.
func (rec *record) bytes() []byte { return bytes.Join([][]byte{rec.head, rec.block, rec.tail}, nil) }

// author writes the pages of an archive. It draws from a single random source in a fixed order, which determines
// every byte.
type author struct {
	*rand.Rand
	c     Case
	words []string
	clock time.Time
	ids   uint64
	a     *archive
}

func (c Case) archive(r *rand.Rand) *archive {
	w := &author{Rand: r, c: c, clock: time.Date(2021, 3, 4, 5, 6, 7, 0, time.UTC), a: &archive{c: c}}
	// Pages share words, as on a site.
	for range 1500 {
		w.words = append(w.words, w.word())
	}
	w.begin()
	for i := range c.Pages {
		w.page(i)
	}
	return w.a
}

// word returns some syllables, a few with letters beyond ASCII.
func (w *author) word() string {
	var b strings.Builder
	for range 1 + w.IntN(4) {
		b.WriteByte("bcdfghklmnprstvw"[w.IntN(16)])
		b.WriteString([]string{"a", "e", "i", "o", "u", "ae", "é", "ou"}[w.IntN(8)])
	}
	return b.String()
}

// begin writes the first record, which shows the format of the file.
func (w *author) begin() {
	// Version 1 of ARC: the filedesc line and a block with the names of fields.
	if w.c.ARC {
		block := "1 0 Archive\nURL IP-address Archive-date Content-type Archive-length\n"
		line := fmt.Sprintf("filedesc://made.arc 0.0.0.0 %s text/plain %d\n", w.clock.Format("20060102150405"), len(block))
		w.a.records = append(w.a.records, record{[]byte(line), []byte(block), []byte("\n"), -1})
		return
	}
	w.put("warcinfo", "", "application/warc-fields", []byte("software: damage/1\r\nformat: WARC File Format 1.0\r\n"), -1)
}

// page writes a page, in WARC with a request before it and sometimes metadata after it, which have the same URL.
func (w *author) page(i int) {
	// Frequent words and similar URLs, as on a site.
	folder, name := w.words[w.IntN(20)], w.words[w.IntN(len(w.words))]
	url := fmt.Sprintf("http://%s%d.example/%s/%s-%d.html", cmp.Or(w.c.Host, "site"), i%7, folder, name, i)
	body, mime := w.body(i)
	// Of the body before chunking and compression.
	sum := sha1.Sum(body)
	w.a.pages = append(w.a.pages, Page{URL: url, SHA1: hex.EncodeToString(sum[:]), Size: len(body), Checked: w.c.Digests})
	message := w.message(body, mime)
	// Dates are unique.
	w.clock = w.clock.Add(time.Duration(1+w.IntN(90)) * time.Second)
	if w.c.ARC {
		line := fmt.Sprintf("%s 192.0.2.%d %s %s %d\n", url, i%250, w.clock.Format("20060102150405"), mime, len(message))
		w.a.records = append(w.a.records, record{[]byte(line), message, []byte("\n"), i})
		return
	}
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	ask := "GET /" + path + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: crawler/1.0\r\nAccept: */*\r\n\r\n"
	w.put("request", url, "application/http; msgtype=request", []byte(ask), -1)
	w.put("response", url, "application/http; msgtype=response", message, i)
	if i%3 == 0 {
		note := fmt.Sprintf("fetchTimeMs: %d\r\nvia: %s\r\n", w.IntN(5000), url)
		w.put("metadata", url, "application/warc-fields", []byte(note), -1)
	}
}

// put writes a WARC record with the fields in a usual order, the length last: see stated.
func (w *author) put(kind, url, mime string, block []byte, page int) {
	var h strings.Builder
	version := "1.0"
	// Both versions occur.
	if w.c.Seed%3 == 0 {
		version = "1.1"
	}
	w.ids++
	// The number makes the ID unique.
	fmt.Fprintf(&h, "WARC/%s\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%08x-0000-4000-8000-%012x>\r\nWARC-Date: "+
		"%s\r\n",
		version, kind, w.Uint32(), w.ids, w.clock.Format(time.RFC3339))
	if url != "" {
		fmt.Fprintf(&h, "WARC-Target-URI: %s\r\n", url)
	}
	if w.c.Digests {
		fmt.Fprintf(&h, "WARC-Block-Digest: %s\r\n", label(block))
		// ISO 28500: the payload follows the HTTP head, and its digest is of the encoded bytes.
		if _, payload, ok := bytes.Cut(block, []byte("\r\n\r\n")); ok && kind == "response" {
			fmt.Fprintf(&h, "WARC-Payload-Digest: %s\r\n", label(payload))
		}
	}
	fmt.Fprintf(&h, "Content-Type: %s\r\nContent-Length: %d\r\n\r\n", mime, len(block))
	w.a.records = append(w.a.records, record{[]byte(h.String()), block, []byte("\r\n\r\n"), page})
}

// label returns a digest as in WARC, in base 32.
func label(b []byte) string {
	sum := sha1.Sum(b)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// message returns an HTTP response, sometimes chunked or compressed, in HTTP's order: chunks outside.
func (w *author) message(body []byte, mime string) []byte {
	var h bytes.Buffer
	fmt.Fprintf(&h, "HTTP/1.1 200 OK\r\nDate: %s\r\nServer: made\r\nContent-Type: %s\r\n",
		w.clock.Format(time.RFC1123), mime)
	stored := body
	if strings.HasPrefix(mime, "text/") && w.IntN(10) == 0 {
		stored = gzipped(body)
		h.WriteString("Content-Encoding: gzip\r\n")
	}
	switch {
	case w.IntN(7) == 0:
		stored = w.chunked(stored)
		h.WriteString("Transfer-Encoding: chunked\r\n")
	// Chunked messages have no length, and only some others.
	case w.c.Lengths:
		fmt.Fprintf(&h, "Content-Length: %d\r\n", len(stored))
	}
	h.WriteString("\r\n")
	h.Write(stored)
	return h.Bytes()
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(b)
	must(err)
	must(z.Close())
	return out.Bytes()
}

// must panics on errors that writing to memory cannot return.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// chunked encodes a body in chunks of up to 16,000 bytes: RFC 9112, section 7.1.
func (w *author) chunked(b []byte) []byte {
	var out bytes.Buffer
	for len(b) > 0 {
		n := min(len(b), 1+w.IntN(16_000))
		fmt.Fprintf(&out, "%x\r\n%s\r\n", n, b[:n])
		b = b[n:]
	}
	out.WriteString("0\r\n\r\n")
	return out.Bytes()
}

// body returns the body of a page, mostly text, of 1 kB to MaxBody bytes.
func (w *author) body(i int) (body []byte, mime string) {
	// The exponent makes small pages frequent, and large ones as rare as on the web.
	size := int(1000 * math.Pow(float64(w.c.MaxBody)/1000, math.Pow(w.Float64(), 1.5)))
	// Incompressible bytes without recognizable lines.
	if w.IntN(12) == 0 {
		b := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, size)...)
		for j := 8; j < len(b); j++ {
			b[j] = byte(w.Uint32())
		}
		return b, "image/png"
	}
	// An archive in an archive: its records are not those of the file.
	if w.IntN(40) == 0 {
		return stored(i), "application/warc"
	}
	// CRLF in some texts, which damage to line ends also affects.
	end := "\n"
	if w.IntN(3) == 0 {
		end = "\r\n"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!DOCTYPE html>%s<html><head><meta charset=utf-8><title>%s %d</title></head><body>%s",
		end, w.sentence(3), i, end)
	for b.Len() < size {
		// Text that looks like a head without being one.
		if w.IntN(200) == 0 { // a page about archives
			fmt.Fprintf(&b, "<pre>%sWARC/1.0%sWARC-Type: response%sContent-Length: 12%s%s</pre>", end, end, end, end, end)
		}
		fmt.Fprintf(&b, "<p class=%q>%s</p>%s%s",
			w.words[w.IntN(40)], w.sentence(10+w.IntN(60)), end, strings.Repeat(end, w.IntN(2)))
	}
	b.WriteString("</body></html>" + strings.Repeat(end, w.IntN(4)))
	return b.Bytes(), "text/html; charset=utf-8"
}

// stored returns an intact archive that is the body of a page.
func stored(i int) []byte {
	const head = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:stored:%d>\r\nWARC-Date: " +
		"2020-01-02T03:04:05Z\r\n" +
		"WARC-Target-URI: http://stored.example/%d\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nHello\r\n\r\n"
	var b []byte
	for k := range 1 + i%3 {
		b = fmt.Appendf(b, head, 10*i+k, 10*i+k)
	}
	return b
}

// sentence returns n words, mostly from the start of the list: the cube of a number below 1 is mostly small.
func (w *author) sentence(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		u := w.Float64()
		b.WriteString(w.words[int(u*u*u*float64(len(w.words)))])
	}
	return b.String() + "."
}
