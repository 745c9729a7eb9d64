package sanitize

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The tests have a separate allow-list, so that a mistake in the package's tables is noticed.
var (
	safeElements = strings.Fields(`html head body p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr
		th td blockquote pre code em strong b i u s sub sup a img figure figcaption br hr div span details summary time
		abbr q cite del ins`)
	// They are in the order of the output.
	safeAttrs = strings.Fields("href src title alt width height colspan rowspan datetime lang dir")
)

// checkSafe fails the test if a parser finds anything in out that is not on the allow-list, in any context. It also
// fails if out is not its own sanitised form.
func checkSafe(t testing.TB, out string) {
	t.Helper()
	if found := unsafe(out); len(found) > 0 {
		t.Fatalf("%v in %q", found, out)
	}
	root, err := html.Parse(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if parsed := written(root); parsed != out {
		a, b := different(parsed, out)
		t.Fatalf("a parser has another tree:\n%q, written\n%q", a, b)
	}
	if again := clean(out); again != out {
		a, b := different(again, out)
		t.Fatalf("sanitised again:\n%q, first\n%q", a, b)
	}
}

// different returns the rest of a and b from shortly before their first difference.
func different(a, b string) (restA, restB string) {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	i = max(0, i-100)
	return a[i:min(len(a), i+300)], b[i:min(len(b), i+300)]
}

// unsafe returns the parts of markup that are not on the allow-list, as parsed in any context.
func unsafe(markup string) []string {
	var found []string
	for _, name := range []string{"<script", "<style", "<iframe", "<svg", "<math", "<form", "<object", "<!--", "<!"} {
		if strings.Contains(strings.ToLower(markup), name) {
			found = append(found, name)
		}
	}
	root, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		return append(found, err.Error())
	}
	found = append(found, unsafeNodes(root)...)
	for _, c := range contexts {
		nodes, err := html.ParseFragment(strings.NewReader(markup), c)
		if err != nil {
			found = append(found, err.Error())
		}
		for _, n := range nodes {
			for _, f := range unsafeNodes(n) {
				found = append(found, "within "+c.Data+": "+f)
			}
		}
	}
	return found
}

// contexts are elements in which markup is parsed by other rules.
var contexts = slices.Concat(
	contextsOf("", "div", "table", "tr", "select", "noscript", "template", "button", "a", "textarea", "title"),
	contextsOf("svg", "svg", "foreignObject", "title", "style"),
	contextsOf("math", "math", "mi", "annotation-xml"),
)

func contextsOf(namespace string, names ...string) []*html.Node {
	var all []*html.Node
	for _, name := range names {
		all = append(all, &html.Node{
			Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name)), Namespace: namespace,
		})
	}
	return all
}

func unsafeNodes(root *html.Node) []string {
	found := unsafeNode(root)
	for n := range root.Descendants() {
		found = append(found, unsafeNode(n)...)
	}
	return found
}

func unsafeNode(n *html.Node) []string {
	if n.Type == html.TextNode || n.Type == html.DocumentNode {
		return nil
	}
	var found []string
	if n.Type != html.ElementNode || !slices.Contains(safeElements, n.Data) {
		found = append(found, fmt.Sprintf("node %q of type %d", n.Data, n.Type))
	}
	for _, a := range n.Attr {
		if !slices.Contains(safeAttrs, a.Key) || a.Namespace != "" {
			found = append(found, fmt.Sprintf("attribute %q", a.Key))
		}
		if (a.Key == "href" || a.Key == "src") && !safeURL(a.Key, a.Val) {
			found = append(found, fmt.Sprintf("URL %q", a.Val))
		}
	}
	return found
}

// safeURL reports whether s is absolute, has an allowed scheme for key, and contains nothing that parsers drop.
func safeURL(key, s string) bool {
	scheme, _, ok := strings.Cut(s, ":")
	if !ok || scheme != "http" && scheme != "https" && (scheme != "mailto" || key != "href") {
		return false
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7F }) {
		return false
	}
	u, err := url.Parse(s)
	return err != nil || u.Scheme == scheme
}

// written returns the HTML of a tree: it differs from the source if the parser has moved anything.
func written(root *html.Node) string {
	var b strings.Builder
	var write func(n *html.Node)
	write = func(n *html.Node) {
		name := n.Data
		switch {
		case n.Type == html.TextNode:
			b.WriteString(escapedText(n.Data))
			return
		case n.Type == html.DocumentNode, slices.Contains([]string{"html", "head", "body"}, name):
			name = ""
		default:
			b.WriteString("<" + name)
			slices.SortFunc(n.Attr, func(a, b html.Attribute) int { // the parser changes their order
				return slices.Index(safeAttrs, a.Key) - slices.Index(safeAttrs, b.Key)
			})
			for _, a := range n.Attr {
				b.WriteString(" " + a.Key + `="` + escapedText(a.Val) + `"`)
			}
			b.WriteString(">")
		}
		for c := range n.ChildNodes() {
			write(c)
		}
		if name != "" && !slices.Contains([]string{"br", "hr", "img"}, name) {
			b.WriteString("</" + name + ">")
		}
	}
	write(root)
	return b.String()
}

var escapedText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;").Replace
