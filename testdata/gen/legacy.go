package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
)

// encode writes text in a legacy charset; the empty name is UTF-8. The tables in content/charsets hold the
// characters that the articles use and no others.
func encode(charset, text string) ([]byte, error) {
	switch charset {
	case "":
		return []byte(text), nil
	case "iso-8859-1":
		return encodeWith(text, func(r rune) []byte {
			if r > 0xFF {
				return nil
			}
			return []byte{byte(r)}
		})
	}
	table, err := readTable(charset)
	if err != nil {
		return nil, err
	}
	return encodeWith(text, func(r rune) []byte { return table[r] })
}

func encodeWith(text string, encode func(rune) []byte) ([]byte, error) {
	var b bytes.Buffer
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		code := encode(r)
		if code == nil {
			return nil, fmt.Errorf("no code for %q", r)
		}
		b.Write(code)
	}
	return b.Bytes(), nil
}

// readTable reads lines of a character, a space and its code in hexadecimal.
func readTable(charset string) (map[rune][]byte, error) {
	text, err := content.ReadFile("content/charsets/" + charset + ".txt")
	if err != nil {
		return nil, err
	}
	table := map[rune][]byte{}
	for line := range strings.Lines(string(text)) {
		char, digits, _ := strings.Cut(strings.TrimSpace(line), " ")
		code, err := hex.DecodeString(digits)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", charset, err)
		}
		table[[]rune(char)[0]] = code
	}
	return table, nil
}
