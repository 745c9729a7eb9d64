// Package pageimage lists the images that a page shows, with their alternative texts and captions. It fetches nothing.
//
//	images, left := pageimage.Of(p)
//	for _, i := range images {
//		fmt.Println(i.URL, i.Alt, i.Caption)
//	}
//
// It lists <img> with the attributes from which scripts load images late, and candidates of srcset. It also lists
// posters of videos, buttons, and the images that the head names for previews. Images in <noscript> are included,
// images of style sheets are not. Images that are part of their URL (data:) are left out.
package pageimage

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Version changes when the same page gives another list.
const Version = "2"

const (
	maxImages  = 500     // images of a page
	maxURL     = 2 << 10 // bytes
	maxAlt     = 500     // bytes
	maxCaption = 1000    // bytes
	fewSizes   = 8       // of a srcset, the first and the last, on a page with more than maxImages
	maxInner   = 256     // <noscript> elements that are parsed; real pages have some tens
	maxUp      = 4       // elements between an image and its figure
	maxFigure  = 200     // nodes of a figure that are searched for its caption
)

// The values of schemas.PageImage.Source.
const (
	sourceElement   = "img"
	sourceCandidate = "srcset"
	sourcePoster    = "video"
	sourceButton    = "input"
	sourceHead      = "meta"
)

// late are attributes from which scripts load images, in the order of how often they are used.
var late = []string{"data-src", "data-original", "data-lazy-src", "data-lazy"}

// Left counts what is beyond the limits.
type Left struct {
	Images    int // a URL may count several times
	NoScripts int // <noscript> elements with images that are not read
}

// Of returns the images of p in the order of the page, each URL once; those that the head names come last.
//
// If they are too many, long lists of sizes of one image give way to other images.
func Of(p *page.Page) (images []schemas.PageImage, left Left) {
	l := listOf(p, false)
	if l.left > 0 {
		l = listOf(p, true)
	}
	return l.images, Left{Images: l.left, NoScripts: l.unread}
}

// listOf lists the images; with few, only fewSizes of each srcset.
func listOf(p *page.Page, few bool) *list {
	l := &list{resolve: p.Resolve, places: map[string]int{}, few: few}
	l.page(p)
	for _, m := range p.Metas() {
		switch m.Name {
		case "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src":
			l.add(schemas.PageImage{URL: m.Content, Source: sourceHead})
		}
	}
	return l
}

// list gathers the images of a page and of its <noscript> elements.
type list struct {
	resolve func(string) string // of the outer page: a <noscript> has the same base
	images  []schemas.PageImage
	places  map[string]int // of URLs in images
	few     bool           // only fewSizes of a srcset are listed
	inner   int
	left    int // images beyond maxImages
	unread  int // <noscript> beyond maxInner
}

func (l *list) page(p *page.Page) {
	pictures := map[int32]schemas.PageImage{} // texts of the <img> in each <picture>
	for i := 0; i < len(p.Nodes); i++ {
		n := &p.Nodes[i]
		if n.Flags&page.InForeign != 0 {
			continue
		}
		switch n.Tag {
		case page.TagTemplate:
			i = int(n.End) - 1
		case page.TagImg:
			l.element(p, i)
		case page.TagSource:
			if n.Parent >= 0 && p.Nodes[n.Parent].Tag == page.TagPicture {
				image, known := pictures[n.Parent]
				if !known {
					image = imageOf(p, int(n.Parent))
					pictures[n.Parent] = image
				}
				l.candidates(p, i, image)
			}
		case page.TagVideo:
			l.attribute(p, i, "poster", schemas.PageImage{Source: sourcePoster, Caption: caption(p, i)})
		case page.TagInput:
			if kind, _ := p.Attr(i, "type"); strings.EqualFold(kind, "image") {
				l.attribute(p, i, "src", schemas.PageImage{Source: sourceButton, Alt: alternative(p, i)})
			}
		case page.TagText:
			if n.Parent >= 0 && p.Nodes[n.Parent].Tag == page.TagNoscript {
				l.noscript(p, i)
			}
		}
	}
}

// noscript gathers the images in the markup of text node i. Most hold only a tracking pixel or a picture that scripts
// load late.
func (l *list) noscript(p *page.Page, i int) {
	src := p.Raw(i)
	if !bytes.Contains(src, []byte("<img")) && !bytes.Contains(src, []byte("<IMG")) {
		return
	}
	if l.inner == maxInner {
		l.unread++
		return
	}
	l.inner++
	l.page(page.Parse(src, page.Options{NoScripting: true}))
}

// element adds an <img>.
func (l *list) element(p *page.Page, i int) {
	image := schemas.PageImage{Source: sourceElement, Alt: alternative(p, i), Caption: caption(p, i)}
	l.attribute(p, i, "src", image)
	for _, name := range late {
		l.attribute(p, i, name, image)
	}
	l.candidates(p, i, image)
}

