package fetch

import (
	"fmt"
	"net/http"
	"strings"
)

// resumable returns the number of received bytes that the next request need not repeat, or 0. The answer has to be
// complete except for its end, with a known length and a version. Otherwise nothing shows that the rest belongs to the
// same file (RFC 9110, section 14).
func (a *attempts) resumable() int64 {
	x := a.exchange
	if x == nil || x.Status != http.StatusOK || x.Header.Get("Content-Length") == "" || validator(x.Header) == "" {
		return 0
	}
	return x.Body.Size()
}

// validator returns the value for If-Range: a strong entity tag, or else the time of the last change. Section 13.1.5 of
// RFC 9110 allows a strong time only, but servers do not say whether it is strong.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return h.Get("Last-Modified")
}

// continues reports whether an answer is the rest of the body from that offset on. Any other answer stands alone: a 200
// is the whole body of another version, or of a server without ranges.
func (a *attempts) continues(answer *http.Response, from int64) bool {
	if answer.StatusCode != http.StatusPartialContent {
		return false
	}
	var first, last, size int64
	// The whole length has to be the promised one: otherwise it is another version, whatever the validator says. An
	// unknown length, "*", does not match and does not continue.
	_, err := fmt.Sscanf(answer.Header.Get("Content-Range"), "bytes %d-%d/%d", &first, &last, &size)
	return err == nil && first == from && fmt.Sprint(size) == a.exchange.Header.Get("Content-Length")
}
