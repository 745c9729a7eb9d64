package member

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

const (
	frameMagic      = 0xFD2FB528 // RFC 8878, section 3.1.1
	skippableMagic  = 0x184D2A50 // to …5F, section 3.1.2
	dictionaryFrame = 0x184D2A5D // the WARC zstd convention: the first frame may hold the dictionary
	dictionaryMagic = 0xEC30A437 // RFC 8878, section 5

	// maxDictionary bounds a dictionary in bytes: archives use some 100 kB.
	maxDictionary = 16 << 20
)

func isFrame(b []byte) bool {
	return len(b) >= 4 && binary.LittleEndian.Uint32(b) == frameMagic
}

func isSkippable(b []byte) bool {
	return len(b) >= 4 && binary.LittleEndian.Uint32(b)&^0xf == skippableMagic
}

// zstdDecoder decodes zstd frames one by one.
type zstdDecoder struct {
	in    *input
	dec   *zstd.Decoder
	frame frameReader
	hash  *xxhash.Digest
	ended error
}

func newZstdDecoder(src io.ReaderAt, in *input, size, maxWindow int64) (*zstdDecoder, error) {
	opts := []zstd.DOption{
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(uint64(maxWindow)), zstd.WithDecoderMaxMemory(1 << 62), // output is streamed
		zstd.IgnoreChecksum(true), // it would withhold the last block when the checksum is wrong; read looks itself
	}
	dict, err := dictionary(src, size)
	if err != nil {
		return nil, err
	}
	if len(dict) > 0 {
		option := zstd.WithDecoderDictRaw(0, dict)
		if len(dict) >= 4 && binary.LittleEndian.Uint32(dict) == dictionaryMagic {
			option = zstd.WithDecoderDicts(dict)
		}
		if dec, err := zstd.NewReader(nil, append(opts, option)...); err == nil {
			return &zstdDecoder{in: in, dec: dec, frame: frameReader{in: in}, hash: xxhash.New()}, nil
		} // otherwise it is damaged, and the frames that need it will not decode
	}
	dec, err := zstd.NewReader(nil, opts...)
	if err != nil {
		return nil, err
	}
	return &zstdDecoder{in: in, dec: dec, frame: frameReader{in: in}, hash: xxhash.New()}, nil
}

// dictionary reads the dictionary frame that may stand at the file's start, itself compressed or not. One that is cut,
// damaged or over the limit is as none; an error is the file's own.
func dictionary(src io.ReaderAt, size int64) ([]byte, error) {
	var h [8]byte
	if n, err := src.ReadAt(h[:], 0); n < len(h) || binary.LittleEndian.Uint32(h[:]) != dictionaryFrame {
		if err != nil && err != io.EOF {
			return nil, err
		}
		return nil, nil
	}
	n := int64(binary.LittleEndian.Uint32(h[4:]))
	if n > maxDictionary || n > size-8 {
		return nil, nil
	}
	raw := make([]byte, n)
	if k, err := src.ReadAt(raw, 8); int64(k) < n {
		return nil, fmt.Errorf("reading the zstd dictionary: %w", err)
	}
	d, err := ParseDictionary(bytes.NewReader(raw))
	if err != nil {
		return nil, nil // not an error of the file
	}
	return d, nil
}

// ParseDictionary reads the content of a dictionary frame: a dictionary, or a zstd frame that holds one.
func ParseDictionary(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxDictionary+1))
	if err != nil {
		return nil, err
	}
	if !isFrame(raw) {
		return raw, nil
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDictionary))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	d, err := dec.DecodeAll(raw, nil)
	if err != nil {
		return nil, fmt.Errorf("zstd dictionary: %w", err)
	}
	return d, nil
}

// Close frees the decoder.
func (d *zstdDecoder) Close() error {
	d.dec.Close()
	return nil
}

func (d *zstdDecoder) gap() (int64, error) { return skipStructure(d.in) }

