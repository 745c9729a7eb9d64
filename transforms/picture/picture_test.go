package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
)

// TestExamine_formats: the same picture has the same size and nearly the same hash in all formats.
func TestExamine_formats(t *testing.T) {
	want := ""
	for _, mime := range []string{"image/png", "image/jpeg", "image/gif", "image/bmp", "image/tiff"} {
		for _, side := range []int{120, 400} {
			info, err := Examine(mime, encoded(t, mime, landscape(side, side/2)), Options{})
			if err != nil || info.Width != side || info.Height != side/2 || info.Frames != 1 {
				t.Fatalf("%s: %+v, %v", mime, info, err)
			}
			if want == "" {
				want = info.PHash
			}
			if d := distance(t, want, info.PHash); d > 2 {
				t.Errorf("%s of %d pixels: %d bits differ", mime, side, d)
			}
		}
	}
}

func distance(t *testing.T, a, b string) int {
	t.Helper()
	x, okA := ParseHash(a)
	y, okB := ParseHash(b)
	if !okA || !okB {
		t.Fatalf("%q and %q are not both hashes", a, b)
	}
	return Distance(x, y)
}

// fileCase is an image with its properties.
type fileCase struct {
	name, mime string
	body       []byte
	want       schemas.Image // without the hash
	hashed     bool
}

func fileCases(t *testing.T) []fileCase {
	black := image.NewGray(image.Rect(0, 0, 1, 1))
	deep := image.NewNRGBA64(image.Rect(0, 0, 60, 40))
	for i := range deep.Pix {
		deep.Pix[i] = byte(i * 7)
	}
	mixed := landscape(90, 60)
	return []fileCase{
		{
			"one pixel", "image/png", encoded(t, "image/png", black),
			schemas.Image{Format: "png", Width: 1, Height: 1, Frames: 1},
			false,
		},
		{
			"16 bits", "image/png", encoded(t, "image/png", deep),
			schemas.Image{Format: "png", Width: 60, Height: 40, Frames: 1},
			true,
		},
		{
			"four inks", "image/jpeg", fixture(t, "cmyk.jpeg"),
			schemas.Image{Format: "jpeg", Width: 150, Height: 103, Frames: 1},
			true,
		},
		{
			"progressive", "image/jpeg", fixture(t, "progressive.jpeg"),
			schemas.Image{Format: "jpeg", Width: 150, Height: 103, Frames: 1},
			true,
		},
		{
			"colour profile", "image/jpeg",
			inSegment(encoded(t, "image/jpeg", mixed), 0xE2, append([]byte("ICC_PROFILE\x00\x01\x01"), make([]byte, 200)...)),
			schemas.Image{Format: "jpeg", Width: 90, Height: 60, Frames: 1},
			true,
		},
		{
			"lossy WebP", "image/webp", fixture(t, "blue-purple-pink.lossy.webp"),
			schemas.Image{Format: "webp", Width: 150, Height: 100, Frames: 1},
			true,
		},
		{
			"transparent WebP", "image/webp", fixture(t, "alpha.webp"),
			schemas.Image{Format: "webp", Width: 75, Height: 100, Frames: 1},
			true,
		},
		{
			"animated WebP", "image/webp", animatedWebP(t, 3, 150, 100),
			schemas.Image{Format: "webp", Width: 150, Height: 100, Frames: 3},
			true,
		},
		{
			"animation", "image/gif", animatedGIF(t, 10_000),
			schemas.Image{Format: "gif", Width: 4, Height: 3, Frames: 10_000},
			true,
		},
		{
			"icon", "image/x-icon", icon([2]byte{16, 16}, [2]byte{0, 48}),
			schemas.Image{Format: "ico", Width: 256, Height: 48, Frames: 2},
			false,
		},
		{"drawing", "image/svg+xml", []byte("<svg width=10><script/></svg>"), schemas.Image{Format: "svg"}, false},
	}
}

