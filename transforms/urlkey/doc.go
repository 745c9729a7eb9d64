// Package urlkey makes the keys under which captures are sorted and looked up: SURTs (Sort-friendly URI Reordering
// Transform), hosts and registrable domains.
//
// A SURT reverses the host, so that a site's pages are adjacent, and leaves out parts that rarely distinguish two
// pages. The rules are those of the Internet Archive's default canonicaliser, as applied by the Python package surt
// 0.3.1. Programs pywb and cdxj-indexer and the Common Crawl index use them too:
//
//   - White space around the URL, and tabs and line ends inside it, are dropped. A URL without a scheme is http. Of
//     repeated schemes ("http://https://") the last one counts.
//   - Scheme, user and password, fragment and default port (80 for http, 443 for https) are left out.
//   - The host is unescaped and written in punycode and lower case. Empty labels and one leading "www.", "www2.", …
//     are dropped, and the labels are reversed. IPv4 addresses in decimal and octal forms of inet_aton(3) become
//     dotted quads and are reversed as well: the indexes have them in this form.
//   - The path is unescaped until nothing changes. Then "." and ".." are resolved, and empty segments, one trailing
//     slash and ASP.NET session segments are removed. It is escaped again where needed, all in lower case.
//   - The query is unescaped and escaped likewise. Session parameters are removed: jsessionid, phpsessid, sid,
//     aspsessionid… and cfid with cftoken. The rest is in lower case and sorted by name, then value. An empty query
//     is left out.
//   - A URL without a host (dns:, mailto:, warcinfo:, urn:, data:) keeps its scheme and its canonicalised rest.
//
// Deliberate differences from surt 0.3.1 follow. None concerns a URL for which surt makes a valid key:
//
//   - A key never holds a space or a control character: in "filedesc" URLs, which surt does not change, they are
//     escaped.
//   - A URL of white space alone, on which surt fails, has the key "-" of the empty one.
//   - A port that is not a number from 0 to 65535, on which surt fails, stays in the key, in lower case and
//     escaped.
//   - Invalid UTF-8 in a host is escaped. Surt drops such bytes, which would make one host of two.
//   - IDNs are mapped by UTS 46 (transitional) instead of RFC 3490; the two differ in characters added after
//     Unicode 3.2.
//
// It does not parse or validate URLs. SURT never fails: malformed URLs have keys as well.
//
//	key := urlkey.SURT("https://www.Example.com:443/a/../b/?y=2&x=1#top") // "com,example)/b?x=1&y=2"
//	host := urlkey.Host("https://www.Example.com:443/")                   // "www.example.com"
//	site := urlkey.RegistrableDomain(host)                                // "example.com"
package urlkey

// Version is the version of this transform. It changes when a URL may have another key.
const Version = "2"
