package mimetype

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// zipHeader bounds the search for a ZIP file after text. The end of its directory is within zipEnd: 22 bytes and a
// comment of 64 KiB at most (section 4.3.16 of APPNOTE.TXT).
const (
	zipHeader = 16 << 10
	zipEnd    = 22 + 1<<16
)

// notice is what servers' programs write before a file by mistake: markup, a message, a word or the size of a chunk.
var notice = pattern.Lazy(`^(?:<|(?i:php )?(?i:warning|notice|deprecated|strict standards|fatal error)\b|\w{0,16}$)`)

// zipAfterNotice returns the ZIP file after blank lines, or after a message of a server's program, or nil. Readers find
// its members by the directory at the end. Archives that unpack themselves begin with a program instead.
func zipAfterNotice(body []byte) []byte {
	at := bytes.Index(body[:min(len(body), zipHeader)], []byte("PK\x03\x04"))
	if at <= 0 {
		return nil
	}
	before := bytes.TrimSpace(bytes.TrimPrefix(body[:at], []byte("\xEF\xBB\xBF")))
	if !notice().Match(before) || !mostlyText(before) || inListing(before) {
		return nil
	}
	if !bytes.Contains(body[max(at, len(body)-zipEnd):], []byte("PK\x05\x06")) {
		return nil
	}
	return body[at:]
}

// isPageWithZip reports whether a file of a type is inside a page, as in pages that unpack themselves. Documents do not
// belong to the page before them, and neither do archives after PHP's messages, which begin with a break.
func isPageWithZip(body []byte, t string) bool {
	body = bytes.TrimSpace(bytes.TrimPrefix(body[:min(len(body), zipHeader)], []byte("\xEF\xBB\xBF")))
	return t == typeZip && bytes.HasPrefix(body, []byte("<")) && !bytes.HasPrefix(body, []byte("<br />"))
}
