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

// The ends of the names of an item's descriptions.
const (
	metaXML  = "_meta.xml"
	filesXML = "_files.xml"
)

// header begins both.
const header = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// metadata is what an item is, in the order in which it is written: archive.org's own fields first.
func metadata(item *schemas.FilesetPlatformItem) (fields [][2]string) {
	// These two are ours alone: fieldName refuses them in what a platform says.
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

// fieldName reports whether a name can be that of an element, and of a header field when it is uploaded.
func fieldName(s string) bool {
	ok := s != "" && s != "identifier" && s != "mediatype"
	for i, r := range s {
		// ASCII lower case: one rule that is safe for an element of XML and for a header field.
		ok = ok && (r >= 'a' && r <= 'z' || i > 0 && (r >= '0' && r <= '9' || r == '-' || r == '_'))
	}
	return ok
}

// values are the texts of a field, which has one or several.
func values(v any) (all []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	// What came by way of JSON; nested lists become one.
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

// metaOf is the item's _meta.xml.
func metaOf(item *schemas.FilesetPlatformItem) []byte {
	b := bytes.NewBufferString(header + "<metadata>\n")
	for _, f := range metadata(item) {
		element(b, "  ", f[0], f[1])
	}
	b.WriteString("</metadata>\n")
	return b.Bytes()
}

// element writes one; what XML cannot hold becomes U+FFFD.
func element(b *bytes.Buffer, indent, name, value string) {
	fmt.Fprintf(b, "%s<%s>%s</%[2]s>\n", indent, name, escaped(value))
}

// For attributes as well as for texts: EscapeText escapes quotation marks, too.
func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}

// filesOf is the item's _files.xml: its files in the order of their names, and the two descriptions.
func filesOf(item *schemas.FilesetPlatformItem, manifest []schemas.ManifestFile) []byte {
	b := bytes.NewBufferString(header + "<files>\n")
	// A copy: the manifest stays in the order of the platform.
	list := slices.SortedFunc(slices.Values(manifest), func(a, b schemas.ManifestFile) int {
		return strings.Compare(a.Path, b.Path)
	})
	for _, f := range list {
		fmt.Fprintf(b, "  <file name=\"%s\" source=\"original\">\n", escaped(f.Path))
		if f.Size != nil {
			element(b, "    ", "size", strconv.FormatInt(*f.Size, 10))
		}
		// The names of the elements are those of archive.org's own _files.xml. What is not known is
		// left out.
		for _, sum := range [][2]string{{"md5", f.MD5}, {"sha1", f.SHA1}, {"format", formats[f.MIME]}} {
			if sum[1] != "" {
				element(b, "    ", sum[0], sum[1])
			}
		}
		b.WriteString("  </file>\n")
	}
	// Without sizes and hashes: a file cannot state its own.
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