// skipStructure goes over zeros, or over one skippable frame, and returns how many bytes that were.
func skipStructure(in *input) (int64, error) {
	n, err := skipZeros(in)
	if n > 0 || err != nil {
		return n, err
	}
	h, err := in.br.Peek(8)
	if err != nil || !isSkippable(h) {
		return 0, in.err()
	}
	pos := in.pos()
	length := min(8+int64(binary.LittleEndian.Uint32(h[4:])), in.size-pos)
	in.seek(pos + length)
	return length, nil
}

func (d *zstdDecoder) open() bool {
	h, _ := d.in.br.Peek(4) // fewer bytes than asked at the file's end
	if !isFrame(h) {
		return false
	}
	d.frame.reset()
	d.hash.Reset()
	d.ended = nil
	return d.dec.Reset(&d.frame) == nil
}

func (d *zstdDecoder) read(p []byte) (int, error) {
	if d.ended != nil {
		return 0, d.ended
	}
	n, err := d.dec.Read(p)
	if d.frame.checksum {
		_, _ = d.hash.Write(p[:n]) // cannot fail
	}
	switch {
	case err == nil:
		return n, nil
	case err == io.EOF && d.frame.done():
		if d.frame.checksum && binary.LittleEndian.Uint32(d.frame.sum[:]) != uint32(d.hash.Sum64()) {
			err = ErrChecksum // Content_Checksum, RFC 8878 section 3.1.1
		}
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	d.ended = err
	return n, err
}

// frameReader hands out exactly one frame's bytes, so that the decoder cannot read into the next one. It walks the
// block headers (RFC 8878, section 3.1.1.2), which tell sizes without decoding.
type frameReader struct {
	in       *input
	left     int64 // bytes of the current piece still to hand out
	state    uint8
	checksum bool
	sum      [4]byte // the checksum's bytes, as far as they were handed out
}

const (
	atHeader uint8 = iota
	atBlock
	atLast // in the last block
	atEnd
)

func (f *frameReader) reset() { f.left, f.state = 0, atHeader }

func (f *frameReader) done() bool { return f.state == atEnd && f.left == 0 }

func (f *frameReader) Read(p []byte) (int, error) {
	for f.left == 0 {
		if f.state == atEnd {
			return 0, io.EOF
		}
		if err := f.advance(); err != nil {
			return 0, err
		}
	}
	n, err := f.in.br.Read(p[:min(int64(len(p)), f.left)])
	if f.state == atEnd {
		copy(f.sum[4-f.left:], p[:n])
	}
	f.left -= int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// advance reads the next piece's header without consuming it and sets how long the piece is.
func (f *frameReader) advance() error {
	switch f.state {
	case atHeader:
		return f.header()
	case atBlock:
		return f.block()
	case atLast:
		f.state = atEnd
		if f.checksum {
			f.left = 4
		}
	}
	return nil
}

// header sizes the frame header, RFC 8878 section 3.1.1.1.
func (f *frameReader) header() error {
	h, err := f.in.br.Peek(5)
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	d := h[4]
	f.checksum = d&4 != 0
	single := d >> 5 & 1
	n := 5 + 1 - int64(single) + int64([]int{0, 1, 2, 4}[d&3])
	switch d >> 6 {
	case 0:
		n += int64(single)
	default:
		n += 1 << (d >> 6)
	}
	f.left, f.state = n, atBlock
	return nil
}

func (f *frameReader) block() error {
	h, err := f.in.br.Peek(3)
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	v := uint32(h[0]) | uint32(h[1])<<8 | uint32(h[2])<<16
	if v&1 != 0 {
		f.state = atLast
	}
	switch f.left = int64(v>>3) + 3; v >> 1 & 3 {
	case 1: // RLE: one byte, whatever the size says
		f.left = 4
	case 3:
		return fmt.Errorf("zstd: reserved block type")
	}
	return nil
}
