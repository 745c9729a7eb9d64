package payload

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// A hole is what a failed disk, or another file, leaves in a text.
const (
	holeSize  = 256 // bytes of a hole to examine
	holeNoise = 16  // control characters in them; noise has 29 of 256
	holeStep  = 16  // bytes between samples: a hole of 1 KiB of noise is missed once in 1,800 times
)

// HasHole reports whether c's body is declared as text and has a stretch of zeros or noise. A body that begins with
// other control characters is not text at all.
func HasHole(c *schemas.Capture) bool {
	body := c.Body
	if !isText(c.MIMEDeclared) {
		return false
	}
	// Zeros throughout the examined bytes are a hole; other control characters mean another type of file.
	if n := controls(body[:min(len(body), holeSize)]); n > 0 {
		return n == holeSize && bytes.Count(body[:n], []byte{0}) == n
	}
	// In steps, because a hole is much longer than a step.
	for i := 0; i < len(body); i += holeStep {
		if !isControl(body[i]) {
			continue
		}
		n := min(len(body), i+holeSize)
		// Near the end the window reaches back.
		if controls(body[max(0, n-holeSize):n]) >= holeNoise {
			return true
		}
		i = n - holeStep
	}
	return false
}

// IsNoText reports whether c's body is declared as text and begins with something else.
func IsNoText(c *schemas.Capture) bool {
	return isText(c.MIMEDeclared) && controls(c.Body[:min(len(c.Body), holeSize)]) > 0
}

// isText reports whether a media type is a text that has no control characters.
func isText(mime string) bool {
	mime, _, _ = strings.Cut(mime, ";")
	switch mime = strings.ToLower(strings.TrimSpace(mime)); mime {
	case "application/xhtml+xml", "application/xml", "application/json", "application/javascript":
		return true
	}
	return strings.HasPrefix(mime, "text/")
}

func controls(b []byte) (n int) {
	for _, c := range b {
		if isControl(c) {
			n++
		}
	}
	return n
}

// isControl reports whether c is a control character that texts do not have. Escape begins a shift of ISO 2022.
func isControl(c byte) bool {
	return c < ' ' && (c < '\t' || c > '\r' && c != 0x1b) || c == 0x7f
}
