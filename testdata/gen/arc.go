package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// arc writes one ARC file, version 1 or 2 (archive.org/web/researcher/ArcFileFormat.php).
type arc struct {
	name    string
	version int
	clock   time.Time
	step    time.Duration
	pack    func([]byte) ([]byte, error) // nil stores the documents as they are
	out     bytes.Buffer
	err     error
}

const arcDate = "20060102150405"

// begin writes the version block: its own line, the origin, and the names of the fields.
func (a *arc) begin() {
	block := "1 0 Wrenmouth Archive\nURL IP-address Archive-date Content-type Archive-length\n"
	line := fmt.Sprintf("filedesc://%s 0.0.0.0 %s text/plain", a.name, a.clock.Format(arcDate))
	if a.version == 2 {
		block = "2 0 Wrenmouth Archive\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset " +
			"Filename Archive-length\n"
		line += " 200 - - 0 " + a.name
	}
	a.put(fmt.Sprintf("%s %d\n%s\n", line, len(block), block))
}

// add writes one document.
func (a *arc) add(x exchange) {
	x.header = append([]field{{"Date", a.clock.Format(time.RFC1123)}}, x.header...)
	mime, _, _ := strings.Cut(x.mime, ";")
	message := x.message()
	line := fmt.Sprintf("%s %s %s %s", strings.Replace(x.url(), "https:", "http:", 1), address(x.host),
		a.clock.Format(arcDate), mime)
	if a.version == 2 {
		_, checksum, _ := strings.Cut(sha1Base32(x.entity), ":")
		line += fmt.Sprintf(" %s %s - %d %s", x.status[:3], checksum, a.out.Len(), a.name)
	}
	a.put(fmt.Sprintf("%s %d\n%s\n", line, len(message), message))
	a.clock = a.clock.Add(a.step)
}

func (a *arc) put(document string) {
	data := []byte(document)
	if a.pack != nil && a.err == nil {
		data, a.err = a.pack(data)
	}
	a.out.Write(data)
}

// oldARC holds the oldest captures.
func oldARC(s *site) (archive, error) {
	a := &arc{
		name: "site.arc.gz", version: 1, pack: gzipped,
		clock: time.Date(2019, 10, 3, 5, 6, 7, 0, time.UTC), step: 80*24*time.Hour + 61*time.Second,
	}
	return a.fill(s, gazette, "/robots.txt", "/pt/barco-de-papel.html", "/it/campane-nella-nebbia.html",
		"/assets/quay.png",
		"/pl/latawce-nad-molem.html", "/docs/tide-table.txt")
}

// portARC holds the second site, uncompressed.
func portARC(s *site) (archive, error) {
	a := &arc{
		name: "site-v2.arc", version: 2,
		clock: time.Date(2020, 10, 1, 22, 0, 59, 0, time.UTC), step: 31 * time.Hour,
	}
	return a.fill(s, port, "/robots.txt", "/", "/guide/entering-the-harbour.html", "/tr/gemicilerin-firini.html",
		"/hi/naav-wala-pustakalaya.html")
}

func (a *arc) fill(s *site, host string, paths ...string) (archive, error) {
	a.begin()
	for _, path := range paths {
		p, err := s.get(host, path)
		if err != nil {
			return archive{}, err
		}
		x, err := answer(p)
		if err != nil {
			return archive{}, err
		}
		a.add(x)
	}
	return archive{a.name, a.out.Bytes()}, a.err
}