// imageOf returns the texts of the <img> in a <picture>.
func imageOf(p *page.Page, picture int) (image schemas.PageImage) {
	for k := picture + 1; k < int(p.Nodes[picture].End); k++ {
		if p.Nodes[k].Tag == page.TagImg {
			return schemas.PageImage{Alt: alternative(p, k), Caption: caption(p, k)}
		}
	}
	return image
}

// candidates adds the URLs of the srcset of element i (HTML, section 4.8.4.2.1).
func (l *list) candidates(p *page.Page, i int, image schemas.PageImage) {
	image.Source = sourceCandidate
	for _, name := range []string{"srcset", "data-srcset"} {
		srcset, _ := p.Attr(i, name)
		urls := candidates(srcset)
		// Sizes mostly ascend or descend, so the largest stays.
		if n := len(urls); l.few && n > fewSizes {
			urls = append(urls[:fewSizes-1], urls[n-1])
			l.left += n - fewSizes
		}
		for _, image.URL = range urls {
			l.add(image)
		}
	}
}

// candidates returns the URLs of a srcset.
func candidates(rest string) (urls []string) {
	for {
		if rest = strings.TrimLeft(rest, " \t\n\r\f,"); rest == "" {
			return urls
		}
		end := strings.IndexAny(rest, " \t\n\r\f")
		if end < 0 {
			end = len(rest)
		}
		var url string
		url, rest = rest[:end], rest[end:]
		// A comma after the URL ends the candidate; otherwise descriptors follow.
		if short := strings.TrimRight(url, ","); short != url {
			url = short
		} else {
			_, rest, _ = strings.Cut(rest, ",")
		}
		urls = append(urls, url)
	}
}

// attribute adds the image that an attribute names.
func (l *list) attribute(p *page.Page, i int, name string, image schemas.PageImage) {
	if url, ok := p.Attr(i, name); ok {
		image.URL = url
		l.add(image)
	}
}

// add adds an image, or the texts that the one with its URL lacks.
func (l *list) add(image schemas.PageImage) {
	image.URL = strings.TrimSpace(image.URL)
	if image.URL == "" || len(image.URL) > maxURL || strings.HasPrefix(image.URL, "data:") {
		return
	}
	url, _, _ := strings.Cut(l.resolve(image.URL), "#")
	if !strings.HasPrefix(url, "http:") && !strings.HasPrefix(url, "https:") || len(url) > maxURL {
		return
	}
	image.URL = url
	if at, known := l.places[url]; known {
		if l.images[at].Alt == "" {
			l.images[at].Alt = image.Alt
		}
		if l.images[at].Caption == "" {
			l.images[at].Caption = image.Caption
		}
		return
	}
	if len(l.images) == maxImages {
		l.left++
		return
	}
	l.places[url] = len(l.images)
	l.images = append(l.images, image)
}

// alternative returns the alternative text of element i, or else its title.
func alternative(p *page.Page, i int) string {
	for _, name := range []string{"alt", "title"} {
		if text, _ := p.Attr(i, name); strings.TrimSpace(text) != "" {
			return tidy(text, maxAlt)
		}
	}
	return ""
}

// caption returns the caption of the figure around element i, or "". Older pages have a <div> whose class names it.
func caption(p *page.Page, i int) string {
	at := int(p.Nodes[i].Parent)
	for range maxUp {
		if at < 0 {
			break
		}
		if p.Nodes[at].Tag == page.TagFigure || isCaption(p, at) {
			return captionIn(p, at)
		}
		at = int(p.Nodes[at].Parent)
	}
	return ""
}

// captionIn returns the text of the first caption in a figure.
func captionIn(p *page.Page, figure int) string {
	for k := figure + 1; k < min(int(p.Nodes[figure].End), figure+maxFigure); k++ {
		if p.Nodes[k].Tag == page.TagFigcaption || isCaption(p, k) {
			text := p.NodeText(k)
			return tidy(string(text[:min(len(text), 4*maxCaption)]), maxCaption)
		}
	}
	return ""
}

// isCaption reports whether the class of element i names a caption.
func isCaption(p *page.Page, i int) bool {
	if p.Nodes[i].Tag == page.TagText {
		return false
	}
	class, ok := p.RawAttr(i, "class")
	return ok && bytes.Contains(bytes.ToLower(class[:min(len(class), 200)]), []byte("caption"))
}

// tidy returns a text on one line of at most limit bytes.
func tidy(text string, limit int) string {
	text = strings.Join(strings.Fields(text[:min(len(text), 4*limit)]), " ")
	if len(text) > limit {
		for !utf8.RuneStart(text[limit]) {
			limit--
		}
		text = text[:limit]
	}
	return strings.ToValidUTF8(text, "")
}
