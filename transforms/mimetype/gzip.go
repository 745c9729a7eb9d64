package mimetype

import "bytes"

// insideGzip returns the type of what a gzip body holds, by its first bytes: pages whose Content-Encoding was lost,
// sitemaps, pictures in SVG, tapes, archives of the web. What is cut or damaged is read as far as it goes.
func insideGzip(body []byte) string {
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
	if r, ok := markupOf(headOf(content, signatureBytes), hints{}); ok {
		return Canonical(r.Type)
	}
	t := bytesType(content, content)
	if t == typeBinary {
		return ""
	}
	return t
}

// gzipHeader returns the length of the first member's header (section 2.3 of RFC 1952), or -1.
func gzipHeader(b []byte) int {
	const fixed, hasChecksum, hasExtra, hasName, hasComment = 10, 1 << 1, 1 << 2, 1 << 3, 1 << 4
	if len(b) < fixed {
		return -1
	}
	flags, at := b[3], fixed
	if flags&hasExtra != 0 {
		if len(b) < at+2 {
			return -1
		}
		at += 2 + int(b[at]) + int(b[at+1])<<8
	}
	for _, flag := range [...]byte{hasName, hasComment} {
		if flags&flag == 0 {
			continue
		}
		end := bytes.IndexByte(b[min(at, len(b)):], 0)
		if end < 0 {
			return -1
		}
		at += end + 1
	}
	if flags&hasChecksum != 0 {
		at += 2
	}
	if at >= len(b) {
		return -1
	}
	return at
}
