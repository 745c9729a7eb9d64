package charset

import (
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// maxLabels bounds the declarations read from one value; honest ones have one or two.
const maxLabels = 4

// otherNames are names that Asian servers use and the Encoding Standard does not list: names of code pages in Windows
// and Java.
var otherNames = map[string]string{
	"cp932": "shift_jis",
	"cp936": "gb18030",
	"ms936": "gb18030",
	"cp949": "euc-kr",
	"ms949": "euc-kr",
	"cp950": "big5",
	"ms950": "big5",
}

// canonicalName returns the name under which label's encoding is reported, or "" if it is unknown or cannot be
// decoded. GBK is a part of GB18030, so both are reported as one. Labels have many spellings, all of which htmlindex
// knows.
func canonicalName(label string) string {
	label = strings.ToLower(strings.TrimSpace(label))
	if name := otherNames[label]; name != "" {
		return name
	}
	if label == nameUTF32LE || label == nameUTF32BE {
		return label
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(e)
	// "replacement" covers encodings that are dangerous to decode (ISO-2022-KR and others). The standard turns them
	// into a single U+FFFD.
	switch {
	case err != nil, name == "replacement", name == "x-user-defined":
		return ""
	case name == "gbk":
		return "gb18030"
	}
	return name
}

// declaredName is canonicalName for a label inside the page. A declaration readable as ASCII cannot be in UTF-16.
// Pages with x-user-defined mean windows-1252 (section 13.2.3.2 of the HTML Standard). Without these rules a page
// would be decoded into noise.
func declaredName(label string) string {
	if strings.EqualFold(strings.TrimSpace(label), "x-user-defined") {
		return nameWestern
	}
	name := canonicalName(label)
	switch name {
	case nameUTF16LE, nameUTF16BE, nameUTF32LE, nameUTF32BE:
		return nameUTF8
	}
	return name
}

// headerNames returns the known encodings in a Content-Type value, in order. It skips unknown names, since another may
// follow.
func headerNames(contentType string) []string {
	// The length is bounded, since the field comes from the network.
	const longest = 4 << 10
	var names []string
	for _, label := range charsetsOf(contentType[:min(len(contentType), longest)]) {
		if name := canonicalName(label); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// charsetsOf returns the values of the charset parameters in s, the value of a Content-Type field or of a <meta>'s
// content attribute. It searches for the word anywhere, since values are malformed in many ways.
func charsetsOf(s string) []string {
	const word = "charset"
	var labels []string
	// Offsets in lower and s must be the same.
	lower := strings.ToLower(s)
	if len(lower) != len(s) { // some letter changes its length in lower case; labels have no such letters
		s = lower
	}
	for len(labels) < maxLabels {
		at := strings.Index(lower, word)
		if at < 0 {
			return labels
		}
		// Both are cut in the same way, so that offsets stay equal.
		s, lower = s[at+len(word):], lower[at+len(word):]
		if label := charsetValue(s); label != "" {
			labels = append(labels, label)
		}
	}
	return labels
}

// charsetValue reads the value after the word charset: `="utf-8"; …`. It returns "" if there is none. Quotes, escaped
// quotes and doubled equals signs occur.
func charsetValue(s string) string {
	s = strings.TrimLeft(s, " \t\r\n\f")
	if s == "" || s[0] != '=' && s[0] != ':' {
		return ""
	}
	s = strings.TrimLeft(s[1:], " \t\r\n\f=\"'\\")
	// The label ends at the first character that cannot be in a label.
	if end := strings.IndexAny(s, "\"';, \t\r\n\f\\<>"); end >= 0 {
		s = s[:end]
	}
	return s
}
