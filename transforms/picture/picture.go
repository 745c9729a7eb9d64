// Package picture reads image files: their size, frames and EXIF fields, a hash for similar images, and thumbnails. It
// decodes JPEG, PNG, GIF, WebP, BMP and TIFF. Of AVIF, HEIC and icons it reads only the size. It never reads SVG.
//
//	info, err := picture.Examine("image/jpeg", body, picture.Options{})
//	jpeg, err := picture.Thumbnail("image/jpeg", body, 240)
//
// An image that would need more than maxPixels or maxMemory is not decoded; its size is known all the same. Hostile
// images may still use that memory, so servers and pipelines call the package in child processes: io/child/docsandbox.
package picture

import (
	"errors"
	"fmt"
	"image"

	"github.com/gleaner-web/gleaner/schemas"
)

// Version changes when the same bytes give another result.
const Version = "2"

// MaxBody is the number of bytes up to which an image is read.
const MaxBody = 64 << 20

const (
	// maxPixels bounds decoded images. Cameras have up to 60 million pixels.
	maxPixels = 64 << 20
	// maxMemory bounds the bytes of decoded pixels, so that a child process of 512 MiB does not die.
	maxMemory = 320 << 20
	// maxSide bounds the width and height that are believed.
	maxSide = 1 << 24
)

// These errors are kinds of failures.
var (
	ErrFormat = errors.New("not an image of this format")    // or damaged or truncated
	ErrLimit  = errors.New("the image is too large to read") // more than maxPixels, maxMemory or MaxBody
	ErrUnread = errors.New("images of this format are not decoded")
)

// Failure is an error whose kind is known.
type Failure struct {
	Kind    schemas.Kind
	Message string
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// KindOf returns the kind of an error of this package.
func KindOf(err error) schemas.Kind {
	var known *Failure
	switch {
	case errors.As(err, &known):
		return known.Kind
	case errors.Is(err, ErrLimit):
		return schemas.KindLimit
	case errors.Is(err, ErrUnread):
		return schemas.KindUnsupported
	}
	return schemas.KindDamaged
}

// Options of Examine. The zero value is the default.
type Options struct {
	Position bool // keep the position where the image was taken
}

// format is a format of images.
type format struct {
	name    string
	config  func(body []byte) (image.Config, error)
	decode  func(body []byte) (image.Image, error) // nil for formats that are not decoded
	frames  func(body []byte) int                  // nil for formats of one frame
	hasEXIF bool
}

// formats are the known formats by media type.
var formats = map[string]*format{
	"image/jpeg":               {name: "jpeg", config: jpegConfig, decode: jpegDecode, hasEXIF: true},
	"image/png":                {name: "png", config: pngConfig, decode: pngDecode, frames: pngFrames, hasEXIF: true},
	"image/apng":               {name: "png", config: pngConfig, decode: pngDecode, frames: pngFrames, hasEXIF: true},
	"image/vnd.mozilla.apng":   {name: "png", config: pngConfig, decode: pngDecode, frames: pngFrames, hasEXIF: true},
	"image/gif":                {name: "gif", config: gifConfig, decode: gifDecode, frames: gifFrames},
	"image/webp":               {name: "webp", config: webpConfig, decode: webpDecode, frames: webpFrames, hasEXIF: true},
	"image/bmp":                {name: "bmp", config: bmpConfig, decode: bmpDecode},
	"image/tiff":               {name: "tiff", config: tiffConfig, decode: tiffDecode, frames: tiffFrames, hasEXIF: true},
	"image/avif":               {name: "avif", config: isoConfig, hasEXIF: true},
	"image/heic":               {name: "heic", config: isoConfig, hasEXIF: true},
	"image/heif":               {name: "heic", config: isoConfig, hasEXIF: true},
	"image/vnd.microsoft.icon": {name: "ico", config: iconConfig, frames: iconFrames},
	"image/x-icon":             {name: "ico", config: iconConfig, frames: iconFrames},
	"image/svg+xml":            {name: "svg"},
}

// Known reports whether Examine has a name for the format of a media type.
func Known(mime string) bool { return formats[mime] != nil }

// Shown reports whether Thumbnail may succeed for a media type.
func Shown(mime string) bool { return formats[mime] != nil && formats[mime].decode != nil }

// Examine describes an image of the media type mime. If only a part could be read, it returns that
// part and an error.
func Examine(mime string, body []byte, o Options) (*schemas.Image, error) {
	f := formats[mime]
	if f == nil {
		return nil, fmt.Errorf("%w: %s", ErrUnread, mime)
	}
	info := &schemas.Image{Format: f.name}
	if f.config == nil {
		return info, nil
	}
	if len(body) > MaxBody {
		return info, ErrLimit
	}
	turn := upright
	if f.hasEXIF {
		info.EXIF, turn = readEXIF(f.name, body, o)
	}
	c, err := f.size(body)
	if err != nil {
		return info, err
	}
	info.Width, info.Height = turn.size(c.Width, c.Height)
	info.Frames = 1
	if f.frames != nil {
		info.Frames = max(1, f.frames(body))
	}
	if f.decode == nil {
		return info, nil
	}
	small, err := f.reduced(body, c, hashSide, hashSide)
	if err == nil {
		info.PHash = hashOf(turn.apply(small))
	}
	return info, err
}

// size returns the size that the head of the file states.
func (f *format) size(body []byte) (image.Config, error) {
	c, err := f.config(body)
	if err == nil && (c.Width <= 0 || c.Height <= 0 || c.Width > maxSide || c.Height > maxSide) {
		err = errors.New("its size is not possible")
	}
	if err != nil {
		return image.Config{}, failed(err)
	}
	return c, nil
}

// failed adds the kind of failure to the error of a library.
func failed(err error) error {
	kind := ErrFormat
	if isUnread(err) {
		kind = ErrUnread
	}
	return fmt.Errorf("%w: %w", kind, err)
}

// read decodes an image of the given size.
func (f *format) read(body []byte, c image.Config) (image.Image, error) {
	pixels := int64(c.Width) * int64(c.Height)
	if pixels > maxPixels || pixels*pixelBytes(f, body, c) > maxMemory {
		return nil, fmt.Errorf("%w: %d × %d pixels", ErrLimit, c.Width, c.Height)
	}
	m, err := f.decode(body)
	if err != nil {
		return nil, failed(err)
	}
	// A frame may be larger than the image that contains it.
	if b := m.Bounds(); b.Empty() || b.Dx() > 4*c.Width+64 || b.Dy() > 4*c.Height+64 {
		return nil, fmt.Errorf("%w: the size of its pixels is %v", ErrFormat, b)
	}
	return m, nil
}
