package mimetype

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// zipType returns the type of a zip container by its members; known is what its signature says. Members are found by
// their local headers, from the beginning, so that containers whose end is cut are known too (sections 4.3.6 and 4.3.7
// of APPNOTE.TXT 6.3.10). The directory at the end is not needed, and is lost in files that a crawler has cut.
func zipType(body []byte, known string, limit int) string {
	z := zipScan{rest: body}
	var s zipSigns
	// Members are few in most containers, and the telling ones among the first.
	for n := 0; n < limit && z.next(); n++ {
		if t := s.see(&z, n); t != "" {
			return t
		}
	}
	// No member decides alone: what was seen together does.
	return s.verdict(known)
}

// zipScan steps from member to member. opened tells whether rest is a member that was looked at, so that next goes
// behind it.
type zipScan struct {
	rest   []byte // from the member's header on
	after  []byte // behind the member
	name   string
	method uint16
	data   []byte // the member's bytes and, where their number is not known, all that follows
	opened bool
}

// zipHeaderBytes is the length of a local header, without name and extra field (section 4.3.7).
const zipHeaderBytes = 30

// next goes to the next member.
func (z *zipScan) next() bool {
	if z.opened {
		z.rest = z.after
	}
	z.opened = true
	// Between members there may be descriptors and other data; a signature by chance within data
	// makes a member that no rule knows.
	at := bytes.Index(z.rest, []byte("PK\x03\x04"))
	if at < 0 || len(z.rest)-at < zipHeaderBytes {
		return false
	}
	h := z.rest[at:]
	// Fields of the header: flags at 6, method at 8, packed size at 18, lengths of name and extra
	// field at 26 and 28.
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
	// Flag 3: the size is in a descriptor behind the data, so where the member ends is not known.
	const sizeFollows = 1 << 3
	if flags&sizeFollows == 0 && size <= int64(len(z.data)) {
		z.data, z.after = z.data[:size], z.data[size:]
	}
	return true
}

// content returns what use makes of the beginning of a member, inflated if need be. use does not keep it. Of a stored
// member whose length is not known, use gets what follows too: it has to bear with that.
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

// zipSigns are the members seen that mean something together with others, or alone at the end. A ZIP may be several
// things at once (a Java archive in an EPUB), so verdict weighs them.
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
	// The first member tells exactly, if it is called so: both formats demand it.
	case n == 0 && z.name == "mimetype":
		// OCF of EPUB, and OpenDocument: the type is stored first. It reaches to the next header if its size follows.
		return z.content(128, containerType)
	// Only the first list of parts counts: members may be doubled.
	case z.name == "[Content_Types].xml" && !s.hasParts:
		s.hasParts = true
		return z.content(contentBytes, officeType)
	// Applications of iOS.
	case strings.HasPrefix(z.name, "Payload/") && strings.Contains(z.name, ".app/"):
		return "application/x-itunes-ipa"
	case strings.HasSuffix(z.name, ".kml") && !strings.Contains(z.name, "/"):
		return "application/vnd.google-earth.kmz"
	// iWork since 2013 has no XML, but archives of its own.
	case strings.HasPrefix(z.name, "Index/Slide") && strings.HasSuffix(z.name, ".iwa"):
		return "application/vnd.apple.keynote"
	case z.name == "index.xml" && !s.hasIndex:
		s.hasIndex = true
		return z.content(contentBytes, documentType)
	// Scenes in USD are stored, the main one first.
	case n == 0 && (strings.HasSuffix(z.name, ".usdc") || strings.HasSuffix(z.name, ".usda")):
		return "model/vnd.usdz+zip"
	}
	// Nothing alone: noted for the end.
	s.note(z.name)
	return zipMembers[z.name]
}

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

// zipMembers are members that only containers of one type have. Each is required or always written by one program,
// and by no other.
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
	// Folders of Office documents count where the list of parts was cut or says nothing.
	for _, folder := range officeFolders {
		if s.office == "" && strings.HasPrefix(name, folder.name) {
			s.office = folder.mediaType
		}
	}
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

// verdict returns the type after the last member. The more a sign is one format's own, the earlier it is asked.
func (s *zipSigns) verdict(known string) string {
	switch {
	// The list of parts was there, without a main part that is known.
	case s.hasParts && s.office != "":
		return s.office
	// A Java archive with an EPUB's container is still a Java archive.
	case s.publication && !s.java:
		return "application/epub+zip" // whose type is not its first member, as it must be
	case s.collection && s.described:
		return "application/wacz"
	case s.java:
		return "application/java-archive"
	// The signature takes many archives for Java's; without a manifest it is a plain zip.
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
		// The type begins behind the quote before it.
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
