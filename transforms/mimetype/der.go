package mimetype

import "bytes"

// derShapes are the beginnings of ASN.1 structures in DER or BER, after the head of the outer sequence. They are
// object identifiers and version numbers. Structures begin with these, so a few bytes are enough.
var derShapes = []struct {
	inner     bool // after the head of another sequence
	bytes     string
	mediaType string
}{
	{false, "\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02", "application/pkcs7-signature"}, // RFC 5652: signed data
	{false, "\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07", "application/pkcs7-mime"},
	{false, "\x06\x0B\x2A\x86\x48\x86\xF7\x0D\x01\x09\x10\x01\x1F", "application/timestamped-data"}, // RFC 5955
	{false, "\x02\x01\x03\x30", "application/pkcs12"},                                               // RFC 7292: version 3
	// RFC 5208: version 0, algorithm
	{false, "\x02\x01\x00\x30", "application/x-x509-key"},
	// RFC 8017: version 0, modulus
	{false, "\x02\x01\x00\x02", "application/x-x509-key"},
	// RFC 5280: explicit version
	{true, "\xA0\x03\x02\x01", "application/pkix-cert"},
	{true, "\x02\x01\x01\x30", "application/pkix-crl"}, // RFC 5280: version 2
}

// derType returns the type of keys, certificates and signed messages, or "". DER has no magic number: every structure
// is a sequence, and its first elements show its kind.
func derType(body []byte) string {
	outer := sequence(body)
	if outer == nil {
		return ""
	}
	// This is nil if the content does not begin with a sequence. Then the shapes with inner do not match.
	inner := sequence(outer)
	// A longer identifier comes before a shorter one that is its prefix.
	for _, s := range derShapes {
		content := outer
		if s.inner {
			content = inner
		}
		if bytes.HasPrefix(content, []byte(s.bytes)) {
			return s.mediaType
		}
	}
	return ""
}

// sequence returns the content after the head of a sequence. It returns nil if b does not begin with one of a usual
// length (X.690, section 8.1.3).
func sequence(b []byte) []byte {
	const tag, indefinite, longForm = 0x30, 0x80, 0x80
	if len(b) < 2 || b[0] != tag {
		return nil
	}
	// The length is indefinite (BER), below 128 in the byte itself, or in up to four bytes after it.
	n := int(b[1])
	switch {
	case n == indefinite:
		return b[2:]
	case n < longForm:
		return b[2:]
	// No certificate or message has a length of more than four bytes.
	case n-longForm <= 4 && len(b) > 2+n-longForm:
		return b[2+n-longForm:]
	}
	return nil
}
