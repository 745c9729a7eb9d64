package picture

import (
	"bytes"
	"encoding/binary"
)

// maxFrames bounds the frames that are counted.
const maxFrames = 1_000_000

// gifFrames counts the image descriptors of a GIF file (GIF89a, section 20), without decoding them.
func gifFrames(b []byte) (n int) {
	if len(b) < 13 {
		return 0
	}
	i := 13 + colorTable(b[10])
	for i < len(b) && n < maxFrames {
		switch b[i] {
		case 0x21: // an extension: its label, then blocks
			i = skipBlocks(b, i+2)
		case 0x2C: // an image: its descriptor, its colours, a code size, then blocks
			if i+10 > len(b) {
				return n
			}
			i = skipBlocks(b, i+11+colorTable(b[i+9]))
			n++
		default: // the trailer, or damage
			return n
		}
	}
	return n
}

// colorTable returns the bytes of the colour table that packed fields announce.
func colorTable(packed byte) int {
	if packed&0x80 == 0 {
		return 0
	}
	return 3 << (packed&7 + 1)
}

// skipBlocks returns the offset after a chain of blocks.
func skipBlocks(b []byte, i int) int {
	for i < len(b) && b[i] != 0 {
		i += 1 + int(b[i])
	}
	return i + 1
}

// pngFrames returns the number of frames that an animated PNG file states (PNG, third edition, section 11.3.6.1).
func pngFrames(b []byte) int {
	for i := 8; i+12 <= len(b); {
		size := int64(binary.BigEndian.Uint32(b[i:]))
		switch string(b[i+4 : i+8]) {
		case "acTL":
			return int(min(binary.BigEndian.Uint32(b[i+8:]), maxFrames))
		case "IDAT":
			return 1
		}
		if size > int64(len(b)-i-12) {
			break
		}
		i += 12 + int(size)
	}
	return 1
}

// chunks calls yield with the chunks of a RIFF file or of a part of it, until it returns false.
func chunks(b []byte, yield func(name string, data []byte) bool) {
	for len(b) >= 8 {
		size := int64(binary.LittleEndian.Uint32(b[4:]))
		data := b[8:]
		if size > int64(len(data)) || !yield(string(b[:4]), data[:size]) {
			return
		}
		b = data[min(size+size&1, int64(len(data))):]
	}
}

// riff returns the chunks of a WebP file.
func riff(b []byte) []byte {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return nil
	}
	return b[12:]
}

// webpFrames counts the frames of a WebP file.
func webpFrames(b []byte) (n int) {
	chunks(riff(b), func(name string, _ []byte) bool {
		if name == "ANMF" {
			n++
		}
		return n < maxFrames
	})
	return n
}

// webpCanvas returns the size that the head of an extended WebP file states (RFC 9649, section 2.7).
func webpCanvas(b []byte) (width, height int, ok bool) {
	chunks(riff(b), func(name string, data []byte) bool {
		if ok = name == "VP8X" && len(data) >= 10; ok {
			width, height = 1+uint24(data[4:]), 1+uint24(data[7:])
		}
		return false
	})
	return width, height, ok
}

// webpFirst returns the first frame of an animated WebP file as a file of its own, or nil if there is none.
func webpFirst(b []byte) (file []byte) {
	chunks(riff(b), func(name string, data []byte) bool {
		if name != "ANMF" {
			return true
		}
		if len(data) > 16 {
			file = webpOf(data[:16], data[16:])
		}
		return false
	})
	return file
}

// webpOf makes a file of a frame's head and chunks.
func webpOf(head, frame []byte) []byte {
	kept, alpha := &bytes.Buffer{}, byte(0)
	chunks(frame, func(name string, data []byte) bool {
		if name == "ALPH" || name == "VP8 " || name == "VP8L" {
			if name == "ALPH" {
				alpha = 0x10
			}
			writeChunk(kept, name, data)
		}
		return name == "ALPH"
	})
	file := &bytes.Buffer{}
	body := &bytes.Buffer{}
	body.WriteString("WEBP")
	extended := append([]byte{alpha, 0, 0, 0}, head[6:12]...)
	writeChunk(body, "VP8X", extended)
	body.Write(kept.Bytes())
	writeChunk(file, "RIFF", body.Bytes())
	return file.Bytes()
}

func writeChunk(to *bytes.Buffer, name string, data []byte) {
	to.WriteString(name)
	to.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(data))))
	to.Write(data)
	if len(data)%2 == 1 {
		to.WriteByte(0)
	}
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// maxPages bounds the pages of a TIFF file that are counted. Offsets may lead back, so a chain may have no end.
const maxPages = 10_000

// tiffFrames counts the pages of a TIFF file (TIFF 6.0, section 2).
func tiffFrames(b []byte) (n int) {
	var order binary.ByteOrder = binary.LittleEndian
	if len(b) < 8 {
		return 0
	} else if b[0] == 'M' {
		order = binary.BigEndian
	}
	seen := map[uint32]bool{}
	for at := order.Uint32(b[4:]); at != 0 && !seen[at] && n < maxPages; n++ {
		seen[at] = true
		if int64(at)+2 > int64(len(b)) {
			return n
		}
		next := int64(at) + 2 + 12*int64(order.Uint16(b[at:]))
		if next+4 > int64(len(b)) {
			return n + 1
		}
		at = order.Uint32(b[next:])
	}
	return n
}
