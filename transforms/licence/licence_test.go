package licence

import (
	"net/url"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// text returns licences in a short form: "name scope basis".
func text(list []schemas.License) string {
	var parts []string
	for _, l := range list {
		parts = append(parts, l.Name+" "+l.Scope+" "+l.Basis)
	}
	return strings.Join(parts, "; ")
}

func of(html string, header ...schemas.Field) string {
	p := page.Parse([]byte("<!doctype html><title>t</title><body>"+html), page.Options{URL: "https://a.example/"})
	return text(Extract(Input{Header: header, Page: p, LD: jsonld.Nodes(p.Scripts(), jsonld.Options{})}))
}

// cases are licences and pages that state them; - is for none.
const cases = `
CC-BY-4.0 page rel
	<a rel=license href={by4}>x</a>

CC-BY-4.0 page rel
	<a rel="noreferrer license" href={by4}>x</a>

-
	<a rel=license href=/terms>Terms</a>

CC-BY-SA-3.0-DE page link
	<footer><a href={sa3}>CC BY-SA</a></footer>

CC-BY-4.0 page link
	<aside><a href={by4}><img src=b.png alt=CC></a></aside>

-
	<p>{long}<p>See <a href={by4}>the licence</a> for how cities use it.

CC-BY-4.0 page link
	<p>This work is licensed under a <a href={by4}>Creative Commons license</a>.

CC-BY-4.0 picture link
	<figure><img src=a.jpg><figcaption>Ann, <a href={by4}>CC BY 4.0</a></figcaption></figure>

CC-BY-4.0 picture link
	<p>Photo credit: Ann via photopin <a href={by4}>cc</a></p>

CC-BY-4.0 picture link
	<p>All photos are licensed under a <a href={by4}>licence of Creative Commons</a></p>

CC-BY-4.0 part link
	<p>Portions of this page are modifications of work under <a href={by4}>a licence</a></p>

CC-BY-4.0 part link
	<blockquote><p>This text is licensed under <a href={by4}>CC BY</a></p></blockquote>

CC-BY-SA-4.0 page text
	<p>Text is available under the Creative Commons Attribution-ShareAlike 4.0 License.

CC-BY page text
	<p>This is an open access article distributed under the terms of the Creative Commons Attribution License,
	which permits unrestricted use.

CC-BY-SA-3.0 page text
	<p>Der Inhalt dieser Seite steht unter einer Creative Commons Namensnennung-Weitergabe unter gleichen
	Bedingungen 3.0 Deutschland Lizenz

CC-BY-NC-SA-2.0 page text
	<p>Sauf mention contraire, le contenu de ce site est sous licence CC BY-NC-SA 2.0 France

CC-BY-NC-4.0 page text
	<p>El contenido de este sitio está bajo licencia Creative Commons Atribución-NoComercial 4.0

CC-BY-4.0 page text
	<p>I contenuti di questo sito sono rilasciati con licenza Creative Commons Attribuzione 4.0

CC-BY-SA-3.0 page text
	<p>本站的文字采用知识共享 署名-相同方式共享 3.0协议 CC BY-SA 3.0 授权

CC-BY-4.0 page text
	<footer>このサイトは CC BY 4.0 ライセンスの下で提供されています</footer>

CC-BY-4.0 page text
	<p>Lizenz: CC-BY 4.0

CC-BY page text
	<p>© 2026 Ann. CC-BY / MIT

-
	<p>Content available under a Creative Commons license.

-
	<p>A policy, such as CC BY for open journals, is needed.

-
	<p>Creative Commons License permitting non-commercial sharing with attribution.

-
	<ul><li>CC-BY<li>CC-BY-SA<li>CC-BY-NC<li>CC-BY-ND</ul><p>All licences

LicenseRef-AllRightsReserved page text
	<p>© 2026 The Gazette. All rights reserved.

LicenseRef-AllRightsReserved page text
	<footer>Alle Rechte vorbehalten</footer>

LicenseRef-AllRightsReserved page text
	<footer>Todos los derechos reservados</footer>

CC-BY-4.0 page rel
	<footer>© Ann. All rights reserved. <a rel=license href={by4}>CC</a></footer>

Apache-2.0 part link
	<footer>Code samples under <a href=https://www.apache.org/licenses/LICENSE-2.0>Apache 2.0</a></footer>

CC-BY-4.0 page meta
	<meta name=dc.rights content="{by4}">

CC-BY-ND-4.0 page meta
	<meta name=DCTERMS.license content="CC BY-ND 4.0">

CC-BY-4.0 page jsonld
	<script type=application/ld+json>{"@type":"Article","license":"{by4}"}</script>

CC-BY-4.0 page jsonld
	<script type=application/ld+json>{"@type":"Article","license":{"@type":"CreativeWork","url":"{by4}"}}</script>

CC-BY-4.0 page jsonld
	<script type=application/ld+json>{"@type":"Article","license":{"url":"https://a.example/terms","@id":"{by4}"}}</script>

CC-BY-4.0 page jsonld
	<script type=application/ld+json>{"@type":"Article","license":{"url":"/terms","sameAs":"{by4}"}}</script>

-
	<script type=application/ld+json>{"@type":"Article","license":{"url":"/terms","@id":"#licence"}}</script>

CC-BY-4.0 page microdata
	<div itemscope itemtype=https://schema.org/Article><span itemprop=license itemscope><link itemprop=url href={by4}></span></div>

CC-BY-4.0 page microdata
	<div itemscope itemtype=https://schema.org/Article><p itemprop=license itemscope itemtype=https://schema.org/CreativeWork
	itemid={by4}>Terms</p></div>

CC-BY-NC-3.0 page microdata
	<div itemscope itemtype=https://schema.org/Article><span itemprop=license itemscope><meta itemprop=url content=/terms>
	<span itemprop=name>CC BY-NC 3.0</span></span></div>

CC-BY-4.0 picture microdata
	<div itemscope itemtype=https://schema.org/ImageObject><p itemprop=license itemscope><link itemprop=sameAs href={by4}></p></div>

-
	<div itemscope itemtype=https://schema.org/Article><p itemprop=license itemscope><span itemprop=name>Terms</span></p></div>

CC-BY-4.0 picture jsonld
	<script type=application/ld+json>{"@type":"ImageObject","license":"{by4}"}</script>

CC-BY-4.0 page microdata
	<div itemscope itemtype=https://schema.org/Article><a itemprop=license href={by4}>x</a></div>

-
	<!-- <a rel=license href={by4}> --><script>"CC BY 4.0 license"</script><style>/* License: MIT */</style>
`

// TestExtract has notices as pages have them, in several languages, and mentions that grant nothing.
func TestExtract(t *testing.T) {
	long := strings.Repeat("The council met and talked about the new bridge over the river. ", 20)
	fill := strings.NewReplacer("{by4}", "https://creativecommons.org/licenses/by/4.0/",
		"{sa3}", "http://creativecommons.org/licenses/by-sa/3.0/de/", "{long}", long, "\n\t", " ")
	for _, c := range strings.Split(strings.TrimSpace(cases), "\n\n") {
		want, html, _ := strings.Cut(c, "\n\t")
		if got := of(fill.Replace(html)); got != strings.Trim(want, "-") {
			t.Errorf("%s:\n %q, want %q", html, got, want)
		}
	}
	if got := of("x", schemas.Field{
		Name:  "Link",
		Value: `<https://creativecommons.org/publicdomain/zero/1.0/>; rel="license"`,
	}); got != "CC0-1.0 page header" {
		t.Errorf("header: %s", got)
	}
}

func TestByURL(t *testing.T) {
	for u, want := range map[string]string{
		"http://creativecommons.org/licenses/by-nd-nc/1.0/":                          "CC-BY-NC-ND-1.0",
		"https://www.creativecommons.org/licenses/by/4.0/legalcode.de":               "CC-BY-4.0",
		"//creativecommons.org/licenses/by-sa/3.0/deed.zh":                           "CC-BY-SA-3.0",
		"https://creativecommons.org/licenses/by/3.0/us/":                            "CC-BY-3.0-US",
		"https://creativecommons.org/licenses/by/3.0/igo":                            "CC-BY-3.0-IGO",
		"https://creativecommons.org/licenses/by-nc/2.5/ca/":                         "CC-BY-NC-2.5",
		"https://creativecommons.org/licenses/sa/1.0/":                               "CC-SA-1.0",
		"https://creativecommons.org/publicdomain/mark/1.0/deed.de":                  "CC-PDM-1.0",
		"https://creativecommons.org/licenses/":                                      "",
		"https://creativecommons.org/choose/":                                        "",
		"https://www.gnu.org/copyleft/fdl.html":                                      "GFDL-1.3",
		"https://opensource.org/licenses/mit-license.php":                            "MIT",
		"https://opensource.org/licenses/BSD-3-Clause":                               "BSD-3-Clause",
		"https://spdx.org/licenses/CC0-1.0.html":                                     "CC0-1.0",
		"https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/": "OGL-UK-3.0",
		"https://www.gnu.org/licenses/lgpl-2.1.html":                                 "LGPL-2.1",
		"https://www.gnu.org/licenses/lgpl.html":                                     "LGPL-3.0",
		"https://www.gnu.org/licenses/old-licenses/lgpl-2.0.html":                    "LGPL-2.0",
		"https://www.gnu.org/licenses/fdl-1.2.html":                                  "GFDL-1.2",
		"https://www.gnu.org/licenses/fdl-1.1.html":                                  "GFDL-1.1",
		"https://www.gnu.org/licenses/fdl-1.3.html":                                  "GFDL-1.3",
		"https://www.gnu.org/licenses/old-licenses/gpl-2.0.html":                     "GPL-2.0",
		"https://www.gnu.org/licenses/gpl-3.0.txt":                                   "GPL-3.0",
		"https://www.gnu.org/licenses/gpl-faq.html":                                  "",
		"https://data.norge.no/nlod/no/1.0":                                          "NLOD-1.0",
		"https://data.norge.no/nlod/en/2.0":                                          "NLOD-2.0",
		"https://evil.example/creativecommons.org/licenses/by/4.0/":                  "",
		"javascript:alert(1)":                                                        "",
		"%zz":                                                                        "",
	} {
		if got := ByURL(u); got != want {
			t.Errorf("%s: %q, want %q", u, got, want)
		}
	}
}

// FuzzIsElsewhere: no URL of a host with licences is left out.
func FuzzIsElsewhere(f *testing.F) {
	for u, want := range map[string]bool{
		"https://a.example/licenses/by/": true, "https://www.gnu.org/": false, "https://gnu.org/": false,
		"https://a.example": false, "ftp://a.example/": false,
	} {
		if got := isElsewhere(u); got != want {
			f.Errorf("isElsewhere(%q) = %v, want %v", u, got, want)
		}
	}
	for _, u := range []string{
		"https://creativecommons.org/licenses/by/4.0/", "http://www.gnu.org/licenses/fdl.html",
		"https://a.example/licenses/",
		"https://CreativeCommons.org/", "https://a@spdx.org/licenses/MIT", "https://spdx.org:443/licenses/MIT",
		"https://spdx.org?a", "https://spdx.org\\a", " https://spdx.org/licenses/MIT", "https:///spdx.org/",
		"https://www./",
		"//spdx.org/licenses/MIT", "https://www.www.gnu.org/licenses/gpl",
	} {
		f.Add(u)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := url.Parse(strings.TrimSpace(raw))
		if err == nil && isElsewhere(raw) && hosts()[strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")] {
			t.Errorf("isElsewhere(%q)", raw)
		}
	})
}

