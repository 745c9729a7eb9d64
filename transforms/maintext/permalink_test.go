package maintext

import "testing"

// Links that only serve a block are in neither form of the text.
func TestJoin_linksThatServe(t *testing.T) {
	const edit = `<a href="/w/index.php?title=X&amp;action=edit&amp;section=1">`
	tests := []struct{ name, src, want, markdown string }{
		{"a sign after a heading", "<h2 id=x>a<a href='#x'>¶</a></h2>", "a", "## a"},
		{"a sign before it", "<h2 id=x><a href='#x'># </a>a</h2>", "a", "## a"},
		{"a sign in bold type", "<h3>a <a href='/p#x'><b>🔗</b></a></h3>", "a", "### a"},
		{"a sign after a term", "<dl><dt>f(x)<a href='#f'>¶</a><dd>b</dl>", "f(x)\nb", "f(x)\n:   b"},
		{"only a sign", "<p><a href='#x'>¶</a>", "¶", ""},
		{
			"a number sign of the text", "<h2>C#</h2><p>a <a href='/c'>C#</a>", "C#\na C#",
			"## C#\n\na [C#](https://example.org/c)",
		},
		{"an issue", "<p>See <a href='/i#7'>#7</a>", "See #7", "See [#7](https://example.org/i#7)"},
		{"MediaWiki", "<h2><span>a</span><span>[" + edit + "edit</a>]</span></h2>", "a", "## a"},
		{
			"MediaWiki with two links", "<h2>b c <span><span>[</span>" + edit + "Bearbeiten</a><span> | </span>" + edit +
				"Quelltext bearbeiten</a><span>]</span></span></h2>", "b c", "## b c",
		},
		{"MediaWiki of 2008", "<h2><span>[" + edit + "modifier</a>]</span> <span>a</span></h2>", "a", "## a"},
		{"MediaWiki in Japanese", "<h3>歴史<span>[" + edit + "編集</a>]</span></h3>", "歴史", "### 歴史"},
		{"brackets of the text", "<h2>a [b]</h2>", "a [b]", "## a \\[b\\]"},
		{"a link in brackets", "<h2>a [<a href='/b'>PDF</a>]</h2>", "a [PDF]", "## a \\[[PDF](https://example.org/b)\\]"},
		{"a link to edit in a line", "<p>You may " + edit + "edit</a>", "You may edit", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := whole(parse(tt.src))
			if r.Text != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.src, r.Text, tt.want)
			}
			if got := markdownOf(r); tt.markdown != "" && got != tt.markdown {
				t.Errorf("Markdown(%q) = %q, want %q", tt.src, got, tt.markdown)
			}
		})
	}
}
