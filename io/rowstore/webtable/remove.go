package webtable

import (
	"context"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// SpansOf returns the keys of a page's rows by its URL, or of a host and its subdomains by its name. Other rows may be
// among them. nil means the whole table: if keys are URLs, one SURT has many.
func (l Layout) SpansOf(what string, host bool) []rowstore.Span {
	switch {
	case l.ByURL:
		return nil
	case !host:
		key := l.Key(what)
		return append([]rowstore.Span{{From: key, To: key + "\x00"}}, derived...)
	}
	// "org,example)/" is the front page of the host; subdomains have a comma instead of the parenthesis.
	reversed, _, _ := strings.Cut(urlkey.SURT("http://"+what+"/"), ")")
	return append([]rowstore.Span{rowstore.PrefixSpan(reversed)}, derived...)
}

// derived are the keys of crawlers' notes about a host or a page under URLs without a host, such as dns:example.org.
// They are not near those of its pages.
var derived = []rowstore.Span{
	rowstore.PrefixSpan("dns:"), rowstore.PrefixSpan("whois:"), rowstore.PrefixSpan("urn:"),
	rowstore.PrefixSpan("screenshot:"), rowstore.PrefixSpan("thumbnail:"), rowstore.PrefixSpan("view-source:"),
	rowstore.PrefixSpan("youtube-dl:"), rowstore.PrefixSpan("metadata:"),
}

// Remove deletes the rows in the spans with a URL for which gone returns true, with all versions, and returns their
// keys. If spans is nil, it searches the whole table. It reads the family Metadata of each row. It can be repeated.
func Remove(
	ctx context.Context, s rowstore.Store, spans []rowstore.Span, gone func(url string) bool,
) (keys []string, err error) {
	r := rowstore.Range{Among: spans, Families: []string{Metadata}, Versions: -1, Parts: true}
	for row, err := range s.Scan(ctx, r) {
		if err != nil {
			return keys, err
		}
		if len(keys) > 0 && keys[len(keys)-1] == row.Key {
			continue // another part of it
		}
		for _, c := range row.Cells {
			if c.Qualifier == "url" && gone(string(c.Value)) {
				if err := s.Delete(ctx, row.Key, time.Time{}); err != nil {
					return keys, err
				}
				keys = append(keys, row.Key)
				break
			}
		}
	}
	return keys, nil
}
