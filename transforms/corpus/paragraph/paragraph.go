// Package paragraph compares the paragraphs of texts, which are their lines, and removes some of them. A paragraph
// that many hosts share does not belong to the text of any of them.
//
//	h, ok := paragraph.Hash("Copyright © 2026, all rights reserved!")
//	text, removed = paragraph.Remove(text, func(hash uint64) bool { return hash == h })
//
// Two paragraphs are the same if they are equal in lower case, with 0 for each number and without signs and marks.
// This is the rule of CCNet (Wenzek et al. 2019, arXiv 1911.00359, 3.1).
package paragraph

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Version is the version of the hashes.
const Version = "1"

// Constants of FNV-1a.
const (
	offset = 14695981039346656037
	prime  = 1099511628211
)

// Hash returns the hash of a paragraph. Result ok is false for one without letters, which is a line of signs or a
// number.
func Hash(line string) (h uint64, ok bool) {
	h = offset
	number := false // the last letter or digit was a digit
	for _, r := range line {
		switch {
		case r < utf8.RuneSelf && (r >= 'a' && r <= 'z'):
			ok, number = true, false
		case unicode.IsDigit(r):
			if number {
				continue
			}
			r, number = '0', true
		case unicode.IsLetter(r):
			r, ok, number = unicode.ToLower(r), true, false
		default:
			continue
		}
		h = (h ^ uint64(r)) * prime
	}
	// This is the finaliser of splitmix64 (Steele et al. 2014), since FNV's high bits are poor for short lines.
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31, ok
}

// Remove removes the paragraphs for whose hashes is returns true, and returns the number of them. The others stay
// unchanged.
func Remove(text string, is func(hash uint64) bool) (left string, removed int) {
	var kept strings.Builder
	from := 0 // start of the text not copied yet
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if h, ok := Hash(text[at:end]); ok && is(h) {
			kept.WriteString(text[from:at])
			from, removed = end, removed+1
		}
		at = end
	}
	if removed == 0 {
		return text, 0
	}
	kept.WriteString(text[from:])
	return strings.TrimRight(kept.String(), "\n"), removed
}
