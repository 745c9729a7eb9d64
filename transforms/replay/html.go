package replay

import (
	"strings"

	"golang.org/x/net/html"
)

// Notes is what a rewriting has found that a reader should know of.
type Notes struct {
	Scripts int    // script elements that were left out
	Plugins int    // object, embed and applet elements whose content cannot be shown
	Refresh string // address that the page leads to by itself, as a URL; "" if it does not
}

// HTML rewrites a page, which is UTF-8. The parser repairs any text, so the only errors are pages with too many
// elements inside each other.
func HTML(text string, o Options) (string, Notes, error) {
	doc, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
	if err != nil {
		return "", Notes{}, err
	}
	w := &writer{u: newURLs(o)}
	if base := find(doc, "base", "href"); base != "" {
		w.u.setBase(base)
	}
	w.node(doc)
	return w.out.String(), w.notes, nil
}

// find returns the first value of an attribute of an element, in the order of the page.
func find(n *html.Node, name, key string) string {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == name && c.Namespace == "" {
			if v := get(c, key); v != "" {
				return v
			}
		}
	}
	return ""
}

func get(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

// writer writes the nodes of a page.
type writer struct {
	u     *urls
	out   strings.Builder
	notes Notes
}

func (w *writer) node(n *html.Node) {
	switch n.Type {
	case html.DocumentNode:
		w.children(n)
	case html.DoctypeNode:
		w.doctype(n)
	case html.TextNode:
		w.text(n.Data)
	case html.ElementNode:
		w.element(n)
	}
}

func (w *writer) children(n *html.Node) {
	for c := range n.ChildNodes() {
		w.node(c)
	}
}

// doctype writes the document type, by which browsers choose their mode.
func (w *writer) doctype(n *html.Node) {
	w.out.WriteString("<!DOCTYPE html")
	public, system := get(n, "public"), get(n, "system")
	clean := func(s string) string {
		return strings.Map(func(c rune) rune {
			if c < ' ' || c == '"' || c == '<' || c == '>' || c == '&' {
				return -1
			}
			return c
		}, s)
	}
	if public != "" {
		w.out.WriteString(` PUBLIC "` + clean(public) + `"`)
	} else if system != "" {
		w.out.WriteString(" SYSTEM")
	}
	if system != "" {
		w.out.WriteString(` "` + clean(system) + `"`)
	}
	w.out.WriteByte('>')
}

func (w *writer) text(s string) { w.out.WriteString(html.EscapeString(s)) }

func (w *writer) element(n *html.Node) {
	lower := strings.ToLower(n.Data)
	w.note(n, lower)
	switch {
	case silent[lower]:
	case n.Namespace == "svg":
		w.foreign(n, svgElements, svgAttributes)
	case n.Namespace == "math":
		w.foreign(n, mathElements, mathAttributes)
	case n.Data == "head":
		w.start(n, "head")
		w.out.WriteString(`<meta charset="utf-8">`)
		if w.u.o.Visual {
			w.out.WriteString("<style>*{direction:ltr!important;unicode-bidi:bidi-override!important}</style>")
		}
		w.children(n)
		w.end("head")
	case n.Data == "style":
		w.style(n)
	case n.Data == "link":
		w.link(n)
	case n.Data == "meta":
		w.meta(n)
	case n.Data == "xmp" || n.Data == "plaintext":
		w.out.WriteString("<pre>\n")
		w.children(n)
		w.end("pre")
	case n.Data == "object" && w.object(n):
	case n.Data == "iframe" || n.Data == "frame":
		w.frame(n)
	case elements[n.Data] || isCustom(n.Data):
		w.html(n)
	default:
		w.children(n)
	}
}

// note counts scripts and plug-ins, and finds a refresh.
func (w *writer) note(n *html.Node, name string) {
	switch name {
	case "script":
		w.notes.Scripts++
	case "embed", "applet", "object":
		w.notes.Plugins++
	}
	if n.Data == "meta" && strings.EqualFold(get(n, "http-equiv"), "refresh") && w.notes.Refresh == "" {
		w.notes.Refresh = w.refresh(get(n, "content"))
	}
}

// refresh returns the URL of a refresh: "5; url=next.html".
func (w *writer) refresh(content string) string {
	ref := refreshOf(content)
	if ref == "" {
		return ""
	}
	b := w.u.parse(ref)
	if b == nil || b.Scheme() != "http" && b.Scheme() != "https" {
		return ""
	}
	return b.Href(true)
}

// refreshOf returns the reference in a refresh, by the "shared declarative refresh steps" of HTML (section 4.2.5.3). It
// is "" for a page that loads itself again.
func refreshOf(content string) string {
	const blanks = " \t\n\f\r"
	trim := func(s string) string { return strings.TrimLeft(s, blanks) }
	rest := trim(content)
	after := strings.TrimLeft(rest, "0123456789")
	if after == rest && !strings.HasPrefix(rest, ".") {
		return ""
	}
	rest = strings.TrimLeft(after, "0123456789.")
	if rest == "" || !strings.ContainsRune(";,"+blanks, rune(rest[0])) {
		return ""
	}
	if rest = trim(rest); rest != "" && (rest[0] == ';' || rest[0] == ',') {
		rest = trim(rest[1:])
	}
	if len(rest) >= 3 && strings.EqualFold(rest[:3], "url") {
		value, ok := strings.CutPrefix(trim(rest[3:]), "=")
		if !ok {
			return rest
		}
		rest = trim(value)
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		rest, _, _ = strings.Cut(rest[1:], rest[:1])
	}
	return strings.TrimRight(rest, blanks)
}

// isCustom reports whether a name is that of a custom element.
func isCustom(name string) bool {
	if !strings.Contains(name, "-") || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

func (w *writer) html(n *html.Node) {
	w.start(n, n.Data)
	if void[n.Data] {
		return
	}
	// A parser drops the first line break of these.
	if c := n.FirstChild; (n.Data == "pre" || n.Data == "listing" || n.Data == "textarea") && c != nil &&
		c.Type == html.TextNode && strings.HasPrefix(c.Data, "\n") {
		w.out.WriteByte('\n')
	}
	w.children(n)
	w.end(n.Data)
}

func (w *writer) end(name string) { w.out.WriteString("</" + name + ">") }

// style writes a style element.
func (w *writer) style(n *html.Node) {
	if t := strings.ToLower(strings.TrimSpace(get(n, "type"))); t != "" && t != "text/css" {
		return
	}
	w.out.WriteString("<style")
	w.attribute("media", get(n, "media"))
	w.out.WriteByte('>')
	for c := range n.ChildNodes() {
		if c.Type != html.TextNode {
			continue
		}
		text := w.u.element(c.Data)
		// There it is text like any other, with tags and escapes.
		if n.Namespace == "svg" {
			text = html.EscapeString(text)
		}
		w.out.WriteString(text)
	}
	w.end("style")
}

// link writes the link to a style sheet. Links to anything else are left out.
func (w *writer) link(n *html.Node) {
	rel := set(strings.ToLower(get(n, "rel")))
	t, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(get(n, "type"))), ";")
	to := w.url(Style, get(n, "href"))
	if !rel["stylesheet"] || t != "" && t != "text/css" || to == "" {
		return
	}
	w.out.WriteString("<link")
	if rel["alternate"] {
		w.attribute("rel", "alternate stylesheet")
	} else {
		w.attribute("rel", "stylesheet")
	}
	w.attribute("href", to)
	w.attribute("media", get(n, "media"))
	w.attribute("title", get(n, "title"))
	w.out.WriteByte('>')
}

