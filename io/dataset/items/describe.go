package items

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// Suffixes of the names of an item's descriptions.
const (
	metaXML  = "_meta.xml"
	filesXML = "_files.xml"
)

// header begins both.
const header = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// metadata returns the fields that describe an item, in the order of writing: archive.org's own fields first.
func metadata(item *schemas.FilesetPlatformItem) (fields [][2]string) {
	// Only we set these two: fieldName refuses them in a platform's data.
	fields = [][2]string{{"identifier", item.Item}, {"mediatype", "data"}}
	if _, ok := item.ItemMeta["collection"]; !ok {
		fields = append(fields, [2]string{"collection", "datasets"})
	}
	// Sorted, so that an item that is made again has the same bytes.
	for _, name := range slices.Sorted(maps.Keys(item.ItemMeta)) {
		for _, value := range values(item.ItemMeta[name]) {
			if value != "" && fieldName(name) {
				fields = append(fields, [2]string{name, value})
			}
		}
	}
	return fields
}

// fieldName reports whether a name can be an element's name, and a header field's during the upload.
func fieldName(s string) bool {
	ok := s != "" && s != "identifier" && s != "mediatype"
	for i, r := range s {
		// ASCII lower case is safe for both XML elements and header fields.
		ok = ok && (r >= 'a' && r <= 'z' || i > 0 && (r >= '0' && r <= '9' || r == '-' || r == '_'))
	}
	return ok
}

// values returns the texts of a field, which has one or several.
func values(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	// Values from JSON; nested lists are flattened.
	case []any:
		for _, e := range v {
			all = append(all, values(e)...)
		}
	case nil:
	default:
		return []string{fmt.Sprint(v)}
	}
	return all
}

// metaOf returns the item's _meta.xml.
func metaOf(item *schemas.FilesetPlatformItem) []byte {
	b := bytes.NewBufferString(header + "<metadata>\n")
	for _, f := range metadata(item) {
		element(b, "  ", f[0], f[1])
	}
	b.WriteString("</metadata>\n")
	return b.Bytes()
}

// element writes an element. Characters that XML cannot hold become U+FFFD.
func element(b *bytes.Buffer, indent, name, value string) {
	fmt.Fprintf(b, "%s<%s>%s</%[2]s>\n", indent, name, escaped(value))
}

// escaped escapes a text or an attribute: EscapeText also escapes quotation marks.
func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}

// filesOf returns the item's _files.xml: its files in the order of their names, and the two descriptions.
func filesOf(item *schemas.FilesetPlatformItem, manifest []schemas.ManifestFile) []byte {
	b := bytes.NewBufferString(header + "<files>\n")
	// A copy, because the manifest keeps the order of the platform.
	list := slices.SortedFunc(slices.Values(manifest), func(a, b schemas.ManifestFile) int {
		return strings.Compare(a.Path, b.Path)
	})
	for _, f := range list {
		fmt.Fprintf(b, "  <file name=\"%s\" source=\"original\">\n", escaped(f.Path))
		if f.Size != nil {
			element(b, "    ", "size", strconv.FormatInt(*f.Size, 10))
		}
		// The elements have the names in archive.org's own _files.xml. Unknown values are left out.
		for _, sum := range [][2]string{{"md5", f.MD5}, {"sha1", f.SHA1}, {"format", formats[f.MIME]}} {
			if sum[1] != "" {
				element(b, "    ", sum[0], sum[1])
			}
		}
		b.WriteString("  </file>\n")
	}
	// The descriptions have no sizes or hashes: a file cannot state its own.
	for _, end := range []string{filesXML, metaXML} {
		fmt.Fprintf(b, "  <file name=\"%s\" source=\"original\">\n    <format>Metadata</format>\n  </file>\n", item.Item+end)
	}
	b.WriteString("</files>\n")
	return b.Bytes()
}

// formats are archive.org's words for media types.
var formats = map[string]string{
	"application/gzip": "GZIP", "application/json": "JSON", "application/pdf": "PDF", "application/x-7z-compressed": "7z",
	"application/x-tar": "TAR", "application/xml": "XML", "application/zip": "ZIP", "audio/mpeg": "VBR MP3",
	"image/gif": "GIF", "image/jpeg": "JPEG", "image/png": "PNG", "image/tiff": "TIFF",
	"text/csv": "Comma-Separated Values", "text/html": "HTML", "text/plain": "Text", "text/xml": "XML",
	"video/mp4": "MPEG4", "video/mpeg": "MPEG2",
}
