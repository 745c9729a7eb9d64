package maintext

import (
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// FromHTML returns the main text of a page as a server sent it: bytes in any character set, the value of the header
// Content-Type, and the URL that links are relative to. Both may be empty. Bytes that the character set does not have
// become U+FFFD.
//
// Callers that read many pages keep a page.Parser and an Extractor, which use their memory again.
func FromHTML(src []byte, contentType, url string) Result {
	text, _, err := charset.Decode(src, charset.Detect(src, contentType, charset.Options{}).Name)
	if err != nil {
		text = src // of a character set without a decoder
	}
	return Extract(page.Parse(text, page.Options{URL: url}), Options{})
}
