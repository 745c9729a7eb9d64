package picture

import (
	"bytes"
	"image/jpeg"
	"maps"
	"slices"
	"testing"
)

// mimes are the types in a fixed order.
var mimes = slices.Sorted(maps.Keys(formats))

func seed(f *testing.F) {
	for _, mime := range []string{"image/png", "image/jpeg", "image/gif", "image/bmp", "image/tiff"} {
		f.Add(uint8(slices.Index(mimes, mime)), encoded(f, mime, landscape(24, 16)))
	}
	f.Add(uint8(slices.Index(mimes, "image/webp")), animatedWebP(f, 2, 150, 100))
	f.Add(uint8(slices.Index(mimes, "image/webp")), fixture(f, "alpha.webp"))
	f.Add(uint8(slices.Index(mimes, "image/jpeg")), inSegment(encoded(f, "image/jpeg", landscape(8, 8)), 0xE1,
		exif([]entry{text(0x010E, "x"), short(0x0112, 3)}, []entry{text(1, "N"), degrees(2, 1, 2, 3)})))
	f.Add(uint8(slices.Index(mimes, "image/tiff")), tiffCircle())
	f.Add(uint8(slices.Index(mimes, "image/png")), hugePNG(60_000, 60_000))
}

// FuzzExamine: nothing panics, and results are within their bounds.
func FuzzExamine(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, n uint8, body []byte) {
		info, err := Examine(mimes[int(n)%len(mimes)], body, Options{Position: true})
		if info.Format == "" || info.Width < 0 || info.Width > maxSide || info.Height > maxSide || info.Frames > maxFrames {
			t.Errorf("%+v, %v", info, err)
		}
		if _, ok := ParseHash(info.PHash); info.PHash != "" && !ok {
			t.Errorf("hash %q", info.PHash)
		}
		for name, value := range info.EXIF {
			if value == "" || len(value) > maxEXIF || bytes.ContainsAny([]byte(value), "\n\x00") {
				t.Errorf("%s is %q", name, value)
			}
		}
	})
}

// FuzzThumbnail: a thumbnail is a JPEG file of the right size, whatever the image.
func FuzzThumbnail(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, n uint8, body []byte) {
		small, err := Thumbnail(mimes[int(n)%len(mimes)], body, 16)
		if err != nil {
			return
		}
		c, err := jpeg.DecodeConfig(bytes.NewReader(small))
		if err != nil || c.Width > 16 || c.Height > 16 {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

// FuzzFrames: the counters end, and stay within their bounds.
func FuzzFrames(f *testing.F) {
	f.Add(animatedGIF(f, 3))
	f.Add(animatedWebP(f, 3, 150, 100))
	f.Add(tiffCircle())
	f.Add(hugePNG(1, 1))
	f.Add(fixture(f, "progressive.jpeg"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, count := range []func([]byte) int{gifFrames, pngFrames, webpFrames, tiffFrames, iconFrames} {
			if n := count(body); n < 0 || n > maxFrames {
				t.Errorf("%d frames", n)
			}
		}
		isProgressive(body)
		webpFirst(body)
	})
}
