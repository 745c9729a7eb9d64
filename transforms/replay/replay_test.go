package replay

import (
	"strings"
	"testing"
)

var pages = []struct{ name, in, want string }{
	{"script", `<p>a<script>alert(1)</script>b`, `<p>ab</p>`},
	{"handler", `<p onclick="x()" class=c>a`, `<p class="c">a</p>`},
	{"image", `<img src="b.png" alt=x onerror=y>`, `<img src="/r/im_/http://example.org/a/b.png" alt="x">`},
	{"image of another host", `<img src=//cdn.example/b.png>`, `<img src="/r/im_/http://cdn.example/b.png">`},
	{"image data", `<img src="data:image/gif;base64,R0">`, `<img src="data:image/gif;base64,R0">`},
	{"page as data", `<img src="data:text/html,x">`, `<img>`},
	{"scripts as URLs", `<a href="java&#9;script:x">a</a>`, `<a href="#">a</a>`},
	{"link", `<a href="../c#d" target=x ping=y>a</a>`, `<a href="/r//http://example.org/c#d" target="_top">a</a>`},
	{"part of the page", `<a href="#d">a</a>`, `<a href="#d">a</a>`},
	{"mail", `<a href="mailto:a@example.org">a</a>`, `<a href="#">a</a>`},
	{"password", `<a href="http://a:b@example.org/">a</a>`, `<a href="/r//http://example.org/" target="_top">a</a>`},
	{"base", `<base href="http://base.example/x/" target=y><img src=b>`, `<img src="/r/im_/http://base.example/x/b">`},
	{"second base", `<base href=http://b.example/><base href=http://c.example/><img src=b>`, `<img src="/r/im_/http://b.example/b">`},
	{
		"srcset", `<img srcset="a.png, b.png 2x,c,d.png 100w,javascript:x 3x">`,
		`<img srcset="/r/im_/http://example.org/a/a.png, /r/im_/http://example.org/a/b.png 2x, ` +
			`/r/im_/http://example.org/a/c,d.png 100w">`,
	},
	{
		"picture", `<picture><source srcset="a.webp" type="image/webp" media="(min-width:1px)"><img src=a.png></picture>`,
		`<picture><source srcset="/r/im_/http://example.org/a/a.webp" type="image/webp" media="(min-width:1px)">` +
			`<img src="/r/im_/http://example.org/a/a.png"></picture>`,
	},
	{
		"style attribute", `<p style="background:url(b.png);color:red">`,
		`<p style="background:url(&#34;/r/im_/http://example.org/a/b.png&#34;);color:red"></p>`,
	},
	{"background", `<table background=b.png><tr><td>`, `<table background="/r/im_/http://example.org/a/b.png"><tbody><tr><td></td></tr></tbody></table>`},
	{"refresh", `<meta http-equiv=refresh content="0;url=http://evil.example/">`, ``},
	{"policy of the page", `<meta http-equiv=Content-Security-Policy content="default-src *">`, ``},
	{"size on phones", `<meta name=viewport content="width=device-width">`, `<meta name="viewport" content="width=device-width">`},
	{
		"form", `<form action="http://evil.example/" method=post><input name=a formaction=b autofocus><button formaction=x>`,
		`<form><input name="a"><button></button></form>`,
	},
	{
		"frame", `<iframe src="f.html" srcdoc="<script>x()</script>" sandbox="allow-scripts" name=y allow="camera">x</iframe>`,
		`<iframe src="/r/if_/http://example.org/a/f.html" sandbox="allow-top-navigation-by-user-activation"></iframe>`,
	},
	{"frame of a script", `<iframe src="javascript:alert(1)"></iframe>`, `<iframe sandbox="allow-top-navigation-by-user-activation"></iframe>`},
	{"frame of data", `<iframe src="data:text/html,x"></iframe>`, `<iframe sandbox="allow-top-navigation-by-user-activation"></iframe>`},
	{"object", `<object data="x.swf" type="application/x-shockwave-flash"><p>no Flash</p></object>`, `<p>no Flash</p>`},
	{"object as an image", `<object data="x.png" type="image/png" width=5></object>`, `<img src="/r/im_/http://example.org/a/x.png" width="5">`},
	{"embed", `a<embed src=x.swf>b`, `ab`},
	{"preload", `<link rel=preload href=x.js as=script><link rel="dns-prefetch" href=//evil.example><link rel=icon href=i.png>`, ``},
	{"style sheet", `<link rel=StyleSheet href=s.css media=print>`, `<link rel="stylesheet" href="/r/cs_/http://example.org/a/s.css" media="print">`},
	{"style sheet as data", `<link rel=stylesheet href="data:text/css,*{}">`, ``},
	{"noscript", `<body><noscript><img src=b></noscript>`, `<img src="/r/im_/http://example.org/a/b">`},
	{"template", `<div><template shadowrootmode=open><img src=b></template>a</div>`, `<div>a</div>`},
	{"comment", `a<!--[if IE]><img src=b><![endif]-->b`, `ab`},
	{"unknown element", `<blah onclick=x>a</blah>`, `a`},
	{"custom element", `<my-part onclick=x data-y=1>a</my-part>`, `<my-part data-y="1">a</my-part>`},
	{"xmp", `<xmp><img src=b></xmp>`, "<pre>\n&lt;img src=b&gt;</pre>"},
	{"pre", "<pre>\n\na</pre>", "<pre>\n\na</pre>"},
	{"textarea", `<textarea></textarea >`, `<textarea></textarea>`},
	{"title", `<title></titl><img src=b></title>`, `<title>&lt;/titl&gt;&lt;img src=b&gt;</title>`},
	{
		"svg", `<svg viewBox="0 0 1 1" onload=x><script>x</script><a href=b><circle r="1" fill="url(#g)"/></a><image href=b />` +
			`<use href="other.svg#x"/><use xlink:href="#y"/><animate attributeName=href to="javascript:x"/>` +
			`<foreignObject><img src=b></foreignObject></svg>`,
		`<svg viewBox="0 0 1 1"><circle r="1" fill="url(&#34;#g&#34;)"></circle>` +
			`<image href="/r/im_/http://example.org/a/b"></image><use></use><use href="#y"></use></svg>`,
	},
	{
		"svg style", `<svg><style>a{background:url(b)}</style></svg>`,
		`<svg><style>a{background:url(&#34;/r/im_/http://example.org/a/b&#34;)}</style></svg>`,
	},
	{"tag in a style of svg", `<svg><style>&lt;img src=x></style>`, `<svg><style>&lt; img src=x&gt;</style></svg>`},
	{"elements in a description", `<svg><desc>a<style><p></style></desc></svg>`, `<svg><desc>a</desc></svg>`},
	{
		"mathml", `<math href="javascript:x"><mi xlink:href="javascript:x" mathvariant=bold>a</mi>` +
			`<annotation-xml encoding="text/html"><img src=b></annotation-xml><maction actiontype="statusline#x">b</maction></math>`,
		`<math><mi mathvariant="bold">a</mi>b</math>`,
	},
	{"video", `<video src=v.mp4 poster=p.png autoplay></video>`, `<video src="/r/oe_/http://example.org/a/v.mp4" poster="/r/im_/http://example.org/a/p.png" controls preload="none"></video>`},
	{"map", `<img usemap="#m"><map name=m><area href=b></map>`, `<img usemap="#m"><map name="m"><area href="/r//http://example.org/a/b" target="_top"></map>`},
	{"end in a style", `<style>a{content:"</style><img src=x onerror=y>"}</style>`, `<style>a{content:""}</style>` + `<img src="/r/im_/http://example.org/a/x">&#34;}`},
	{"style of no sheet", `<style type="text/less">a{b:url(c)}</style>`, ``},
}

