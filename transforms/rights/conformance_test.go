package rights

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// text returns statements in a short form: "signal=value agent path @basis".
func text(list []schemas.Right) string {
	var parts []string
	for _, r := range list {
		s := r.Signal
		if r.Value != "" {
			s += "=" + r.Value
		}
		for _, part := range []string{r.Agent, r.Path} {
			if part != "" {
				s += " " + part
			}
		}
		parts = append(parts, s+" @"+r.Basis)
	}
	return strings.Join(parts, "; ")
}

// header makes fields of lines "Name: value".
func header(lines ...string) (fields []schemas.Field) {
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ":")
		fields = append(fields, schemas.Field{Name: name, Value: strings.TrimSpace(value)})
	}
	return fields
}

// TestExtract_xRobotsTag has the examples of Google's and Bing's documentation of X-Robots-Tag, and other forms.
func TestExtract_xRobotsTag(t *testing.T) {
	for _, tt := range [][]string{
		{"", "X-Robots-Tag:"},
		{"noindex @x-robots-tag", "X-Robots-Tag: noindex"},
		{"noindex @x-robots-tag; nofollow @x-robots-tag", "X-Robots-Tag: noindex, nofollow"},
		{"noindex @x-robots-tag; nofollow @x-robots-tag", "X-Robots-Tag: none"},
		{"noarchive @x-robots-tag", "X-Robots-Tag: nocache"},
		{
			"noimageindex @x-robots-tag; unavailable_after=2010-06-25T15:00:00-08:00 @x-robots-tag",
			"X-Robots-Tag: noimageindex", "X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 PST",
		},
		{
			"noimageindex @x-robots-tag; unavailable_after=2025-06-25 @x-robots-tag",
			"x-robots-tag: noimageindex, unavailable_after: 25 Jun 2025 00:00:00 PST",
		},
		{
			"unavailable_after=2010-06-25T15:00:00-08:00 @x-robots-tag; noindex @x-robots-tag",
			"X-Robots-Tag: unavailable_after: Friday, 25-Jun-10 15:00:00 PST, noindex",
		},
		{"unavailable_after=2010-06-25T15:00:00Z @x-robots-tag", "X-Robots-Tag: unavailable_after: Fri, 25 Jun 2010 " +
			"15:00:00 GMT"},
		{"unavailable_after=2020-09-21 @x-robots-tag", "X-Robots-Tag: unavailable_after: 2020-09-21"},
		{"unavailable_after=soon @x-robots-tag", "X-Robots-Tag: unavailable_after: soon"},
		{
			"nofollow googlebot @x-robots-tag; noindex otherbot @x-robots-tag; nofollow otherbot @x-robots-tag",
			"X-Robots-Tag: googlebot: nofollow", "X-Robots-Tag: otherbot: noindex, nofollow",
		},
		{
			"nofollow googlebot @x-robots-tag; noindex otherbot @x-robots-tag",
			"X-Robots-Tag: googlebot: nofollow, otherbot: noindex",
		},
		{"max-snippet=20 googlebot @x-robots-tag", "X-Robots-Tag: googlebot: max-snippet:20"},
		{"noai @x-robots-tag; noimageai @x-robots-tag", "X-Robots-Tag: noai, noimageai"},
		{"noai @x-robots-tag; noimageai @x-robots-tag", "X-ROBOTS-TAG: NOAI, NoImageAI"},
		{"noai @x-robots-tag", "X-Robots-Tag: noai", "X-Robots-Tag: noai"},
		{
			"max-snippet=50 @x-robots-tag; max-image-preview=large @x-robots-tag; max-video-preview=-1 @x-robots-tag",
			"X-Robots-Tag: max-snippet:50, max-image-preview:large, max-video-preview:-1",
		},
		{"max-snippet=0 @x-robots-tag", "X-Robots-Tag: max-snippet : 0"},
		{"nosnippet @x-robots-tag; notranslate @x-robots-tag", "X-Robots-Tag: nosnippet,notranslate"},
		{"noindex @x-robots-tag; nofollow @x-robots-tag", "X-Robots-Tag: noindex nofollow"},
		{"noindex @x-robots-tag; nofollow @x-robots-tag", "X-Robots-Tag: noindex; nofollow"},
		{"noml @x-robots-tag", "X-Robots-Tag: noml"},
		{"", "X-Robots-Tag: all"},
		{"", "X-Robots-Tag: index, follow, archive"},
		{"", "X-Robots-Tag: noindexed"},
		{"", "X-Robots: noindex"},
		{"", "X-Robots-Tag: googlebot:"},
		{"", "X-Robots-Tag: max-snippet:"},
	} {
		list, _ := Extract(Input{URL: "https://a.example/", Status: 200, Header: header(tt[1:]...)})
		if got := text(list); got != tt[0] {
			t.Errorf("%q:\n %s, want\n %s", tt[1:], got, tt[0])
		}
	}
}

