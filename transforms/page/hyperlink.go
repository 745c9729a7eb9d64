package page

import (
	"bytes"
	"strings"
)

// Hyperlink is one element of what browsers call document.links: <a href> or <area href> with any scheme. It may also
// be a <frame src> of a frameset, which has no other way to its pages.
type Hyperlink struct {
	Href  string // absolute; if that fails as written, as in browsers
	Valid bool   // Href is an absolute URL
	Rel   string // words in lower case, separated by one space
	Text  string // visible text, or the alternative text of <area> or of the first picture; at most 256 bytes
	Node  int    // of the element, or of the <noscript> around it
}

// maxInner bounds the <noscript> elements that are parsed; real pages have some tens.
const maxInner = 256

// Hyperlinks returns the links of the page in document order, including those in <noscript>. They are document.links
// of a browser without scripts (https://html.spec.whatwg.org/, section 3.1.5). Result left counts the links beyond the
// limits: 20,000 links, 8 KiB for one and 16 MiB for all.
//
// Most readers want only Anchors: links to the web, a mail address or a telephone.
func (p *Page) Hyperlinks() (links []Hyperlink, left int) {
	// A resolver of its own, so that earlier calls do not use up its room.
	resolver := *p.resolver()
	resolver.room = maxURLs
	f := linkFinder{resolver: &resolver}
	f.page(p, -1)
	return f.links, f.left
}

// linkFinder gathers the links of a page and of its <noscript> elements.
type linkFinder struct {
	resolver *resolver // of the outer page: a <noscript> has the same base
	links    []Hyperlink
	left     int
	inner    int // number of <noscript> elements read
}

// page gathers the links of p. Their node is node at of the outer page, or their own if at is below 0.
func (f *linkFinder) page(p *Page, at int) {
	again := p.reopened
	known := map[int32]int{}
	for i := 0; i < len(p.Nodes); i++ {
		for ; len(again) > 0 && int(again[0].node) <= i; again = again[1:] {
			f.copy(p, again[0].link, at, known)
		}
		n := &p.Nodes[i]
		switch {
		case n.Tag == TagTemplate:
			// The content of a template is not in the document.
			for len(again) > 0 && again[0].node < n.End {
				again = again[1:]
			}
			i = int(n.End) - 1
		case isLink(n.Tag) && n.marks&foreign == 0:
			f.element(p, i, at)
		// With scripting, the content of <noscript> is text.
		case n.Tag == TagText && !p.o.NoScripting && n.Parent >= 0 && holdsMarkup(p.Nodes[n.Parent].Tag):
			f.noscript(p, i)
		}
	}
	for _, r := range again {
		f.copy(p, r.link, at, known)
	}
}

// What copy knows of a link that was not added.
const (
	leftOut = -1
	noLink  = -2
)

// copy adds a copy of element i. One link may have thousands, so only the first reads it: known has the index of that
// one in f.links.
func (f *linkFinder) copy(p *Page, i int32, at int, known map[int32]int) {
	k, ok := known[i]
	if !ok {
		before, left := len(f.links), f.left
		f.element(p, int(i), at)
		switch {
		case len(f.links) > before:
			known[i] = before
		case f.left > left:
			known[i] = leftOut
		default:
			known[i] = noLink
		}
		return
	}
	switch {
	case k == noLink:
	case k == leftOut, len(f.links) == maxAnchors, len(f.links[k].Href) > f.resolver.room:
		f.left++
	default:
		f.resolver.room -= len(f.links[k].Href)
		f.links = append(f.links, f.links[k])
	}
}

// noscript gathers the links in the markup of text node i. It is parsed without scripting, so nothing is parsed more
// than twice.
func (f *linkFinder) noscript(p *Page, i int) {
	src := p.Raw(i)
	// Most hold only a tracking pixel.
	if !containsLink(src) {
		return
	}
	if f.inner == maxInner {
		f.left++
		return
	}
	f.inner++
	f.page(Parse(src, Options{NoScripting: true}), int(p.Nodes[i].Parent))
}

// holdsMarkup reports whether an element's content is markup to browsers without scripts or frames.
func holdsMarkup(t Tag) bool { return t == TagNoscript || t == TagNoframes }

// containsLink reports whether markup may hold a link: <a> or <area>.
func containsLink(src []byte) bool {
	return bytes.Contains(src, []byte("<a")) || bytes.Contains(src, []byte("<A"))
}

// element adds element i if it is a link.
func (f *linkFinder) element(p *Page, i, at int) {
	v := p.values(i, target(p.Nodes[i].Tag), "rel", "alt", "title", "name")
	if v[0] == nil {
		return
	}
	if at < 0 {
		at = i
	}
	written := decode(v[0], inAttribute)
	l := Hyperlink{Href: escapeCarets(f.resolver.resolve(written)), Node: at}
	// A href that is not a URL stays as written, with the same bounds.
	l.Valid = l.Href != ""
	if !l.Valid && len(written) <= min(maxURL, f.resolver.room) && f.resolver.parse(written) == nil {
		l.Href = written
		f.resolver.room -= len(written)
	} else if !l.Valid {
		f.left++
		return
	}
	if len(f.links) == maxAnchors {
		f.left++
		return
	}
	l.Rel = strings.Join(strings.Fields(strings.ToLower(cut(decode(v[1], inAttribute), maxName))), " ")
	if l.Text = p.anchorText(i); l.Text == "" {
		l.Text = p.alternative(i, v)
	}
	f.links = append(f.links, l)
}

// alternative is the text of a link that shows none. It is alt of an <area> or of the first picture within an <a>, or
// the name of a frame. Parameter v has the element's rel, alt, title and name, from 1 on.
func (p *Page) alternative(i int, v [5][]byte) string {
	alt := v[2]
	switch p.Nodes[i].Tag {
	// Its title is for readers, its name for scripts.
	case TagFrame:
		if alt = v[3]; len(alt) == 0 {
			alt = v[4]
		}
	case TagA:
		alt = nil
		for k := i + 1; k < int(p.Nodes[i].End) && alt == nil; k++ {
			if p.Nodes[k].Tag == TagImg {
				alt, _ = p.RawAttr(k, "alt")
			}
		}
	}
	return collapse(decode(cut(alt, 4*maxAnchorText), inAttribute), maxAnchorText)
}

// escapeCarets escapes each ^ in the path of an absolute URL. It has been in the path percent-encode set of the URL
// Standard (section 1.3) since 2024, but the resolving library lacks it.
func escapeCarets(href string) string {
	end := strings.IndexAny(href, "?#")
	if end < 0 {
		end = len(href)
	}
	// Paths of other schemes are opaque and keep it.
	if strings.IndexByte(href[:end], '^') < 0 || !hasScheme(href, "http:", "https:", "ftp:", "file:") {
		return href
	}
	return strings.ReplaceAll(href[:end], "^", "%5E") + href[end:]
}
