package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
)

// landscape draws a picture with a light sky, a dark ground and a sun at the left.
func landscape(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{uint8(120 + 100*x/w), uint8(160 + 60*y/h), 230, 255}
			if dx, dy := x-w/5, y-h/4; dx*dx+dy*dy < w*h/60 {
				c = color.RGBA{255, 240, 120, 255}
			}
			if y > h/2+(x%(w/4))*h/(2*w) {
				c = color.RGBA{30, uint8(60 + 60*x/w), 30, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

func encoded(t testing.TB, mime string, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch mime {
	case "image/png":
		err = png.Encode(&b, m)
	case "image/jpeg":
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 85})
	case "image/gif":
		err = gif.Encode(&b, m, nil)
	case "image/bmp":
		err = bmp.Encode(&b, m)
	case "image/tiff":
		err = tiff.Encode(&b, m, nil)
	}
	if err != nil || b.Len() == 0 {
		t.Fatalf("encoding %s: %v", mime, err)
	}
	return b.Bytes()
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pngChunk appends a chunk with its checksum.
func pngChunk(b []byte, name string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[len(b)-len(data)-4:]))
}

// hugePNG is a PNG file whose head states a size, and which has no pixels.
func hugePNG(w, h uint32) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	b := pngChunk([]byte("\x89PNG\r\n\x1a\n"), "IHDR", append(head, 8, 6, 0, 0, 0))
	return pngChunk(pngChunk(b, "IDAT", nil), "IEND", nil)
}

// inSegment puts a segment into a JPEG file, after its first marker.
func inSegment(file []byte, marker byte, data []byte) []byte {
	b := append([]byte{}, file[:2]...)
	b = append(b, 0xFF, marker)
	b = binary.BigEndian.AppendUint16(b, uint16(len(data)+2))
	return append(append(b, data...), file[2:]...)
}

// entry is a tag of EXIF with its type and the value, which is kept after the directories if it is longer than 4 bytes.
type entry struct {
	tag, kind uint16
	count     uint32
	value     []byte
}

func short(tag, n uint16) entry {
	return entry{tag, 3, 1, binary.BigEndian.AppendUint16(nil, n)}
}

func text(tag uint16, s string) entry { return entry{tag, 2, uint32(len(s) + 1), append([]byte(s), 0)} }

// degrees is a coordinate as three fractions.
func degrees(tag uint16, d, m, s uint32) entry {
	var b []byte
	for _, n := range []uint32{d, 1, m, 1, s, 1} {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return entry{tag, 5, 3, b}
}

// exif makes the content of an APP1 segment: a directory, and one for the position.
func exif(main, gps []entry) []byte {
	const gpsTag = 0x8825
	if gps != nil {
		main = append(main, entry{gpsTag, 4, 1, nil})
	}
	gpsAt := 8 + 2 + 12*len(main) + 4
	free := gpsAt + 2 + 12*len(gps) + 4
	out := []byte("MM\x00\x2A\x00\x00\x00\x08")
	var values []byte
	for _, list := range [][]entry{main, gps} {
		out = binary.BigEndian.AppendUint16(out, uint16(len(list)))
		for _, e := range list {
			if e.tag == gpsTag {
				e.value = binary.BigEndian.AppendUint32(nil, uint32(gpsAt))
			}
			out = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(out, e.tag), e.kind)
			out = binary.BigEndian.AppendUint32(out, e.count)
			if len(e.value) <= 4 {
				out = append(out, append(e.value, 0, 0, 0, 0)[:4]...)
				continue
			}
			out = binary.BigEndian.AppendUint32(out, uint32(free+len(values)))
			values = append(values, e.value...)
		}
		out = append(out, 0, 0, 0, 0)
	}
	return append([]byte("Exif\x00\x00"), append(out, values...)...)
}

// animatedGIF has n frames of a few pixels.
func animatedGIF(t testing.TB, n int) []byte {
	frame := image.NewPaletted(image.Rect(0, 0, 4, 3), color.Palette{color.White, color.Black})
	frame.SetColorIndex(1, 1, 1)
	g := &gif.GIF{}
	for range n {
		g.Image, g.Delay = append(g.Image, frame), append(g.Delay, 1)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// animatedWebP has n frames, each the picture of a WebP file of one frame.
func animatedWebP(t testing.TB, n, w, h int) []byte {
	var inner []byte
	chunks(riff(fixture(t, "blue-purple-pink.lossy.webp")), func(name string, data []byte) bool {
		var b bytes.Buffer
		writeChunk(&b, name, data)
		inner = b.Bytes()
		return false
	})
	three := func(n int) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16)} }
	size := append(three(w-1), three(h-1)...)
	var body, file bytes.Buffer
	body.WriteString("WEBP")
	writeChunk(&body, "VP8X", append([]byte{2, 0, 0, 0}, size...))
	writeChunk(&body, "ANIM", make([]byte, 6))
	frame := append(append(make([]byte, 6), size...), 1, 0, 0, 0)
	for range n {
		writeChunk(&body, "ANMF", append(append([]byte{}, frame...), inner...))
	}
	writeChunk(&file, "RIFF", body.Bytes())
	return file.Bytes()
}

// tiffCircle is a TIFF file whose directory names itself as the next.
func tiffCircle() []byte { return []byte("II\x2A\x00\x08\x00\x00\x00\x00\x00\x08\x00\x00\x00") }

// icon is an icon with images of these sizes, without their pixels.
func icon(sizes ...[2]byte) []byte {
	b := []byte{0, 0, 1, 0, byte(len(sizes)), 0}
	for _, s := range sizes {
		b = append(append(b, s[:]...), make([]byte, 14)...)
	}
	return b
}
