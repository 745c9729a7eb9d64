package member

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// gzipDecoder decodes gzip members (RFC 1952) one by one. compress/gzip itself cannot be used: it joins members, and
// it does not tell where one ends.
type gzipDecoder struct {
	in    *input
	inf   io.ReadCloser
	crc   uint32
	size  uint32
	ended error // what read returns once the member is through
}

func (d *gzipDecoder) gap() (int64, error) { return skipZeros(d.in) }

// skipZeros discards the run of zero bytes at the input's position, which writers leave as padding.
func skipZeros(in *input) (int64, error) {
	var n int64
	for {
		b, err := in.br.Peek(1)
		if err != nil || b[0] != 0 {
			return n, in.err()
		}
		b, _ = in.br.Peek(in.br.Buffered()) // what is buffered can always be had
		k := 0
		for k < len(b) && b[k] == 0 {
			k++
		}
		n += int64(k)
		if _, err := in.br.Discard(k); err != nil {
			return n, err
		}
	}
}

func (d *gzipDecoder) open() bool {
	pos := d.in.pos()
	if err := skipGzipHeader(d.in); err != nil {
		d.in.seek(pos)
		return false
	}
	d.crc, d.size, d.ended = 0, 0, nil
	if d.inf == nil {
		d.inf = flate.NewReader(d.in.br)
	} else if err := d.inf.(flate.Resetter).Reset(d.in.br, nil); err != nil {
		return false
	}
	return true
}

func (d *gzipDecoder) read(p []byte) (int, error) {
	if d.ended != nil {
		return 0, d.ended
	}
	n, err := d.inf.Read(p)
	d.crc = crc32.Update(d.crc, crc32.IEEETable, p[:n])
	d.size += uint32(n)
	if err == io.EOF {
		err = d.trailer()
	}
	d.ended = err
	return n, err
}

// trailer checks CRC32 and ISIZE (RFC 1952, section 2.3.1).
func (d *gzipDecoder) trailer() error {
	var t [8]byte
	if _, err := io.ReadFull(d.in.br, t[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	if binary.LittleEndian.Uint32(t[:4]) != d.crc || binary.LittleEndian.Uint32(t[4:]) != d.size {
		return ErrChecksum
	}
	return io.EOF
}

// skipGzipHeader reads a member's header (RFC 1952, section 2.3). A name or comment must fit the input's buffer: that is
// longer than any file name, and short enough that a search through garbage stays cheap.
func skipGzipHeader(in *input) error {
	var h [10]byte
	if _, err := io.ReadFull(in.br, h[:]); err != nil {
		return err
	}
	if !plausibleGzip(h[:]) {
		return fmt.Errorf("no gzip header")
	}
	flags := h[3]
	if flags&4 != 0 { // FEXTRA
		var n [2]byte
		if _, err := io.ReadFull(in.br, n[:]); err != nil {
			return err
		}
		in.skip(int(binary.LittleEndian.Uint16(n[:])))
	}
	for _, bit := range []byte{8, 16} { // FNAME, FCOMMENT
		if flags&bit == 0 {
			continue
		}
		if _, err := in.br.ReadSlice(0); err != nil {
			return err
		}
	}
	if flags&2 != 0 { // FHCRC
		in.skip(2)
	}
	return nil
}

// plausibleGzip tests the fixed part: magic, method deflate, reserved flags zero.
func plausibleGzip(h []byte) bool {
	return len(h) >= 4 && h[0] == 0x1f && h[1] == 0x8b && h[2] == 8 && h[3]&0xe0 == 0
}
