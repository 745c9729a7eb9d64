package view

import (
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/gleaner-web/gleaner/schemas"
)

// sorted goes through a map by its keys.
func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		// In order, so that the same document gives the same page.
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// maxLinks is how many links of a page are listed.
const maxLinks = 200

// linksOf are the links of a page: how many there are, and those of its main part.
func linksOf(collection string, d *schemas.Document) Links {
	l := Links{Out: outLinks(collection, d), Feeds: []Link{}, In: []SourceRow{}}
	// Pointers: a page without links is not the same as one whose links nobody counted.
	if d.LinksInternal != nil && d.LinksExternal != nil {
		l.Internal, l.External, l.Known = *d.LinksInternal, *d.LinksExternal, true
	}
	// A page can announce any number.
	for _, f := range d.Feeds[:min(maxLinks, len(d.Feeds))] {
		l.Feeds = append(l.Feeds, linkTo(collection, f.URL, f.Title, f.Type))
	}
	return l
}

// outLinks are the links in the HTML of a page's main part. That was sanitised when it was made, and is only read here.
func outLinks(collection string, d *schemas.Document) []Link {
	list := []Link{}
	// Relative addresses are of the page as it was captured.
	base, err := url.Parse(d.URL)
	if err != nil || d.MainHTML == "" {
		return list
	}
	known := map[string]bool{}
	// The link whose text is being read; nil between links.
	var open *Link
	// Tokens only: no tree is built of it, whatever its depth.
	for z := html.NewTokenizer(strings.NewReader(d.MainHTML)); len(list) < maxLinks; {
		switch z.Next() {
		// Broken HTML ends the same way, with the links so far.
		case html.ErrorToken: // the end
			return list
		case html.TextToken:
			// A link around a whole article must not repeat it; a little more than 200 may come of one
			// token.
			if open != nil && len(open.Text) < 200 {
				open.Text += string(z.Text())
			}
		case html.StartTagToken:
			if address := linkIn(z, base); address != "" {
				// HTML allows no link within a link: of damaged markup the inner one is kept.
				open = &Link{URL: address}
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) != "a" || open == nil {
				continue
			}
			// The first text of an address is the one that is listed.
			if !known[open.URL] {
				known[open.URL] = true
				list = append(list, linkTo(collection, open.URL, strings.Join(strings.Fields(open.Text), " "), ""))
			}
			open = nil
		}
	}
	return list
}

// linkIn is the address that an element of a links to, "" for other elements and other schemes than those of the web.
func linkIn(z *html.Tokenizer, base *url.URL) string {
	name, more := z.TagName()
	if string(name) != "a" {
		return ""
	}
	for more {
		var key, value []byte
		// TagAttr gives names in lower case.
		if key, value, more = z.TagAttr(); string(key) != "href" {
			continue
		}
		u, err := base.Parse(strings.TrimSpace(string(value)))
		// javascript: and data: are no places that a page of ours leads to.
		if err != nil || u.Scheme != "http" && u.Scheme != "https" {
			return ""
		}
		// Parts of a page are the same page.
		u.Fragment = ""
		return u.String()
	}
	return ""
}
