package webtable

import (
	"context"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// SpansOf are the keys that rows of a page have, by its URL, or of a host and those below it, by its name. Rows of
// others may be among them. nil is the whole table: where keys are URLs, one SURT has many.
func (l Layout) SpansOf(what string, host bool) []rowstore.Span {
	switch {
	case l.ByURL:
		return nil
	case !host:
		key := l.Key(what)
		return append([]rowstore.Span{{From: key, To: key + "\x00"}}, derived...)
	}
	// "org,example)/" is the front page of the host; what is below it has a comma in place of the parenthesis.
	reversed, _, _ := strings.Cut(urlkey.SURT("http://"+what+"/"), ")")
	return append([]rowstore.Span{rowstore.PrefixSpan(reversed)}, derived...)
}

// derived are the keys of what crawlers note about a host or a page under URLs that have no host, as dns:example.org:
// they do not be beside those of its pages.
var derived = []rowstore.Span{
	rowstore.PrefixSpan("dns:"), rowstore.PrefixSpan("whois:"), rowstore.PrefixSpan("urn:"),
	rowstore.PrefixSpan("screenshot:"), rowstore.PrefixSpan("thumbnail:"), rowstore.PrefixSpan("view-source:"),
	rowstore.PrefixSpan("youtube-dl:"), rowstore.PrefixSpan("metadata:"),
}

// Remove deletes the rows within the spans, or within the whole table when they are nil, that have a URL which gone
// says yes to, with all versions, and returns their keys. Of each row it reads the family Metadata. It can be
// repeated.
func Remove(
	ctx context.Context, s rowstore.Store, spans []rowstore.Span, gone func(url string) bool,
) (keys []string, err error) {
	for row, err := range s.Scan(ctx, rowstore.Range{Among: spans, Families: []string{Metadata}, Versions: -1}) {
		if err != nil {
			return keys, err
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