func TestExamine_files(t *testing.T) {
	for _, test := range fileCases(t) {
		got, err := Examine(test.mime, test.body, Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if (got.PHash != "") != test.hashed {
			t.Errorf("%s: hash %q", test.name, got.PHash)
		}
		got.PHash = ""
		if diff := cmp.Diff(&test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
}

// TestExamine_exif: the fields are kept, the position only on request, and the image is turned.
func TestExamine_exif(t *testing.T) {
	body := inSegment(encoded(t, "image/jpeg", landscape(80, 40)), 0xE1, exif([]entry{
		text(0x010E, "The harbour <script>alert(1)</script>"), text(0x0110, "Camera 1"), short(0x0112, 6),
	}, []entry{text(1, "N"), degrees(2, 48, 30, 0), text(3, "E"), degrees(4, 2, 15, 0)}))
	want := map[string]string{"ImageDescription": "The harbour <script>alert(1)</script>", "Model": "Camera 1"}
	got, err := Examine("image/jpeg", body, Options{})
	if err != nil || got.Width != 40 || got.Height != 80 {
		t.Errorf("%+v, %v", got, err)
	}
	if diff := cmp.Diff(want, got.EXIF); diff != "" {
		t.Errorf("without position: -want +got\n%s", diff)
	}
	got, err = Examine("image/jpeg", body, Options{Position: true})
	want["GPSLatitude"], want["GPSLongitude"] = "48.5", "2.25"
	if diff := cmp.Diff(want, got.EXIF); err != nil || diff != "" {
		t.Errorf("%v; with position: -want +got\n%s", err, diff)
	}
}

// TestThumbnail_isUpright: for each orientation, the light sky of the stored picture is where EXIF says.
func TestThumbnail_isUpright(t *testing.T) {
	stored := image.NewRGBA(image.Rect(0, 0, 60, 40))
	for y := range 40 {
		for x := range 60 {
			// Only the left upper corner is red.
			c := color.RGBA{255, 255, 255, 255}
			if x < 30 && y < 20 {
				c = color.RGBA{200, 0, 0, 255}
			}
			stored.SetRGBA(x, y, c)
		}
	}
	plain := encoded(t, "image/jpeg", stored)
	// By orientation, whether the corner is at the right and at the bottom.
	for n, corner := range map[uint16][2]bool{
		1: {false, false}, 2: {true, false}, 3: {true, true}, 4: {false, true},
		5: {false, false}, 6: {true, false}, 7: {true, true}, 8: {false, true},
	} {
		small, err := Thumbnail("image/jpeg", inSegment(plain, 0xE1, exif([]entry{short(0x0112, n)}, nil)), 20)
		if err != nil {
			t.Fatal(err)
		}
		m, err := jpeg.Decode(bytes.NewReader(small))
		if err != nil {
			t.Fatal(err)
		}
		b := m.Bounds()
		if upright := b.Dx() > b.Dy(); upright != (n < 5) {
			t.Errorf("orientation %d: size %v", n, b)
		}
		for _, right := range []bool{false, true} {
			for _, below := range []bool{false, true} {
				x, y := b.Dx()/4, b.Dy()/4
				if right {
					x = b.Dx() * 3 / 4
				}
				if below {
					y = b.Dy() * 3 / 4
				}
				_, g, _, _ := m.At(x, y).RGBA()
				if isRed, want := g < 0x8000, corner == [2]bool{right, below}; isRed != want {
					t.Errorf("orientation %d: right %v, below %v: red %v", n, right, below, isRed)
				}
			}
		}
	}
}

// TestThumbnail: it fits, is opaque, and holds nothing of the file but pixels.
func TestThumbnail(t *testing.T) {
	secret := []byte("<script>alert(document.cookie)</script>")
	clear := image.NewNRGBA(image.Rect(0, 0, 300, 20))
	for _, test := range []struct {
		name, mime string
		body       []byte
		w, h       int
	}{
		{"wide", "image/jpeg", encoded(t, "image/jpeg", landscape(500, 250)), 120, 60},
		{"thin", "image/png", encoded(t, "image/png", landscape(4000, 8)), 120, 1},
		{"small", "image/gif", animatedGIF(t, 2), 4, 3},
		{"comment", "image/jpeg", inSegment(encoded(t, "image/jpeg", landscape(60, 60)), 0xFE, secret), 60, 60},
		{
			"exif", "image/jpeg",
			inSegment(encoded(t, "image/jpeg", landscape(60, 60)), 0xE1, exif([]entry{text(0x010E, string(secret))}, nil)),
			60, 60,
		},
		{"transparent", "image/png", encoded(t, "image/png", clear), 120, 8},
		{"inks", "image/jpeg", fixture(t, "cmyk.jpeg"), 120, 82},
		{"WebP", "image/webp", animatedWebP(t, 2, 150, 100), 120, 80},
	} {
		small, err := Thumbnail(test.mime, test.body, 120)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		m, err := jpeg.Decode(bytes.NewReader(small))
		if err != nil || m.Bounds().Dx() != test.w || m.Bounds().Dy() != test.h ||
			bytes.Contains(small, []byte("<script")) {
			t.Errorf("%s: %v, %v, %q", test.name, m.Bounds(), err, small[:20])
		}
		if r, _, _, _ := m.At(0, 0).RGBA(); test.name == "transparent" && r < 0xF000 {
			t.Errorf("transparent parts are not white: %v", m.At(0, 0))
		}
	}
}

// TestExamine_attacks: files made to take memory or time are refused at once, and the others of them are read in time.
func TestExamine_attacks(t *testing.T) {
	html := []byte("<!DOCTYPE html><script>alert(1)</script>")
	whole := encoded(t, "image/jpeg", landscape(400, 400))
	hugeTIFF := encoded(t, "image/tiff", image.NewGray(image.Rect(0, 0, 2, 2)))
	for _, test := range []struct {
		name, mime string
		body       []byte
		want       error
	}{
		{"bomb", "image/png", hugePNG(60_000, 60_000), ErrLimit},
		{"impossible size", "image/png", hugePNG(1<<30, 1<<30), ErrFormat},
		{"no size", "image/png", hugePNG(0, 5), ErrFormat},
		{"HTML as PNG", "image/png", html, ErrFormat},
		{"HTML as JPEG", "image/jpeg", html, ErrFormat},
		{"HTML as GIF", "image/gif", html, ErrFormat},
		{"HTML as WebP", "image/webp", html, ErrFormat},
		{"truncated", "image/jpeg", whole[:len(whole)/2], ErrFormat},
		{"only a head", "image/jpeg", whole[:3], ErrFormat},
		{"empty", "image/gif", nil, ErrFormat},
		{"WebP canvas", "image/webp", animatedWebP(t, 1, 1<<24, 1<<24), ErrLimit},
		{"TIFF in a circle", "image/tiff", tiffCircle(), ErrFormat},
		{"TIFF offset", "image/tiff", append(hugeTIFF[:4:4], 0xFF, 0xFF, 0xFF, 0x7F), ErrFormat},
		{"too long", "image/png", make([]byte, MaxBody+1), ErrLimit},
		{"no image", "text/html", html, ErrUnread},
	} {
		began := time.Now()
		_, err := Examine(test.mime, test.body, Options{})
		_, second := Thumbnail(test.mime, test.body, 100)
		if !errors.Is(err, test.want) || !errors.Is(second, test.want) {
			t.Errorf("%s: %v and %v, want %v", test.name, err, second, test.want)
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("%s took %v", test.name, d)
		}
	}
	if n := tiffFrames(tiffCircle()); n != 1 {
		t.Errorf("a TIFF file in a circle has %d pages", n)
	}
	// The size is known although the image is not decoded.
	if info, _ := Examine("image/png", hugePNG(60_000, 60_000), Options{}); info.Width != 60_000 {
		t.Errorf("%+v", info)
	}
}
