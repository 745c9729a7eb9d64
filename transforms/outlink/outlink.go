// Package outlink lists the links of a page: target, text, and the part of the page that holds the link. It lists what
// a browser without scripts has in document.links, with any scheme; package page describes the exceptions. Repeated
// links are listed each time. It fetches nothing and follows no redirects.
//
//	links, left := outlink.Of(p, text, outlink.Source{SURT: key, URL: p.URL})
//
// For the number of links to a page's own site, see package link.
package outlink

import (
	"cmp"
	"slices"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Version changes when the same page gives other links.
const Version = "1"

// Source identifies the capture of the page, by fields of its Document.
type Source struct{ SURT, URL, Host, Domain, Timestamp string }

// Of returns the links of p in document order. Parameter text is the main text of p and determines which links are in
// it. With the zero value, none is. Result left is the number of links omitted because of the limits of package page.
//
// If the main text of a page comes from its <noscript>, no link is in the main text.
func Of(p *page.Page, text maintext.Result, from Source) (links []schemas.Link, left int) {
	found, left := p.Hyperlinks()
	if len(found) == 0 {
		return nil, left
	}
	var ranges []page.Range
	// Ranges are of nodes of their page, which may be another one.
	if text.Page == p {
		ranges = text.Ranges
	}
	domains := map[string]string{}
	links = make([]schemas.Link, len(found))
	for i, l := range found {
		links[i] = schemas.Link{
			SURT: from.SURT, URL: from.URL, Host: from.Host, Domain: from.Domain, Timestamp: from.Timestamp,
			Target: l.Href, Text: l.Text, Rel: l.Rel,
			Place: place(p.Nodes[l.Node].Flags, within(ranges, int32(l.Node))),
		}
		// A target that is not absolute has no host, even if a lenient reader would find one.
		if l.Valid {
			setKeys(&links[i], domains)
		}
	}
	return links, left
}

// within reports whether a node is in one of the ranges, which ascend. Links that are duplicated in the standard's
// tree have the node of the first, so nodes are not quite in order.
func within(ranges []page.Range, node int32) bool {
	i, found := slices.BinarySearchFunc(ranges, node, func(r page.Range, n int32) int { return cmp.Compare(r.Start, n) })
	return found || i > 0 && node < ranges[i-1].End
}

// maxHost is the maximum length of a DNS name (RFC 1035, section 2.3.4). A longer one is not a host.
const maxHost = 253

// setKeys sets the fields derived from the target. Parameter domains caches the domains of hosts: pages repeat a few
// hosts often, and the Public Suffix List is the slowest part here.
func setKeys(l *schemas.Link, domains map[string]string) {
	host := urlkey.Host(l.Target)
	if host == "" || len(host) > maxHost {
		return
	}
	domain, known := domains[host]
	if !known {
		domain = urlkey.RegistrableDomain(host)
		domains[host] = domain
	}
	l.TargetSURT, l.TargetHost, l.TargetDomain = urlkey.SURT(l.Target), host, domain
}

// navigation has the flags of parts for navigation. Words in class and id count, since most menus are lists without a
// special element.
const navigation = page.InNav | page.LikeNav | page.InHeader | page.InFooter | page.LikeFooter

// own has the flags of parts with headers and footers of their own, such as the name of an author or a date.
const own = page.InArticle | page.InMain

// place returns the part of the page for an element with these flags.
func place(f page.Flags, inText bool) string {
	switch {
	case inText:
		return schemas.PlaceMain
	case f&(page.InNav|page.LikeNav) != 0, f&navigation != 0 && f&own == 0:
		return schemas.PlaceNavigation
	}
	return schemas.PlaceOther
}
