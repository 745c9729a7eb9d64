package mimetype

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// zipType returns the type of a zip container by its members; known is what its signature says. Members are found by
// their local headers, from the beginning, so that containers whose end is cut are known too (sections 4.3.6 and 4.3.7
// of APPNOTE.TXT 6.3.10).
func zipType(body []byte, known string, limit int) string {
	z := zipScan{rest: body}
	var s zipSigns
	for n := 0; n < limit && z.next(); n++ {
		if t := s.see(&z, n); t != "" {
			return t
		}
	}
	return s.verdict(known)
}

// zipScan steps from member to member.
type zipScan struct {
	rest   []byte // from the member's header on
	after  []byte // behind the member
	name   string
	method uint16
	data   []byte // the member's bytes and, where their number is not known, all that follows
	opened bool
}

const zipHeaderBytes = 30

// next goes to the next member.
func (z *zipScan) next() bool {
	if z.opened {
		z.rest = z.after
	}
	z.opened = true
	at := bytes.Index(z.rest, []byte("PK\x03\x04"))
	if at < 0 || len(z.rest)-at < zipHeaderBytes {
		return false
	}
	h := z.rest[at:]
	flags := binary.LittleEndian.Uint16(h[6:])
	z.method = binary.LittleEndian.Uint16(h[8:])
	size := int64(binary.LittleEndian.Uint32(h[18:]))
	name := int(binary.LittleEndian.Uint16(h[26:]))
	extra := int(binary.LittleEndian.Uint16(h[28:]))
	start := zipHeaderBytes + name + extra
	if start > len(h) {
		return false
	}
	z.name = string(h[zipHeaderBytes : zipHeaderBytes+name])
	z.data, z.after = h[start:], h[start:]
	const sizeFollows = 1 << 3
	if flags&sizeFollows == 0 && size <= int64(len(z.data)) {
		z.data, z.after = z.data[:size], z.data[size:]
	}
	return true
}

// content returns what use makes of the beginning of a member, inflated if need be. use does not keep it.
func (z *zipScan) content(limit int, use func(content []byte) string) string {
	const stored, deflated = 0, 8
	switch z.method {
	case stored:
		return use(z.data[:min(len(z.data), limit)])
	case deflated:
		return inflated(z.data, limit, use)
	}
	return ""
}

// zipSigns are the members seen that mean something together with others, or alone at the end.
type zipSigns struct {
	office      string // by the folders of an Office document
	java        bool
	hasParts    bool
	hasIndex    bool
	publication bool // it has the container of EPUB
	collection  bool // it has records of the web
	described   bool // it has a description of a data package
}

// see notes a member, the nth of all, and returns the type if that member alone decides.
func (s *zipSigns) see(z *zipScan, n int) string {
	const contentBytes = 16 << 10
	switch {
	case n == 0 && z.name == "mimetype":
		// OCF of EPUB, and OpenDocument: the type is stored first. It reaches to the next header if its size follows.
		return z.content(128, containerType)
	case z.name == "[Content_Types].xml" && !s.hasParts:
		s.hasParts = true
		return z.content(contentBytes, officeType)
	case strings.HasPrefix(z.name, "Payload/") && strings.Contains(z.name, ".app/"):
		return "application/x-itunes-ipa"
	case strings.HasSuffix(z.name, ".kml") && !strings.Contains(z.name, "/"):
		return "application/vnd.google-earth.kmz"
	case strings.HasPrefix(z.name, "Index/Slide") && strings.HasSuffix(z.name, ".iwa"):
		return "application/vnd.apple.keynote"
	case z.name == "index.xml" && !s.hasIndex:
		s.hasIndex = true
		return z.content(contentBytes, documentType)
	case n == 0 && (strings.HasSuffix(z.name, ".usdc") || strings.HasSuffix(z.name, ".usda")):
		return "model/vnd.usdz+zip"
	}
	s.note(z.name)
	return zipMembers[z.name]
}

// documentType returns the type of a document of iWork by its first element, or "".
func documentType(content []byte) string {
	if r, ok := rootOf(content); ok {
		if t := r.vocabulary(strings.ToLower(r.local())); familyOfType(t) == familyZip {
			return t
		}
	}
	return ""
}

// zipMembers are members that only containers of one type have.
var zipMembers = map[string]string{
	"AndroidManifest.xml":          "application/vnd.android.package-archive",
	"AppManifest.xaml":             "application/x-silverlight-app",
	"META-INF/AIR/application.xml": "application/vnd.adobe.air-application-installer-package+zip",
	"META-INF/mozilla.rsa":         "application/x-xpinstall",
	"geogebra.xml":                 "application/vnd.geogebra.file",
	"index.apxl":                   "application/vnd.apple.keynote",
	"index.apxl.gz":                "application/vnd.apple.keynote",
}

// note keeps what a member says together with others.
func (s *zipSigns) note(name string) {
	switch {
	case name == "META-INF/MANIFEST.MF":
		s.java = true
	case name == "META-INF/container.xml":
		s.publication = true
	case name == "datapackage.json":
		s.described = true
	case strings.HasPrefix(name, "archive/") && strings.Contains(name, ".warc"):
		s.collection = true
	}
	for _, folder := range officeFolders {
		if s.office == "" && strings.HasPrefix(name, folder.name) {
			s.office = folder.mediaType
		}
	}
}

// containerType returns the type that a container says that it is, or "" where it may not say so.
func containerType(content []byte) string {
	content, _, _ = bytes.Cut(content, []byte("PK"))
	t := Base(string(content))
	if f := familyOfType(t); generic[t] || f != familyZip && f != familyBinary {
		return ""
	}
	return t
}

// verdict returns the type after the last member.
func (s *zipSigns) verdict(known string) string {
	switch {
	case s.hasParts && s.office != "":
		return s.office
	case s.publication && !s.java:
		return "application/epub+zip" // whose type is not its first member, as it must be
	case s.collection && s.described:
		return "application/wacz"
	case s.java:
		return "application/java-archive"
	case known == "application/java-archive":
		return typeZip
	}
	return known
}

var officeFolders = []struct{ name, mediaType string }{
	{"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
	{"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	{"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
	{"visio/", "application/vnd.ms-visio.drawing"},
}

// officeType returns the type of a package whose list of parts is given, or "": that of its main part (section 10.1.2.2
// of ECMA-376-2) without ".main" at the end.
func officeType(parts []byte) string {
	for _, p := range packageParts {
		if bytes.Contains(parts, []byte(p.part)) {
			return p.mediaType
		}
	}
	for rest := parts; ; {
		before, after, found := bytes.Cut(rest, []byte(".main"))
		if !found {
			return ""
		}
		start := bytes.LastIndexAny(before, `"'`) + 1
		if t := strings.ToLower(string(before[start:])); strings.HasPrefix(t, "application/") && Base(t) == t {
			// the registered types have it, those of the parts not
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
