package sourceindex

import (
	"net/url"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/gleaner-web/gleaner/schemas"
)

// fold returns a text without differences of case, such as that of the two small sigmas, or of composed letters.
func fold(text string) string {
	return strings.ToLower(strings.ToUpper(norm.NFC.String(text)))
}

// searched returns the folded texts in which Filter.Text is looked for. They are the title, the URL, and the URL
// without punycode and escapes.
func searched(s schemas.Source) string {
	text := s.Title + "\n" + s.URL
	if read := readable(s.URL); read != s.URL {
		text += "\n" + read
	}
	return fold(text)
}

func readable(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	host, _ := idna.Punycode.ToUnicode(u.Host) // labels with an error stay as they are
	path := u.EscapedPath()
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	query := u.RawQuery
	if plain, err := url.QueryUnescape(query); err == nil {
		query = plain
	}
	if query != "" {
		query = "?" + query
	}
	return strings.ToValidUTF8(u.Scheme+"://"+host+path+query, "\ufffd")
}