// body removes the tags that each page has.
func body(out string) string {
	for _, tag := range []string{
		"<html>", "</html>", "<head>", "</head>", "<body>", "</body>", `<meta charset="utf-8">`,
	} {
		out = strings.ReplaceAll(out, tag, "")
	}
	return out
}

func TestHTML(t *testing.T) {
	for _, c := range pages {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := HTML(c.in, options())
			if err != nil {
				t.Fatal(err)
			}
			if got := body(out); got != c.want {
				t.Errorf("HTML(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
			checkHTML(t, out)
		})
	}
}

func TestHTML_mode(t *testing.T) {
	for in, want := range map[string]string{
		"<p>": "<html>", "<!doctype html><p>": "<!DOCTYPE html><html>",
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p>`: `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 ` +
			`Transitional//EN"><html>`,
	} {
		if out, _, err := HTML(in, options()); err != nil || !strings.HasPrefix(out, want) {
			t.Errorf("HTML(%q) = %q, %v; want %q at its beginning", in, out, err, want)
		}
	}
	out, _, err := HTML(`<frameset cols="1,2"><frame src=a.html name=x><noframes>no</noframes></frameset>`, options())
	if want := `<frameset cols="1,2"><frame src="/r/if_/http://example.org/a/a.html"`; err != nil || !strings.Contains(out, want) {
		t.Errorf("frames: %q, %v", out, err)
	}
}

