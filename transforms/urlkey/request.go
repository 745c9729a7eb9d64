package urlkey

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Request is the request that a capture answers. The URL alone does not identify the answer to a POST request, so
// indexes append method and body to the URL. The rules are those of pywb 2.10 (MethodQueryCanonicalizer).
type Request struct {
	Method        string
	ContentType   string // as in the head, with parameters
	ContentLength string // likewise; without a number the body does not count
	Body          []byte
}

// maxRequestQuery limits the appended text of a body, in characters, as in pywb.
const maxRequestQuery = 4096

// Append returns the URL with method and body appended, from which [SURT] makes the key. For GET, and without a
// method, it is the URL itself.
func (r Request) Append(address string) string {
	method := strings.ToUpper(r.Method)
	if method == "GET" || method == "" {
		return address
	}
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	address += separator + "__wb_method=" + method
	if method == "POST" || method == "PUT" {
		if q := first(r.query(), maxRequestQuery); q != "" {
			address += "&" + q
		}
	}
	// Pages that pywb replays send its own prefix in some names.
	return strings.ReplaceAll(address, "WB_wombat_", "")
}

// first returns the first n characters of s.
func first(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// query returns the body as a query, or "" if it has none.
func (r Request) query() string {
	n, err := strconv.Atoi(strings.TrimSpace(r.ContentLength))
	if err != nil || n <= 0 {
		return ""
	}
	body := r.Body[:min(n, len(r.Body))]
	is := func(prefix string) bool { return strings.HasPrefix(r.ContentType, prefix) }
	switch {
	case is("application/x-www-form-urlencoded"):
		if utf8.Valid(body) {
			return unquotePlus(string(body))
		}
	case is("multipart/"):
		if q, ok := multipartQuery(r.ContentType, body); ok {
			return q
		}
	case is("application/json"):
		q, _ := jsonQuery(body) // what is not JSON counts as nothing
		return q
	case is("text/plain"):
		if q, ok := jsonQuery(body); ok {
			return q
		}
	}
	return "__wb_post_data=" + base64.StdEncoding.EncodeToString(body)
}

// unquotePlus undoes escapes once, and leaves broken ones. Bytes that are not UTF-8 become U+FFFD.
func unquotePlus(s string) string {
	s = strings.ReplaceAll(s, "+", " ")
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := unhex[s[i+1]], unhex[s[i+2]]; hi|lo <= 0xf {
				b = append(b, hi<<4|lo)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	// Not strings.ToValidUTF8, which replaces several bytes by one.
	return string([]rune(string(b)))
}

// maxParts limits the parts of a multipart body.
const maxParts = 10_000

// multipartQuery returns the fields of a form. It returns false if the body is not multipart.
func multipartQuery(contentType string, body []byte) (string, bool) {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["boundary"] == "" {
		return "", false
	}
	in := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	var pairs []string
	for len(pairs) < maxParts {
		part, err := in.NextRawPart()
		if err != nil {
			break // the end, or a broken part, after which the others do not count
		}
		value, err := io.ReadAll(part)
		if err != nil {
			break
		}
		pairs = append(pairs, quotePlus(part.FormName())+"="+quotePlus(string(value)))
	}
	return strings.Join(pairs, "&"), true
}

// quotePlus escapes as Python's urlencode: all but letters, digits and "_.-~"; a blank becomes a plus.
func quotePlus(s string) string { return url.QueryEscape(s) }
