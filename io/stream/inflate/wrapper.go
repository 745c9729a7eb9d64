package inflate

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

var (
	errHeader     = fmt.Errorf("%w: no header of the format", ErrCorrupt)
	errHeaderSum  = fmt.Errorf("%w: wrong checksum of the header", ErrCorrupt)
	errDictionary = fmt.Errorf("%w: preset dictionary", ErrCorrupt)
	errName       = fmt.Errorf("%w: name or comment too long", ErrCorrupt)
)

// Values of gzip (RFC 1952 section 2.3.1): the magic bytes with the only method, and the flags.
const (
	gzipMagic   = "\x1f\x8b\x08"
	gzipHCRC    = 1 << 1
	gzipExtra   = 1 << 2
	gzipName    = 1 << 3
	gzipComment = 1 << 4
)

// maxName is the longest name or comment in a gzip header, in bytes with the zero after it. compress/gzip has the same
// limit.
const maxName = 512

// begin reads the wrapper's header.
func (z *Reader) begin() (err error) {
	switch z.format {
	case Zlib:
		err = z.zlibHeader()
		z.sum.Reset()
	case Gzip:
		z.sum.Reset()
		// The header may have its own checksum, so the sum is reset before and after it.
		err = z.gzipHeader()
		z.sum.Reset()
	}
	// Raw streams have no header, and begin here.
	z.decoder.Reset()
	z.inStream, z.size = err == nil, 0
	return err
}

// end reads the wrapper after the stream. It returns io.EOF unless another member follows.
func (z *Reader) end() error {
	switch z.format {
	case Zlib:
		b, err := z.take(4)
		if err != nil {
			return err
		}
		// Adler-32, big endian (RFC 1950, section 2.2).
		if binary.BigEndian.Uint32(b) != z.sum.Sum32() {
			return ErrChecksum
		}
	case Gzip:
		b, err := z.take(8)
		if err != nil {
			return err
		}
		// CRC-32 and the length modulo 2^32, little endian (RFC 1952, section 2.3.1).
		if binary.LittleEndian.Uint32(b) != z.sum.Sum32() || binary.LittleEndian.Uint32(b[4:]) != z.size {
			return ErrChecksum
		}
		return z.nextMember()
	}
	return io.EOF
}

// nextMember returns nil if another gzip member follows, otherwise io.EOF.
func (z *Reader) nextMember() error {
	z.inStream = false
	b, err := z.in.Peek(len(gzipMagic))
	switch {
	case err != nil:
		return err
	// Other data after the stream is not damage.
	case string(b) != gzipMagic:
		return io.EOF
	}
	return nil
}

// zlibHeader reads the header of RFC 1950 section 2.2.
func (z *Reader) zlibHeader() error {
	b, err := z.take(2)
	switch {
	case err != nil:
		return err
	// Method 8, a window of at most 32 KiB, and the check that the two bytes are a multiple of 31.
	case b[0]&0x0f != 8, b[0]>>4 > 7, binary.BigEndian.Uint16(b)%31 != 0:
		return errHeader
	// A dictionary would have to be known, and archives have none.
	case b[1]&0x20 != 0:
		return errDictionary
	}
	return nil
}

// gzipHeader reads the header of RFC 1952 section 2.3. As in compress/gzip, reserved flags are ignored.
func (z *Reader) gzipHeader() error {
	b, err := z.headerBytes(10)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(b, []byte(gzipMagic)) {
		return errHeader
	}
	flags := b[3]
	if flags&gzipExtra != 0 {
		if err := z.skipExtra(); err != nil {
			return err
		}
	}
	// They come in this order, each with a zero after it.
	for _, flag := range [...]byte{gzipName, gzipComment} {
		if flags&flag == 0 {
			continue
		}
		if err := z.skipName(); err != nil {
			return err
		}
	}
	if flags&gzipHCRC == 0 {
		return nil
	}
	// The lower half of the CRC-32 of all previous bytes.
	want := uint16(z.sum.Sum32())
	if b, err = z.take(2); err != nil {
		return err
	}
	if binary.LittleEndian.Uint16(b) != want {
		return errHeaderSum
	}
	return nil
}

// headerBytes is take for bytes that the header's checksum covers.
func (z *Reader) headerBytes(n int) ([]byte, error) {
	b, err := z.take(n)
	if err == nil {
		z.sum.Write(b)
	}
	return b, err
}

func (z *Reader) skipExtra() error {
	b, err := z.headerBytes(2)
	if err != nil {
		return err
	}
	// In pieces, since the field may exceed the buffer.
	for left := int(binary.LittleEndian.Uint16(b)); left > 0; {
		b, err := z.headerBytes(min(left, minInput))
		if err != nil {
			return err
		}
		left -= len(b)
	}
	return nil
}

func (z *Reader) skipName() error {
	for range maxName {
		b, err := z.headerBytes(1)
		if err != nil || b[0] == 0 {
			return err
		}
	}
	return errName
}
