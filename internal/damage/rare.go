package damage

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// The rare layouts. A kind for all other layouts occurs once in each of these.
const (
	ZstdOne    = "zstd-one"        // one zstd frame for all, as the command zstd writes it
	ZstdNoSum  = "zstd-no-sum"     // a zstd frame for each record, without checksums
	ZstdShared = "zstd-dictionary" // a zstd frame for each record, with a dictionary in front (WARC zstd convention)
	LZ4Each    = "lz4"             // an LZ4 frame with a checksum for each record
	LZ4One     = "lz4-one"         // one LZ4 frame for all
)

// Append new layouts, so that the seeds of the others stay.
var rareLayouts = []string{LZ4Each, ZstdOne, ZstdNoSum, LZ4One, ZstdShared}

func (f *File) layRare(layout string, records []record) {
	switch layout {
	case ZstdOne:
		f.stream(records, newZstd)
	case LZ4One:
		f.stream(records, newLZ4)
	case LZ4Each:
		f.each(records, func(data []byte) []byte {
			var out bytes.Buffer
			w := newLZ4(&out)
			_, err := w.Write(data)
			must(err)
			must(w.Close())
			return out.Bytes()
		})
	case ZstdNoSum:
		z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
		must(err)
		f.each(records, func(data []byte) []byte { return z.EncodeAll(data, nil) })
	case ZstdShared:
		shared := records[0].bytes()
		// A skippable frame with this number has the dictionary, uncompressed as the convention allows.
		f.Data = binary.LittleEndian.AppendUint32(f.Data, 0x184D2A5D)
		f.Data = binary.LittleEndian.AppendUint32(f.Data, uint32(len(shared)))
		f.Data = append(f.Data, shared...)
		f.front = slices.Clone(f.Data)
		z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderDictRaw(0, shared))
		must(err)
		f.each(records, func(data []byte) []byte { return z.EncodeAll(data, nil) })
	}
}

// checkFront marks all pages as touched if their common leading bytes have changed.
func (f *File) checkFront() *File {
	if !bytes.HasPrefix(f.Data, f.front) {
		f.touch(0, len(f.Data))
	}
	return f
}

func (f *File) each(records []record, frame func([]byte) []byte) {
	for _, rec := range records {
		start := len(f.Data)
		f.Data = append(f.Data, frame(rec.bytes())...)
		if rec.page >= 0 {
			f.Pages[rec.page].From, f.Pages[rec.page].To = start, len(f.Data)
		}
	}
}

// flusher is a compressor that can end a block.
type flusher interface {
	io.WriteCloser
	Flush() error
}

func newZstd(w io.Writer) flusher {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	must(err)
	return z
}

func newLZ4(w io.Writer) flusher {
	z := lz4.NewWriter(w)
	must(z.Apply(lz4.ChecksumOption(true), lz4.BlockChecksumOption(true), lz4.ConcurrencyOption(1)))
	return z
}

// stream writes one frame. Its blocks end with records, so that it is known which bytes a page needs.
func (f *File) stream(records []record, compressor func(io.Writer) flusher) {
	var out bytes.Buffer
	z, start := compressor(&out), len(f.Data)
	var open []int // pages in the current block
	for i, rec := range records {
		_, err := z.Write(rec.bytes())
		must(err)
		if rec.page >= 0 {
			open = append(open, rec.page)
		}
		if i%several == several-1 || i == len(records)-1 {
			must(z.Flush())
			for _, p := range open {
				f.Pages[p].From, f.Pages[p].To = start, start+out.Len()
			}
			open = open[:0]
		}
	}
	must(z.Close())
	f.Data = append(f.Data, out.Bytes()...)
}
