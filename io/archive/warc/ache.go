package warc

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// crawl notes the values of the crawler ACHE for a record, in fields that begin with "ACHE-".
func crawl(c *schemas.Capture, h *record.Head) {
	for i := range h.Fields {
		// Names of fields are the same in any case (section 4 of WARC/1.1). The first letter is looked at before
		// the rest, since this runs for each field of each record.
		name := h.Fields[i].Name
		if len(name) < len(achePrefix) || name[0]|0x20 != 'a' || !bytes.EqualFold(name[:len(achePrefix)], achePrefix) {
			continue
		}
		value := text(h.Fields[i].Value)
		switch strings.ToLower(string(name[len(achePrefix):])) {
		// Java writes a boolean in lower case; other writers of such files do as they like.
		case "isrelevant":
			c.SetCrawl(schemas.CrawlRelevant, strings.ToLower(value))
		case "relevance":
			c.SetCrawl(schemas.CrawlRelevance, decimalText(value))
		// Of the same value there is nothing to tell: ACHE writes it for each page, redirected or not.
		case "requested-url":
			if u := urlkey.Text(string(h.Fields[i].Value)); u != c.URL {
				c.SetCrawl(schemas.CrawlRequested, u)
			}
		}
	}
}

var achePrefix = []byte("ACHE-")

// decimalText is a number in its shortest form, or "" if value is not a number. ACHE writes it with ten digits after
// the point, which in some of Java's locales is a comma. In no locale does it group thousands there, so a comma is the
// point.
func decimalText(value string) string {
	// ParseFloat takes "inf" and "nan" for numbers, which JSON cannot hold.
	f, err := strconv.ParseFloat(strings.Replace(value, ",", ".", 1), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return ""
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
