package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"

	"golang.org/x/image/draw"
)

// quality is that of thumbnails, as libjpeg counts.
const quality = 80

// MaxThumbnail is the largest side of a thumbnail in pixels.
const MaxThumbnail = 1024

// Thumbnail returns an image of the media type mime as a JPEG file whose sides have at most side pixels. Of an
// animation it has the first frame. It is upright by EXIF, and transparent parts are white. Nothing else of the file
// is in it.
func Thumbnail(mime string, body []byte, side int) ([]byte, error) {
	f := formats[mime]
	if f == nil || f.decode == nil {
		return nil, fmt.Errorf("%w: %s", ErrUnread, mime)
	}
	if len(body) > MaxBody {
		return nil, ErrLimit
	}
	c, err := f.size(body)
	if err != nil {
		return nil, err
	}
	side = min(max(side, 1), MaxThumbnail)
	w, h := fit(c.Width, c.Height, side)
	small, err := f.reduced(body, c, w, h)
	if err != nil {
		return nil, err
	}
	turn := upright
	if f.hasEXIF {
		_, turn = readEXIF(f.name, body, Options{})
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, turn.apply(small), &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// fit returns the size of a w × h image in a square. Small images keep their size.
func fit(w, h, side int) (int, int) {
	if w <= side && h <= side {
		return w, h
	}
	if w >= h {
		return side, max(1, int(int64(h)*int64(side)/int64(w)))
	}
	return max(1, int(int64(w)*int64(side)/int64(h))), side
}

// reduced decodes an image and scales it to w × h pixels on white.
func (f *format) reduced(body []byte, c image.Config, w, h int) (*image.RGBA, error) {
	m, err := f.read(body, c)
	if err != nil {
		return nil, err
	}
	small := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(small, small.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	scale(small, m)
	return small, nil
}

// scale draws an image on all of small. Large images are first thinned out, which is much faster. Each pixel of the
// result still has at least four of them in each direction, so the difference is hardly visible.
func scale(small *image.RGBA, m image.Image) {
	b := m.Bounds()
	w, h := small.Bounds().Dx()*4, small.Bounds().Dy()*4
	if b.Dx() > 2*w && b.Dy() > 2*h {
		thin := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.ApproxBiLinear.Scale(thin, thin.Bounds(), m, b, draw.Src, nil)
		m, b = thin, thin.Bounds()
	}
	draw.BiLinear.Scale(small, small.Bounds(), m, b, draw.Over, nil)
}
