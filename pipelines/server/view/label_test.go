package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

func TestTongue(t *testing.T) {
	for code, want := range map[string]string{
		"": "", "und": "not determined", "zxx": "no language", "de": "German", "pt-BR": "Brazilian Portuguese",
		"zh-Hant": "Traditional Chinese",
		"yue":     "Cantonese", "xx": "xx", "deutsch language": "deutsch language", "\xff": "\xff", "<b>": "<b>",
	} {
		if got := Tongue(code); got != want {
			t.Errorf("Tongue(%q) = %q, want %q", code, got, want)
		}
	}
}

func TestDirOf(t *testing.T) {
	for code, want := range map[string]string{
		"": "auto", "und": "auto", "de": "ltr", "ar": "rtl", "he": "rtl", "fa": "rtl", "xx": "ltr",
	} {
		if got := dirOf(code); got != want {
			t.Errorf("dirOf(%q) = %q, want %q", code, got, want)
		}
	}
}

func TestStatusLabel(t *testing.T) {
	for value, want := range map[string]string{
		"404": "404 Not Found", "200": "200 OK", "999": "999", "0": "0", "": "", "x": "x", "-1": "-1",
	} {
		if got := statusLabel(value); got != want {
			t.Errorf("statusLabel(%q) = %q, want %q", value, got, want)
		}
	}
}

// TestPathOf: two addresses that differ look different, and an address that does not parse is shown as it is.
func TestPathOf(t *testing.T) {
	for raw, want := range map[string]string{
		"http://a.example":             "/",
		"http://a.example/":            "/",
		"http://a.example/b%2Fc/d?e=f": "/b%2Fc/d?e=f",
		"http://a.example?x":           "/?x",
		"http://a.example/?":           "/?",
		"http://a.example/b?":          "/b?",
		"http://a.example/%zz":         "http://a.example/%zz",
		"mailto:ann@a.example":         "mailto:ann@a.example",
		"dns:a.example":                "dns:a.example",
		"":                             "",
		"http://a.example/a b":         "/a%20b",
	} {
		if got := pathOf(raw); got != want {
			t.Errorf("pathOf(%q) = %q, want %q", raw, got, want)
		}
	}
}

// TestOutLinks: the links of a page in their order, each once, to pages of the web alone.
func TestOutLinks(t *testing.T) {
	for _, tt := range []struct{ name, base, html, want string }{
		{"none", "http://a.example/", "<p>text</p>", ""},
		{
			"relative", "http://a.example/b/c", `<a href="d">one</a> <a href="/e">two</a>`,
			"http://a.example/b/d one|http://a.example/e two",
		},
		{
			"a fragment", "http://a.example/b", `<a href="#top">up</a><a href="?p=2#x">next</a>`,
			"http://a.example/b up|http://a.example/b?p=2 next",
		},
		{"twice", "http://a.example/", `<a href="/x">first</a><a href="/x#y">again</a>`, "http://a.example/x first"},
		{"code", "http://a.example/", `<a href="javascript:alert(1)">x</a><a href=" JAVASCRIPT:x">y</a><a href="data:text/html,x">z</a>`, ""},
		{"other schemes", "http://a.example/", `<a href="ftp://b.example/">x</a><a href="mailto:a@b">y</a>`, ""},
		{"no scheme", "https://a.example/", `<a href="//b.example/c">x</a>`, "https://b.example/c x"},
		{
			"blanks and entities", "http://a.example/", "<a href=' /x '>a\n  b &amp; <b>c</b></a>",
			"http://a.example/x a b & c",
		},
		{"within another", "http://a.example/", `<a href="/x">one <a href="/y">two</a> three</a>`, "http://a.example/y two"},
		{"without an end", "http://a.example/", `<a href="/x">one`, ""},
		{"no address", "http://a.example/", `<a name="x">one</a><a href="http://[::1">two</a>`, ""},
		{"capitals", "http://a.example/", `<A HREF="/X">one</A>`, "http://a.example/X one"},
		{"a page without a URL that parses", "http://a.example/%zz", `<a href="/x">one</a>`, ""},
		{"two addresses", "http://a.example/", `<a href="/x" href="/y">one</a>`, "http://a.example/x one"},
		{"an address that is empty", "http://a.example/b", `<a href="">one</a>`, "http://a.example/b one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var list []string
			for _, l := range outLinks("c", &schemas.Document{URL: tt.base, MainHTML: tt.html}) {
				list = append(list, l.URL+" "+l.Text)
				if !strings.HasPrefix(l.There, "/c/resource?url=http") {
					t.Errorf("%s leads to %s", l.URL, l.There)
				}
			}
			if got := strings.Join(list, "|"); got != tt.want {
				t.Errorf("outLinks = %s, want %s", got, tt.want)
			}
		})
	}
	many := &schemas.Document{URL: "http://a.example/"}
	for i := range 2 * maxLinks {
		many.MainHTML += `<a href="/` + number(int64(i)) + `">` + strings.Repeat("word ", 200) + `</a>`
		many.Feeds = append(many.Feeds, schemas.Feed{URL: "http://a.example/" + number(int64(i))})
	}
	l := linksOf("c", many)
	if len(l.Out) != maxLinks || len(l.Feeds) != maxLinks || len(l.Out[0].Text) > 2000 || l.Known {
		t.Errorf("%d links, %d feeds, a text of %d bytes", len(l.Out), len(l.Feeds), len(l.Out[0].Text))
	}
}

