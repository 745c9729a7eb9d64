package mimetype

import (
	"strings"
	"sync"
)

// Conflicts reports whether declared, an HTTP Content-Type, contradicts detected, a result of Detect. Aliases of one
// type do not conflict. Nor does a type with a kind of it. For example, RSS is XML, Markdown is plain text, and a Word
// document is a zip file. Unspecific types, such as application/octet-stream, conflict with none. A detected text, XML
// or binary type without further signs conflicts with a declared type that has signs. It prefers to report no
// conflict. The field mime_conflict serves to check bodies closely, and false alarms for every feed served as XML
// would hide the others.
func Conflicts(declared, detected string) bool {
	d, t := Canonical(Base(declared)), Canonical(detected)
	// A declaration is right if there is nothing to compare, or if it is unspecific. It is also right if it is more
	// general than the detected type, or if both are HTML.
	switch {
	case d == "" || t == "" || saysNothing(d) || isKind(t, d) || IsHTML(t) && IsHTML(d):
		return false
	// Only text, XML or bytes were found, but the declared type has signs of its own.
	case generic[t]:
		return true
	}
	// A declaration may be more exact than the bytes can show.
	return !isKind(d, t)
}

// saysNothing reports whether servers declare t for unknown files. Generic names of text or XML have some meaning,
// hence the check of the family.
func saysNothing(t string) bool { return generic[t] && familyOfType(t) == familyBinary }

// isKind reports whether t equals of, or is a kind of it. It follows at most three or four parents; the table has no
// circles.
func isKind(t, of string) bool {
	for ; t != ""; t = parent(t) {
		if t == of {
			return true
		}
	}
	return false
}

// parent returns the type that t is a kind of, or "". A page of HTML is not plain text: its source looks different
// from the page. The table has priority; families are for the hundreds of types that are not in it.
func parent(t string) string {
	if p, ok := parents()[t]; ok {
		return p
	}
	// The parent of a member of a family is the family's plainest type. XML and JSON are text in turn.
	switch familyOfType(t) {
	case familyText:
		if t != typeText && t != typeHTML {
			return typeText
		}
	case familyXML:
		if t != typeXML {
			return typeXML
		}
		return typeText
	case familyJSON:
		if t != typeJSON {
			return typeJSON
		}
		return typeText
	case familyZip:
		if t != typeZip {
			return typeZip
		}
	case familyOLE:
		if t != typeOLE {
			return typeOLE
		}
	case familyTIFF:
		if t != typeTIFF {
			return typeTIFF
		}
	}
	return ""
}

// kinds has a line for each type that others are kinds of, unless their families show it. The first of a line is the
// parent of the others. A type has one parent, so video/webm is a kind of Matroska alone.
const kinds = `video/mp4 audio/mp4 video/x-m4v video/x-f4v video/quicktime video/3gpp video/3gpp2 audio/vnd.audible.aax
video/3gpp audio/3gpp
video/webm audio/webm
video/matroska video/webm audio/matroska
video/x-ms-asf video/x-ms-wmv audio/x-ms-wma audio/x-ms-wax
application/ogg audio/ogg video/ogg
audio/x-mpegurl application/vnd.apple.mpegurl
image/heif image/heic image/avif
image/heif-sequence image/heic-sequence
image/jp2 image/jpx image/jpm
image/png image/apng
application/gzip application/x-compressed-tar application/x-tgz application/x-gtar-compressed
application/vnd.microsoft.portable-executable application/x-msdos-program
application/x-elf application/x-object application/x-executable application/x-sharedlib application/x-coredump
application/x-mach-o application/x-mach-o-executable application/x-mach-o-universal
application/x-bplist application/x-bplist-itunes application/x-webarchive
application/vnd.sqlite3 application/geopackage+sqlite3 application/x-mbtiles application/x-fossil-repository appli` +
	`cation/x-fossil-checkout application/x-fossil-global-conf
application/java-archive application/vnd.android.package-archive
application/x-mysql-db application/x-mysql-table-definition application/x-mysql-misam-index application/x-mysql-mi` +
	`sam-compressed-index
message/rfc822 multipart/related
`

// parents maps each type to the first of its line.
var parents = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(kinds) {
		fields := strings.Fields(line)
		for _, kind := range fields[1:] {
			m[kind] = fields[0]
		}
	}
	return m
})
