package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// FuzzReader reads arbitrary bytes as each format, at once and in ranges.
func FuzzReader(f *testing.F) {
	for _, pattern := range []string{"../../testdata/archives/*", "../../testdata/damaged/*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("%s: %d files, %v", pattern, len(paths), err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data[:min(len(data), 8000)])
		}
	}
	record := warcRecord(0, []byte("body"))
	f.Add(record)
	f.Add(slices.Concat(record, []byte("WARC/1.0\nContent-Length: 999999999999\n\n"), record))
	f.Add(slices.Concat(gzipped(f, record[:40]), gzipped(f, record[40:]), gzipped(f, record)[:60], gzipped(f, record)))
	f.Add(slices.Concat(zstdFrame(f, record), zstdFrame(f, record)))
	f.Add(slices.Concat(lz4Frame(f, record), lz4Frame(f, record)))
	f.Add(arcRecord(1, []byte("body")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Detect("", bytes.NewReader(data), int64(len(data))); err != nil && !errors.Is(err, ErrUnsupported) {
			t.Errorf("Detect: %v", err)
		}
		for _, format := range allFormats(t) {
			whole := readBytes(t, data, format)
			checkSplit(t, bytes.NewReader(data), int64(len(data)), whole, format, int64(len(data))/3+1)
		}
	})
}

// script builds an archive by the fuzzer's bytes, so that files are long enough to be split. The parts are sound
// records of all sizes, halves of members, members with a wrong checksum, garbage, padding, and archives in a record.
type script struct {
	format Format
	parts  [][]byte
	nest   func(testing.TB, []byte) []byte
}

// maxScript bounds what a script builds, in bytes.
const maxScript = 600_000

func newScript(t testing.TB, format string, pack func(testing.TB, ...[]byte) []byte,
	nest func(testing.TB, []byte) []byte,
) script {
	t.Helper()
	rnd := rand.New(rand.NewPCG(7, 7))
	s := surgeon{Rand: rnd}
	small, text, noise := pack(t, warcRecord(0, []byte("small"))),
		pack(t, warcRecord(1, bytes.Repeat([]byte("text "), 4000))), pack(t, warcRecord(2, s.noise(9000)))
	long := pack(t, warcRecord(4, s.noise(40_000)))
	wrong := bytes.Clone(noise)
	wrong[len(wrong)-6] ^= 1
	false1 := pack(t, []byte("WARC/1.0 is what this text begins with"))
	record := warcRecord(3, s.noise(20_000))
	skip := binary.LittleEndian.AppendUint32(nil, 0x184D2A53)
	return script{mustFormat(t, format), [][]byte{
		small, text, noise, long, wrong, noise[:len(noise)/2], long[:len(long)-4], long[5:], false1,
		pack(t, record[:8000]), pack(t, record[8000:]), pack(t), make([]byte, 300), s.noise(100), small[:6],
		append(binary.LittleEndian.AppendUint32(skip, 70_000), noise...),
	}, nest}
}

// build takes two bytes a step: a part's number, how many times it is there.
func (s script) build(t testing.TB, steps []byte) (data []byte) {
	t.Helper()
	for i := 0; i+1 < len(steps) && len(data) < maxScript; i += 2 {
		if n := int(steps[i]); n%32 < len(s.parts) {
			data = append(data, bytes.Repeat(s.parts[n%32], int(steps[i+1]%16)+1)...)
		} else { // last written bytes of a record
			from := max(0, len(data)-int(steps[i+1])<<10)
			data = append(data, s.nest(t, warcRecord(5, data[from:]))...)
		}
	}
	return data
}

// FuzzStarts builds a file and reads it at once, in ranges, and from arbitrary places on.
func FuzzStarts(f *testing.F) {
	scripts := []script{
		newScript(f, "warc+gzip", gzipped, func(t testing.TB, b []byte) []byte {
			return gzipLevel(t, gzip.NoCompression,
				b)
		}),
		newScript(f, "warc+zstd", zstdFrame, func(t testing.TB, b []byte) []byte { return zstdFrame(t, b) }),
		newScript(f, "warc+plain", stored, func(_ testing.TB, b []byte) []byte { return b }),
	}
	f.Add(uint8(0), uint32(30_000), []byte{2, 15, 4, 0, 3, 3, 31, 200, 2, 15})
	f.Add(uint8(0), uint32(1), []byte{3, 2, 31, 120, 3, 1, 5, 0, 31, 255, 6, 0, 3, 4})
	f.Add(uint8(1), uint32(9_000), []byte{3, 5, 31, 250, 15, 0, 3, 5, 9, 0, 10, 0, 3, 5})
	f.Add(uint8(1), uint32(70_000), []byte{2, 15, 12, 1, 7, 0, 31, 150, 3, 9})
	f.Add(uint8(2), uint32(4_000), []byte{2, 5, 13, 0, 31, 40, 9, 0, 1, 3, 31, 90, 10, 1, 0, 2})
	f.Fuzz(func(t *testing.T, kind uint8, every uint32, steps []byte) {
		s := scripts[int(kind)%len(scripts)]
		data := s.build(t, steps)
		rnd := rand.New(rand.NewPCG(uint64(every), uint64(len(data))))
		checkSplits(t, data, s.format, rnd, int64(len(data))/50+int64(every)%200_000+1)
		checkSplits(t, data, s.format, rnd, 0)
	})
}

// dice are random numbers that begin with given bytes, two a number, so that a fuzzer can choose them.
type dice struct {
	given []byte
	rest  *rand.PCG
}

// Uint64 returns the next number.
func (d *dice) Uint64() uint64 {
	n := d.rest.Uint64()
	if len(d.given) >= 2 {
		n = n>>16 | uint64(binary.BigEndian.Uint16(d.given))<<48
		d.given = d.given[2:]
	}
	return n
}

// FuzzRecover hurts archives as its input says, several times over.
func FuzzRecover(f *testing.F) {
	var archives []made
	for i, l := range layouts {
		archives = append(archives, makeArchive(f, rand.New(rand.NewPCG(uint64(i), 77)), i, 30, l.chain()/4))
		for j := range wounds {
			f.Add(uint8(i), []byte{byte(j), byte(j * 5)}, []byte{1, 2, 3, 4, byte(i), 6, 7, 8})
		}
	}
	f.Fuzz(func(t *testing.T, layout uint8, list, numbers []byte) {
		m := archives[int(layout)%len(archives)]
		s := surgeon{rand.New(&dice{numbers, rand.NewPCG(1, 2)}), m.borders()}
		w := unhurt(m.bytes())
		for _, b := range list[:min(len(list), 6)] {
			if len(w.data) > 0 {
				w = wounds[int(b)%len(wounds)].do(s, w)
			}
		}
		checkRecords(t, m, w)
		checkSplits(t, w.data, m.format, s.Rand, 1+s.Int64N(int64(len(w.data))+1))
		checkSplits(t, w.data, m.format, s.Rand, 0)
	})
}
