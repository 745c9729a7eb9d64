package replay

import (
	"strings"

	"golang.org/x/net/html"
)

// uses are the attributes with URLs that a browser loads, by element.
var uses = map[string]map[string]Kind{
	"img": {"src": Image}, "input": {"src": Image}, "body": {"background": Image}, "table": {"background": Image},
	"tr": {"background": Image}, "td": {"background": Image}, "th": {"background": Image},
	"tbody": {"background": Image}, "thead": {"background": Image}, "tfoot": {"background": Image},
	"video": {"src": Media, "poster": Image}, "audio": {"src": Media}, "source": {"src": Media},
}

// url returns the address for a use of a URL, or "".
func (w *writer) url(kind Kind, ref string) string {
	to := w.u.address(kind, ref)
	// A part of the page is not an image: only links may lead to it.
	if kind != Link && strings.HasPrefix(to, "#") {
		return ""
	}
	return to
}

// start writes the start tag of an element of HTML.
func (w *writer) start(n *html.Node, name string) {
	w.out.WriteString("<" + name)
	for _, a := range n.Attr {
		if a.Namespace != "" {
			continue
		}
		switch kind, is := uses[n.Data][a.Key]; {
		case is:
			w.attribute(a.Key, w.url(kind, a.Val))
		case a.Key == "href" && (n.Data == "a" || n.Data == "area"):
			w.anchor(a.Val)
		case a.Key == "srcset" && (n.Data == "img" || n.Data == "source"):
			w.attribute("srcset", w.srcset(a.Val))
		case a.Key == "style":
			w.attribute("style", w.u.attribute(a.Val))
		case a.Key == "usemap" && strings.HasPrefix(a.Val, "#"):
			w.attribute("usemap", a.Val)
		}
	}
	w.attributes(n, func(key string) bool { return attributes[key] })
	if n.Data == "video" || n.Data == "audio" {
		// Without scripts, only the browser's own buttons can start it.
		w.out.WriteString(` controls preload="none"`)
	}
	w.out.WriteByte('>')
}

// attributes writes the attributes that need no change.
func (w *writer) attributes(n *html.Node, allowed func(key string) bool) {
	for _, a := range n.Attr {
		if a.Namespace != "" || !allowed(a.Key) && !isPrefixed(a.Key) {
			continue
		}
		w.out.WriteString(" " + a.Key + `="` + html.EscapeString(a.Val) + `"`)
	}
}

// isPrefixed reports whether a name is one of the author's own, or for assistive technology.
func isPrefixed(key string) bool {
	rest, is := strings.CutPrefix(key, "data-")
	if !is {
		rest, is = strings.CutPrefix(key, "aria-")
	}
	return is && rest != "" && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

// attribute writes an attribute that has a value.
func (w *writer) attribute(key, value string) {
	if value != "" {
		w.out.WriteString(" " + key + `="` + html.EscapeString(value) + `"`)
	}
}

// anchor writes the target of a link. Other pages open in the whole window, with their own date. Links to anything but
// pages lead nowhere, and still look like links.
func (w *writer) anchor(ref string) {
	to := w.url(Link, ref)
	switch {
	case to == "":
		w.attribute("href", "#")
	case to[0] == '#':
		w.attribute("href", to)
	default:
		w.attribute("href", to)
		w.attribute("target", "_top")
	}
}

// srcset rewrites a list of images (section 4.8.4.2.1 of HTML).
func (w *writer) srcset(list string) string {
	var out []string
	for list != "" {
		list = strings.TrimLeft(list, " \t\n\r\f,")
		end := strings.IndexAny(list, " \t\n\r\f")
		if end < 0 {
			end = len(list)
		}
		ref, rest := list[:end], list[end:]
		descriptor := ""
		// A comma after the URL ends the candidate; otherwise descriptors follow.
		if trimmed := strings.TrimRight(ref, ","); trimmed != ref {
			ref = trimmed
		} else {
			descriptor, rest, _ = strings.Cut(rest, ",")
		}
		list = rest
		to := w.url(Image, ref)
		if to == "" || strings.ContainsAny(to, " \t\n\r\f") {
			continue
		}
		// A comma at the end would end the candidate.
		if last := strings.TrimRight(to, ","); last != to {
			continue
		}
		out = append(out, strings.TrimSpace(to+" "+size(descriptor)))
	}
	return strings.Join(out, ", ")
}

// size returns the descriptors of an image: numbers with w, h or x.
func size(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if strings.Trim(text, "0123456789.wxh ") != "" {
		return ""
	}
	return text
}