// TestExtract_meta has the directives and reservations in pages.
func TestExtract_meta(t *testing.T) {
	const reserved = `<meta name=tdm-reservation content=1>`
	for html, want := range map[string]string{
		`<meta name="robots" content="noindex">`: "noindex @meta",
		`<META NAME=ROBOTS CONTENT=NOINDEX>`:     "noindex @meta",
		`<meta name="robots" content="noindex, nofollow">`: "noindex @meta; " +
			"nofollow @meta",
		`<meta name="robots" content="none">`: "noindex @meta; " +
			"nofollow @meta",
		`<meta name=robots content=noindex><meta name=robots content=noai>`: "noindex @meta; " +
			"noai @meta",
		`<meta name="googlebot" content="noindex">`:        "noindex googlebot @meta",
		`<meta name="googlebot-news" content="nosnippet">`: "nosnippet googlebot-news @meta",
		`<meta name="bingbot" content="noarchive">`:        "noarchive bingbot @meta",
		`<meta name="GPTBot" content="noindex">`: "noindex GPTBot " +
			"@meta",
		`<meta name="ccbot" content="nofollow">`: "nofollow CCBot " +
			"@meta",
		`<meta name="robots" content="noai, noimageai">`: "noai @meta; " +
			"noimageai @meta",
		`<meta name="robots" content="noimageai">`: "noimageai @meta",
		`<meta name="robots" content="noarchive,nosnippet">`: "noarchive @meta; " +
			"nosnippet @meta",
		`<meta name="robots" content="max-snippet:20">`: "max-snippet=20 " +
			"@meta",
		`<meta name="robots" content="max-snippet:-1, max-image-preview:large, max-video-preview:-1">`: "max-snippet=-1 " +
			"@meta; max-image-preview=large @meta; max-video-preview=-1 @meta",
		`<meta name="robots" content="max-image-preview:none">`:                      "max-image-preview=none @meta",
		`<meta name="robots" content="unavailable_after: 2020-09-21">`:               "unavailable_after=2020-09-21 @meta",
		`<meta name="robots" content="unavailable_after: 25-Aug-2007 15:00:00 EST">`: "unavailable_after=2007-08-25T15:00:00-05:00 @meta",
		`<meta name="robots" content="index, follow">`:                               "",
		`<meta name="robots" content="">`:                                            "",
		`<meta name="robots">`:                                                       "",
		`<meta name="description" content="noindex">`:                                "",
		`<meta name="*" content="noindex">`:                                          "",
		`<!-- <meta name="robots" content="noindex"> -->`:                            "",
		`<script>'<meta name="robots" content="noindex">'</script>`:                  "",

		`<meta name="tdm-reservation" content="1">`:                                                 "tdm-reservation=1 @meta",
		`<meta name="tdm-reservation" content="0">`:                                                 "tdm-reservation=0 @meta",
		`<meta name="tdm-reservation" content=" 1 ">`:                                               "tdm-reservation=1 @meta",
		`<meta name="tdm-reservation" content="2">`:                                                 "",
		`<meta name="tdm-reservation" content="yes">`:                                               "",
		`<meta name="tdm-policy" content="https://b.example/p.json">`:                               "",
		reserved + `<meta name=tdm-policy content="https://b.example/p">`:                           "tdm-reservation=1 @meta; tdm-policy=https://b.example/p @meta",
		`<meta name=tdm-policy content=/p>` + reserved:                                              "tdm-reservation=1 @meta; tdm-policy=https://a.example/p @meta",
		`<meta name=tdm-reservation content=0><meta name=tdm-policy content="https://b.example/p">`: "tdm-reservation=0 @meta",
		reserved + `<meta name=tdm-policy content="javascript:alert(1)">`:                           "tdm-reservation=1 @meta",
		`<link rel="c2pa-manifest" href="/m.c2pa">`:                                                 "c2pa=https://a.example/m.c2pa @link",
		`<meta name="robots" content="noindex"><meta name="tdm-reservation" content="1">` +
			`<p>noai, noimageai</p>`: "noindex @meta; tdm-reservation=1 @meta",
	} {
		p := page.Parse([]byte("<!doctype html><head>"+html+"<title>t</title>"), page.Options{URL: "https://a.example/x/"})
		list, _ := Extract(Input{URL: "https://a.example/x/", Status: 200, Page: p, Type: "text/html"})
		if got := text(list); got != want {
			t.Errorf("%s:\n %s, want\n %s", html, got, want)
		}
	}
}

