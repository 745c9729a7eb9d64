package mimetype

import (
	"strings"
)

// Base returns the media type in a Content-Type value in lower case, without parameters, quotes and other additions of
// servers. Of several types in one value it returns the first, and "" if there is none. Values are as servers sent
// them: "text/html; charset=x", "text/html, text/html", quoted, or invalid.
func Base(contentType string) string {
	// The longest registered types have some 80 characters.
	const longest = 256
	s := strings.TrimLeft(contentType[:min(len(contentType), longest)], " \t\r\n\"'")
	// The type ends at the first character that no type contains: ";", ",", white space.
	if end := strings.IndexFunc(s, endsType); end >= 0 {
		s = s[:end]
	}
	s = strings.ToLower(s)
	top, sub, found := strings.Cut(s, "/")
	// There must be one slash, and text on both sides.
	if !found || top == "" || sub == "" || strings.Contains(sub, "/") {
		return ""
	}
	return s
}

// endsType reports whether r cannot be in a media type. Allowed are the token characters of RFC 9110, section 5.6.2,
// and "/". It replaces a regular expression, since it is called for every record.
func endsType(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("/!#$%&*+-.^_`|~", r)
}

// IsHTML reports whether t, in the form of Detect, is HTML in either syntax.
func IsHTML(t string) bool { return t == typeHTML || t == typeXHTML }

// IsXML reports whether t is XML, by its name or by the table of types. The empty type is not XML.
func IsXML(t string) bool {
	return t == typeXML || t == "text/xml" || strings.HasSuffix(t, "+xml") || t != "" && familyOfType(t) == familyXML
}

// IsText reports whether bodies of type t are text: text/*, messages, XML, JSON and scripts.
func IsText(t string) bool {
	switch familyOfType(t) {
	case familyText, familyXML, familyJSON:
		return true
	}
	return false
}
