package enrich

import (
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// captureColumns are the columns of a document that the archive's record tells, without anything being extracted.
var captureColumns = []string{
	"url", "surt", "host", "domain", "timestamp", "status", "mime_declared", "digest", "record_id", "record_type",
	"refers_to", "filename", "offset", "length", "sequence", "body_bytes", "ip", "truncated", "flags", "damaged", "crawl",
}

// columnsOf are those that each extractor makes. A table, since extractors write into a document as they go; its test
// runs them.
var columnsOf = map[string][]string{
	"mime":    {"mime_detected", "mime_basis", "mime_conflict", "mime_inside"},
	"charset": {"charset", "charset_basis"},
	"text":    {"text", "text_source", "main_html", "page_type", "text_path", "template_blocks", "comments"},
	"language": {
		"language", "languages", "language_declared", "language_conflict",
	},
	"metadata": {
		"title", "description", "canonical", "shortlink", "authors", "publisher", "section", "tags", "published",
		"modified", "site_signals", "metadata_sources", "metadata_confidence", "pages",
	},
	"entities": {"entities"},
	"feeds":    {"feeds", "feed"},
	"links":    {"links_internal", "links_external"},
	"neardup":  {"simhash"},
	"quality":  {"quality"},
}

// OfCapture reports whether a column of documents is recognised by the archive's record alone: see Base.
func OfCapture(column string) bool { return slices.Contains(captureColumns, column) }

// MakerOf is the extractor that makes a column; empty for columns that none makes.
func MakerOf(column string) string {
	for name, columns := range columnsOf {
		if slices.Contains(columns, column) {
			return name
		}
	}
	return ""
}

// Base is the document of c before anything is extracted: the columns of which OfCapture is true.
func Base(c *schemas.Capture) *schemas.Document {
	d := base(c)
	d.SURT = urlkey.SURT(c.URL)
	d.Host, d.Domain = urlkey.Site(c.URL)
	return d
}
