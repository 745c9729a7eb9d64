package main

import (
	"hash/fnv"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// linksOf makes the links of a page, in turn to its host's front page and to pages of other hosts. Captures of a URL
// have the same links.
func (m *maker) linksOf(d *schemas.Document) []schemas.Link {
	if d.MIMEDetected != "text/html" {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(d.URL)) //nolint:errcheck // a hash has no errors
	r := draws(ofLinks, int(h.Sum64()>>1))
	list := make([]schemas.Link, m.links)
	for i := range list {
		l := schemas.Link{
			SURT: d.SURT, URL: d.URL, Host: d.Host, Domain: d.Domain, Timestamp: d.Timestamp,
			Text: m.words[r.IntN(len(m.words))], Place: schemas.PlaceNavigation,
			Target: "https://" + d.Host + "/", TargetHost: d.Host, TargetDomain: d.Domain,
		}
		if i%2 == 1 {
			to := m.address(r.IntN(m.pages()))
			l.Target, l.TargetHost, l.TargetDomain, l.Place = to.URL, to.Host, to.Domain, schemas.PlaceMain
		}
		l.TargetSURT = urlkey.SURT(l.Target)
		list[i] = l
	}
	return list
}
