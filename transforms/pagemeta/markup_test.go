package pagemeta

import (
	"strings"
	"testing"
)

func TestWithoutMarkup(t *testing.T) {
	for _, tt := range []struct{ s, want string }{
		// Words of the text.
		{"The <table> HTML element", "The <table> HTML element"},
		{"<em>: The Emphasis element - HTML", "<em>: The Emphasis element - HTML"},
		{"30 Years of <br> Tags", "30 Years of <br> Tags"},
		{"Differences between <b> and <strong>", "Differences between <b> and <strong>"},
		{"Never forget a </div> again", "Never forget a </div> again"},
		{"Sorting a List<String> in Java", "Sorting a List<String> in Java"},
		{"Author, Vinay <vinay at red-dove dot com>,.", "Author, Vinay <vinay at red-dove dot com>,."},
		{`All of <input type="range">`, `All of <input type="range">`},
		{"a < b and c > d", "a < b and c > d"},
		{"a <b", "a <b"},
		// Markup.
		{"Bridge <b>opens</b>", "Bridge opens"},
		{"<p>The first <strong>bridge</strong> that", " The first bridge that"},
		{"An eco-masterpiece<em>, </em>icy", "An eco-masterpiece, icy"},
		{`See <a class="more" href="/x">here</a> and <a href="/y">there`, "See here and there"},
		{"Tubs<wbr/>ystem<br />one<br>two", "Tubsystem one two"},
		{"It opened.</p>", "It opened. "},
		{"It opened. </p> ", "It opened.   "},
		{"<DIV><P>It</P><P>opened.</DIV>", "  It  opened. "},
		{`<img src="a.png"> It opened.`, " It opened."},
		{"<x:y>It</x:y> opened", "It opened"},
	} {
		if got := withoutMarkup(tt.s); got != tt.want {
			t.Errorf("withoutMarkup(%q) = %q, want %q", tt.s, got, tt.want)
		}
	}
}

// TestExtract_tags: titles and descriptions keep the elements they are about. Names never have tags.
func TestExtract_tags(t *testing.T) {
	m := extract(`<title>&lt;table&gt;: The Table element</title><h1>&lt;table&gt;: The Table element</h1>
		<meta name=description content="The &lt;table&gt; element has &lt;b&gt;rows&lt;/b&gt;.">
		<meta name=author content="Ann Lee <ann@example.org>">`)
	if want := "<table>: The Table element"; m.Title != want {
		t.Errorf("title %q, want %q", m.Title, want)
	}
	if want := "The <table> element has rows."; m.Description != want {
		t.Errorf("description %q, want %q", m.Description, want)
	}
	if len(m.Authors) != 1 || m.Authors[0] != "Ann Lee" {
		t.Errorf("authors %q, want Ann Lee", m.Authors)
	}
}

// FuzzWithoutMarkup: only tags are removed, and spaces added.
func FuzzWithoutMarkup(f *testing.F) {
	f.Add("<p>a <b>b</b> <br> </i> <c d=e>")
	f.Fuzz(func(t *testing.T, s string) {
		got := withoutMarkup(s)
		rest := s
		for _, r := range got {
			if r == ' ' {
				continue
			}
			i := strings.IndexRune(rest, r)
			if i < 0 {
				t.Fatalf("withoutMarkup(%q) = %q is not in it", s, got)
			}
			rest = rest[i+1:]
		}
		if strings.Count(got, ">") < strings.Count(withoutTags(s), ">") {
			t.Errorf("withoutMarkup(%q) = %q, shorter than %q", s, got, withoutTags(s))
		}
	})
}
