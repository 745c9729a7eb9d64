package member

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
)

// gzipDecoder decodes gzip members (RFC 1952) one by one, straight into the caller's window. The package compress/gzip
// cannot be used, because it joins members and does not report their ends.
type gzipDecoder struct {
	in    *input
	inf   inflate.Decoder
	crc   uint32
	size  uint32
	ended error // result of append after the end of the member
	pause bool  // append also stops where a block ends
}

func (d *gzipDecoder) gap() (int64, error) { return skipZeros(d.in) }

// skipZeros skips zero bytes at the input's position, which writers leave as padding.
func skipZeros(in *input) (int64, error) {
	// In blocks, because a file may be filled with gigabytes of zeros.
	var n int64
	for {
		b := in.peek(1)
		k := 0
		for k < len(b) && b[k] == 0 {
			k++
		}
		in.advance(k)
		n += int64(k)
		if k == 0 || k < len(b) {
			return n, in.err()
		}
	}
}

func (d *gzipDecoder) open() bool {
	// Nearly all headers are short; the long peek would read more of the file.
	n := gzipHeader(d.in.peek(usualHeader))
	if n < 0 {
		n = gzipHeader(d.in.peek(maxHeader))
	}
	if n == 0 {
		return false
	}
	d.crc, d.size, d.ended = 0, 0, nil
	// It begins like a header, so it counts as a member that was cut off.
	if n < 0 { // the file ends in the header
		d.in.seek(d.in.size)
		d.ended = io.ErrUnexpectedEOF
		return true
	}
	d.in.advance(n)
	d.inf.Reset()
	return true
}

// lookahead exceeds the bytes that the decoder needs at once: a block's header. Fewer bytes are left only at the file's
// end, and then Decode itself reports the missing bytes.
const lookahead = 1 << 10

func (d *gzipDecoder) append(dst []byte) ([]byte, error) {
	if d.ended != nil {
		return dst, d.ended
	}
	src := d.in.peek(lookahead)
	// dst holds the earlier decoded bytes, to which matches refer.
	decode := d.inf.Decode
	if d.pause {
		decode = d.inf.DecodeBlock
	}
	out, used, err := decode(dst, src)
	d.in.advance(used)
	// Only over new bytes; the earlier ones are in the sum.
	d.crc = crc32.Update(d.crc, crc32.IEEETable, out[len(dst):])
	// Modulo 2^32, like ISIZE (RFC 1952, section 2.3.1).
	d.size += uint32(len(out) - len(dst))
	switch {
	case err == io.EOF:
		d.ended = d.trailer()
	case err != nil:
		d.ended = err
	case used == 0 && len(out) == len(dst) && len(dst) < cap(dst) && !d.paused(): // dst has room, and src is used up
		d.in.advance(len(src))
		d.ended = io.ErrUnexpectedEOF
	}
	return out, d.ended
}

// trailer checks CRC32 and ISIZE (RFC 1952, section 2.3.1).
func (d *gzipDecoder) trailer() error {
	const size = 8
	t := d.in.peek(size)
	// The trailer is cut: the data is complete, but nothing proves it.
	if len(t) < size {
		d.in.advance(len(t))
		return io.ErrUnexpectedEOF
	}
	d.in.advance(size)
	if binary.LittleEndian.Uint32(t) != d.crc || binary.LittleEndian.Uint32(t[4:]) != d.size {
		return ErrChecksum
	}
	return io.EOF
}

const (
	fixedHeader = 10
	usualHeader = 64 // longer than most headers, with a file name
	// maxName limits a file name or comment: longer than all real ones, and short enough for a cheap search through
	// garbage.
	maxName   = 4 << 10
	maxHeader = fixedHeader + 2 + 65535 + 2*maxName + 2
)

// gzipHeader returns the size of the member header (RFC 1952, section 2.3) at the start of b. It returns 0 if there is
// none, and -1 if b is too short to know. It must not read beyond b, whatever length the header claims.
func gzipHeader(b []byte) int {
	if len(b) < fixedHeader || !plausibleGzip(b) {
		return 0
	}
	flags, n := b[3], fixedHeader
	if flags&4 != 0 { // FEXTRA
		if len(b) < n+2 {
			return -1
		}
		n += 2 + int(binary.LittleEndian.Uint16(b[n:]))
	}
	// They come in this order in the header, each ended by a zero byte.
	for _, bit := range []byte{8, 16} { // FNAME, FCOMMENT
		if flags&bit == 0 {
			continue
		}
		i := bytes.IndexByte(b[min(n, len(b)):min(n+maxName, len(b))], 0)
		// Longer than any name, so this is not a header.
		if i < 0 && len(b) >= n+maxName {
			return 0
		}
		if i < 0 {
			return -1
		}
		n += i + 1
	}
	// Its checksum is not tested, because a damaged header shows in the data that follow.
	if flags&2 != 0 { // FHCRC
		n += 2
	}
	if n > len(b) {
		return -1
	}
	return n
}

// plausibleGzip tests the fixed part: magic, method deflate, reserved flags zero.
func plausibleGzip(h []byte) bool {
	return len(h) >= 4 && h[0] == 0x1f && h[1] == 0x8b && h[2] == 8 && h[3]&0xe0 == 0
}
