package entity

import (
	"net/url"
	"strings"
)

// identifier returns the best of an entity's URLs from structured data, in one form. Wikidata's comes first, then
// ORCID's, GeoNames' or VIAF's, then the first web URL.
func identifier(addresses []string) string {
	best, rank := "", len(authorities)+1
	// Of several with one rank the first counts, in the publisher's order.
	for _, address := range addresses {
		if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") || len(address) > maxURL {
			continue
		}
		id, r := canonicalID(address)
		if r < rank {
			best, rank = id, r
		}
	}
	return best
}

// authorities are registers whose identifiers are widely used, the best first. hosts are compared without www. and m.
var authorities = []struct {
	hosts  string                           // with a space around each
	prefix string                           // of the canonical form
	find   func(parts []string) (id string) // from the parts of the path; empty if there is none
	suffix string
}{
	{
		" wikidata.org ", "https://www.wikidata.org/wiki/", func(parts []string) string { return numbered(last(parts), "Q") },
		"",
	},
	{" orcid.org ", "https://orcid.org/", func(parts []string) string { return orcidID(strings.ToUpper(parts[0])) }, ""},
	{
		" geonames.org sws.geonames.org ", "https://sws.geonames.org/",
		func(parts []string) string { return numbered(parts[0], "") }, "/",
	},
	{" viaf.org ", "https://viaf.org/viaf/", func(parts []string) string { return numbered(last(parts), "") }, ""},
}

// canonicalID returns a URL in the form of its register, and the register's rank; any other URL stays.
func canonicalID(address string) (id string, rank int) {
	u, err := url.Parse(address)
	if err != nil {
		// Invalid URLs stay: a publisher's own identifier is better than none.
		return address, len(authorities)
	}
	host := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), "m.")
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	for i, a := range authorities {
		if strings.Contains(a.hosts, " "+host+" ") {
			if id := a.find(parts); id != "" {
				return a.prefix + id + a.suffix, i
			}
		}
	}
	return address, len(authorities)
}

func last(parts []string) string { return parts[len(parts)-1] }

// numbered returns id if it is the prefix and a number of up to 22 digits, the length of VIAF's, or "".
func numbered(id, prefix string) string {
	number, ok := strings.CutPrefix(id, prefix)
	if _, end := digits(number, 0, 1); !ok || end == 0 || len(number) > 22 || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return id
}
