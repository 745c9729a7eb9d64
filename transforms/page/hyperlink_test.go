package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// hrefs returns the links of a page at https://e.example/a/.
func hrefs(src string) (list []string, left int) {
	links, left := Parse([]byte(src), Options{URL: "https://e.example/a/"}).Hyperlinks()
	for _, l := range links {
		list = append(list, l.Href)
	}
	return list, left
}

func TestPage_Hyperlinks(t *testing.T) {
	const b, c = "https://e.example/a/b", "https://e.example/a/c"
	tests := []struct {
		name, src string
		want      []string
	}{
		{"none", "<a name=b>x</a><p>", nil},
		{"relative, by white space and controls", "<a href=' \tb\n '>x</a><a href='b/../c'>y</a>", []string{b, c}},
		{"empty is the page itself", "<a href>x</a>", []string{"https://e.example/a/"}},
		{"base", "<base href=/x/><a href=b>x</a>", []string{"https://e.example/x/b"}},
		{
			"any scheme", "<a href='javascript:f()'>x</a><a href='MAILTO:a@b.c'>y</a>",
			[]string{"javascript:f()", "mailto:a@b.c"},
		},
		{"no URL", "<a href='http://[x'>x</a>", []string{"http://[x"}},
		{"caret", "<a href='/^?^#^'>x</a>", []string{"https://e.example/%5E?^#^"}},
		{"area", "<map><area href=b alt=B><area alt=C></map>", []string{b}},
		{"drawings have no links, but what is HTML in them has", "<svg><a href=b>x</a><foreignObject><a href=c>x</a>" +
			"</foreignObject></svg>", []string{c}},
		{"template", "<template><a href=b>x</a></template><a href=c>y</a>", []string{c}},
		{"noscript", "<a href=b>x</a><noscript><p><A HREF=c>y</A><noscript><a href=d>z</a></noscript></noscript><a href=b>" +
			"x</a>", []string{b, c, "https://e.example/a/d", b}},
		{"frames", "<frameset><frame src=b name=menu><frameset><frame src=c></frameset><noframes><a href=d>z</a>" +
			"</noframes></frameset>", []string{b, c, "https://e.example/a/d"}},
		{"a frame outside of a frameset", "<p>x<frame src=b>", nil},
		{"a link ends the one before it", "<a href=b>x<a href=c>y</a>", []string{b, c}},
		{"opened again in the next block", "<p><a href=b>x<p>y</a><p>z", []string{b, b}},
		{"not by a block", "<p><a href=b>x</p><div><p></p></div>", []string{b}},
		{"adopted by each block", "<a href=b><div><div>x</a></div></div>", []string{b, b, b}},
		{"adopted eight times", "<a href=b>" + strings.Repeat("<div>", 12) + "x</a>", slices.Repeat([]string{b}, 9)},
		{"not beyond a cell", "<table><tr><td><a href=b>x<td>y</table>z", []string{b}},
		{"in front of a table", "<a href=b>x<table>y<tr><td></table>", []string{b}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, left := hrefs(tt.src); !slices.Equal(got, tt.want) || left != 0 {
				t.Errorf("Hyperlinks of %s = %q and %d left, want %q", tt.src, got, left, tt.want)
			}
		})
	}
}

// TestPage_Hyperlinks_asNetHTML inserts links into the cases of html5lib. The results are compared with
// golang.org/x/net/html, which has the adoption agency.
func TestPage_Hyperlinks_asNetHTML(t *testing.T) {
	cases, differ := treeCases(t), 0
	for _, c := range cases {
		src := strings.ReplaceAll(strings.ReplaceAll(c.src, "<a>", "<a href=x>"), "<b>", "<a href=y>")
		root, err := html.ParseWithOptions(strings.NewReader(src), html.ParseOptionEnableScripting(false))
		if err != nil {
			continue
		}
		want := 0
		for n := range root.Descendants() {
			if n.Type == html.ElementNode && n.Namespace == "" && (n.Data == "a" || n.Data == "area") &&
				slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "href" }) && !inTemplate(n) {
				want++
			}
		}
		if got, _ := hrefs(src); len(got) != want {
			differ++
			t.Logf("%s: %d links, want %d: %q", c.name, len(got), want, src)
		}
	}
	// Selects and framesets follow today's standard, which golang.org/x/net does not implement yet.
	if differ*100 > 2*len(cases) {
		t.Errorf("%d of %d cases have other links", differ, len(cases))
	}
}

func inTemplate(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && n.Data == "template" {
			return true
		}
	}
	return false
}

