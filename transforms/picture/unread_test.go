package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// bitmap returns the head of a BMP file of 7 × 5 pixels.
func bitmap(head uint32, height int32, bits, compression uint16) []byte {
	b := make([]byte, 14+max(head, 40)+1024)
	copy(b, "BM")
	binary.LittleEndian.PutUint32(b[10:], 14+head)
	binary.LittleEndian.PutUint32(b[14:], head)
	if head == 12 {
		for i, v := range []uint16{7, uint16(height), 1, bits} {
			binary.LittleEndian.PutUint16(b[18+2*i:], v)
		}
		return b
	}
	binary.LittleEndian.PutUint32(b[18:], 7)
	binary.LittleEndian.PutUint32(b[22:], uint32(height))
	for i, v := range []uint16{1, bits, compression} {
		binary.LittleEndian.PutUint16(b[26+2*i:], v)
	}
	return b
}

// patched returns b with the bytes after the first occurrence of a mark replaced.
func patched(t *testing.T, b []byte, mark string, offset int, value ...byte) []byte {
	t.Helper()
	at := bytes.Index(b, []byte(mark))
	if at < 0 {
		t.Fatalf("no %x", mark)
	}
	b = bytes.Clone(b)
	copy(b[at+offset:], value)
	return b
}

// TestExamine_unread: valid images that are not decoded are not damaged.
func TestExamine_unread(t *testing.T) {
	photo := encoded(t, "image/jpeg", image.NewRGBA(image.Rect(0, 0, 7, 5)))
	scan := encoded(t, "image/tiff", image.NewNRGBA(image.Rect(0, 0, 7, 5)))
	for _, tt := range []struct {
		name, mime string
		body       []byte
		size       bool
	}{
		{"BMP of OS/2", "image/bmp", bitmap(12, 5, 24, 0), true},
		{"BMP with RLE", "image/bmp", bitmap(40, 5, 8, 1), true},
		{"BMP of 16 bits from the top", "image/bmp", bitmap(40, -5, 16, 0), true},
		{"BMP of OS/2, version 2", "image/bmp", bitmap(64, 5, 24, 0), true},
		{"JPEG with arithmetic coding", "image/jpeg", patched(t, photo, "\xFF\xC0", 1, 0xC9), true},
		{"JPEG of 12 bits", "image/jpeg", patched(t, photo, "\xFF\xC0", 4, 12), true},
		{"JPEG without loss", "image/jpeg", patched(t, photo, "\xFF\xC0", 1, 0xC3), true},
		{"JPEG of odd samples", "image/jpeg", patched(t, photo, "\xFF\xC0", 11, 0x43), true},
		{"TIFF with JPEG", "image/tiff", patched(t, scan, "\x03\x01\x03\x00", 8, 7), true},
		{"TIFF of CMYK", "image/tiff", patched(t, scan, "\x06\x01\x03\x00", 8, 5), false},
	} {
		info, err := Examine(tt.mime, tt.body, Options{})
		if !errors.Is(err, ErrUnread) || KindOf(err) != schemas.KindUnsupported {
			t.Errorf("%s: %v, kind %s", tt.name, err, KindOf(err))
		}
		if size := info.Width == 7 && info.Height == 5; size != tt.size {
			t.Errorf("%s: %d × %d", tt.name, info.Width, info.Height)
		}
	}
	for _, body := range [][]byte{bitmap(40, -5, 16, 0)[:20], bitmap(12, 5, 24, 0)[:22]} {
		if _, err := Examine("image/bmp", body, Options{}); err == nil || errors.Is(err, ErrUnread) {
			t.Errorf("%d bytes of BMP: %v", len(body), err)
		}
	}
}