// A PDF file or a book has its reservation in its metadata.
func TestExtract_file(t *testing.T) {
	for _, tt := range []struct{ reserved, policy, want string }{
		{"1", "", "tdm-reservation=1 @metadata"},
		{"0", "https://b.example/p", "tdm-reservation=0 @metadata"},
		{"1", "https://b.example/p", "tdm-reservation=1 @metadata; tdm-policy=https://b.example/p @metadata"},
		{"yes", "https://b.example/p", ""},
		{"", "https://b.example/p", ""},
		{"1", "file:///etc/passwd", "tdm-reservation=1 @metadata"},
	} {
		in := Input{URL: "https://a.example/x.pdf", Status: 200, Reservation: tt.reserved, Policy: tt.policy}
		if list, _ := Extract(in); text(list) != tt.want {
			t.Errorf("%q, %q: %s, want %s", tt.reserved, tt.policy, text(list), tt.want)
		}
	}
	own := []schemas.Right{
		{Signal: Reservation, Value: "0", Basis: Header}, {Signal: Reservation, Value: "1", Basis: Metadata},
	}
	refusal, refuses := (Respect{TDM: true}).Refusal(own, nil, "application/pdf")
	if !refuses || refusal.Basis != Metadata {
		t.Errorf("refusal %v", refusal)
	}
}