// TestMarksOf: marks are in order, do not overlap, and divide no character, whatever positions a document has.
func TestMarksOf(t *testing.T) {
	const text = "Anna Łódź met Li Wei in Łódź."
	spans := func(pairs ...int) (list []schemas.Span) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, schemas.Span{Start: pairs[i], End: pairs[i+1]})
		}
		return list
	}
	for _, tt := range []struct {
		name  string
		spans []schemas.Span
		want  string
	}{
		{"in order", spans(0, 4, 17, 23), "Anna|Li Wei"},
		{"out of order", spans(17, 23, 0, 4), "Anna|Li Wei"},
		{"the longest first", spans(0, 4, 0, 12), "Anna Łódź"},
		{"overlapping", spans(0, 12, 5, 12, 8, 16), "Anna Łódź"},
		{"beside each other", spans(0, 5, 5, 12), "Anna |Łódź"},
		{"within a character", spans(0, 6, 6, 12), ""},
		{"empty and backwards", spans(3, 3, 4, 0), ""},
		{"outside", spans(-1, 4, 0, 900, 17, 36), ""},
		{"to the end", spans(27, 35), "Łódź."},
		{"twice the same", spans(0, 4, 0, 4), "Anna"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &schemas.Document{Text: text}
			for _, s := range tt.spans {
				d.Entities = append(d.Entities, schemas.Entity{Mentions: []schemas.Span{s}})
			}
			var got []string
			for _, m := range marksOf(d, len(text)) {
				got = append(got, text[m.start:m.end])
			}
			if strings.Join(got, "|") != tt.want {
				t.Errorf("marks %q, want %q", got, tt.want)
			}
		})
	}
}

// TestKindOf: headings and items have their sign; everything else is text.
func TestKindOf(t *testing.T) {
	for line, want := range map[string]string{
		"# one": "heading 1 one", "###### six": "heading 6 six", "####### seven": "text 0 ####### seven",
		"#tag": "text 0 #tag", "- item": "item 0 item", "* item": "item 0 item", "-5 degrees": "text 0 -5 degrees",
		"**bold**": "text 0 **bold**", "text": "text 0 text", "#": "text 0 #", "#   blanks": "heading 1 blanks",
	} {
		list, _ := paragraphsOf(&schemas.Document{Text: line})
		got := list[0].Kind + " " + number(int64(list[0].Level)) + " "
		for _, r := range list[0].Runs {
			got += r.Text
		}
		if got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
	// A sign without words does not make a paragraph: an empty heading would leave a gap on the page.
	for _, line := range []string{"# ", "- ", "##  \n", "\n \n"} {
		if list, _ := paragraphsOf(&schemas.Document{Text: line}); slices.ContainsFunc(list, func(p Paragraph) bool {
			return len(p.Runs) == 0
		}) {
			t.Errorf("%q has a paragraph without words", line)
		}
	}
}
