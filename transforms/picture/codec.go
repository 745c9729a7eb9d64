package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/bep/imagemeta"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"
)

func jpegDecode(b []byte) (image.Image, error)  { return jpeg.Decode(bytes.NewReader(b)) }
func pngConfig(b []byte) (image.Config, error)  { return png.DecodeConfig(bytes.NewReader(b)) }
func pngDecode(b []byte) (image.Image, error)   { return png.Decode(bytes.NewReader(b)) }
func gifConfig(b []byte) (image.Config, error)  { return gif.DecodeConfig(bytes.NewReader(b)) }
func bmpDecode(b []byte) (image.Image, error)   { return bmp.Decode(bytes.NewReader(b)) }
func tiffConfig(b []byte) (image.Config, error) { return tiff.DecodeConfig(bytes.NewReader(b)) }
func tiffDecode(b []byte) (image.Image, error)  { return tiff.Decode(bytes.NewReader(b)) }

// isUnread reports whether an error is about a valid image that the library does not decode. Those of package png are
// about invalid files.
func isUnread(err error) bool {
	var ofJPEG jpeg.UnsupportedError
	var ofTIFF tiff.UnsupportedError
	return errors.As(err, &ofJPEG) || errors.As(err, &ofTIFF) || errors.Is(err, bmp.ErrUnsupported)
}

// jpegConfig reads the size of images that are not decoded from the head of their frame (ITU-T T.81, B.2.2).
func jpegConfig(b []byte) (image.Config, error) {
	c, err := jpeg.DecodeConfig(bytes.NewReader(b))
	if !isUnread(err) {
		return c, err
	}
	for i := 2; i+9 <= len(b) && b[i] == 0xFF; {
		switch marker := b[i+1]; {
		case marker == 0xFF:
			i++
			continue
		case marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
			h, w := binary.BigEndian.Uint16(b[i+5:]), binary.BigEndian.Uint16(b[i+7:])
			return image.Config{Width: int(w), Height: int(h), ColorModel: color.YCbCrModel}, nil
		}
		i += 2 + int(binary.BigEndian.Uint16(b[i+2:]))
	}
	return c, err
}

// bmpConfig reads the size of images that are not decoded from their head, which OS/2 wrote with 16 bits. A negative
// height means that the first line is the top one.
func bmpConfig(b []byte) (image.Config, error) {
	c, err := bmp.DecodeConfig(bytes.NewReader(b))
	if !isUnread(err) {
		return c, err
	}
	if len(b) < 26 {
		return c, io.ErrUnexpectedEOF
	}
	c.ColorModel = color.RGBAModel
	if binary.LittleEndian.Uint32(b[14:]) == 12 {
		c.Width, c.Height = int(binary.LittleEndian.Uint16(b[18:])), int(binary.LittleEndian.Uint16(b[20:]))
		return c, nil
	}
	w, h := int32(binary.LittleEndian.Uint32(b[18:])), int32(binary.LittleEndian.Uint32(b[22:]))
	c.Width, c.Height = int(w), max(int(h), -int(h))
	return c, nil
}

// gifDecode decodes the first frame alone.
func gifDecode(b []byte) (image.Image, error) { return gif.Decode(bytes.NewReader(b)) }

func webpConfig(b []byte) (image.Config, error) {
	if w, h, ok := webpCanvas(b); ok {
		return image.Config{Width: w, Height: h, ColorModel: color.NYCbCrAModel}, nil
	}
	return webp.DecodeConfig(bytes.NewReader(b))
}

func webpDecode(b []byte) (image.Image, error) {
	if first := webpFirst(b); first != nil {
		b = first
	}
	c, err := webp.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	// The head of an animation states the size of the canvas, and each frame its own.
	if pixels := int64(c.Width) * int64(c.Height); pixels > maxPixels || pixels*4 > maxMemory {
		return nil, ErrLimit
	}
	return webp.Decode(bytes.NewReader(b))
}

// isoConfig reads the size of AVIF and HEIC from their boxes.
func isoConfig(b []byte) (image.Config, error) {
	r, err := imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(b), ImageFormat: imagemeta.HEIF, Sources: imagemeta.CONFIG, LimitNumTags: maxTags,
	})
	return image.Config{Width: r.ImageConfig.Width, Height: r.ImageConfig.Height}, err
}

// iconConfig returns the size of the largest image in an icon. 0 stands for 256.
func iconConfig(b []byte) (c image.Config, err error) {
	for i := range iconFrames(b) {
		if len(b) < 6+16*(i+1) {
			break
		}
		w, h := int(b[6+16*i]), int(b[7+16*i])
		if w == 0 {
			w = 256
		}
		if h == 0 {
			h = 256
		}
		if w*h > c.Width*c.Height {
			c.Width, c.Height = w, h
		}
	}
	if c.Width == 0 {
		err = errors.New("it has no images")
	}
	return c, err
}

// iconFrames returns the number of images in an icon.
func iconFrames(b []byte) int {
	if len(b) < 6 || !bytes.HasPrefix(b, []byte{0, 0, 1, 0}) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(b[4:]))
}

// pngInterlace is the offset of the interlace method in a PNG file: after the signature, and the head and the other
// values of IHDR.
const pngInterlace = 8 + 8 + 12

// pixelBytes estimates the bytes that decoding takes for each pixel.
func pixelBytes(f *format, body []byte, c image.Config) int64 {
	switch {
	case f.name == "jpeg" && isProgressive(body):
		// Coefficients of 4 bytes for three or four components, and the pixels.
		return 16
	case f.name == "jpeg" && c.ColorModel == color.CMYKModel:
		return 10 // planes of four components, and the pixels
	case f.name == "jpeg":
		return 4
	case f.name == "tiff":
		return 8
	}
	n := int64(4)
	switch c.ColorModel {
	// A grey image with a transparent value becomes one with four channels.
	case color.RGBA64Model, color.NRGBA64Model, color.Gray16Model:
		n = 8
	}
	if f.name == "png" && len(body) > pngInterlace && body[pngInterlace] != 0 {
		n += n / 2 // a pass has up to half of the pixels
	}
	return n
}

// isProgressive reports whether the first frame of a JPEG file is progressive (ITU-T T.81, table B.1).
func isProgressive(b []byte) bool {
	for i := 2; i+4 <= len(b) && b[i] == 0xFF; {
		marker := b[i+1]
		switch {
		case marker == 0xFF:
			i++
			continue
		case marker == 0xC2:
			return true
		case marker == 0xC0 || marker == 0xC1 || marker == 0xDA:
			return false
		}
		i += 2 + int(binary.BigEndian.Uint16(b[i+2:]))
	}
	// A file that is not understood may be anything.
	return true
}
