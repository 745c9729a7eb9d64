package mimetype

import (
	"strings"
)

// zipType returns the type of a zip container by its members. Parameter known is the type by its signature. Members
// are found by their local headers, from the beginning, so that truncated containers work too (sections 4.3.6 and
// 4.3.7 of APPNOTE.TXT 6.3.10). The directory at the end is not needed; crawlers that truncate files lose it.
func zipType(body []byte, known string, limit int) string {
	z := zipScan{rest: body}
	var s zipSigns
	// Most containers have few members, and the distinctive ones are among the first.
	for n := 0; n < limit && z.next(); n++ {
		if t := s.see(&z, n); t != "" {
			return t
		}
	}
	// No single member decides, so all of them together do.
	return s.verdict(known)
}

// zipSigns are the members with a meaning only together, or only at the end. A ZIP may be several things at once (a
// Java archive in an EPUB), so verdict weighs them.
type zipSigns struct {
	office      string // by the folders of an Office document
	java        bool
	hasParts    bool
	hasIndex    bool
	hasManifest bool
	publication bool // it has the container of EPUB
	collection  bool // it has WARC records
	described   bool // it has a description of a data package
}

// see notes a member, the nth of all. It returns the type if that member alone decides.
func (s *zipSigns) see(z *zipScan, n int) string {
	const contentBytes = 16 << 10
	switch {
	// If the first member has this name, it is exact: both formats require it.
	case n == 0 && z.name == "mimetype":
		// This is OCF of EPUB, or OpenDocument: the type is stored first. Its content may reach to the next header if
		// its size follows.
		return z.content(128, containerType)
	// Only the first list of parts counts: members may be duplicated.
	case z.name == "[Content_Types].xml" && !s.hasParts:
		s.hasParts = true
		return z.content(contentBytes, officeType)
	// iOS applications.
	case strings.HasPrefix(z.name, "Payload/") && strings.Contains(z.name, ".app/"):
		return "application/x-itunes-ipa"
	case strings.HasSuffix(z.name, ".kml") && !strings.Contains(z.name, "/"):
		return "application/vnd.google-earth.kmz"
	// iWork since 2013 has archives of its own instead of XML.
	case strings.HasPrefix(z.name, "Index/Slide") && strings.HasSuffix(z.name, ".iwa"):
		return "application/vnd.apple.keynote"
	// OpenDocument lists its members in it. Programs that pack documents again leave out the first member.
	case z.name == "META-INF/manifest.xml" && !s.hasManifest:
		s.hasManifest = true
		return z.content(contentBytes, manifestType)
	case z.name == "index.xml" && !s.hasIndex:
		s.hasIndex = true
		return z.content(contentBytes, documentType)
	// USD scenes are stored, the main one first.
	case n == 0 && (strings.HasSuffix(z.name, ".usdc") || strings.HasSuffix(z.name, ".usda")):
		return "model/vnd.usdz+zip"
	}
	// Nothing decides yet; the member is noted for the end.
	s.note(z.name)
	return zipMembers[z.name]
}

// zipMembers are members that only containers of one type have. One program requires or always writes each of them.
var zipMembers = map[string]string{
	"AndroidManifest.xml":          "application/vnd.android.package-archive",
	"AppManifest.xaml":             "application/x-silverlight-app",
	"META-INF/AIR/application.xml": "application/vnd.adobe.air-application-installer-package+zip",
	"META-INF/mozilla.rsa":         "application/x-xpinstall",
	"geogebra.xml":                 "application/vnd.geogebra.file",
	"index.apxl":                   "application/vnd.apple.keynote",
	"index.apxl.gz":                "application/vnd.apple.keynote",
}

// note keeps signs that count only together with others.
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
	// Folders of Office documents count if the list of parts is truncated or not conclusive.
	for _, folder := range officeFolders {
		if s.office == "" && strings.HasPrefix(name, folder.name) {
			s.office = folder.mediaType
		}
	}
}

// verdict returns the type after the last member. Signs more specific to one format come first.
func (s *zipSigns) verdict(known string) string {
	switch {
	// There was a list of parts, but no known main part.
	case s.hasParts && s.office != "":
		return s.office
	// A Java archive with an EPUB's container is still a Java archive.
	case s.publication && !s.java:
		return "application/epub+zip" // its type is not the first member, as it should be
	case s.collection && s.described:
		return "application/wacz"
	case s.java:
		return "application/java-archive"
	// The signature matches many non-Java archives; without a manifest it is a plain zip.
	case known == "application/java-archive":
		return typeZip
	}
	return known
}
