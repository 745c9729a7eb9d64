package pageimage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

var pages = []struct {
	name, html string
	want       []schemas.PageImage
}{
	{
		"texts", `<img src="a%20b.png#x" alt=" A red
				boat "><img src=/c.gif title="A title" alt="">`,
		[]schemas.PageImage{
			{URL: "http://example.org/d/a%20b.png", Alt: "A red boat", Source: "img"},
			{URL: "http://example.org/c.gif", Alt: "A title", Source: "img"},
		},
	},
	{
		"figure", `<figure><div><a href=x><img src=/a.jpg></a></div>
			<figcaption>The <b>harbour</b> in 1900</figcaption></figure>
			<div class="wp-caption alignleft"><img src=/b.jpg><p class="wp-caption-text">Old form</p></div>`,
		[]schemas.PageImage{
			{URL: "http://example.org/a.jpg", Caption: "The harbour in 1900", Source: "img"},
			{URL: "http://example.org/b.jpg", Caption: "Old form", Source: "img"},
		},
	},
	{
		"srcset", `<picture><source srcset="/a.webp 1x, /a2.webp 2x">
			<img src=/a.jpg srcset="/a,1.jpg 100w,/b.jpg" alt=A></picture>`,
		[]schemas.PageImage{
			{URL: "http://example.org/a.webp", Alt: "A", Source: "srcset"},
			{URL: "http://example.org/a2.webp", Alt: "A", Source: "srcset"},
			{URL: "http://example.org/a.jpg", Alt: "A", Source: "img"},
			{URL: "http://example.org/a,1.jpg", Alt: "A", Source: "srcset"},
			{URL: "http://example.org/b.jpg", Alt: "A", Source: "srcset"},
		},
	},
	{
		"loaded late", `<img src="data:image/gif;base64,R0" data-src=/a.jpg alt=A>
			<noscript><img src=/a.jpg><img src=/b.jpg></noscript>`,
		[]schemas.PageImage{
			{URL: "http://example.org/a.jpg", Alt: "A", Source: "img"},
			{URL: "http://example.org/b.jpg", Source: "img"},
		},
	},
	{
		"others", `<meta property=og:image content=/o.jpg><video poster=/v.jpg></video><input type=IMAGE src=/i.png alt=Go>
			<template><img src=/t.png></template><svg><image href=/s.png /></svg><input src=/n.png>`,
		[]schemas.PageImage{
			{URL: "http://example.org/v.jpg", Source: "video"},
			{URL: "http://example.org/i.png", Alt: "Go", Source: "input"},
			{URL: "http://example.org/o.jpg", Source: "meta"},
		},
	},
	{
		"once, with the texts of all", `<img src=/a.jpg><figure><img src=/a.jpg alt=A>
			<figcaption>C</figcaption></figure><img src=/a.jpg alt=B>`,
		[]schemas.PageImage{{URL: "http://example.org/a.jpg", Alt: "A", Caption: "C", Source: "img"}},
	},
	{
		"no image of the web", `<img><img src=""><img src="javascript:x">
			<img src="ftp://example.org/a.png"><img src="blob:x">
			<img src="http://example.org/` + strings.Repeat("a", maxURL) + `">`, nil,
	},
}

func of(p *page.Page) []schemas.PageImage {
	images, _ := Of(p)
	return images
}

func TestOf(t *testing.T) {
	for _, test := range pages {
		got := of(page.Parse([]byte(test.html), page.Options{URL: "http://example.org/d/p.html"}))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.name, diff)
		}
	}
}

// TestOf_bounded: the list and its texts are bounded, and cut between characters.
func TestOf_bounded(t *testing.T) {
	var b strings.Builder
	for range 3 * maxImages {
		b.WriteString(`<img src=/` + strings.Repeat("x", b.Len()%97) + ` alt="` + strings.Repeat("é", maxAlt) + `">`)
	}
	images, left := Of(page.Parse([]byte(b.String()), page.Options{URL: "http://example.org/"}))
	if len(images)+left.Images < maxImages && left.Images > 0 {
		t.Errorf("%d images, %d left out", len(images), left.Images)
	}
	for _, i := range images {
		if len(i.Alt) != maxAlt || !strings.HasSuffix(i.Alt, "é") {
			t.Fatalf("%d bytes: %q", len(i.Alt), i.Alt[len(i.Alt)-4:])
		}
	}
	list := strings.Repeat("/a.png 2x, ", 1000)
	if got := of(page.Parse([]byte(`<img srcset="`+list+`">`), page.Options{URL: "http://example.org/"})); len(got) != 1 {
		t.Errorf("%d images", len(got))
	}
}

