package mimetype

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"regexp"
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

// content returns the beginning of a member, inflated if need be.
func (z *zipScan) content(limit int) []byte {
	const stored, deflated = 0, 8
	switch z.method {
	case stored:
		return z.data[:min(len(z.data), limit)]
	case deflated:
		// What is cut or damaged is read as far as it goes.
		content, _ := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(z.data)), int64(limit)))
		return content
	}
	return nil
}

// zipSigns are the members seen that mean something together with others, or alone at the end.
type zipSigns struct {
	office   string // by the folders of an Office document
	java     bool
	hasParts bool
}

// see notes a member, the nth of all, and returns the type if that member alone decides.
func (s *zipSigns) see(z *zipScan, n int) string {
	const contentBytes = 64 << 10
	switch {
	case n == 0 && z.name == "mimetype":
		// OCF of EPUB, and OpenDocument: the type is stored first. It reaches to the next header if its size follows.
		content, _, _ := bytes.Cut(z.content(128), []byte("PK"))
		return containerType(Base(string(content)))
	case z.name == "[Content_Types].xml" && !s.hasParts:
		s.hasParts = true
		return officeType(string(z.content(contentBytes)))
	case z.name == "META-INF/MANIFEST.MF":
		s.java = true
	case z.name == "AndroidManifest.xml":
		return "application/vnd.android.package-archive"
	case strings.HasPrefix(z.name, "Payload/") && strings.Contains(z.name, ".app/"):
		return "application/x-itunes-ipa"
	case z.name == "doc.kml":
		return "application/vnd.google-earth.kmz"
	case z.name == "index.apxl" || z.name == "index.apxl.gz":
		return "application/vnd.apple.keynote"
	}
	for _, folder := range officeFolders {
		if s.office == "" && strings.HasPrefix(z.name, folder.name) {
			s.office = folder.mediaType
		}
	}
	return ""
}

// containerType returns t if a container may say of itself that it is that, "" otherwise.
func containerType(t string) string {
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

// mainPart matches the type of a package's main part (section 10.1.2.2 of ECMA-376-2), which is that of the whole with
// ".main" behind it.
var mainPart = regexp.MustCompile(`ContentType\s*=\s*["'](application/[\w.+-]+?)\.main(?:\+xml)?["']`)

// officeType returns the type of a package whose list of parts is given, or "".
func officeType(parts string) string {
	switch {
	case strings.Contains(parts, "application/vnd.ms-package.3dmanufacturing-3dmodel+xml"):
		return "application/vnd.ms-package.3dmanufacturing-3dmodel+xml"
	case strings.Contains(parts, "xps-fixeddocumentsequence+xml"):
		return "application/vnd.ms-xpsdocument"
	}
	match := mainPart.FindStringSubmatch(parts)
	if match == nil {
		return ""
	}
	t := strings.ToLower(match[1])
	if strings.HasSuffix(t, ".macroenabled") {
		t += ".12" // the types that Microsoft registered have it, those of the parts do not
	}
	return t
}
