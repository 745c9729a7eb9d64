package mimetype

import (
	"bytes"
)

// insideGzip returns the type of the content of a gzip body, by its first bytes. Examples are pages that lost their
// Content-Encoding, sitemaps, SVG pictures, tar files, web archives. A truncated or damaged body is read as far as
// possible. Only one level is undone, for a few kilobytes, so a zip bomb costs no more than any other body.
func insideGzip(body []byte) string {
	// The signature was checked already; only the end of the header is open.
	start := gzipHeader(body)
	if start < 0 {
		return ""
	}
	return inflated(body[start:], signatureBytes, contentType)
}

// contentType returns the type for the beginning of some content, or "".
func contentType(content []byte) string {
	if len(content) == 0 {
		return ""
	}
	// Markup comes first, as for an uncompressed body. There are no hints: the name and the declaration belong to the
	// gzip file.
	if r, ok := markupOf(headOf(content, wideName(content, ""), signatureBytes), hints{}); ok {
		return Canonical(r.Type)
	}
	// Both arguments are the same, because only the beginning is there.
	t := bytesType(content, content)
	if t == typeBinary {
		return ""
	}
	return t
}

// gzipHeader returns the length of the first member's header (section 2.3 of RFC 1952), or -1. It checks every length
// against b, since the header may be hostile too.
func gzipHeader(b []byte) int {
	// There are always ten bytes: two of signature, method, flags, four of time, extra flags, system. Flag 1 is the
	// CRC-16 of the header.
	const fixed, hasChecksum, hasExtra, hasName, hasComment = 10, 1 << 1, 1 << 2, 1 << 3, 1 << 4
	if len(b) < fixed {
		return -1
	}
	flags, at := b[3], fixed
	if flags&hasExtra != 0 {
		if len(b) < at+2 {
			return -1
		}
		// The length of the extra field comes first, in 16 bits.
		at += 2 + int(b[at]) + int(b[at+1])<<8
	}
	// Name and comment end with a zero, in this order.
	for _, flag := range [...]byte{hasName, hasComment} {
		if flags&flag == 0 {
			continue
		}
		// An extra field may reach past the end of b; then there is no zero.
		end := bytes.IndexByte(b[min(at, len(b)):], 0)
		if end < 0 {
			return -1
		}
		at += end + 1
	}
	if flags&hasChecksum != 0 {
		at += 2
	}
	// There is no compressed data.
	if at >= len(b) {
		return -1
	}
	return at
}
