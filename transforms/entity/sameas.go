package entity

import (
	"net/url"
	"strings"
)

// identifier returns the best of the addresses that structured data gives for an entity, in one form: Wikidata's, which
// is everybody's; ORCID's, GeoNames' or VIAF's; otherwise the first that is a web address.
func identifier(addresses []string) string {
	best, rank := "", len(authorities)+1
	// Strictly better only: of several of one rank the first counts, as the publisher ordered them.
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

// authorities are registers whose identifiers are in use far beyond them, the best first. hosts are compared without
// www. and m.
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

// canonicalID returns an address in the form of its register, and the register's rank; any other address stays as it
// is.
func canonicalID(address string) (id string, rank int) {
	u, err := url.Parse(address)
	if err != nil {
		// Addresses that are not URLs are not dropped: a publisher's own identifier is better than
		// none.
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

// last returns the last of parts, of which there is always one.
func last(parts []string) string { return parts[len(parts)-1] }

// numbered returns id if it is the prefix and a number, of at most 22 digits as VIAF has them. It also refuses the
// empty number: last and parts[0] may be "".
func numbered(id, prefix string) string {
	number, ok := strings.CutPrefix(id, prefix)
	if _, end := digits(number, 0, 1); !ok || end == 0 || len(number) > 22 || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return id
}
