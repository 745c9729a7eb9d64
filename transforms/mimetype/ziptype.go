package mimetype

import (
	"bytes"
	"strings"
)

// documentType returns the type of a document of iWork by its first element, or "". iWork before 2013: the vocabulary
// of index.xml tells the program.
func documentType(content []byte) string {
	if r, ok := rootOf(content); ok {
		if t := r.vocabulary(strings.ToLower(r.local())); familyOfType(t) == familyZip {
			return t
		}
	}
	return ""
}

// containerType returns the type that a container says that it is, or "" where it may not say so. Types such as
// text/html in "mimetype" come from other programs' archives.
func containerType(content []byte) string {
	// Where the length was not known, the content reaches to the next header.
	content, _, _ = bytes.Cut(content, []byte("PK"))
	t := Base(string(content))
	if f := familyOfType(t); generic[t] || f != familyZip && f != familyBinary {
		return ""
	}
	return t
}

var officeFolders = []struct{ name, mediaType string }{
	{"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
	{"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	{"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
	{"visio/", "application/vnd.ms-visio.drawing"},
}

// officeType returns the type of a package whose list of parts is given, or "": that of its main part (section 10.1.2.2
// of ECMA-376-2) without ".main" at the end. Content types are looked for by text, not by parsing: the list may be
// cut.
func officeType(parts []byte) string {
	// These have no main part by that name.
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
			// The registered types have the number, those of the parts not; Word's template says again what it is.
			t = strings.Replace(t, ".macroenabledtemplate", ".macroenabled", 1)
			return strings.Replace(t, ".macroenabled", ".macroenabled.12", 1)
		}
		rest = after
	}
}

// packageParts are parts that are in packages of one type, whatever their main part.
var packageParts = []struct{ part, mediaType string }{
	{"3dmanufacturing-3dmodel+xml", "application/vnd.ms-package.3dmanufacturing-3dmodel+xml"},
	{"xps-fixeddocumentsequence+xml", "application/vnd.ms-xpsdocument"},
	{"package.dwfx", "model/vnd.dwfx+xps"},
}
