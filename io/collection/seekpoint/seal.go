package seekpoint

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"

	"github.com/gleaner-web/gleaner/io/stream/inflate"
	"github.com/gleaner-web/gleaner/io/stream/member"
)

// windowSize is the largest distance of a match in a deflate stream (RFC 1951, section 2).
const windowSize = 32 << 10

// sealer compresses and encrypts windows.
type sealer struct {
	z   *flate.Writer
	buf bytes.Buffer
}

// cipherOf returns the cipher of a point. Its key is made of the archive's bytes after the point, which are compressed
// and so hard to guess. A key seals only one window, so the nonce can be constant.
func cipherOf(p member.Point, next []byte) (cipher.AEAD, error) {
	h := sha256.New()
	h.Write([]byte(magic))
	var b [33]byte
	binary.LittleEndian.PutUint64(b[:], uint64(p.Member))
	binary.LittleEndian.PutUint64(b[8:], uint64(p.At))
	binary.LittleEndian.PutUint64(b[16:], uint64(p.Decoded))
	binary.LittleEndian.PutUint64(b[24:], uint64(p.CRC))
	b[32] = p.Bits
	h.Write(b[:])
	h.Write(next)
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

var nonce [12]byte

func (s *sealer) seal(p member.Point, history, next []byte) ([]byte, error) {
	s.buf.Reset()
	if s.z == nil {
		var err error
		if s.z, err = flate.NewWriter(&s.buf, flate.BestSpeed); err != nil {
			return nil, err
		}
	}
	s.z.Reset(&s.buf)
	_, err := s.z.Write(history)
	if err = errors.Join(err, s.z.Close()); err != nil {
		return nil, err
	}
	c, err := cipherOf(p, next)
	if err != nil {
		return nil, err
	}
	return c.Seal(nil, nonce[:], s.buf.Bytes(), nil), nil
}

// unseal returns the history of a point.
func unseal(p member.Point, window, next []byte) ([]byte, error) {
	c, err := cipherOf(p, next)
	if err != nil {
		return nil, err
	}
	packed, err := c.Open(nil, nonce[:], window, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStale, err)
	}
	var d inflate.Decoder
	d.Reset()
	history, _, err := d.Decode(make([]byte, 0, windowSize+1), packed)
	if !errors.Is(err, io.EOF) || int64(len(history)) != min(p.Decoded, windowSize) {
		return nil, fmt.Errorf("%w: a window of %d bytes", ErrFormat, len(history))
	}
	return history, nil
}