// TestExtract_header has reservations, preferences and signals in header fields, with the examples of their drafts.
func TestExtract_header(t *testing.T) {
	for _, tt := range [][]string{
		{"tdm-reservation=1 @header", "TDM-Reservation: 1"},
		{"tdm-reservation=0 @header", "tdm-reservation: 0"},
		{
			"tdm-reservation=1 @header; tdm-policy=https://provider.example/policies/policy.json @header",
			"tdm-reservation: 1", "tdm-policy: https://provider.example/policies/policy.json",
		},
		{
			"tdm-reservation=1 @header; tdm-policy=https://a.example/policy @header", "tdm-policy: /policy",
			"tdm-reservation: 1",
		},
		{"", "tdm-policy: https://provider.example/policies/policy.json"},
		{"", "tdm-reservation: true"},
		{"", "tdm-reservation: 2"},

		{"train-ai=n @header", "Content-Usage: train-ai=n"},
		{"train-ai=y @header; search=n @header", "content-usage: train-ai=y, search=n"},
		{"train-ai=n @header; search=y @header", "Content-Usage: train-ai=n", "Content-Usage: search=y"},
		{"train-ai=n @header", "Content-Usage: train-ai=y, train-ai=n"},
		{"train-ai=n @header", "Content-Usage: train-ai=n;reason=x"},
		{"ai-use=n @header", "Content-Usage: ai-use=n, other=1, more=?1, x"},
		{"bots=n @header", "Content-Usage: bots=n"},
		{"", "Content-Usage: train-ai=no"},
		{"", "Content-Usage: train-ai=N"},
		{"", "Content-Usage: Train-AI=n"},
		{"", "Content-Usage: train-ai=n,"},
		{"", "Content-Usage: train-ai=\"n\""},
		{"", "Content-Usage: train-ai=n search=n"},
		{"", "Content-Usage:"},

		{
			"ai-train=yes @header; search=yes @header; ai-input=yes @header",
			"Content-Signal: ai-train=yes, search=yes, ai-input=yes",
		},
		{"search=yes @header; ai-train=no @header", "content-signal: search=yes,ai-train=no"},
		{"ai-train=no @header", "Content-Signal: AI-Train = No, color=blue"},
		{"", "Content-Signal: ai-train=n"},

		{"c2pa=https://a.example/m.c2pa @header", `Link: </m.c2pa>; rel="c2pa-manifest"`},
		{"c2pa=https://b.example/m @header", `link: <a>; rel=next, <https://b.example/m>; rel="x C2PA-Manifest"`},
	} {
		list, _ := Extract(Input{URL: "https://a.example/", Status: 200, Header: header(tt[1:]...)})
		if got := text(list); got != tt[0] {
			t.Errorf("%q:\n %s, want\n %s", tt[1:], got, tt[0])
		}
	}
}

// TestExtract_robots has rules and preferences in robots.txt, with the examples of RFC 9309 and of the drafts.
func TestExtract_robots(t *testing.T) {
	const cloudflare = "User-Agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n\nUser-agent: GPTBot\n" +
		"Disallow: /\n"
	for body, want := range map[string]string{
		"User-agent: GPTBot\nDisallow: /":                   "disallow GPTBot / @robots.txt",
		"user-agent: gptbot\ndisallow: /":                   "disallow GPTBot / @robots.txt",
		"User-agent: GPTBot/1.0\nDisallow: /":               "disallow GPTBot / @robots.txt",
		"User-agent: GPTBot # OpenAI\nDisallow: / # all":    "disallow GPTBot / @robots.txt",
		"\xef\xbb\xbfUser-agent: GPTBot\r\nDisallow: /\r\n": "disallow GPTBot / @robots.txt",
		"User-agent: *\nDisallow: /private/":                "disallow * /private/ @robots.txt",
		"User-agent: *\nDisallow:":                          "allow * / @robots.txt",
		"User-agent: CCBot\nDisallow:\nUser-agent: *\nDisallow: /": "disallow * / @robots.txt; allow CCBot / " +
			"@robots.txt",
		"User-agent: CCBot\nUser-agent: ClaudeBot\nDisallow: /": "disallow CCBot / @robots.txt; disallow " +
			"ClaudeBot / @robots.txt",
		"User-agent: CCBot\n\nUser-agent: ClaudeBot\n\nDisallow: /": "disallow CCBot / @robots.txt; disallow " +
			"ClaudeBot / @robots.txt",
		"User-agent: Googlebot\nDisallow: /":                            "",
		"User-agent: Googlebot\nUser-agent: Google-Extended\nAllow: /a": "allow Google-Extended /a @robots.txt",
		"User-agent: GPTBot\nAllow: /a\nDisallow: /": "allow GPTBot /a @robots.txt; disallow " +
			"GPTBot / @robots.txt",
		"User-agent: GPTBot\nDisallow: /a\nUser-agent: GPTBot\nDisallow: /b": "disallow GPTBot /a @robots.txt; disallow " +
			"GPTBot /b @robots.txt",
		"User-agent: AI2Bot\nDisallow: /": "disallow AI2Bot / @robots.txt",
		// RFC 9309 has no patterns of agents, and crawlers read such groups as of no one.
		"User-agent: *bot\nDisallow: /":                                     "",
		"User-agent: *crawler*\nUser-agent: *spider*\nDisallow: /":          "",
		"User-agent: *bot*\nDisallow: /\nUser-agent: *\nDisallow: /private": "disallow * /private @robots.txt",
		"User-agent: *bot\nUser-agent: GPTBot\nDisallow: /":                 "disallow GPTBot / @robots.txt",
		"User-agent: * all others\nDisallow: /":                             "disallow * / @robots.txt",
		"User-agent: **\nDisallow: /":                                       "",
		"User-agent:\nDisallow: /":                                          "",
		"Disallow: /":                                                       "",
		"Sitemap: https://a.example/s.xml":                                  "",
		"User-agent: GPTBot\nCrawl-delay: 5\nDisallow: /x":                  "disallow GPTBot /x @robots.txt",
		"User-agent: GPTBot\nSitemap: /s\nUser-agent: CCBot\nDisallow: /": "disallow GPTBot / @robots.txt; disallow " +
			"CCBot / @robots.txt",

		"User-Agent: *\nAllow: /\nContent-Usage: train-ai=n": "allow * / @robots.txt; train-ai=n * @robots.txt",
		"User-Agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: train-ai=n\nContent-Usage: /ai-ok/ train-ai=y\n\n" +
			"User-Agent: ExampleBot\nAllow: /\nContent-Usage: train-ai=y\n": "allow * / @robots.txt; disallow * /never/ " +
			"@robots.txt; " +
			"train-ai=n * @robots.txt; train-ai=y * /ai-ok/ @robots.txt",
		"User-agent: *\n content-usage : /a\ttrain-ai=n , search=y # c": "train-ai=n * /a @robots.txt; search=y * /a " +
			"@robots.txt; allow * / @robots.txt",
		"User-agent: *\nContent-Usage: /a\nAllow: /b": "allow * /b @robots.txt",
		"Content-Usage: train-ai=n":                   "",
		cloudflare: "search=yes * @robots.txt; ai-train=no * @robots.txt; allow * / @robots.txt; " +
			"disallow GPTBot / @robots.txt",
		"User-agent: *\nContent-signal: search=yes,ai-input=no,ai-train=no\nAllow: /": "search=yes * @robots.txt; " +
			"ai-input=no * @robots.txt; ai-train=no * @robots.txt; allow * / @robots.txt",
	} {
		list, _ := Extract(Input{URL: "https://a.example/robots.txt", Status: 200, Type: "text/plain", Text: []byte(body)})
		if got := text(list); got != want {
			t.Errorf("%q:\n %s, want\n %s", body, got, want)
		}
	}
}

