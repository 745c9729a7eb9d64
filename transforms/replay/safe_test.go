package replay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
)

const pageURL = "http://example.org/a/page.html?x=1"

// options lead to paths that begin with the kind.
func options() Options {
	return Options{URL: pageURL, Address: func(kind Kind, url string) string { return "/r/" + string(kind) + "/" + url }}
}

// isOurs reports whether a URL of the output is one that the rewriter made.
func isOurs(ref string) bool {
	return strings.HasPrefix(ref, "/r/") || strings.HasPrefix(ref, "#") || isData(Image, ref) || isData(Font, ref)
}

// checkHTML reparses an output, and reports what may run or load something.
func checkHTML(t *testing.T, out string) {
	t.Helper()
	// Scripts are on here, as the stricter case: the content of noscript would be text.
	doc, err := html.Parse(strings.NewReader(out))
	if err != nil {
		t.Fatalf("the output cannot be parsed: %v", err)
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		name := strings.ToLower(n.Data)
		if silent[name] || name == "noscript" || name == "object" || name == "base" {
			t.Errorf("the element %s in %q", n.Data, out)
		}
		for _, a := range n.Attr {
			checkAttribute(t, n, a)
		}
		if name == "style" && n.FirstChild != nil {
			checkCSS(t, n.FirstChild.Data)
		}
	}
}

func checkAttribute(t *testing.T, n *html.Node, a html.Attribute) {
	t.Helper()
	switch key := strings.ToLower(a.Key); {
	case strings.HasPrefix(key, "on"), key == "srcdoc", key == "action", key == "formaction", key == "ping",
		key == "http-equiv", key == "is", key == "slot", key == "shadowrootmode", key == "autofocus":
		t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
	case key == "style":
		checkCSS(t, a.Val)
	case key == "target":
		if a.Val != "_top" {
			t.Errorf("<%s target=%q>", n.Data, a.Val)
		}
	case key == "srcset":
		for one := range strings.SplitSeq(a.Val, ", ") {
			if !isOurs(one) {
				t.Errorf("srcset=%q", a.Val)
			}
		}
	case key == "href", key == "src", key == "background", key == "poster", key == "data", key == "usemap":
		if !isOurs(a.Val) {
			t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
		}
	case n.Namespace == "svg" && strings.ContainsAny(a.Val, `(\`):
		checkCSS(t, a.Val)
	}
}

// checkCSS reports URLs of a style sheet that are not ours, and names with escapes.
func checkCSS(t *testing.T, text string) {
	t.Helper()
	l := css.NewLexer(parse.NewInputString(text))
	last := ""
	for {
		kind, data := l.Next()
		switch kind {
		case css.ErrorToken:
			return
		case css.URLToken:
			if ref := urlValue(string(data)); !isOurs(ref) && ref != "data:," {
				t.Errorf("%s in %q", data, text)
			}
		case css.BadURLToken, css.BadStringToken:
			t.Errorf("%s in %q", data, text)
		case css.StringToken:
			if last == "@import" {
				t.Errorf("@import %s in %q", data, text)
			}
		case css.FunctionToken:
			switch name := strings.ToLower(unescaped(string(data))); name {
			case "url(", "src(", "expression(", "element(":
				t.Errorf("%s in %q", data, text)
			}
		}
		if kind != css.WhitespaceToken && kind != css.CommentToken {
			last = strings.ToLower(string(data))
		}
	}
}

// vectors are the attacks of package sanitize.
func vectors(t testing.TB) (list []string) {
	t.Helper()
	files, err := filepath.Glob("../sanitize/testdata/xss/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq("\n"+string(data), "\n: ") {
			if _, markup, is := strings.Cut(part, "\n"); is {
				list = append(list, markup)
			}
		}
	}
	if len(list) < 77 {
		t.Fatalf("%d vectors", len(list))
	}
	return list
}

func TestHTML_vectors(t *testing.T) {
	for _, v := range vectors(t) {
		for _, page := range []string{v, "<!doctype html><body><p>" + v + "<p>after"} {
			out, _, err := HTML(page, options())
			if err != nil {
				t.Errorf("%q: %v", v, err)
			}
			checkHTML(t, out)
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v)
	}
	for _, c := range pages {
		f.Add(c.in)
	}
	for _, c := range sheets {
		f.Add("<style>" + c.in + "</style><p style='" + c.in + "'>")
	}
	f.Fuzz(func(t *testing.T, page string) {
		out, _, err := HTML(page, options())
		if err == nil {
			checkHTML(t, out)
		}
	})
}

func FuzzCSS(f *testing.F) {
	for _, c := range sheets {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, text string) { checkCSS(t, CSS(text, options())) })
}
