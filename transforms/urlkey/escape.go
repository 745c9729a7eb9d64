package urlkey

const hexDigits = "0123456789abcdef"

// plain marks the bytes that a key holds unescaped: printable ASCII except for the space, # and %. All others are
// escaped whatever their meaning, so that one resource has one spelling.
var plain = func() (t [256]bool) {
	for c := 0x21; c < 0x7f; c++ {
		t[c] = c != '#' && c != '%'
	}
	return t
}()

// unhex holds the value of each hexadecimal digit, and 0xff for other bytes.
var unhex = func() (t [256]byte) {
	for c := range t {
		t[c] = 0xff
	}
	for v := range byte(16) {
		t[hexDigits[v]] = v
	}
	for v := byte(10); v < 16; v++ {
		t[hexDigits[v]-0x20] = v
	}
	return t
}()

// needsEscape reports whether s has a byte to escape, or an escape. Most URLs have none, and are then copied
// unchanged.
func needsEscape(s string) bool {
	for i := range len(s) {
		if !plain[s[i]] {
			return true
		}
	}
	return false
}

// appendUnescaped appends s with its percent escapes undone until none is left. Two escapes cannot overlap, so the
// order does not matter. Each byte is checked as the possible end of an escape when it is appended. That makes the
// time linear, where repeated passes over %252525… would be quadratic.
func appendUnescaped(b []byte, s string) []byte {
	start := len(b)
	for i := range len(s) {
		b = append(b, s[i])
		// An escape may complete another one before it, so this is a loop. Each iteration makes b two bytes shorter.
		for n := len(b); n >= start+3 && b[n-3] == '%'; n = len(b) {
			hi, lo := unhex[b[n-2]], unhex[b[n-1]]
			if hi|lo > 0xf {
				break
			}
			b = append(b[:n-3], hi<<4|lo)
		}
	}
	return b
}

// appendEscaped appends s in lower case, with bytes escaped that are not plain.
func appendEscaped(b []byte, s []byte) []byte {
	for _, c := range s {
		if plain[c] {
			b = append(b, lower(c))
		} else {
			b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return b
}

// appendPrintable appends s, escaping only bytes that would break a line of an index. The rules do not apply to such
// URLs.
func appendPrintable(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; plain[c] || c == '#' || c == '%' {
			b = append(b, c)
		} else {
			b = append(b, '%', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return b
}

// appendLower appends s in lower case.
func appendLower(b []byte, s string) []byte {
	for i := range len(s) {
		b = append(b, lower(s[i]))
	}
	return b
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 0x20
	}
	return c
}
