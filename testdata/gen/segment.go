package main

import (
	"strconv"
	"time"
)

// segments is a response that is written in several records (section 7 of WARC/1.1).
type segments struct {
	x      exchange
	id     string // of the first record
	blocks [][]byte
}

// cutUp cuts the response of a page at the given bytes of its message.
func cutUp(s *site, path string, at ...int) (segments, error) {
	x, err := visit{path: path}.exchange(s)
	if err != nil {
		return segments{}, err
	}
	list := segments{x: x, id: uuid("segmented" + path)}
	rest, from := x.message(), 0
	for _, to := range at {
		list.blocks, rest, from = append(list.blocks, rest[:to-from]), rest[to-from:], to
	}
	list.blocks = append(list.blocks, rest)
	return list, nil
}

// add writes the n-th segment.
func (l segments) add(w *warc, n int) {
	r := record{
		kind: "continuation", url: l.x.url(), block: l.blocks[n-1],
		fields: []field{{"WARC-Segment-Number", strconv.Itoa(n)}, {"WARC-Segment-Origin-ID", l.id}},
	}
	if n == 1 {
		r.kind, r.id, r.mime = "response", l.id, "application/http; msgtype=response"
		r.fields = []field{r.fields[0], {"WARC-Payload-Digest", w.digest(l.x.entity)}}
	}
	if n == len(l.blocks) {
		r.fields = append(r.fields, field{"WARC-Segment-Total-Length", strconv.Itoa(len(l.x.message()))})
	}
	w.add(r)
}

// segmentedWARCs write a listing in three segments, the first of which ends inside the HTTP head and the second of
// which is there twice; a notice whose second segment of three is missing; and the second segment of a record whose
// first is missing. They are in no order.
func segmentedWARCs(s *site) ([]archive, error) {
	listing, err := cutUp(s, "/back-numbers.html", 40, 66_000)
	if err != nil {
		return nil, err
	}
	holed, err := cutUp(s, "/notices/01.html", 700, 1400)
	if err != nil {
		return nil, err
	}
	orphan, err := cutUp(s, "/notices/02.html", 700)
	if err != nil {
		return nil, err
	}
	whole, err := visit{path: "/notices/03.html"}.exchange(s)
	if err != nil {
		return nil, err
	}
	clock := time.Date(2023, 2, 9, 14, 0, 0, 0, time.UTC)
	first := &warc{name: "part-1.warc.gz", version: "WARC/1.1", pack: gzipped, digest: sha1Base32, clock: clock}
	first.begin(conforms11)
	listing.add(first, 3)
	holed.add(first, 1)
	listing.add(first, 2)
	first.response(whole)
	second := &warc{name: "part-2.warc", version: "WARC/1.1", digest: sha1Base32, clock: clock}
	second.begin(conforms11)
	listing.add(second, 1)
	listing.add(second, 2)
	holed.add(second, 3)
	orphan.add(second, 2)
	return finishAll(first, second)
}

func finishAll(files ...*warc) ([]archive, error) {
	var list []archive
	for _, w := range files {
		a, err := w.finish()
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}
