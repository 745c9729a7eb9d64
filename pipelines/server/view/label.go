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

// none is the value of a parameter for captures without a value. No language, host or type has this name, and it needs
// no escape in a URL.
const none = "-"

// Tongue returns the English name of a language code; "" stays "".
func Tongue(code string) string {
	switch code {
	case "":
		return ""
	case "und":
		return "not determined"
	case "zxx":
		return "no language"
	}
	// A code that is damaged, or missing in the tables, is shown unchanged.
	tag, err := language.Parse(code)
	if err != nil {
		return code
	}
	// The tables of CLDR have far more names than package look.
	if name := display.English.Languages().Name(tag); name != "" {
		return name
	}
	return code
}

// Plain formats a value that is a constant, such as MAINSTREAM_NEWS, for people.
func Plain(value string) string { return strings.ToLower(strings.ReplaceAll(value, "_", " ")) }

// dirOf returns the direction of text in a language.
func dirOf(code string) string {
	// Without a language, the browser decides by the text itself.
	switch {
	case !schemas.IsLanguage(code):
		return "auto"
	case look.RightToLeft(code):
		return "rtl"
	}
	return "ltr"
}

// statusLabel formats an HTTP status for people.
func statusLabel(value string) string {
	// 0 has no text: a value that is not a number is shown unchanged.
	n, _ := strconv.Atoi(value)
	return strings.TrimSpace(value + " " + http.StatusText(n))
}

// flagTexts explain the flags of captures. They are for readers of one capture; the report's own texts are about many.
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

// quirkTexts explain some quirks of archives; others are shown by their names.
var quirkTexts = map[string]string{
	"uri_in_brackets": "URL in angle brackets", "lf_line": "header lines end in LF only",
	"not_chunked": "declared as chunked, but it is not", "decoded_body": "declared as encoded, but it is not",
	"lf_line_end": "record ends in LF only", "extra_blank_line": "one blank line too many",
	"interim": "other responses before this one", "blank_line": "a blank line before the body",
	"no_content_type": "no Content-Type", "odd_date": "date in an odd form",
	schemas.QuirkUnclosed: "incomplete separator after the record", schemas.QuirkBOM: "byte order mark",
}

// pathOf returns the part of a URL that follows the host.
func pathOf(raw string) string {
	// Addresses of damaged records may not parse, and are shown in full.
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return raw
	}
	// It stays escaped as archived: a decoded path could look like another one.
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	return path
}
