// Package outlink lists the links of a page: where each leads, its text, and in which part of the page it stands. It
// lists what a browser without scripts has in document.links (package page says where that departs from browsers), of
// any scheme, and once for each time that the page has it. It fetches nothing, follows no redirects and drops no
// doubles.
//
//	links, left := outlink.Of(p, text, outlink.Source{SURT: key, URL: p.URL})
//
// For how many links lead to a page's own site, see package link.
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

// Source is the capture whose page is read: the fields of its Document.
type Source struct{ SURT, URL, Host, Domain, Timestamp string }

// Of returns the links of p in document order. text is the main text of p, by which links in it are told; without one
// (the zero value) none is. left is how many links are not among them since they exceed the limits of package page.
//
// Of a page whose main text is that of its <noscript>, no link is in the main text.
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
		// What cannot be made absolute has no host, whatever a lenient reader would make of it.
		if l.Valid {
			setKeys(&links[i], domains)
		}
	}
	return links, left
}

// within reports whether a node is in one of the ranges, which ascend. Links that the standard's tree has twice have
// the node of the first, so that they are not quite in order.
func within(ranges []page.Range, node int32) bool {
	i, found := slices.BinarySearchFunc(ranges, node, func(r page.Range, n int32) int { return cmp.Compare(r.Start, n) })
	return found || i > 0 && node < ranges[i-1].End
}

// maxHost is the length of a name that the DNS can hold (RFC 1035, section 2.3.4); what is longer is nobody's host.
const maxHost = 253

// setKeys sets what is made of the target. domains are those of hosts that were seen: pages repeat few hosts often, and
// the Public Suffix List costs more than all else here.
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

// navigation are the flags of parts that lead through a site. Words in class and id count, since most menus are lists
// that no element calls so.
const navigation = page.InNav | page.LikeNav | page.InHeader | page.InFooter | page.LikeFooter

// own are the flags of parts that have headers and footers of their own, with the name of an author or a date.
const own = page.InArticle | page.InMain

// place tells in which part of the page an element stands that has these flags.
func place(f page.Flags, inText bool) string {
	switch {
	case inText:
		return schemas.PlaceMain
	case f&(page.InNav|page.LikeNav) != 0, f&navigation != 0 && f&own == 0:
		return schemas.PlaceNavigation
	}
	return schemas.PlaceOther
}
