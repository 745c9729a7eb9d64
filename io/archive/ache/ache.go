// Package ache reads and writes the data formats of the focused crawler ACHE (github.com/VIDA-NYU/ache), as its classes
// write them. FILESYSTEM_HTML, FILESYSTEM_JSON and FILESYSTEM_CBOR have a folder for each host and a file for each
// page. FILES are rolling files of JSON lines in zlib. KAFKA has JSON messages, and there is WARC. Files may be
// compressed (zlib) and named by hashes, which only the files themselves show.
//
//	FILESYSTEM_HTML   data_pages/example.com/http%3A%2F%2Fexample.com%2F                       the body
//	FILESYSTEM_JSON   data_pages/example.com/2a1b402420ef46577471cdc7409b0fa2c6a204db316e5…    one JSON object
//	FILES             data_pages/crawl_data-1795196922913-0.deflate                            JSON lines
//	WARC              data_pages/crawl_data-20261120174843309-00000.warc.gz                    see package warc
//
// Values about the crawl of a capture are in [schemas.Capture.Crawl]. The page docs/formats/ache.md lists the content
// of each format, and the differences between ACHE's code and its documentation.
//
//	w, err := ache.NewFiles(sink, codec.WriteOptions{})
//	for _, c := range captures {
//		if err := w.Write(c); err != nil {
//			return err
//		}
//	}
//	return w.Close()
package ache

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Escape encodes s as Java's URLEncoder does in UTF-8, by which ACHE names files. Letters, digits and ".-*_" stay, a
// space becomes "+" and every other byte %XX.
func Escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(s) + len(s)/2)
	// Names that are not UTF-8 may collide.
	for _, c := range []byte(strings.ToValidUTF8(s, "?")) { // as Java encodes invalid characters
		switch {
		case isPlain(c):
			b.WriteByte(c)
		case c == ' ':
			b.WriteByte('+')
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&0xf]})
		}
	}
	return b.String()
}

func isPlain(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(".-*_", c) >= 0
}

// HashName returns the name of a page's file if names are hashes.
func HashName(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:])
}

// splitPath returns the last folder and the file name of a path. Paths in archives from Windows may have backslashes.
func splitPath(path string) (dir, name string) {
	path = strings.ReplaceAll(path, `\`, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	dir, name = path[:i], path[i+1:]
	return dir[strings.LastIndexByte(dir, '/')+1:], name
}

// IsPage reports whether the path belongs to a single page that ACHE has written.
func IsPage(path string) bool {
	// A hash alone proves nothing, so the folder must look like a host.
	_, name := splitPath(path)
	return isHash(name) && hostOfFolder(path) != "" || IsNamed(path)
}

// IsNamed reports whether a file's name is an encoded URL and its folder is named after that URL's host. Then it is a
// page, whatever its content.
func IsNamed(path string) bool { return urlOf(path) != "" }

// urlOf returns the URL that a file is named after, or "" if the name is not a URL.
func urlOf(path string) string {
	dir, name := splitPath(path)
	// A quick test first, because every file of a folder is tested.
	if !strings.Contains(name, "%3A%2F%2F") && !strings.Contains(name, "%3a%2f%2f") {
		return ""
	}
	// Java's URLEncoder writes a space as "+", as forms do: hence QueryUnescape and not PathUnescape.
	page, err := url.QueryUnescape(name)
	if err != nil {
		return ""
	}
	folder, err := url.QueryUnescape(dir)
	// A folder that matches the name makes a chance hit unlikely.
	if err != nil || folder == "" || !strings.EqualFold(folder, urlkey.RawHost(page)) {
		return ""
	}
	return urlkey.Text(page)
}

// isNamedBy reports whether a file is named after this URL.
func isNamedBy(path, url string) bool {
	_, name := splitPath(path)
	return url != "" && (urlOf(path) == url || name == HashName(url))
}

// hostOfFolder returns the host that a file's folder is named after, or "". A host without a dot cannot be told from
// other names, so it gives "".
func hostOfFolder(path string) string {
	dir, _ := splitPath(path)
	name, err := url.QueryUnescape(dir)
	// Names that begin with a dot are hidden folders or "..".
	if err != nil || !strings.ContainsAny(name, ".:") || strings.HasPrefix(name, ".") {
		return ""
	}
	for _, c := range []byte(name) {
		// Hosts may be written outside ASCII.
		if !isPlain(c) && strings.IndexByte("[]:", c) < 0 && c < 0x80 {
			return ""
		}
	}
	return name
}

// isHash reports whether name is a SHA-256 in lower case.
func isHash(name string) bool {
	return len(name) == 2*sha256.Size && strings.Trim(name, "0123456789abcdef") == ""
}