func TestPage_Hyperlinks_text(t *testing.T) {
	src := "<a href=b rel=' NoFollow\n ugc'> one\n <b>two</b> </a><a href=c><img src=x><img alt=' pic &amp; '></a><map>" +
		"<area alt=map href=d></map>"
	links, _ := Parse([]byte(src), Options{URL: "https://e.example/"}).Hyperlinks()
	var got []string
	for _, l := range links {
		got = append(got, fmt.Sprintf("%s|%s|%v", l.Text, l.Rel, l.Valid))
	}
	if want := []string{"one two|nofollow ugc|true", "pic &||true", "map||true"}; !slices.Equal(got, want) {
		t.Errorf("texts %q, want %q", got, want)
	}
}

// TestPage_Hyperlinks_bounded: links above a limit are counted, and a malicious page takes no more memory than its
// size.
func TestPage_Hyperlinks_bounded(t *testing.T) {
	long := strings.Repeat("x", 9<<10)
	tests := []struct {
		name, src   string
		links, left int
	}{
		{"a long one", "<a href=b>x</a><a href=" + long + ">x</a>", 1, 1},
		{"many", strings.Repeat("<a href=b>x</a>", 20_001), 20_000, 1},
		{"a long base", "<base href=/" + long[:8000] + "/>" + strings.Repeat("<a href=b>x</a>", 4000), 2091, 1909},
		{"many noscripts", strings.Repeat("<noscript><a href=b>x</a></noscript>", 300), 256, 44},
		{"one that nobody closes", strings.Repeat("<p><a href=b>x", 1) + strings.Repeat("<p>x", 30_000), 20_000, 1},
		{
			"a long one that nobody closes", `<div><a href="` + strings.Repeat("&amp;", 500_000) + `"></div>` +
				strings.Repeat("<div>y</div>", 20_000), 0, 20_001,
		},
		{
			"many nodes in one that nobody closes", "<div><a href=b>" + strings.Repeat("<wbr>", 90_000) + "</div>" +
				strings.Repeat("<div>y</div>", 19_000), 19_001, 0,
		},
		{
			"a name that nobody closes", "<div><a name=b>" + strings.Repeat("<wbr>", 90_000) + "</div>" +
				strings.Repeat("<div>y</div>", 19_000) + "<a href=c>z", 1, 0,
		},
		{"deep in cells", strings.Repeat("<table><td><a href=b>x<p>y", 5_000), 0, 0},
		{"in a drawing", "<a href=b><svg>" + strings.Repeat("<g>x", 50_000), 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			began := time.Now()
			got, left := hrefs(tt.src)
			if tt.links > 0 && (len(got) != tt.links || left != tt.left) {
				t.Errorf("%d links and %d left, want %d and %d", len(got), left, tt.links, tt.left)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("%d bytes took %v", len(tt.src), took)
			}
		})
	}
}

func FuzzPage_Hyperlinks(f *testing.F) {
	f.Add("<p><a href=b>x<p>y<table>z<td><a href=c><div></a><noscript><a href=d></noscript>")
	f.Add("<a href='http://[' rel=a><svg><a href=x><desc><a href=y></svg><template><a href=z></template>")
	f.Fuzz(func(t *testing.T, src string) {
		p := Parse([]byte(src), Options{URL: "https://e.example/"})
		links, left := p.Hyperlinks()
		if left < 0 || len(links) > maxAnchors {
			t.Errorf("%d links, %d left", len(links), left)
		}
		last := -1
		for _, l := range links {
			if l.Node < 0 || l.Node >= len(p.Nodes) || len(l.Text) > maxAnchorText || len(l.Rel) > 2*maxName {
				t.Errorf("%+v of %d nodes", l, len(p.Nodes))
			}
			last = max(last, l.Node)
		}
		// A parser that has read another page before must read the page in the same way.
		r := new(Parser)
		r.Parse([]byte("<p><a href=q>x<p>y"), Options{})
		again, _ := r.Parse([]byte(src), Options{URL: "https://e.example/"}).Hyperlinks()
		if !slices.Equal(links, again) {
			t.Errorf("read again: %v, want %v", again, links)
		}
	})
}

func BenchmarkPage_Hyperlinks(b *testing.B) {
	var src strings.Builder
	for i := range 200 {
		fmt.Fprintf(&src, "<li><a href='/story/%d' rel=nofollow>Story number %d</a></li>", i, i)
	}
	p := Parse([]byte(src.String()), Options{URL: "https://e.example/"})
	b.SetBytes(int64(src.Len()))
	b.ReportAllocs()
	for b.Loop() {
		p.Hyperlinks()
	}
}
