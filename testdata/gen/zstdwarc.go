package main

import (
	"encoding/binary"
	"time"

	"github.com/klauspost/compress/zstd"
)

// dictionaryID is in the range that is left to private use (RFC 8878, section 5).
const dictionaryID = 0x57524E

// zstdWARC holds most of the languages, a frame a record, with a dictionary in front as in "Zstandard Compression
// for WARC Files 1.0" (iipc/warc-specifications).
func zstdWARC(s *site) (archive, error) {
	w := &warc{
		name: "site.warc.zst", version: "WARC/1.1", digest: sha256Hex,
		clock: time.Date(2025, 3, 1, 4, 30, 0, 250e6, time.UTC), step: 9*time.Hour + 17*time.Minute,
	}
	w.begin(conforms11)
	for _, v := range []visit{
		{path: "/de/", codings: []string{"zstd"}},
		{path: "/de/alte-werft-wird-bibliothek.html", codings: []string{"zstd", "chunked"}},
		{path: "/fr/", codings: []string{"br"}},
		{path: "/fr/la-halle-aux-poissons-ferme-le-lundi.html", codings: []string{"br", "chunked"}},
		{path: "/es/el-coro-del-faro.html", codings: []string{"gzip"}},
		{path: "/ru/muzei-uzlov.html"},
		{path: "/el/ta-ampelia-tou-vrachou.html"},
		{path: "/zh/matou-chashe.html", codings: []string{"chunked"}},
		{path: "/ja/minato-no-furuhonichi.html"},
		{path: "/ko/badatga-jageun-seojeom.html"},
		{path: "/ar/madrasat-al-shibak.html"},
		{path: "/he/hagina-al-hagag.html"},
		{path: "/th/talat-ruea-yam-chao.html"},
	} {
		if err := v.record(s, w); err != nil {
			return archive{}, err
		}
	}
	return compressFrames(w)
}

// compressFrames makes a dictionary from the records, writes it as the skippable frame that the specification asks
// for, uncompressed, and then each record as a frame with content size, checksum and dictionary id.
func compressFrames(w *warc) (archive, error) {
	dictionary, err := zstd.BuildDict(zstd.BuildDictOptions{
		ID: dictionaryID, Contents: w.members, History: w.members[len(w.members)-2],
		Offsets: [3]int{1, 4, 8}, Level: zstd.SpeedDefault,
	})
	if err != nil {
		return archive{}, err
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderDict(dictionary), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(true))
	if err != nil {
		return archive{}, err
	}
	out := binary.LittleEndian.AppendUint32(nil, 0x184D2A5D)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(dictionary)))
	out = append(out, dictionary...)
	for _, m := range w.members {
		out = enc.EncodeAll(m, out)
	}
	return archive{w.name, out}, enc.Close()
}
