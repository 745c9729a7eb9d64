// Package urlkey makes the keys under which captures are sorted and looked up: SURTs (Sort-friendly URI Reordering
// Transform), hosts and registrable domains.
//
// A SURT turns the host round, so that a site's pages stand together, and leaves out what rarely tells two pages
// apart. The rules are those of the Internet Archive's default canonicaliser, as the Python package surt 0.3.1 applies
// them and pywb, cdxj-indexer and the Common Crawl index use them:
//
//   - white space around the URL, and tabs and line ends inside it, are dropped; a URL without a scheme is http;
//     of repeated schemes ("http://https://") the last one counts;
//   - scheme, user and password, fragment and default port (80 for http, 443 for https) are left out;
//   - the host is unescaped, written in punycode and lower case, its empty labels dropped, one leading "www.",
//     "www2.", … removed, its labels turned round. IPv4 addresses in any of the forms that inet_aton(3) reads become
//     dotted quads and are turned round as well: that is what the indexes hold;
//   - the path is unescaped until nothing changes, "." and ".." are resolved, empty segments and one trailing slash
//     dropped, ASP.NET session segments removed, then escaped again where needed, all in lower case;
//   - the query is unescaped and escaped likewise, the session parameters jsessionid, phpsessid, sid, aspsessionid… and
//     cfid with cftoken are removed, the rest is in lower case and sorted by name, then value; an empty query is left
//     out;
//   - a URL without a host (dns:, mailto:, warcinfo:, urn:, data:) keeps its scheme and its canonicalised rest.
//
// Deliberate differences from surt 0.3.1, none of which concerns a URL that it makes a valid key of:
//
//   - a key never holds a space or a control character: "filedesc" URLs, which surt passes through, have them escaped;
//   - a URL of white space alone, on which surt fails, has the key "-" of the empty one;
//   - a port that is not a number from 0 to 65535, on which surt fails, stays in the key, in lower case and escaped;
//   - a host with bytes that are not UTF-8, which surt leaves out, has them escaped: else two hosts would be one;
//   - IDNs are mapped by UTS 46 (transitional) instead of RFC 3490, which differ in characters younger than Unicode
//     3.2.
//
// What it is not: a URL parser or a check that a URL is well-formed. SURT never fails: rubbish gets a key as well.
//
//	key := urlkey.SURT("https://www.Example.com:443/a/../b/?y=2&x=1#top") // "com,example)/b?x=1&y=2"
//	host := urlkey.Host("https://www.Example.com:443/")                   // "www.example.com"
//	site := urlkey.RegistrableDomain(host)                                // "example.com"
package urlkey

// Version is the version of this transform: it changes when a URL may get another key.
const Version = "2"
