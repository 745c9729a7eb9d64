package view

import (
	"net/http"

	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Fit tells how well a capture answers for a URL among captures of the same key and second, as of http and https or of
// www and the bare host: the greater, the better. That of the URL itself comes first, whatever its status, so that
// a redirect from one twin to the other leads there; then answers before redirects before errors, then what is more
// alike.
func Fit(asked, url string, status int) int {
	const sameOrigin = 3 // see urlkey.Likeness: of one key only the spelling of the path differs
	alike := urlkey.Likeness(asked, url)
	n := 10*good(status) + alike
	if alike >= sameOrigin {
		n += 100
	}
	return n
}

// good orders statuses. A 304 stands for the answer that it refers to, and what has no status was not asked by HTTP.
func good(status int) int {
	switch {
	case status/100 == 2, status == http.StatusNotModified:
		return 3
	case status == 0:
		return 2
	case status/100 == 3:
		return 1
	}
	return 0
}
