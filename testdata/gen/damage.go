package main

import (
	"bytes"
	"fmt"
	"slices"
	"time"
)

// noticeWARC holds the notices from first to last.
func noticeWARC(s *site, name string, pack func([]byte) ([]byte, error), first, last int) (*warc, error) {
	w := &warc{
		name: name, version: "WARC/1.1", pack: pack, digest: sha1Base32,
		clock: time.Date(2022, 10, first, 3, 0, 0, 0, time.UTC), step: 47 * time.Minute,
	}
	w.begin(conforms11)
	for i := first; i <= last; i++ {
		x, err := visit{path: fmt.Sprintf("/notices/%02d.html", i)}.exchange(s)
		if err != nil {
			return nil, err
		}
		w.response(x)
		w.tick()
	}
	return w, nil
}

// cutWARC ends in the middle of its last member.
func cutWARC(s *site) (archive, error) {
	w, err := noticeWARC(s, "cut.warc.gz", gzipped, 1, 3)
	if err != nil {
		return archive{}, err
	}
	last := &w.members[len(w.members)-1]
	*last = (*last)[:len(*last)/2]
	return w.finish()
}

// flippedWARC has one wrong byte in the middle of the second of its three responses.
func flippedWARC(s *site) (archive, error) {
	w, err := noticeWARC(s, "flip.warc.gz", gzipped, 4, 6)
	if err != nil {
		return archive{}, err
	}
	member := w.members[2]
	member[len(member)/2] ^= 0xFF
	return w.finish()
}

// garbageWARC is uncompressed and begins with a byte order mark. Sixty-four bytes that are no record stand between
// its two responses, then follow a record with a negative length and one whose head is cut by the file's end.
func garbageWARC(s *site) (archive, error) {
	w, err := noticeWARC(s, "garbage.warc", nil, 7, 8)
	if err != nil {
		return archive{}, err
	}
	junk := make([]byte, 64)
	for i := range junk {
		junk[i] = byte(i*i*31 + 7)
	}
	negative := w.bytes(record{
		kind: "metadata", url: "https://" + gazette + "/notices/08.html", id: uuid("negative"),
		mime: "application/warc-fields", block: []byte("note: this record lies about its length\r\n"),
	})
	negative = bytes.Replace(negative, []byte("Content-Length: "), []byte("Content-Length: -"), 1)
	m := w.members
	w.members = slices.Concat([][]byte{[]byte("\uFEFF")}, m[:2], [][]byte{junk}, m[2:], [][]byte{negative, m[1][:150]})
	return w.finish()
}