// TestOf_many: the candidates of a srcset ascend, and lazy galleries have a <noscript> for each picture.
func TestOf_many(t *testing.T) {
	list := func(n int, format string) string {
		var b strings.Builder
		for k := range n {
			fmt.Fprintf(&b, format, k)
		}
		return b.String()
	}
	for _, tt := range []struct {
		name, html             string
		images, left, noScript int
	}{
		{"srcset", `<img srcset="` + list(12, "/%d.jpg 100w, ") + `">`, 12, 0, 0},
		{"data-srcset", `<img data-srcset="` + list(12, "/%d.jpg 100w,") + `" src=/0.jpg>`, 12, 0, 0},
		{"sources", `<picture><source srcset="` + list(20, "/%d.webp, ") + `"><img src=a></picture>`, 21, 0, 0},
		{"too many candidates", `<img srcset="` + list(501, "/%d.jpg 1x,") + `">`, 8, 493, 0},
		{"sizes give way", `<img srcset="` + list(12, "/%d.jpg 1x,") + `">` + list(495, "<img src=/o%d>"), 500, 7, 0},
		{"sizes and images", `<img srcset="` + list(12, "/%d.jpg 1x,") + `">` + list(488, "<img src=/o%d>"), 500, 0, 0},
		{"noscript", list(100, "<noscript><img src=/%d.jpg></noscript>"), 100, 0, 0},
		{"too many noscript", list(258, "<noscript><img src=/%d.jpg></noscript>"), 256, 0, 2},
		{"noscript without images", list(300, "<noscript>%d</noscript>") + "<noscript><img src=a></noscript>", 1, 0, 0},
	} {
		images, left := Of(page.Parse([]byte(tt.html), page.Options{URL: "http://example.org/"}))
		if want := (Left{tt.left, tt.noScript}); len(images) != tt.images || left != want {
			t.Errorf("%s: %d images and %+v left, want %d and %+v", tt.name, len(images), left, tt.images, want)
		}
	}
}

// TestOf_hostileTime: the time is linear in the size of the page. So eight times the size do not take 24 times as long.
func TestOf_hostileTime(t *testing.T) {
	small, large := hostile(1), hostile(8)
	for name := range large {
		took := func(html string) time.Duration {
			p := page.Parse([]byte(html), page.Options{URL: "http://example.org/"})
			return cputime.Of(func() { Of(p) })
		}
		if few, many := took(small[name]), took(large[name]); many > 24*few+100*time.Millisecond {
			t.Errorf("%s: %v for %d bytes, and %v for %d", name, few, len(small[name]), many, len(large[name]))
		}
	}
}

// hostile returns pages of n times half a megabyte or more.
func hostile(n int) map[string]string {
	caption := strings.Repeat("word ", n*100_000)
	return map[string]string{
		"long caption": "<figure><figcaption>" + caption + "</figcaption>" + strings.Repeat("<img src=a>", n*11_000),
		"caption of a class": "<div class=caption><p class=caption>" + caption + "</p>" +
			strings.Repeat("<img src=a>", n*11_000),
		"sources": "<picture>" + strings.Repeat("<source srcset=a>", n*24_000) + "</picture>",
		"sources before a long text": "<picture>" + strings.Repeat("<source srcset=a>", n*11_000) + "<img src=b alt='" +
			caption + "'></picture>",
		"nested pictures": "<picture>" +
			strings.Repeat("<source srcset=a><picture><source srcset=a></picture>", n*8_000),
		"candidates": `<img srcset="` + strings.Repeat("a 1x,b 2x,", n*25_000) + `">`,
	}
}

// TestOf_unread: <noscript> elements that are not read do not shorten lists of sizes.
func TestOf_unread(t *testing.T) {
	src := strings.Repeat("<img src=/k.jpg><noscript><img src=/k.jpg></noscript>", maxInner+44) + `<img srcset="`
	for k := range 12 {
		src += fmt.Sprintf("/%d.jpg %dw,", k, k+1)
	}
	images, left := Of(page.Parse([]byte(src+`">`), page.Options{URL: "http://example.org/"}))
	if want := (Left{NoScripts: 44}); len(images) != 13 || left != want {
		t.Errorf("%d images and %+v left, want 13 and %+v", len(images), left, want)
	}
}

// TestOf_largest: of a long list on a page with too many images, the first seven sizes and the last stay.
func TestOf_largest(t *testing.T) {
	for _, attr := range []string{"srcset", "data-srcset"} {
		src := "<img " + attr + `="`
		for k := range 12 {
			src += fmt.Sprintf("/size%d.jpg %dw,", k, k+1)
		}
		src += `">`
		for k := range maxImages {
			src += fmt.Sprintf("<img src=/%d>", k)
		}
		images := of(page.Parse([]byte(src), page.Options{URL: "http://example.org/"}))
		if len(images) != maxImages {
			t.Fatalf("%d images", len(images))
		}
		for i, size := range []int{0, 1, 2, 3, 4, 5, 6, 11} {
			if want := fmt.Sprintf("http://example.org/size%d.jpg", size); images[i].URL != want {
				t.Errorf("%s: image %d is %s, want %s", attr, i, images[i].URL, want)
			}
		}
	}
}

// FuzzOf: URLs are of the web and different, and texts are within their bounds.
func FuzzOf(f *testing.F) {
	f.Add(`<picture><source srcset="a 1x,b 2x"><img src=c alt=d></picture><noscript><img src=e></noscript>`)
	f.Add(`<figure><img data-src="//x/y" title=t><figcaption>c</figcaption></figure><base href=http://b/>`)
	f.Fuzz(func(t *testing.T, html string) {
		seen := map[string]bool{}
		for _, i := range of(page.Parse([]byte(html), page.Options{URL: "http://example.org/"})) {
			if seen[i.URL] || !strings.HasPrefix(i.URL, "http") || len(i.URL) > maxURL {
				t.Errorf("URL %q", i.URL)
			}
			seen[i.URL] = true
			if len(i.Alt) > maxAlt || len(i.Caption) > maxCaption || i.Source == "" {
				t.Errorf("%+v", i)
			}
		}
	})
}
