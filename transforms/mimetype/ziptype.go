package mimetype

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// documentType returns the type of an iWork document by its first element, or "". Before 2013 the vocabulary of
// index.xml shows the program.
func documentType(content []byte) string {
	if r, ok := rootOf(content); ok {
		if t := r.vocabulary(strings.ToLower(r.local())); familyOfType(t) == familyZip {
			return t
		}
	}
	return ""
}

// containerType returns the declared type of a container, or "" if that is implausible. Types such as text/html in
// "mimetype" come from archives of other programs.
func containerType(content []byte) string {
	// If the length was not known, the content reaches to the next header.
	content, _, _ = bytes.Cut(content, []byte("PK"))
	t := Base(string(content))
	if f := familyOfType(t); generic[t] || f != familyZip && f != familyBinary {
		return ""
	}
	return t
}

// manifestType returns the type of an OpenDocument by the list of its members, or "". The type of the whole is that of
// the member "/".
func manifestType(list []byte) string {
	for _, entry := range fileEntry().FindAll(list, -1) {
		if bytes.Contains(entry, []byte(`full-path="/"`)) {
			if m := openDocument().FindSubmatch(entry); m != nil {
				return string(m[1])
			}
		}
	}
	return ""
}

var (
	fileEntry    = pattern.Lazy(`<(?:manifest:)?file-entry[^>]*>`)
	openDocument = pattern.Lazy(`media-type="(application/vnd\.(?:oasis\.opendocument|sun\.xml)\.[a-z.-]+)"`)
)

var officeFolders = []struct{ name, mediaType string }{
	{"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
	{"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	{"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
	{"visio/", "application/vnd.ms-visio.drawing"},
}

// officeType returns the type of a package by its list of parts, or "". It is the type of its main part (section
// 10.1.2.2 of ECMA-376-2) without ".main" at the end. Content types are searched as text instead of parsed, since the
// list may be truncated.
func officeType(parts []byte) string {
	// These have no main part with such a name.
	for _, p := range packageParts {
		if bytes.Contains(parts, []byte(p.part)) {
			return p.mediaType
		}
	}
	// Every ".main" is tried, since parts of other kinds may come first.
	for rest := parts; ; {
		before, after, found := bytes.Cut(rest, []byte(".main"))
		if !found {
			return ""
		}
		// The type begins after the quote before it.
		start := bytes.LastIndexAny(before, `"'`) + 1
		if t := strings.ToLower(string(before[start:])); strings.HasPrefix(t, "application/") && Base(t) == t {
			// The registered types have the number 12, but those of the parts do not. Word's template repeats its
			// kind.
			t = strings.Replace(t, ".macroenabledtemplate", ".macroenabled", 1)
			return strings.Replace(t, ".macroenabled", ".macroenabled.12", 1)
		}
		rest = after
	}
}

// packageParts are parts in packages of one type, whatever their main part.
var packageParts = []struct{ part, mediaType string }{
	{"3dmanufacturing-3dmodel+xml", "application/vnd.ms-package.3dmanufacturing-3dmodel+xml"},
	{"xps-fixeddocumentsequence+xml", "application/vnd.ms-xpsdocument"},
	{"package.dwfx", "model/vnd.dwfx+xps"},
}
