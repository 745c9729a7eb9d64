package pagestore

import (
	"bytes"
	"encoding/xml"
	"io"
	"net/url"
)

// Bounds of what is looked for in a feed.
const (
	maxFeedItems = 10_000
	maxURL       = 8 << 10 // bytes
)

// itemURLs are the URLs of a feed's items, of RSS, RDF and Atom, absolute. What is no XML ends the list: package feed
// repairs feeds, and tells more of them than is needed here.
func itemURLs(body []byte, feedURL string) []string {
	base, err := url.Parse(feedURL)
	if err != nil {
		return nil
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // URLs are ASCII
	s := itemScan{base: base}
	for len(s.urls) < maxFeedItems {
		token, err := d.RawToken()
		if err != nil {
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			s.start(t)
		case xml.CharData:
			if s.inLink && len(s.link)+len(t) <= maxURL {
				s.link += string(t)
			}
		case xml.EndElement:
			s.end(t.Name)
		}
	}
	return s.urls
}

// itemScan goes through the elements of a feed.
type itemScan struct {
	base           *url.URL
	inItem, inLink bool
	link           string
	urls           []string
}

func isItem(n xml.Name) bool { return n.Local == "item" || n.Local == "entry" }

// isLink leaves out links of other vocabularies, which stand beside: atom:link in RSS.
func isLink(n xml.Name) bool { return n.Local == "link" && n.Space == "" }

func (s *itemScan) start(e xml.StartElement) {
	switch {
	case isItem(e.Name):
		s.inItem = true
	case isLink(e.Name) && s.inItem:
		s.inLink, s.link = true, href(e)
	}
}

func (s *itemScan) end(n xml.Name) {
	switch {
	case isItem(n):
		s.inItem, s.inLink = false, false
	case isLink(n) && s.inLink:
		s.inLink = false
		if u, err := s.base.Parse(strip(s.link)); err == nil && strip(s.link) != "" {
			s.urls = append(s.urls, u.String())
		}
	}
}

// href is where a link of Atom leads, "" when it is not to the item's page.
func href(link xml.StartElement) (to string) {
	for _, a := range link.Attr {
		switch {
		case a.Name.Local == "rel" && a.Value != "alternate":
			return ""
		case a.Name.Local == "href":
			to = a.Value
		}
	}
	return to
}
