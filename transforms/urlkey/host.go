package urlkey

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// mapping is the nearest equivalent in x/net to IDNA 2003, which browsers and crawlers used when most archives were
// made. It accepts characters such as the underscore.
var mapping = idna.New(idna.MapForLookup(), idna.Transitional(true), idna.StrictDomainName(false),
	idna.CheckHyphens(false), idna.CheckJoiners(false), idna.VerifyDNSLength(false))

// CanonicalHost returns the host of a URL unescaped, in lower case and punycode, without empty labels at its ends. An
// IPv4 address becomes a dotted quad.
func CanonicalHost(host string) string {
	// Most hosts are canonical already, and need no memory.
	if simpleHost(host) {
		return host
	}
	raw := appendUnescaped(make([]byte, 0, len(host)), host)
	// The order matters: escapes may contain bytes of non-ASCII letters, and the mapping may turn other characters
	// into dots.
	host = toASCII(string(raw))
	host = strings.Trim(strings.ReplaceAll(host, "..", "."), ".")
	// An address may be written as digits; names that only look like one stay.
	if ip, ok := parseIPv4(host); ok {
		return ip
	}
	return string(appendEscaped(raw[:0], []byte(host)))
}

// simpleHost reports whether host is already canonical: lower-case letters, digits, hyphens and single dots inside,
// and no address. Without a letter it may be an address, so the result is false.
func simpleHost(host string) bool {
	last := byte('.')
	letters := false
	for i := range len(host) {
		c := host[i]
		switch {
		case 'a' <= c && c <= 'z', c == '-':
			letters = true
		case isDigit(c):
		case c == '.' && last != '.':
		default:
			return false
		}
		last = c
	}
	return letters && last != '.'
}

// toASCII returns host in punycode. A host without a valid one (a label is empty or longer than 63 bytes) is returned
// unchanged.
func toASCII(host string) string {
	if isASCII(host) {
		return host
	}
	// Invalid UTF-8 has no punycode. Surt leaves out such bytes, which would make one host of two.
	if !utf8.ValidString(host) {
		return host
	}
	ascii, err := mapping.ToASCII(host)
	// A host that cannot be mapped still belongs in the key: it is escaped byte by byte.
	if err != nil || !isASCII(ascii) {
		return host
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(ascii, "."), ".") {
		if label == "" || len(label) > 63 {
			return host
		}
	}
	return ascii
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// parseIPv4 parses an address in the forms of inet_aton(3): one to four numbers, decimal, or octal after a leading 0.
// The last number fills the remaining bytes. After a first number in octal all must be octal. A single number may be
// of any size, and its low 32 bits count. Old ARC files were repaired in this way.
func parseIPv4(host string) (string, bool) {
	if host == "" || !isDigit(host[0]) {
		return "", false
	}
	if isNumber(host) {
		return quad(lowBits(host)), true
	}
	fields := strings.SplitN(host, ".", 5)
	if len(fields) > 4 {
		return "", false
	}
	// After a 0 all numbers must be octal, without 8 or 9.
	if host[0] == '0' && strings.ContainsAny(host, "89") {
		return "", false
	}
	var ip uint32
	for i, f := range fields {
		width := 8
		// The last number fills the rest: "127.1" is 127.0.0.1.
		if i == len(fields)-1 {
			width = 8 * (5 - len(fields))
		}
		base := 10
		if strings.HasPrefix(f, "0") {
			base = 8
		}
		// The width makes ParseUint check the range.
		n, err := strconv.ParseUint(f, base, width)
		if err != nil || !isNumber(f) {
			return "", false
		}
		ip = ip<<width | uint32(n)
	}
	return quad(ip), true
}

func isNumber(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// lowBits returns the decimal number s modulo 2^32.
func lowBits(s string) uint32 {
	// Overflow is intended: it drops the bits above 32.
	var n uint32
	for i := range len(s) {
		n = n*10 + uint32(s[i]-'0')
	}
	return n
}

func quad(ip uint32) string {
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}).String()
}

// stripWWW removes "www.", "www2.", … at the beginning of host. The name of a dns record keeps it.
func stripWWW(host, scheme string) string {
	rest, ok := strings.CutPrefix(host, "www")
	if !ok || scheme == "dns" {
		return host
	}
	// There may be any number of digits. Without a dot after them it is a name such as "www2photos".
	rest = strings.TrimLeft(rest, "0123456789")
	if rest, ok = strings.CutPrefix(rest, "."); ok {
		return rest
	}
	return host
}

// appendReversed appends host's labels in reverse, with commas between them. So the keys of a domain and all its hosts
// are adjacent in a sorted index.
func appendReversed(b []byte, host string) []byte {
	for {
		dot := strings.LastIndexByte(host, '.')
		b = append(b, host[dot+1:]...)
		if dot < 0 {
			return b
		}
		b = append(b, ',')
		host = host[:dot]
	}
}

// appendPort appends a colon and the port, unless it is missing or the scheme's default.
func appendPort(b []byte, port, scheme string) []byte {
	if port == "" {
		return b
	}
	n, err := strconv.ParseUint(port, 10, 16)
	switch {
	// A port that is not a number is kept as text, since it distinguishes the URL from others.
	case err != nil:
		return appendEscaped(append(b, ':'), appendUnescaped(nil, port))
	case n == 0, n == 80 && strings.EqualFold(scheme, "http"), n == 443 && strings.EqualFold(scheme, "https"):
		return b
	}
	return strconv.AppendUint(append(b, ':'), n, 10)
}

// RawHost returns the host of a URL as java.net.URL does: in its original case, without user information and port, and
// with the brackets of IPv6. Unlike net/url, it takes URLs with a bare % in their path. ACHE names folders by it.
func RawHost(rawURL string) string {
	_, rest, ok := strings.Cut(rawURL, "://")
	if !ok {
		return ""
	}
	// The authority ends at the first of these (RFC 3986, section 3.2).
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	// A colon within brackets is part of an IPv6 address.
	if end := strings.IndexByte(rest, ']'); end > 0 && rest[0] == '[' {
		return rest[:end+1]
	}
	before, _, _ := strings.Cut(rest, ":")
	return before
}
