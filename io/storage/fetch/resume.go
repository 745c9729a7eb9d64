package fetch

import (
	"fmt"
	"net/http"
	"strings"
)

// resumable is how many bytes of the body are there that a next request need not ask for again; 0 for none. The answer
// has to have been whole except for its end, to have said how long it is, and to have a name for its version: without
// these nothing tells that the rest is of the same file (RFC 9110, section 14).
func (a *attempts) resumable() int64 {
	x := a.exchange
	if x == nil || x.Status != http.StatusOK || x.Header.Get("Content-Length") == "" || validator(x.Header) == "" {
		return 0
	}
	return x.Body.Size()
}

// validator is what If-Range takes: a strong entity tag, or else the time of the last change, which Section 13.1.5 of
// RFC 9110 allows where it is strong. Servers do not say whether it is.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return h.Get("Last-Modified")
}

// continues reports whether an answer is the rest of the body from there on. Any other answer counts for itself: a 200
// is the whole of another version, or of a server that knows no ranges.
func (a *attempts) continues(answer *http.Response, from int64) bool {
	if answer.StatusCode != http.StatusPartialContent {
		return false
	}
	var first, last, size int64
	// The whole length has to be the one that was promised first: else it is another version, whatever
	// the validator says. An unknown length, "*", does not match and counts as no continuation.
	_, err := fmt.Sscanf(answer.Header.Get("Content-Range"), "bytes %d-%d/%d", &first, &last, &size)
	return err == nil && first == from && fmt.Sprint(size) == a.exchange.Header.Get("Content-Length")
}
