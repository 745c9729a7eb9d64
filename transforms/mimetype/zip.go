package mimetype

import (
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
