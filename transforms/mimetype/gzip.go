package mimetype

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/charset"
)

// insideGzip returns the type of what a gzip body holds, by its first bytes: pages whose Content-Encoding was lost,
// sitemaps, pictures in SVG, tapes, archives of the web. What is cut or damaged is read as far as it goes. One level
// is undone, of a few kilobytes, so a bomb costs no more than any other body.
func insideGzip(body []byte) string {
	// The signature was seen already: only where the header ends is open.
	start := gzipHeader(body)
	if start < 0 {
		return ""
	}
	return inflated(body[start:], signatureBytes, contentType)
}

// contentType returns the type of what begins with content, or "".
func contentType(content []byte) string {
	if len(content) == 0 {
		return ""
	}
	// Markup first, as for a body that was not compressed. Without hints: the name and the
	// declaration are those of the gzip file.
	if r, ok := markupOf(headOf(content, charset.UTF16(content, ""), signatureBytes), hints{}); ok {
		return Canonical(r.Type)
	}
	// Twice the same, because the beginning is all that there is.
	t := bytesType(content, content)
	if t == typeBinary {
		return ""
	}
	return t
}

// gzipHeader returns the length of the first member's header (section 2.3 of RFC 1952), or -1. Every length in it is
// checked against b, since the header is as hostile as the rest.
func gzipHeader(b []byte) int {
	// Ten bytes always: two of signature, method, flags, four of time, extra flags, system. CRC-16 of
	// the header is flag 1.
	const fixed, hasChecksum, hasExtra, hasName, hasComment = 10, 1 << 1, 1 << 2, 1 << 3, 1 << 4
	if len(b) < fixed {
		return -1
	}
	flags, at := b[3], fixed
	if flags&hasExtra != 0 {
		if len(b) < at+2 {
			return -1
		}
		// The extra field has its length in front, in 16 bits.
		at += 2 + int(b[at]) + int(b[at+1])<<8
	}
	// Name and comment end with a zero, in this order.
	for _, flag := range [...]byte{hasName, hasComment} {
		if flags&flag == 0 {
			continue
		}
		// An extra field may reach past the end of b: then there is no zero to be found.
		end := bytes.IndexByte(b[min(at, len(b)):], 0)
		if end < 0 {
			return -1
		}
		at += end + 1
	}
	if flags&hasChecksum != 0 {
		at += 2
	}
	// Nothing compressed is there.
	if at >= len(b) {
		return -1
	}
	return at
}