// meta writes the size of a page on phones, and its colours.
func (w *writer) meta(n *html.Node) {
	name := strings.ToLower(get(n, "name"))
	if name != "viewport" && name != "color-scheme" {
		return
	}
	w.out.WriteString("<meta")
	w.attribute("name", name)
	w.attribute("content", get(n, "content"))
	w.out.WriteByte('>')
}

// object writes an object that is an image. The content of others is what their authors meant for browsers without the
// plug-in.
func (w *writer) object(n *html.Node) bool {
	if !strings.HasPrefix(strings.ToLower(strings.TrimSpace(get(n, "type"))), "image/") {
		return false
	}
	to := w.url(Image, get(n, "data"))
	if to == "" {
		return false
	}
	w.notes.Plugins--
	w.out.WriteString("<img")
	w.attribute("src", to)
	for _, key := range []string{"width", "height", "class", "id", "align", "border"} {
		w.attribute(key, get(n, key))
	}
	w.out.WriteByte('>')
	return true
}

// frame writes a frame whose page is replayed, too. Frames without a page stay as empty areas.
func (w *writer) frame(n *html.Node) {
	w.out.WriteString("<" + n.Data)
	w.attribute("src", w.url(Page, get(n, "src")))
	w.attribute("sandbox", Sandbox)
	w.attributes(n, func(key string) bool { return key != "name" && attributes[key] })
	w.out.WriteByte('>')
	if n.Data == "iframe" {
		w.end("iframe")
	}
}

// Sandbox is the value of the attribute of frames, and of the policy. Readers may follow links, which all lead to other
// replayed pages. Nothing else is allowed.
const Sandbox = "allow-top-navigation-by-user-activation"

// foreign writes an element of SVG or MathML.
func (w *writer) foreign(n *html.Node, names, keys map[string]bool) {
	if !names[n.Data] {
		w.children(n)
		return
	}
	if n.Data == "style" {
		w.style(n)
		return
	}
	w.out.WriteString("<" + n.Data)
	for _, a := range n.Attr {
		switch {
		case a.Key == "href" && (a.Namespace == "" || a.Namespace == "xlink"):
			w.reference(n, a.Val)
		case a.Namespace != "":
		case a.Key == "style":
			w.attribute("style", w.u.attribute(a.Val))
		case keys[a.Key] && strings.ContainsAny(a.Val, `(\`):
			w.attribute(a.Key, w.u.attribute(a.Val))
		case keys[a.Key]:
			w.attribute(a.Key, a.Val)
		}
	}
	w.out.WriteByte('>')
	// Inside of these, a parser reads HTML again.
	if n.Data == "title" || n.Data == "desc" {
		w.words(n)
	} else {
		w.children(n)
	}
	w.end(n.Data)
}

// words writes the text of an element without its elements.
func (w *writer) words(n *html.Node) {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			w.text(c.Data)
		}
	}
}

// reference writes the link of an element of SVG: images have URLs, all others only parts of this page.
func (w *writer) reference(n *html.Node, ref string) {
	ref = strings.TrimSpace(ref)
	switch {
	case n.Namespace != "svg":
	case n.Data == "image":
		w.attribute("href", w.url(Image, ref))
	case strings.HasPrefix(ref, "#"):
		w.attribute("href", "#"+fragment(ref[1:]))
	}
}
