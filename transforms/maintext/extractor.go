package maintext

import (
	"net/url"

	"github.com/markusmobius/go-htmldate"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// noDate stands for the result of the search for a date, which is the only part of the extractor that asks for the
// time of day.
var noDate = &htmldate.Result{}

// mainContent asks the extractor for the main content of the tree under root, which it may change. It returns nil
// when there is none, or when the extractor breaks on an odd tree.
func mainContent(root *html.Node, pageURL string) (content *html.Node) {
	defer func() {
		if recover() != nil {
			content = nil
		}
	}()
	res, err := trafilatura.ExtractDocument(root, trafilatura.Options{
		OriginalURL:      parseURL(pageURL),
		EnableFallback:   true,
		ExcludeComments:  true,
		IncludeLinks:     true,
		IncludeImages:    true,
		HtmlDateMode:     trafilatura.Disabled,
		HtmlDateOverride: noDate,
	})
	if err != nil {
		return nil // no text, or too little
	}
	return settled(res.ContentNode)
}

// settled gives the elements under n the atoms of their names, which the extractor leaves out of those it makes.
func settled(n *html.Node) *html.Node {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode {
			c.DataAtom = atom.Lookup([]byte(c.Data))
		}
	}
	return n
}

// nowhere is the URL of a page whose own cannot be read: the extractor would otherwise take one from the page.
var nowhere = &url.URL{Scheme: "http", Host: "invalid.invalid"}

func parseURL(s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		u := *nowhere
		return &u
	}
	return u
}
