package fileset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"
)

// A zip is read from its start by the headers before its files. Platforms make it while sending, and an archive gives
// it as a stream. The directory at the end is skipped.
//
// Source: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.9, 4.4.4, 4.5.3.
const (
	zipFile       = 0x04034b50 // a file follows
	zipDirectory  = 0x02014b50
	zipEnd        = 0x06054b50
	zipEnd64      = 0x06064b50
	zipExtra      = 0x08064b50 // archive extra data
	zipDescriptor = 0x08074b50

	zipEncrypted = 1 << 0
	zipLater     = 1 << 3 // sizes and checksum follow the file

	zipStored   = 0
	zipDeflated = 8

	unknown32 = 1<<32 - 1 // the size is in the extra field of zip64
)

var (
	errZip       = errors.New("damaged zip")
	errZipMethod = errors.New("a file in the zip is encrypted, or compressed in a way that is not read")
	errZipStored = errors.New("a file in the zip is stored without its length")
)

// zipHead is the header of a file in a zip.
type zipHead struct {
	flags, method uint16
	crc           uint32
	packed, size  int64
	name          string
	wide          bool // sizes after the file are 64 bits
}

func unzip(in *bufio.Reader, take func(name string, in io.Reader) error) error {
	for {
		var b [4]byte
		if _, err := io.ReadFull(in, b[:]); err != nil {
			return errors.Join(errZip, err)
		}
		switch binary.LittleEndian.Uint32(b[:]) {
		case zipFile:
			if err := unzipFile(in, take); err != nil {
				return err
			}
		// Read to the end all the same, since the bundle is hashed as it is read.
		case zipDirectory, zipEnd, zipEnd64, zipExtra:
			_, err := io.Copy(io.Discard, in)
			return err
		default:
			return errZip
		}
	}
}

func unzipFile(in *bufio.Reader, take func(name string, in io.Reader) error) error {
	h, err := readZipHead(in)
	if err != nil {
		return err
	}
	// Not damage: the status shows that we cannot read it.
	if h.flags&zipEncrypted != 0 || h.method != zipStored && h.method != zipDeflated {
		return &StatusError{Status: StatusNotImplemented, Message: errZipMethod.Error()}
	}
	// With sizes after the file, packed is 0 here, or a guess of some writers.
	body := io.Reader(io.LimitReader(in, h.packed))
	if h.flags&zipLater != 0 {
		// The end of a stored file is unknown: its bytes may contain any signature.
		if h.method == zipStored && h.packed == 0 && !strings.HasSuffix(h.name, "/") {
			return &StatusError{Status: StatusNotImplemented, Message: errZipStored.Error()}
		}
		if h.method == zipDeflated {
			body = in // deflate knows its own end, and its reader takes no extra byte from a ByteReader
		}
	}
	packed := body
	if h.method == zipDeflated {
		z := flate.NewReader(body)
		defer func() { _ = z.Close() }() // it holds nothing
		body = z
	}
	// The checksum in the header is of the plain bytes.
	c := &crcReader{r: body}
	// A folder, by section 4.4.17; its contents, if any, are skipped.
	if strings.HasSuffix(h.name, "/") {
		_, err = io.Copy(io.Discard, c)
	} else {
		err = take(h.name, c)
	}
	if err != nil {
		return err
	}
	// Bytes that take did not read; for a file above its limit, it returned an error.
	if _, err := io.Copy(io.Discard, c); err != nil {
		return errors.Join(errZip, err)
	}
	if h.flags&zipLater != 0 {
		err = readDescriptor(in, &h, c)
	} else if limited, ok := packed.(*io.LimitedReader); ok {
		_, err = io.Copy(io.Discard, limited) // padding after the compressed data
	}
	// Checked last, after the descriptor.
	if err == nil && (h.crc != c.crc || h.size != c.n) {
		err = errZip
	}
	return err
}

// readZipHead reads a header after its signature.
func readZipHead(in io.Reader) (h zipHead, err error) {
	var b [26]byte
	if _, err := io.ReadFull(in, b[:]); err != nil {
		return h, errors.Join(errZip, err)
	}
	// Offsets after the signature: version 0, flags 2, method 4, time and date 6, CRC 10, sizes 14 and 18, lengths 22
	// and 24. Section 4.3.7.
	h.flags, h.method = binary.LittleEndian.Uint16(b[2:]), binary.LittleEndian.Uint16(b[4:])
	h.crc = binary.LittleEndian.Uint32(b[10:])
	h.packed, h.size = int64(binary.LittleEndian.Uint32(b[14:])), int64(binary.LittleEndian.Uint32(b[18:]))
	// Both lengths are 16 bits, so this is 128 KiB at most.
	names := int(binary.LittleEndian.Uint16(b[22:]))
	text := make([]byte, names+int(binary.LittleEndian.Uint16(b[24:])))
	if _, err := io.ReadFull(in, text); err != nil {
		return h, errors.Join(errZip, err)
	}
	h.name = string(text[:names])
	return h, h.extra(text[names:])
}

// extra reads the field of zip64, which has the sizes that do not fit in the header.
func (h *zipHead) extra(b []byte) error {
	// A field is an id and a length, two bytes each, and so many bytes: section 4.5.1.
	for len(b) >= 4 {
		id, n := binary.LittleEndian.Uint16(b), int(binary.LittleEndian.Uint16(b[2:]))
		if b = b[4:]; n > len(b) {
			return nil // some writers leave garbage here
		}
		// In this order and only if the header has 0xFFFFFFFF: section 4.5.3.
		if id == 1 {
			h.wide = true
			field := b[:n]
			for _, to := range []*int64{&h.size, &h.packed} {
				if *to != unknown32 {
					continue
				}
				if len(field) < 8 {
					return errZip
				}
				// Masked: a size must not become negative. The true one is compared with the bytes read.
				*to, field = int64(binary.LittleEndian.Uint64(field)&(1<<63-1)), field[8:]
			}
		}
		b = b[n:]
	}
	return nil
}

// readDescriptor reads the descriptor after a file whose sizes were unknown before. It may have a signature, and sizes
// of 32 or 64 bits; the number of bytes read decides.
func readDescriptor(in *bufio.Reader, h *zipHead, c *crcReader) error {
	// 24 is the longest form: signature, CRC and two sizes of 64 bits. Peek, since the shorter ones end before that.
	b, err := in.Peek(24)
	if len(b) < 12 {
		return errors.Join(errZip, err)
	}
	n := 0
	// A checksum looks like the signature once in 2^32: then no size fits, and the bundle counts as damaged.
	if binary.LittleEndian.Uint32(b) == zipDescriptor {
		n = 4
	}
	h.crc = binary.LittleEndian.Uint32(b[n:])
	long := len(b) >= n+20 && int64(binary.LittleEndian.Uint64(b[n+12:])) == c.n
	short := len(b) >= n+12 && int64(binary.LittleEndian.Uint32(b[n+8:])) == c.n&unknown32
	switch {
	// A size of 0 fits both; then zip64's field decides.
	case short && !(long && h.wide):
		h.size, n = c.n, n+12
	case long:
		h.size, n = c.n, n+20
	default:
		return errZip
	}
	_, err = in.Discard(n)
	return err
}

type crcReader struct {
	r   io.Reader
	crc uint32
	n   int64
}

func (c *crcReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.crc = crc32.Update(c.crc, crc32.IEEETable, p[:n])
	c.n += int64(n)
	return n, err
}
