package picture

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bep/imagemeta"
)

const (
	maxTags     = 2000 // tags of a file that are read
	maxTagBytes = 64 << 10
	maxEXIF     = 1000 // bytes of a value that is kept
)

// kept are the EXIF tags that are kept, by the names of EXIF 2.32 or, if they are older, of ExifTool.
var kept = []string{
	"Artist", "Copyright", "CreateDate", "DateTimeOriginal", "ExposureTime", "FNumber", "FocalLength", "ImageDescription",
	"ISO", "LensModel", "Make", "Model", "ModifyDate", "OffsetTimeOriginal", "Software", "UserComment",
}

// position are the tags that say where an image was taken.
var position = []string{"GPSLatitude", "GPSLongitude", "GPSAltitude"}

// exifFormats are the names of the formats in imagemeta.
var exifFormats = map[string]imagemeta.ImageFormat{
	"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "webp": imagemeta.WebP, "tiff": imagemeta.TIFF,
	"avif": imagemeta.AVIF, "heic": imagemeta.HEIF,
}

// readEXIF returns the EXIF fields of a file, or nil, and how it must be turned. Damaged fields are left out.
func readEXIF(format string, body []byte, o Options) (map[string]string, turn) {
	names := slices.Concat(kept, []string{"Orientation"})
	if o.Position {
		names = append(names, position...)
	}
	fields, turned := map[string]string{}, upright
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(body), ImageFormat: exifFormats[format], Sources: imagemeta.EXIF,
		LimitNumTags: maxTags, LimitTagSize: maxTagBytes,
		ShouldHandleTag: func(t imagemeta.TagInfo) bool {
			return strings.HasPrefix(t.Namespace, "IFD0") && slices.Contains(names, t.Tag)
		},
		HandleTag: func(t imagemeta.TagInfo) error {
			text := shown(t.Value)
			if t.Tag == "Orientation" {
				turned = orientation(text)
			} else if text != "" && fields[t.Tag] == "" {
				fields[t.Tag] = text
			}
			return nil
		},
	}) // the fields before damage are good
	if o.Position && !plausible(fields) {
		maps.DeleteFunc(fields, func(name, _ string) bool { return slices.Contains(position, name) })
	}
	if len(fields) == 0 {
		return nil, turned
	}
	return fields, turned
}

// plausible reports whether a position has both coordinates.
func plausible(fields map[string]string) bool {
	return fields["GPSLatitude"] != "" && fields["GPSLongitude"] != ""
}

func orientation(text string) turn {
	if len(text) == 1 && text[0] >= '1' && text[0] <= '8' {
		return turn(text[0] - '0')
	}
	return upright
}

// shown returns the value of a tag as text, or "" if it has no short form.
func shown(v any) string {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case float32:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return ""
		}
		text = fmt.Sprint(v) // with the digits of 32 bits
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return ""
		}
		text = fmt.Sprint(v)
	case time.Time:
		text = v.Format("2006-01-02T15:04:05")
	case []byte, []any, nil:
		return ""
	default:
		text = fmt.Sprint(v)
	}
	return plain(text)
}

// plain returns a text on one line, without control characters, of at most maxEXIF bytes.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= maxEXIF {
		return text
	}
	n := maxEXIF
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