// FuzzExtract: any page has bounded licences, each with a name, a scope and a basis.
func FuzzExtract(f *testing.F) {
	f.Add("<footer>CC BY-SA 4.0 © 2026. All rights reserved <a rel=license " +
		"href=https://creativecommons.org/licenses/by/4.0/>x</a>")
	f.Add("<p>Creative Commons License Attribution 3.0 and this text is licensed under CC0. 授权 署名")
	f.Fuzz(func(t *testing.T, html string) {
		p := page.Parse([]byte(html), page.Options{URL: "https://a.example/"})
		list := Extract(Input{Page: p, LD: jsonld.Nodes(p.Scripts(), jsonld.Options{})})
		if len(list) > maxLicenses {
			t.Fatal(len(list))
		}
		for _, l := range list {
			if l.Name == "" || l.Scope == "" || l.Basis == "" || l.Confidence <= 0 {
				t.Fatalf("%+v", l)
			}
		}
	})
}

func BenchmarkExtract(b *testing.B) {
	src := []byte("<title>t</title>" + strings.Repeat("<p>The council met and talked about the new bridge over the "+
		"river, with a <a href=/x>report</a>.", 300) +
		"<footer>Text is available under the Creative Commons Attribution-ShareAlike 4.0 License.</footer>")
	p := page.Parse(src, page.Options{URL: "https://a.example/"})
	p.Anchors()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Extract(Input{Page: p})
	}
}
