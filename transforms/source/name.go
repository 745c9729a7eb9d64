package source

import (
	"regexp"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// leastNamed is how many titles have to share a beginning or an end, before it counts as the site's name.
const leastNamed = 3

// nameSeparator matches what stands between a title and the name of a site.
var nameSeparator = regexp.MustCompile(`\s+(?:[|\-–—·•»:/]|::)\s+|\s*[|｜]\s*|:\s+`)

// siteName has the texts that all titles of a feed share: formats of one feed differ in whether they have the name.
type siteName struct{ before, after string }

// siteNameOf returns the beginning and the end of all titles, up to the first and from the last separator on.
func siteNameOf(items []schemas.FeedItem) (n siteName) {
	titles := 0
	for _, i := range items {
		title := strings.TrimSpace(i.Title)
		if title == "" {
			continue
		}
		if titles++; titles == 1 {
			if all := nameSeparator.FindAllStringIndex(title, -1); len(all) > 0 {
				n = siteName{title[:all[0][1]], title[all[len(all)-1][0]:]}
			}
		}
		if n.before != "" && !isBeyond(title, n.before, strings.HasPrefix) {
			n.before = ""
		}
		if n.after != "" && !isBeyond(title, n.after, strings.HasSuffix) {
			n.after = ""
		}
		if n == (siteName{}) {
			return n
		}
	}
	if titles < leastNamed {
		return siteName{}
	}
	return n
}

// isBeyond reports whether a title has a part and more.
func isBeyond(title, part string, has func(title, part string) bool) bool {
	return len(title) > len(part) && has(title, part)
}

// cut returns a title without the name. If both the beginning and the end are shared, it leaves the beginning.
func (n siteName) cut(title string) string {
	title = strings.TrimSpace(title)
	if n.after != "" {
		return strings.TrimSuffix(title, n.after)
	}
	return strings.TrimPrefix(title, n.before)
}
