package view

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/gleaner-web/gleaner/pipelines/look"
	"github.com/gleaner-web/gleaner/schemas"
)

// none is the value of a parameter that stands for captures without one. No language, host or type is called so, and a
// URL need not escape it.
const none = "-"

// Tongue is a language by its code in English; "" for none.
func Tongue(code string) string {
	switch code {
	case "":
		return ""
	case "und":
		return "not determined"
	}
	// A code that is damaged, or older than the tables, is shown as it is.
	tag, err := language.Parse(code)
	if err != nil {
		return code
	}
	// The tables of CLDR, which have far more names than package look.
	if name := display.English.Languages().Name(tag); name != "" {
		return name
	}
	return code
}

// dirOf is how a text of that language runs.
func dirOf(code string) string {
	// Without a language the browser looks at the text itself.
	switch {
	case code == "" || code == "und":
		return "auto"
	case look.RightToLeft(code):
		return "rtl"
	}
	return "ltr"
}

// statusLabel is a status of HTTP for people.
func statusLabel(value string) string {
	// 0 has no text: what is not a number is shown as it is.
	n, _ := strconv.Atoi(value)
	return strings.TrimSpace(value + " " + http.StatusText(n))
}

// flagTexts say what the flags of captures mean. For people who read one capture; the report's own texts are of many.
var flagTexts = map[schemas.Flag]string{
	schemas.FlagInflate:    "its compressed member is damaged: the block ends where decoding failed",
	schemas.FlagChecksum:   "the checksum of its member does not match",
	schemas.FlagUnverified: "no checksum or digest vouches for its bytes",
	schemas.FlagPartial:    "the archive ends, or the next record begins, inside it",
	schemas.FlagSuperseded: "its writer was cut off and wrote it again",
	schemas.FlagLength:     "Content-Length is missing or wrong",
	schemas.FlagType:       "its record type is missing or broken",
	schemas.FlagHead:       "its head is damaged, but could be read",
	schemas.FlagHeader:     "its head is truncated at the limit",
	schemas.FlagSegment:    "it is one of several segments that are not all here",
	schemas.FlagBody:       "its body is cut at the limit",
	schemas.FlagRatio:      "decoding stopped at the limit of the compression ratio",
	schemas.FlagChunked:    "it says chunked, and is not, or ends early",
	schemas.FlagEncoding:   "its content coding could not be undone",
	schemas.FlagIncomplete: "its body was not read to its end",
	schemas.FlagPayload:    "its body does not match the digest that the record states",
	schemas.FlagBlock:      "its block does not match the digest that the record states",
	schemas.FlagTimestamp:  "it has no usable date",
	schemas.FlagHTTP:       "it says HTTP and has no readable head",
	schemas.FlagUnchecked:  "its digest cannot be checked",
}

// quirkTexts say what some quirks of archives mean; others are shown by their names.
var quirkTexts = map[string]string{
	"uri_in_brackets": "address in angle brackets", "lf_line": "header lines end in LF only",
	"not_chunked": "says chunked, is not", "decoded_body": "says encoded, is not",
	"lf_line_end": "record ends in LF only", "extra_blank_line": "one blank line too many",
	"interim": "other responses before this one", "blank_line": "a blank line before the body",
	"no_content_type": "no Content-Type", "odd_date": "date in an odd form",
	schemas.QuirkUnclosed: "record without all of what closes one", schemas.QuirkBOM: "byte order mark",
}

// pathOf is what is in a URL behind the host.
func pathOf(raw string) string {
	// Addresses of damaged records need not parse, and are shown whole.
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return raw
	}
	// Escaped as archived: a decoded path could look like another one.
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path
}
