package licence

import (
	"net/url"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// reCC is the path of a Creative Commons licence: its conditions, version and jurisdiction.
var reCC = pattern.Lazy(`^/licen[sc]es/((?:by|nc|nd|sa)(?:-(?:by|nc|nd|sa))*)/(\d\.\d)(?:/([a-z]{2,4}))?(?:/|$)`)

// ported are the jurisdictions whose versions have an SPDX identifier of their own, by licence.
var ported = map[string]string{
	"CC-BY-2.5": "au", "CC-BY-3.0": "at au de igo nl us", "CC-BY-NC-3.0": "de", "CC-BY-NC-ND-3.0": "de igo",
	"CC-BY-NC-SA-2.0": "de fr uk", "CC-BY-NC-SA-3.0": "de igo", "CC-BY-ND-3.0": "de", "CC-BY-SA-2.0": "uk",
	"CC-BY-SA-2.1": "jp", "CC-BY-SA-3.0": "at de igo",
}

// known are the licences at other addresses, by host and the beginning of the path in lower case; the first match wins.
// Those with a version come first. Pages about a licence have no name.
var known = []struct{ host, path, name string }{
	{"creativecommons.org", "/publicdomain/zero/1.0", "CC0-1.0"},
	{"creativecommons.org", "/publicdomain/mark/1.0", "CC-PDM-1.0"},
	{"creativecommons.org", "/licenses/publicdomain", "CC-PDDC"},
	{"creativecommons.org", "/licenses/gpl/2.0", "GPL-2.0"},
	{"creativecommons.org", "/licenses/mit", "MIT"},
	{"creativecommons.org", "/licenses/bsd", "BSD-3-Clause"},
	{"gnu.org", "/licenses/fdl-1.2", "GFDL-1.2"},
	{"gnu.org", "/licenses/fdl-1.1", "GFDL-1.1"},
	{"gnu.org", "/licenses/old-licenses/fdl-1.2", "GFDL-1.2"},
	{"gnu.org", "/licenses/old-licenses/fdl-1.1", "GFDL-1.1"},
	{"gnu.org", "/licenses/fdl-howto", ""},
	{"gnu.org", "/licenses/fdl", "GFDL-1.3"},
	{"gnu.org", "/copyleft/fdl", "GFDL-1.3"},
	{"gnu.org", "/licenses/gpl-2.0", "GPL-2.0"},
	{"gnu.org", "/licenses/old-licenses/gpl-2.0", "GPL-2.0"},
	{"gnu.org", "/licenses/gpl-1.0", "GPL-1.0"},
	{"gnu.org", "/licenses/old-licenses/gpl-1.0", "GPL-1.0"},
	{"gnu.org", "/licenses/gpl-faq", ""},
	{"gnu.org", "/licenses/gpl-howto", ""},
	{"gnu.org", "/licenses/gpl", "GPL-3.0"},
	{"gnu.org", "/copyleft/gpl", "GPL-3.0"},
	{"gnu.org", "/licenses/lgpl-2.1", "LGPL-2.1"},
	{"gnu.org", "/licenses/old-licenses/lgpl-2.1", "LGPL-2.1"},
	{"gnu.org", "/licenses/old-licenses/lgpl-2.0", "LGPL-2.0"},
	{"gnu.org", "/licenses/lgpl", "LGPL-3.0"},
	{"gnu.org", "/licenses/agpl-1.0", "AGPL-1.0"},
	{"gnu.org", "/licenses/agpl", "AGPL-3.0"},
	{"apache.org", "/licenses/license-2.0", "Apache-2.0"},
	{"mozilla.org", "/mpl/2.0", "MPL-2.0"},
	{"mozilla.org", "/en-us/mpl/2.0", "MPL-2.0"},
	{"opendatacommons.org", "/licenses/odbl", "ODbL-1.0"},
	{"opendatacommons.org", "/licenses/by", "ODC-By-1.0"},
	{"opendatacommons.org", "/licenses/pddl", "PDDL-1.0"},
	{"nationalarchives.gov.uk", "/doc/open-government-licence/version/1", "OGL-UK-1.0"},
	{"nationalarchives.gov.uk", "/doc/open-government-licence/version/2", "OGL-UK-2.0"},
	{"nationalarchives.gov.uk", "/doc/open-government-licence", "OGL-UK-3.0"},
	{"etalab.gouv.fr", "/licence-ouverte-open-licence", "etalab-2.0"},
	{"etalab.gouv.fr", "/wp-content/uploads/2017/04/etalab-licence-ouverte", "etalab-2.0"},
	{"govdata.de", "/dl-de/by-2-0", "DL-DE-BY-2.0"},
	{"govdata.de", "/dl-de/zero-2-0", "DL-DE-ZERO-2.0"},
	{"open.canada.ca", "/en/open-government-licence-canada", "OGL-Canada-2.0"},
	{"open.canada.ca", "/fr/licence-du-gouvernement-ouvert-canada", "OGL-Canada-2.0"},
	{"data.norge.no", "/nlod/no/1.0", "NLOD-1.0"},
	{"data.norge.no", "/nlod/en/1.0", "NLOD-1.0"},
	{"data.norge.no", "/nlod", "NLOD-2.0"},
	{"unlicense.org", "/", "Unlicense"},
}

// listed are sites that have a page for each licence, with its SPDX identifier as the last part of the path.
var listed = map[string]string{
	"opensource.org": "/licenses/", "spdx.org": "/licenses/",
	"choosealicense.com": "/licenses/",
}

// identifiers are the identifiers of licences at such sites, by their lower case.
var identifiers = lowered("MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "GPL-2.0", "GPL-3.0", "LGPL-2.1",
	"LGPL-3.0",
	"AGPL-3.0", "MPL-2.0", "ISC", "Zlib", "EPL-1.0", "EPL-2.0", "EUPL-1.1", "EUPL-1.2", "CC0-1.0", "CC-BY-4.0",
	"CC-BY-SA-4.0",
	"CC-BY-NC-4.0", "CC-BY-ND-4.0", "CC-BY-NC-SA-4.0", "CC-BY-NC-ND-4.0", "ODbL-1.0", "Unlicense", "OFL-1.1",
	"Artistic-2.0",
	"GFDL-1.2", "GFDL-1.3", "WTFPL", "0BSD", "BSL-1.0", "PostgreSQL", "Python-2.0", "PSF-2.0")

// lowered returns identifiers by their lower case.
func lowered(names ...string) map[string]string {
	m := map[string]string{}
	for _, n := range names {
		m[strings.ToLower(n)] = n
	}
	// Names of pages at opensource.org that are not identifiers.
	m["mit-license"], m["mit-license.php"], m["bsd-license"], m["gpl-license"] = "MIT", "MIT", "BSD-2-Clause", "GPL-3.0"
	m["apache2.0"], m["bsd-license.php"], m["lgpl-license"], m["isc-license"] = "Apache-2.0", "BSD-2-Clause", "LGPL-3.0",
		"ISC"
	return m
}

// isElsewhere reports whether a URL is of a host without licences, written as most are: in lower case, without a user
// or a port. That costs less than a search for words.
func isElsewhere(rawURL string) bool {
	rest, ok := strings.CutPrefix(rawURL, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(rawURL, "http://"); !ok {
			return false
		}
	}
	end := 0
	for end < len(rest) && inHost[rest[end]] {
		end++
	}
	return end > 0 && end < len(rest) && rest[end] == '/' && !hosts()[strings.TrimPrefix(rest[:end], "www.")]
}

// inHost are the characters of such a host.
var inHost = func() (in [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789-." {
		in[c] = true
	}
	return in
}()

// hosts are those of known and listed licences.
var hosts = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, k := range known {
		m[k.host] = true
	}
	for host := range listed {
		m[host] = true
	}
	return m
})

