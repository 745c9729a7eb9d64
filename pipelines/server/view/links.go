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

// sorted iterates over a map in the order of its keys.
func sorted[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		// The order is fixed, so that the same document gives the same page.
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// maxLinks is how many links of a page are listed.
const maxLinks = 200

// linksOf returns the links of a page: their number, and those of its main part.
func linksOf(collection string, d *schemas.Document) Links {
	l := Links{Out: outLinks(collection, d), Feeds: []Link{}, In: []SourceRow{}}
	// These are pointers: a page without links differs from one whose links nobody counted.
	if d.LinksInternal != nil && d.LinksExternal != nil {
		l.Internal, l.External, l.Known = *d.LinksInternal, *d.LinksExternal, true
	}
	// A page can announce any number of feeds.
	for _, f := range d.Feeds[:min(maxLinks, len(d.Feeds))] {
		l.Feeds = append(l.Feeds, linkTo(collection, f.URL, f.Title, f.Type))
	}
	return l
}

// outLinks returns the links in the HTML of a page's main part. It was sanitised when it was made, and is only read
// here.
func outLinks(collection string, d *schemas.Document) []Link {
	list := []Link{}
	// Relative addresses are relative to the captured page.
	base, err := url.Parse(d.URL)
	if err != nil || d.MainHTML == "" {
		return list
	}
	known := map[string]bool{}
	// open is the link whose text is being read; it is nil between links.
	var open *Link
	// Only tokens are read: no tree is built, so the depth does not matter.
	for z := html.NewTokenizer(strings.NewReader(d.MainHTML)); len(list) < maxLinks; {
		switch z.Next() {
		// Broken HTML ends the same way, with the links so far.
		case html.ErrorToken: // the end
			return list
		case html.TextToken:
			// A link around a whole article must not repeat it. One token may add a little more than 200 bytes.
			if open != nil && len(open.Text) < 200 {
				open.Text += string(z.Text())
			}
		case html.StartTagToken:
			if address := linkIn(z, base); address != "" {
				// HTML allows no link within a link; in damaged markup the inner one is kept.
				open = &Link{URL: address}
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) != "a" || open == nil {
				continue
			}
			// The first text of an address is listed.
			if !known[open.URL] {
				known[open.URL] = true
				list = append(list, linkTo(collection, open.URL, strings.Join(strings.Fields(open.Text), " "), ""))
			}
			open = nil
		}
	}
	return list
}

// linkIn returns the address that an element links to. It returns "" for other elements, and for schemes other than
// http and https.
func linkIn(z *html.Tokenizer, base *url.URL) string {
	name, more := z.TagName()
	if string(name) != "a" {
		return ""
	}
	for more {
		var key, value []byte
		// TagAttr returns names in lower case.
		if key, value, more = z.TagAttr(); string(key) != "href" {
			continue
		}
		u, err := base.Parse(strings.TrimSpace(string(value)))
		// Our pages do not link to javascript: and data: addresses.
		if err != nil || u.Scheme != "http" && u.Scheme != "https" {
			return ""
		}
		// Fragments belong to the same page.
		u.Fragment = ""
		return u.String()
	}
	return ""
}
