package maintext

import (
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// FromHTML returns the main text of a page as a server sent it, in any character set. Parameter contentType is the
// header's value, and links are relative to url; both may be empty. Invalid bytes become U+FFFD.
//
// Callers that read many pages reuse a page.Parser and an Extractor, which keep their memory.
func FromHTML(src []byte, contentType, url string) Result {
	text, _, err := charset.Decode(src, charset.Detect(src, contentType, charset.Options{}).Name)
	if err != nil {
		text = src // the character set has no decoder
	}
	return Extract(page.Parse(text, page.Options{URL: url}), Options{})
}
