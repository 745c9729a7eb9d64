package export

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/replay"
)

// Fits reports whether a capture can be a part of a page of this kind. Any capture can be in a frame.
func Fits(kind replay.Kind, c *schemas.Capture) bool {
	media := MediaOf(c)
	switch kind {
	case replay.Page:
		return true
	case replay.Style:
		return isStyle(c, media)
	case replay.Image:
		return IsImage(c, media)
	case replay.Font:
		return isFont(c, media)
	case replay.Media:
		return IsMedia(c, media)
	}
	return false
}

// IsRedirect reports whether a capture leads to another URL.
func IsRedirect(c *schemas.Capture) bool {
	return c.Status >= 300 && c.Status < 400 && c.Status != http.StatusNotModified && c.Get("Location") != ""
}

// MediaOf returns the media type of a capture's payload. Browsers never took plain text for a page.
func MediaOf(c *schemas.Capture) string {
	media := mimetype.Detect(c.Body, c.MIMEDeclared, c.URL, mimetype.Options{}).Type
	if mimetype.IsHTML(media) && mimetype.Base(c.MIMEDeclared) == "text/plain" {
		return "text/plain"
	}
	return media
}

// shown reports whether a capture is the resource itself and not an error page.
func shown(c *schemas.Capture) bool {
	return c.Status == 0 || c.Status/100 == 2 || c.Status == http.StatusNotModified
}

// IsImage reports whether a capture with this media type is an image.
func IsImage(c *schemas.Capture, media string) bool {
	return shown(c) && strings.HasPrefix(media, "image/")
}

// isStyle accepts text that does not claim to be something else. Old servers sent style sheets as plain text.
func isStyle(c *schemas.Capture, media string) bool {
	return shown(c) && (media == "text/css" || mimetype.IsText(media) && !mimetype.IsHTML(media) &&
		(!mimetype.IsHTML(mimetype.Base(c.MIMEDeclared)) || len(c.Body) == 0))
}

func isFont(c *schemas.Capture, media string) bool {
	return shown(c) && (strings.HasPrefix(media, "font/") || strings.Contains(media, "font"))
}

// IsMedia reports whether a capture with this media type is sound or video.
func IsMedia(c *schemas.Capture, media string) bool {
	return shown(c) && (strings.HasPrefix(media, "audio/") || strings.HasPrefix(media, "video/") ||
		media == "application/ogg")
}

// PageOf returns the text of a page for a replay. Hebrew in visual order stays as it was drawn.
func PageOf(c *schemas.Capture) (text string, visual bool) {
	if name := charset.Detect(c.Body, c.MIMEDeclared, charset.Options{}).Name; charset.IsVisual(c.Body, name) {
		return string(charset.InVisualOrder(c.Body)), true
	}
	return TextOf(c), false
}

// TextOf returns a payload as UTF-8.
func TextOf(c *schemas.Capture) string {
	name := charset.Detect(c.Body, c.MIMEDeclared, charset.Options{}).Name
	decoded, _, err := charset.Decode(c.Body, name)
	if err != nil {
		decoded = bytes.ToValidUTF8(c.Body, []byte("\ufffd"))
	}
	return string(decoded)
}