// Pages in visual order are shown as they were drawn, also without a head.
func TestHTML_visual(t *testing.T) {
	for _, in := range []string{"<p>םולש", "<head><title>a</title></head>", "", "<frameset><frame src=a.html>"} {
		for _, visual := range []bool{true, false} {
			o := options()
			o.Visual = visual
			out, _, err := HTML(in, o)
			if err != nil || strings.Contains(out, "unicode-bidi:bidi-override") != visual {
				t.Errorf("HTML(%q, visual %t) = %q, %v", in, visual, out, err)
			}
		}
	}
}

func TestHTML_notes(t *testing.T) {
	_, notes, err := HTML(`<meta http-equiv=Refresh content="5; URL='next.html'"><script></script><script src=x></script>`+
		`<object></object><embed>`, options())
	if want := (Notes{2, 2, "http://example.org/a/next.html"}); err != nil || notes != want {
		t.Errorf("%+v, %v, want %+v", notes, err, want)
	}
}

var sheets = []struct{ name, in, want string }{
	{"url", `a{b:url(c.png)}`, `a{b:url("/r/im_/http://example.org/a/c.png")}`},
	{"quoted", `a{b:url( 'c.png' )}`, `a{b:url("/r/im_/http://example.org/a/c.png")}`},
	{"fragment", `a{mask:url(#m)}`, `a{mask:url("#m")}`},
	{"data", `a{b:url(data:image/png;base64,AA==)}`, `a{b:url("data:image/png;base64,AA==")}`},
	{"script", `a{b:url(javascript:x)}`, `a{b:url("data:,")}`},
	{"import", `@import "c.css" print;@import url(d.css);`, `@import url("/r/cs_/http://example.org/a/c.css") print;@import url("/r/cs_/http://example.org/a/d.css");`},
	{"import of data", `@import "data:text/css,a{}";`, `@import url("data:,");`},
	{"import in other letters", `@IMPORT/**/'c.css';`, `@import/**/url("/r/cs_/http://example.org/a/c.css");`},
	{"import with escapes", `@\69mport "c.css";`, `@import url("/r/cs_/http://example.org/a/c.css");`},
	{"escaped name", `a{b:\75rl(c.png)}`, `a{b: }`},
	{"escaped letter", `a{b:u\rl(c.png)}`, `a{b:url("/r/im_/http://example.org/a/c.png")}`},
	{"escapes in a URL", `a{b:url(\63.png)}`, `a{b:url("/r/im_/http://example.org/a/c.png")}`},
	{
		"font", `@font-face{font-family:"x";src:local("y"),url(f.woff2) format("woff2")}a{b:url(c)}`,
		`@font-face{font-family:"x";src:local("y"),url("/r/fo_/http://example.org/a/f.woff2") format("woff2")}` +
			`a{b:url("/r/im_/http://example.org/a/c")}`,
	},
	{
		"image-set", `a{b:image-set("c.png" 1x,url(d.png) 2x type("image/png"))}`,
		`a{b:image-set(url("/r/im_/http://example.org/a/c.png") 1x,url("/r/im_/http://example.org/a/d.png") 2x type("image/png"))}`,
	},
	{"variable", `:root{--a:url(c)}`, `:root{--a:url("/r/im_/http://example.org/a/c")}`},
	{"src()", `a{b:src("c")}`, `a{b: }`},
	{"namespace", `@namespace url(http://www.w3.org/1999/xhtml);a{}`, ` a{}`},
	{"document", `@-moz-document url(http://example.org/){a{b:c}}d{}`, ` d{}`},
	{"charset", `@charset "latin1";a{}`, ` a{}`},
	{"media", `@media (width<=5px){a{b:c}}`, `@media (width<=5px){a{b:c}}`},
	{"comment", `a/*}url(x)*/{}`, `a/**/{}`},
	{"end of a string", "a{b:\"c\nurl(d)}", `a{b: url("/r/im_/http://example.org/a/d")}`},
	{"end of the sheet", `a{b:url(c`, `a{b:url("/r/im_/http://example.org/a/c")}`},
	{"string that ends the element", `a{content:"</style>"}`, `a{content:"\3c /style\3e "}`},
	{"stray braces", `a{b:c}}d{}`, `a{b:c} d{}`},
	{"names with signs", `.a\:b,.\31 0{}`, `.a\3a b,.\31 0{}`},
	{"hash", `#\31 x{color:#0a0}`, `#1x{color:#0a0}`},
	{"rule without an end", `a{b:c;@apply x}d{}e{}`, `a{b:c; }d{}e{}`},
	{"rule without an end, nested", `@media print{a{@apply x}d{}}e{}`, `@media print{a{ }d{}}e{}`},
	{"rule with a block in a block", `a{@x y{b:c}d:e}f{}`, `a{ d:e}f{}`},
	{"value with a sign", `a{b:@c}d{e:@f;g:h}`, `a{b: }d{e: g:h}`},
	{"value with a sign in brackets", `a{b:calc(@c + 1px);d:e}f{}`, `a{b:calc(  + 1px);d:e}f{}`},
	{"semicolon in brackets", `@x (a;b) [c;d] e(f;g);h{}`, ` h{}`},
	{"brace in brackets", `a{@x (b;{c}) d}e{}`, `a{ }e{}`},
	{"brace that ends no block", `@x a}b;c{}`, ` c{}`},
	{"dimension", `a{b:-1.5e3px;c:10%}`, `a{b:-1.5e3px;c:10%}`},
}