// TestExtract_files has the other files of a host, and captures that only have their addresses.
func TestExtract_files(t *testing.T) {
	const tdm = "/.well-known/tdmrep.json"
	for i, tt := range []struct {
		path, text string
		status     int
		want       string
	}{
		{tdm, `[{"location":"/","tdm-reservation":1}]`, 200, "tdm-reservation=1 / @tdmrep.json"},
		{
			tdm, `[{"location":"*","tdm-reservation":1,"tdm-policy":"https://p.example/policies/policy.json"}]`, 200,
			"tdm-reservation=1 * @tdmrep.json; tdm-policy=https://p.example/policies/policy.json * @tdmrep.json",
		},
		{
			tdm, `[{"location":"/directory-a/","tdm-reservation":1,"tdm-policy":"/p"},` +
				`{"location":"/directory-b/html/","tdm-reservation":0},` +
				`{"location":"/*.jpg","tdm-reservation":1}]`, 200,
			"tdm-reservation=1 /directory-a/ @tdmrep.json; tdm-policy=https://a.example/p /directory-a/ @tdmrep.json; " +
				"tdm-reservation=0 /directory-b/html/ @tdmrep.json; tdm-reservation=1 /*.jpg @tdmrep.json",
		},
		{tdm, `[{"location":"/","tdm-reservation":"1"}]`, 200, "tdm-reservation=1 / @tdmrep.json"},
		{tdm, `[{"location":"/","tdm-reservation":2}]`, 200, ""},
		{tdm, `[{"location":"/","tdm-reservation":0.5}]`, 200, ""},
		{tdm, `[{"tdm-reservation":1}]`, 200, ""},
		{tdm, `{"location":"/","tdm-reservation":1}`, 200, ""},
		{tdm, `[{"location":"/","tdm-reservation":1}`, 200, ""},
		{tdm, `[{"location":"/","tdm-reservation":1}]`, 404, ""},
		{"/tdmrep.json", `[{"location":"/","tdm-reservation":1}]`, 200, ""},
		{
			"/ai.txt", "# Spawning AI\nUser-Agent: *\nDisallow: *.jpg\nDisallow: *.png\nAllow: *.txt\n", 200,
			"disallow * *.jpg @ai.txt; disallow * *.png @ai.txt; allow * *.txt @ai.txt",
		},
		{"/ai.txt", "User-Agent: *\nDisallow: /\n", 200, "disallow * / @ai.txt"},
		{"/llms.txt", "# FastHTML\n\n> A library\n\n## Docs\n", 200, "llms.txt=FastHTML @llms.txt"},
		{"/llms.txt", "no heading", 200, ""},
		{"/docs/llms.txt", "# Docs", 200, ""},
		{"/robots.txt", "User-agent: *\nDisallow: /", 404, ""},
		{"/robots.txt", "User-agent: *\nDisallow: /", 301, ""},
		{"/robots.txt", "", 200, ""},
		{"/x/robots.txt", "User-agent: *\nDisallow: /", 200, ""},
		{"/robots.txt?x=1", "User-agent: *\nDisallow: /", 200, "disallow * / @robots.txt"},
		{"/robots.txt", "<html><p>User-agent: *\nDisallow: /", 200, ""},
	} {
		in := Input{URL: "https://a.example" + tt.path, Status: tt.status, Text: []byte(tt.text), Type: "text/plain"}
		if strings.HasPrefix(tt.text, "<") {
			in.Page = page.Parse(in.Text, page.Options{})
		}
		list, _ := Extract(in)
		if got := text(list); got != tt.want {
			t.Errorf("%d %s:\n %s, want\n %s", i, tt.path, got, tt.want)
		}
	}
}

