package tagger

import (
	"strings"
	"unicode"
)

// edgeSigns are signs that no name begins or ends with.
const edgeSigns = " \"“”„«»&/,;:|"

// trim leaves out signs at the edges of names. It drops people with numbers or of initials alone, beginnings of
// compounds (WM-, Oscar-), and words of ASCII without a capital in Chinese or Japanese. It changes mentions in place.
func trim(text, language string, mentions []Mention) []Mention {
	kept := mentions[:0]
	for _, m := range mentions {
		name := strings.TrimLeft(text[m.Start:m.End], edgeSigns)
		m.Start = m.End - len(name)
		name = strings.TrimRight(name, edgeSigns)
		m.End = m.Start + len(name)
		switch {
		case name == "", strings.HasSuffix(name, "-"), m.Type == Person && strings.ContainsFunc(name, unicode.IsDigit):
		case m.Type == Person && isInitials(name):
		case (language == "zh" || language == "ja") && isSmallASCII(name):
		default:
			kept = append(kept, m)
		}
	}
	return kept
}

// isInitials reports whether a name has no letter beside another, and a full stop.
func isInitials(name string) bool {
	letters := 0
	for _, r := range name {
		if letters++; !unicode.IsLetter(r) {
			letters = 0
		}
		if letters > 1 {
			return false
		}
	}
	return strings.Contains(name, ".")
}

// isSmallASCII reports whether all of a text is ASCII, and none of it a capital letter.
func isSmallASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsUpper(r) })
}
