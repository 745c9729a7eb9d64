// Package ache reads and writes the data formats of the focused crawler ACHE (github.com/VIDA-NYU/ache), as its classes
// write them: FILESYSTEM_HTML, FILESYSTEM_JSON and FILESYSTEM_CBOR (a folder for each host, a file for each page),
// FILES (rolling files of JSON lines in zlib), the JSON messages of KAFKA, and WARC. Files may be compressed (zlib) and
// named by hashes; nothing says so but they themselves.
//
//	FILESYSTEM_HTML   data_pages/example.com/http%3A%2F%2Fexample.com%2F                       the body
//	FILESYSTEM_JSON   data_pages/example.com/2a1b402420ef46577471cdc7409b0fa2c6a204db316e5…    one JSON object
//	FILES             data_pages/crawl_data-1795196922913-0.deflate                            JSON lines
//	WARC              data_pages/crawl_data-20261120174843309-00000.warc.gz                    see package warc
//
// Values about the crawl of a capture are in [schemas.Capture.Crawl]. docs/formats/ache.md lists the content of each
// format, and the differences between ACHE's code and its documentation.
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

// Escape encodes s as Java's URLEncoder does in UTF-8, which ACHE makes names of files by: letters, digits and ".-*_"
// stay, a blank becomes a plus sign and every other byte %XX.
func Escape(s string) string {
	const hex = "0123456789ABCDEF"
	// Most URLs grow by their colon and slashes, a good half covers nearly all.
	var b strings.Builder
	b.Grow(len(s) + len(s)/2)
	// Names that are not UTF-8 cannot be distinguished afterwards: two of them may get one file.
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

// HashName is the name of a page's file where names are hashes.
func HashName(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:])
}

// host is the host of a URL as java.net.URL has it: without the port and what precedes an @, in the case that it
// was written in, with the brackets of IPv6.
// The case stays: ACHE names folders by it, and IsNamed compares without regard to it.
func host(rawURL string) string {
	_, rest, ok := strings.Cut(rawURL, "://")
	if !ok {
		return ""
	}
	// The authority ends at the first of these (RFC 3986, section 3.2).
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	// A colon within brackets is a part of the address.
	if end := strings.IndexByte(rest, ']'); end > 0 && rest[0] == '[' {
		return rest[:end+1]
	}
	before, _, _ := strings.Cut(rest, ":")
	return before
}

// splitPath returns the name of the folder and of the file at the end of a path.
// Names from archives that were made on Windows may have backslashes.
func splitPath(path string) (dir, name string) {
	path = strings.ReplaceAll(path, `\`, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path
	}
	dir, name = path[:i], path[i+1:]
	return dir[strings.LastIndexByte(dir, '/')+1:], name
}

// IsPage tells by a file's path whether it is a page that ACHE has written to a file of its own.
func IsPage(path string) bool {
	// A hash says nothing by itself, so the folder has to look like a host.
	_, name := splitPath(path)
	return isHash(name) && hostOfFolder(path) != "" || IsNamed(path)
}

// IsNamed reports whether a file's name is an encoded URL and its folder's name the host of that: then it is a page,
// whatever it holds.
func IsNamed(path string) bool { return urlOf(path) != "" }

// urlOf is the URL that a file has for its name, "" when it has none.
func urlOf(path string) string {
	dir, name := splitPath(path)
	// Not decoded unless "://" is in it in its escaped form, since this is asked for each file of a folder.
	if !strings.Contains(name, "%3A%2F%2F") && !strings.Contains(name, "%3a%2f%2f") {
		return ""
	}
	// Java's URLEncoder makes "+" of a blank, as forms do: hence QueryUnescape and not PathUnescape.
	page, err := url.QueryUnescape(name)
	if err != nil {
		return ""
	}
	folder, err := url.QueryUnescape(dir)
	// That folder and name agree is what makes a chance hit unlikely.
	if err != nil || folder == "" || !strings.EqualFold(folder, host(page)) {
		return ""
	}
	return urlkey.Text(page)
}

// isNamedBy reports whether a file has the name of a page with this URL.
func isNamedBy(path, url string) bool {
	_, name := splitPath(path)
	return url != "" && (urlOf(path) == url || name == HashName(url))
}

// hostOfFolder is the host that a file's folder has for its name, "" when that is not a host. A host without a dot
// cannot be distinguished from any other name.
func hostOfFolder(path string) string {
	dir, _ := splitPath(path)
	name, err := url.QueryUnescape(dir)
	// Names that begin with a dot are hidden folders or "..".
	if err != nil || !strings.ContainsAny(name, ".:") || strings.HasPrefix(name, ".") {
		return ""
	}
	for _, c := range []byte(name) {
		// Bytes above 0x7f are of hosts that were not written in ASCII.
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