func TestCSS(t *testing.T) {
	for _, c := range sheets {
		t.Run(c.name, func(t *testing.T) {
			got := CSS(c.in, options())
			if got != c.want {
				t.Errorf("CSS(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
			checkCSS(t, got)
		})
	}
}

func TestHTML_refresh(t *testing.T) {
	for content, want := range map[string]string{
		"5; URL='next.html'":                    "http://old.example/a/next.html",
		"0; url=/politik/0,1518,123456,00.html": "http://old.example/politik/0,1518,123456,00.html",
		"0,url=/b;c=1":                          "http://old.example/b;c=1",
		"0;http://new.example/":                 "http://new.example/",
		"3 url=x":                               "http://old.example/a/x",
		" 1.5 ; url = \"x y\" z":                "http://old.example/a/x%20y",
		".5;'x'":                                "http://old.example/a/x",
		"0;urls.html":                           "http://old.example/a/urls.html",
		"0;ur=1":                                "http://old.example/a/ur=1",
		"0; url=http://new.example/?a=1&u='2'":  "http://new.example/?a=1&u=%272%27",
		"30":                                    "",
		"30;":                                   "",
		"0; url=":                               "",
		"url=x":                                 "",
		"0x; url=x":                             "",
		"0; url=javascript:alert(1)":            "",
		"0;url=data:text/html,x":                "",
	} {
		src := `<meta http-equiv=refresh content="` + strings.ReplaceAll(content, `"`, "&quot;") + `">`
		_, notes, err := HTML(src, Options{URL: "http://old.example/a/b.html"})
		if err != nil || notes.Refresh != want {
			t.Errorf("refresh of %q = %q, %v, want %q", content, notes.Refresh, err, want)
		}
	}
}
