package member

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/zstd"
)

const (
	dictionaryFrame = 0x184D2A5D // the WARC zstd convention: the first frame may hold the dictionary

	// maxDictionary limits a dictionary in bytes. Archives use some 100 kB.
	maxDictionary = 16 << 20
)

// dictionaryMagic is dictionaryFrame in the byte order of files.
var dictionaryMagic = binary.LittleEndian.AppendUint32(nil, dictionaryFrame)

// dictionary reads the dictionary frame that may be at off, compressed or not, and returns the end of the frame. It
// treats a cut, damaged or too large one as missing. An error comes from the file.
func dictionary(src io.ReaderAt, off, size int64) (content []byte, end int64, err error) {
	var h [8]byte
	// Fewer than eight bytes are not an error: such a short file has no dictionary.
	if n, err := src.ReadAt(h[:], off); n < len(h) || !bytes.HasPrefix(h[:], dictionaryMagic) {
		if err != nil && err != io.EOF {
			return nil, off, err
		}
		return nil, off, nil
	}
	n := int64(binary.LittleEndian.Uint32(h[4:]))
	// The length contradicts the file, so this is not a dictionary.
	if n > maxDictionary || n > size-off-8 {
		return nil, off, nil
	}
	raw := make([]byte, n)
	if k, err := src.ReadAt(raw, off+8); int64(k) < n {
		return nil, off, fmt.Errorf("reading the zstd dictionary: %w", err)
	}
	end = off + 8 + n
	if content, err = ParseDictionary(bytes.NewReader(raw)); err != nil {
		return nil, end, nil // not an error of the file
	}
	return content, end, nil
}

// ParseDictionary reads the content of a dictionary frame: a dictionary, or a zstd frame that holds one.
func ParseDictionary(r io.Reader) ([]byte, error) {
	// One byte more shows that a raw dictionary exceeds the limit.
	raw, err := io.ReadAll(io.LimitReader(r, maxDictionary+1))
	if err != nil {
		return nil, err
	}
	// The convention allows an uncompressed dictionary.
	if !isFrame(raw) {
		return raw, nil
	}
	return decompress(raw)
}

// decompress decodes a frame of at most maxDictionary bytes.
func decompress(frame []byte) (out []byte, err error) {
	d := zstd.NewDecoder(zstd.Options{MaxWindow: maxDictionary})
	for err == nil {
		// The size starts at four times the frame and doubles up to the limit.
		size := min(max(2*len(out), 4*len(frame)), maxDictionary)
		if len(out) == cap(out) && size == len(out) {
			return nil, fmt.Errorf("zstd dictionary: over %d bytes", maxDictionary)
		}
		// Copied, because the decoder needs its earlier output.
		out = append(make([]byte, 0, size), out...)
		var used int
		out, used, err = d.Decode(out, frame)
		frame = frame[used:]
		if err == nil && len(out) < cap(out) {
			err = io.ErrUnexpectedEOF
		}
	}
	if err != io.EOF {
		return nil, fmt.Errorf("zstd dictionary: %w", err)
	}
	return out, nil
}

// Limits for trying other dictionaries, so that the time for a file of dictionaries depends on its size. A small frame
// can decompress to maxDictionary bytes.
const (
	maxAdoptions    = 100     // for a reader, plus one for each MiB of the file
	maxAdoptionWork = 8 << 20 // bytes of frames for each, counted as in chain
	maxAdoptionTest = 16      // frames after each, of which the first may be damaged
)

// adopt uses the dictionary frame at off for the frames after it, and returns the start of a later frame, or -1. Some
// files are joined from archives with different dictionaries. Any skippable frame may look like a dictionary. So the
// later frame must decode better with it than with the previous one.
func (r *Reader) adopt(off int64) int64 {
	if off > 0 && off == r.taken {
		return r.behind
	}
	d, ok := r.dec.(*zstdDecoder)
	if !ok || off == 0 || r.fixed || r.tried > maxAdoptions+r.rng.Size>>20 {
		return -1
	}
	r.tried++
	content, next, err := dictionary(r.src, off, r.rng.Size)
	if err != nil {
		r.in.fail = err
	}
	dict, err := zstd.ParseDictionary(content)
	if len(content) == 0 || err != nil {
		return -1
	}
	before, after := d.dec, zstd.NewDecoder(zstd.Options{MaxWindow: r.o.MaxWindow, Dictionary: dict})
	left := int64(maxAdoptionWork)
	for range maxAdoptionTest {
		was := r.decodes(next, &left)
		d.dec = after
		is := r.decodes(next, &left)
		if is > was {
			r.taken, r.behind = off, next
			return next
		}
		d.dec = before
		i := bytes.Index(r.scanFrom(next+1), magics[Zstd])
		if was > is || i < 0 || left <= 0 {
			break
		}
		next += 1 + int64(i)
	}
	return -1
}

// decodes returns how well the frame at off decodes: not to a record's head, to one, or also to its end.
func (r *Reader) decodes(off int64, left *int64) int {
	if !r.headAt(off) {
		return 0
	}
	if _, whole := r.chain(off, 1, left); !whole && *left > 0 {
		return 1
	}
	return 2
}
