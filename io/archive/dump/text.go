package dump

import (
	"bytes"
	"cmp"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
)

// Text returns a capture's body as UTF-8 if it is text, for formats that cannot hold bytes. It has no byte order mark.
func Text(c *schemas.Capture) (text string, ok bool) {
	// UTF-8 is text whatever its declared type. ASCII in UTF-16 or UTF-32 is also valid UTF-8, with a NUL at each letter.
	isWide := bytes.IndexByte(c.Body, 0) >= 0 && cmp.Or(charset.UTF32(c.Body), charset.UTF16(c.Body, c.MIMEDeclared)) != ""
	if !isWide && utf8.Valid(c.Body) && !isJapanese(c) {
		return string(bytes.TrimPrefix(c.Body, []byte("\xEF\xBB\xBF"))), true
	}
	if !mimetype.IsText(mimetype.Detect(c.Body, c.MIMEDeclared, c.URL, mimetype.Options{}).Type) {
		return "", false
	}
	b, _, err := charset.Decode(c.Body, charset.Detect(c.Body, c.MIMEDeclared, charset.Options{}).Name)
	return string(b), err == nil
}

// isJapanese reports whether a body is in ISO-2022-JP. Its bytes are ASCII, with escapes.
func isJapanese(c *schemas.Capture) bool {
	return bytes.IndexByte(c.Body, '\x1b') >= 0 &&
		charset.Detect(c.Body, c.MIMEDeclared, charset.Options{}).Name == "iso-2022-jp"
}