// mayBe reports whether a URL may lead to a licence. It costs less than parsing.
func mayBe(rawURL string) bool {
	if isElsewhere(rawURL) {
		return false
	}
	for _, part := range []string{"licen", "publicdomain", "copyleft", "/mpl/", "/MPL/", "dl-de", "nlod"} {
		if strings.Contains(rawURL, part) {
			return true
		}
	}
	return false
}

// ByURL returns the SPDX identifier of the licence at a URL, or "" if it leads to none that is known.
func ByURL(rawURL string) string {
	if !mayBe(rawURL) {
		return ""
	}
	u, err := url.Parse(strings.TrimSpace(rawURL))
	if err != nil || u.Host == "" {
		return ""
	}
	host, path := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), strings.ToLower(u.Path)
	if host == "creativecommons.org" {
		if m := reCC().FindStringSubmatch(path); m != nil {
			return creative(m[1], m[2], m[3])
		}
	}
	for _, k := range known {
		if k.host == host && strings.HasPrefix(path, k.path) {
			return k.name
		}
	}
	if prefix := listed[host]; prefix != "" && strings.HasPrefix(path, prefix) {
		name := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(path, prefix), ".html"), "/")
		return identifiers[strings.TrimSuffix(strings.TrimSuffix(name, "-only"), "-or-later")]
	}
	return ""
}

// creative returns the identifier of a Creative Commons licence. Without a version it is not one of SPDX.
func creative(conditions, version, jurisdiction string) string {
	has := func(c string) bool { return strings.Contains(conditions, c) }
	name := "CC"
	for _, c := range []string{"by", "nc", "nd", "sa"} {
		if has(c) {
			name += "-" + strings.ToUpper(c)
		}
	}
	if version == "" {
		return name
	}
	name += "-" + version
	for p := range strings.FieldsSeq(ported[name]) {
		if p == jurisdiction {
			name += "-" + strings.ToUpper(p)
		}
	}
	return name
}
