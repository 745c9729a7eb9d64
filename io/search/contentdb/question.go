package contentdb

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// HasWord reports whether a text can be a question: it has more than spaces and punctuation.
func HasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		silent := unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.In(r, unicode.Cc, unicode.Cf)
		return !silent && r != utf8.RuneError
	})
}

// ParseLike reads which capture pages should be like: its time, a slash and its URL, as in
// 2020-01-31T12:00:00Z/https://example.org/.
func ParseLike(text string) (*schemas.Document, error) {
	at, address, found := strings.Cut(text, "/")
	if _, ok := query.ParseTime(at); !found || !ok || strings.TrimSpace(address) == "" {
		return nil, fmt.Errorf("it is the time of a capture, a slash and its URL")
	}
	return &schemas.Document{URL: address, SURT: urlkey.SURT(address), Timestamp: at}, nil
}
