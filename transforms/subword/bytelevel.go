package subword

// byteOf is GPT-2's alphabet: a printable character for each byte.
var byteOf = func() map[rune]byte {
	m, next := map[rune]byte{}, rune(256)
	for b := range 256 {
		if b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae {
			m[rune(b)] = byte(b)
		} else {
			m[next] = byte(b)
			next++
		}
	}
	return m
}()

// bytesOf returns the bytes that a text in this alphabet stands for.
func bytesOf(text string) (string, bool) {
	b := make([]byte, 0, len(text))
	for _, r := range text {
		c, ok := byteOf[r]
		if !ok {
			return "", false
		}
		b = append(b, c)
	}
	return string(b), true
}
