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
	schemas.FlagInflate:    "damaged member: the block ends where decoding failed",
	schemas.FlagChecksum:   "checksum mismatch of the member",
	schemas.FlagUnverified: "no checksum or digest confirms the bytes",
	schemas.FlagPartial:    "truncated: the archive ends, or the next record begins, inside it",
	schemas.FlagSuperseded: "incomplete; the writer wrote it again",
	schemas.FlagLength:     "Content-Length is missing or wrong",
	schemas.FlagType:       "record type missing or damaged",
	schemas.FlagHead:       "damaged head, recovered",
	schemas.FlagHeader:     "head truncated at the limit",
	schemas.FlagSegment:    "some segments are missing",
	schemas.FlagBody:       "body truncated at the limit",
	schemas.FlagRatio:      "decoding stopped at the limit of the compression ratio",
	schemas.FlagChunked:    "declared as chunked, but it is not, or it ends early",
	schemas.FlagEncoding:   "content coding cannot be decoded",
	schemas.FlagIncomplete: "incomplete body",
	schemas.FlagPayload:    "payload digest mismatch",
	schemas.FlagBlock:      "block digest mismatch",
	schemas.FlagTimestamp:  "no usable date",
	schemas.FlagHTTP:       "declared as HTTP, without a readable head",
	schemas.FlagUnchecked:  "digest cannot be checked",
}

// quirkTexts say what some quirks of archives mean; others are shown by their names.
var quirkTexts = map[string]string{
	"uri_in_brackets": "URL in angle brackets", "lf_line": "header lines end in LF only",
	"not_chunked": "declared as chunked, but it is not", "decoded_body": "declared as encoded, but it is not",
	"lf_line_end": "record ends in LF only", "extra_blank_line": "one blank line too many",
	"interim": "other responses before this one", "blank_line": "a blank line before the body",
	"no_content_type": "no Content-Type", "odd_date": "date in an odd form",
	schemas.QuirkUnclosed: "incomplete separator after the record", schemas.QuirkBOM: "byte order mark",
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
