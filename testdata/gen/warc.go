package main

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"net"
	"time"
)

// warc writes one WARC file (ISO 28500). The first error sticks and finish returns it.
type warc struct {
	name    string
	version string                       // "WARC/1.1"
	clock   time.Time                    // of the next exchange
	step    time.Duration                // between exchanges
	digest  func([]byte) string          // for both digests
	pack    func([]byte) ([]byte, error) // each record into a member or frame; nil stores it as it is
	members [][]byte                     // as written
	info    string                       // id of the warcinfo record
	seen    map[string]sighting          // the last response of each URL
	err     error
}

// sighting is what a later record says of an earlier response.
type sighting struct{ id, date string }

// record is one WARC record: id and date are filled in by add.
type record struct {
	kind, url string
	mime      string // Content-Type of the block
	fields    []field
	block     []byte
	id        string // empty: derived from the file's name and the record's number
}

// add writes a record and returns its id.
func (w *warc) add(r record) string {
	if r.id == "" {
		r.id = uuid(fmt.Sprintf("%s#%d", w.name, len(w.members)))
	}
	data := w.bytes(r)
	if w.pack != nil && w.err == nil {
		data, w.err = w.pack(data)
	}
	w.members = append(w.members, data)
	return r.id
}

// bytes is the record before compression.
func (w *warc) bytes(r record) []byte {
	var b bytes.Buffer
	put := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	b.WriteString(w.version + "\r\n")
	put("WARC-Type", r.kind)
	put("WARC-Target-URI", r.url)
	put("WARC-Date", w.clock.Format("2006-01-02T15:04:05.999Z"))
	put("WARC-Record-ID", r.id)
	if r.kind != "warcinfo" {
		put("WARC-Warcinfo-ID", w.info)
	}
	for _, f := range r.fields {
		put(f.name, f.value)
	}
	put("WARC-Block-Digest", w.digest(r.block))
	put("Content-Type", r.mime)
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(r.block))
	b.Write(r.block)
	b.WriteString("\r\n\r\n")
	return b.Bytes()
}

// begin writes the warcinfo record.
func (w *warc) begin(conformsTo string) {
	block := "software: gleaner testdata/gen\r\nformat: " + w.version[:4] + " File Format " + w.version[5:] +
		"\r\nconformsTo: " + conformsTo + "\r\nisPartOf: The Harbour Gazette\r\nrobots: obey\r\n"
	w.info = w.add(record{
		kind: "warcinfo", mime: "application/warc-fields", block: []byte(block),
		fields: []field{{"WARC-Filename", w.name}},
	})
}

// response writes an exchange and returns the record's id; fields are put in front of the digest, and one called
// WARC-Payload-Digest replaces it.
func (w *warc) response(x exchange, fields ...field) string {
	x.header = append([]field{{"Date", w.clock.Format(time.RFC1123)}}, x.header...)
	all := append([]field{{"WARC-IP-Address", address(x.host)}}, fields...)
	if last := len(fields) - 1; last < 0 || fields[last].name != "WARC-Payload-Digest" {
		all = append(all, field{"WARC-Payload-Digest", w.digest(x.entity)})
	}
	id := w.add(record{
		kind: "response", url: x.url(), mime: "application/http; msgtype=response", fields: all,
		block: x.message(),
	})
	if w.seen == nil {
		w.seen = map[string]sighting{}
	}
	w.seen[x.url()] = sighting{id, w.clock.Format(time.RFC3339)}
	return id
}

// request writes the request that led to the response called id.
func (w *warc) request(p page, id string) {
	block := "GET " + p.path + " HTTP/1.1\r\nHost: " + p.host +
		"\r\nUser-Agent: harbour-crawler/0.3 (+https://harbour-gazette.example/robots)\r\nAccept: */*\r\n\r\n"
	w.add(record{
		kind: "request", url: p.url(), mime: "application/http; msgtype=request",
		fields: []field{{"WARC-Concurrent-To", id}}, block: []byte(block),
	})
}

// visit writes request and response and moves the clock.
func (w *warc) visit(x exchange, fields ...field) string {
	id := w.response(x, fields...)
	w.request(x.page, id)
	w.tick()
	return id
}

func (w *warc) tick() { w.clock = w.clock.Add(w.step) }

func (w *warc) finish() (archive, error) {
	return archive{w.name, bytes.Join(w.members, nil)}, w.err
}

// uuid derives a record id from a name.
func uuid(name string) string {
	h := sha256.Sum256([]byte(name))
	h[6], h[8] = h[6]&0x0F|0x80, h[8]&0x3F|0x80 // RFC 9562, version 8: made by the application's own rule
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// address is the server's: one host has an address for documentation of each family (RFC 5737, RFC 3849).
func address(host string) string {
	if host == port {
		return net.ParseIP("2001:db8::7:1").String()
	}
	return "192.0.2.17"
}

// sha1Base32 is the digest as most archives write it.
func sha1Base32(data []byte) string {
	sum := sha1.Sum(data)
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// sha256Hex is a digest as newer crawlers write it.
func sha256Hex(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
