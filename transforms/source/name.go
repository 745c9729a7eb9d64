package source

import (
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// leastNamed is how many titles have to share a beginning or an end, before it counts as the site's name.
const leastNamed = 3

// nameSeparator matches the signs between a title and the name of a site.
var nameSeparator = pattern.Lazy(`\s+(?:[|\-–—·•»:/]|::)\s+|\s*[|｜]\s*|:\s+`)

// siteName has the parts of a feed's name that all of its titles share. Formats of one feed differ in whether they have
// the name.
type siteName struct{ before, after string }

// siteNameOf returns the beginning and the end of all titles, up to the first and from the last separator on. Both are
// "" unless the feed's own name has them. A feed of replies, whose titles all begin with "Re: ", links to the same
// posts and is another feed.
func siteNameOf(name string, items []schemas.FeedItem) (n siteName) {
	titles := 0
	for _, i := range items {
		title := strings.TrimSpace(i.Title)
		if title == "" {
			continue
		}
		if titles++; titles == 1 {
			if all := nameSeparator().FindAllStringIndex(title, -1); len(all) > 0 {
				first, last := all[0], all[len(all)-1]
				if isNameIn(name, title[:first[0]]) {
					n.before = title[:first[1]]
				}
				if isNameIn(name, title[last[1]:]) {
					n.after = title[last[0]:]
				}
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

// isNameIn reports whether a feed's name has the part, which is not a word for comments.
func isNameIn(name, part string) bool {
	return part != "" && !hasCommentWord(part) && strings.Contains(strings.ToLower(name), strings.ToLower(part))
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
