package picture

import "image"

// turn is how an image must be turned to be upright: the tag Orientation of EXIF 2.32, 1 to 8.
type turn int

const upright turn = 1

// swaps reports whether width and height are exchanged.
func (t turn) swaps() bool { return t >= 5 && t <= 8 }

// size returns the size of an upright image.
func (t turn) size(w, h int) (int, int) {
	if t.swaps() {
		return h, w
	}
	return w, h
}

// apply returns an image upright.
func (t turn) apply(m *image.RGBA) *image.RGBA {
	if t <= upright || t > 8 {
		return m
	}
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if t.swaps() {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			toX, toY := t.place(x, y, w, h)
			copy(out.Pix[out.PixOffset(toX, toY):], m.Pix[m.PixOffset(x, y):][:4])
		}
	}
	return out
}

// place returns where a pixel of a w × h image stands when the image is upright.
func (t turn) place(x, y, w, h int) (int, int) {
	switch t {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}
