package page_test

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"
)

// similarity is the mean structural similarity of two pictures in grey (Wang et al., 2004), in windows of 8×8 pixels.
func similarity(a, b image.Image) float64 {
	x, y := grey(a), grey(b)
	w, h := min(a.Bounds().Dx(), b.Bounds().Dx()), min(a.Bounds().Dy(), b.Bounds().Dy())
	const size, step = 8, 4
	sum, n := 0.0, 0
	for top := 0; top+size <= h; top += step {
		for left := 0; left+size <= w; left += step {
			sum += windowOf(x, y, left, top, size)
			n++
		}
	}
	return sum / float64(n)
}

func grey(m image.Image) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, m.Bounds().Dx(), m.Bounds().Dy()))
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			g.Set(x, y, color.GrayModel.Convert(m.At(x+m.Bounds().Min.X, y+m.Bounds().Min.Y)))
		}
	}
	return g
}

// windowOf is the similarity of one window.
func windowOf(a, b *image.Gray, left, top, size int) float64 {
	var sa, sb, saa, sbb, sab float64
	for y := top; y < top+size; y++ {
		for x := left; x < left+size; x++ {
			p, q := float64(a.GrayAt(x, y).Y), float64(b.GrayAt(x, y).Y)
			sa, sb, saa, sbb, sab = sa+p, sb+q, saa+p*p, sbb+q*q, sab+p*q
		}
	}
	n := float64(size * size)
	ma, mb := sa/n, sb/n
	va, vb, cov := saa/n-ma*ma, sbb/n-mb*mb, sab/n-ma*mb
	const c1, c2 = (.01 * 255) * (.01 * 255), (.03 * 255) * (.03 * 255)
	return (2*ma*mb + c1) * (2*cov + c2) / ((ma*ma + mb*mb + c1) * (va + vb + c2))
}

// blank is a white picture of the same size.
func blank(m image.Image) image.Image {
	g := image.NewGray(image.Rect(0, 0, m.Bounds().Dx(), m.Bounds().Dy()))
	for i := range g.Pix {
		g.Pix[i] = 255
	}
	return g
}

func TestSimilarity(t *testing.T) {
	a, b := image.NewGray(image.Rect(0, 0, 64, 64)), image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range a.Pix {
		a.Pix[i], b.Pix[i] = byte(i*i), byte(255-i*i)
	}
	if x := similarity(a, a); x < .999 {
		t.Errorf("a picture is %.3f like itself", x)
	}
	if x := similarity(a, b); x > .1 {
		t.Errorf("a picture is %.3f like its negative", x)
	}
}

func savePNG(t *testing.T, name string, m image.Image) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // an incomplete picture is seen
	if err := png.Encode(f, m); err != nil {
		t.Error(err)
	}
}