// TestExtract_manifest has files with and without a C2PA manifest.
func TestExtract_manifest(t *testing.T) {
	store := "\x00\x00\x00\x1ejumd" + string(manifestID) + "\x03c2pa\x00"
	for i, tt := range []struct{ mime, body, want string }{
		{"image/jpeg", "\xff\xd8\xff\xeb" + store, "c2pa @c2pa"},
		{"image/png", "\x89PNG caBX" + store, "c2pa @c2pa"},
		{"application/pdf", "%PDF-1.7 stream " + store, "c2pa @c2pa"},
		{"video/mp4", "ftyp uuid" + store + "c2pa.training-mining", "c2pa=training-mining @c2pa"},
		{"image/webp", "RIFF C2PA" + store + "cawg.training-mining\x00 notAllowed", "c2pa=training-mining @c2pa"},
		{"text/plain", store, ""},
		{"image/jpeg", "c2pa", ""},
	} {
		list, _ := Extract(Input{URL: "https://a.example/x", Status: 200, Type: tt.mime, Body: []byte(tt.body)})
		if got := text(list); got != tt.want {
			t.Errorf("%d: %s, want %s", i, got, tt.want)
		}
	}
}

func TestExtract_isBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "Disallow: /%d\n", i)
	}
	list, cut := Extract(Input{URL: "https://a.example/robots.txt", Status: 200, Text: []byte(b.String())})
	if len(list) != maxRights || !cut {
		t.Errorf("%d statements, %v", len(list), cut)
	}
	long := []byte("user-agent: *\ndisallow: /a\n" + strings.Repeat("# no rule\n", 60_000))
	for _, name := range []string{"robots.txt", "ai.txt", "page.txt"} {
		_, cut := Extract(Input{URL: "https://a.example/" + name, Status: 200, Text: long})
		if cut != (name != "page.txt") {
			t.Errorf("600 KB of %s: cut = %v", name, cut)
		}
	}
}
