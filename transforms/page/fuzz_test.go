package page

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// checkPage checks properties that every page must have.
func checkPage(tb testing.TB, p *Page) {
	tb.Helper()
	checkNodes(tb, p)
	checkBlocks(tb, p)
	if !utf8.Valid(p.Text) {
		tb.Error("Text is not UTF-8")
	}
	if len(p.Nodes) > p.o.MaxNodes {
		tb.Errorf("%d nodes, limit %d", len(p.Nodes), p.o.MaxNodes)
	}
}

// checkNodes checks that the nodes are a tree in the order of the document, and their texts in the order of Text.
func checkNodes(tb testing.TB, p *Page) {
	tb.Helper()
	var last int32
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if i == 0 {
			if n.Parent != -1 || n.Tag != TagHTML || int(n.End) != len(p.Nodes) {
				tb.Fatalf("the first node is %+v", n)
			}
			continue
		}
		up := &p.Nodes[max(n.Parent, 0)]
		switch {
		case n.Parent < 0 || int(n.Parent) >= i || int(n.End) <= i || n.End > up.End:
			tb.Fatalf("node %d, %+v, does not lie in its parent %+v", i, n, up)
		case n.Depth != up.Depth+1 || int(n.Depth) > p.o.MaxDepth:
			tb.Fatalf("node %d has depth %d, its parent %d", i, n.Depth, up.Depth)
		case n.Tag == TagText && int(n.End) != i+1:
			tb.Fatalf("text %d has children", i)
		case n.TextStart < last || n.TextEnd < n.TextStart || n.TextStart < up.TextStart || n.TextEnd > up.TextEnd ||
			int(n.TextEnd) > len(p.Text):
			tb.Fatalf("node %d has the text %d to %d, its parent %d to %d", i, n.TextStart, n.TextEnd, up.TextStart, up.TextEnd)
		}
		last = n.TextStart
	}
}

// checkBlocks checks that blocks are in order and that each visible text is in one.
func checkBlocks(tb testing.TB, p *Page) {
	tb.Helper()
	var end, last int32
	k := 0
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Start != end || b.End <= b.Start || p.Text[b.End] != '\n' || b.First < last || b.Last <= b.First ||
			b.Node > b.First {
			tb.Fatalf("block %d is %+v, behind text %d and node %d", i, b, end, last)
		}
		if want := counted(b, p.Text[b.Start:b.End]); *b != want || b.LinkChars > b.Chars || b.BoldChars > b.Chars {
			tb.Fatalf("block %d, %q, is %+v, want %+v", i, p.Text[b.Start:b.End], *b, want)
		}
		for ; k < int(b.Last); k++ {
			n := &p.Nodes[k]
			if n.Tag == TagText && n.TextEnd > n.TextStart && k < int(b.First) {
				tb.Fatalf("text %d, %q, is in no block", k, p.Text[n.TextStart:n.TextEnd])
			}
		}
		end, last = b.End+1, b.Last
	}
	if int(end) != len(p.Text) {
		tb.Fatalf("blocks end at %d of %d bytes of text", end, len(p.Text))
	}
}

// counted returns b with the counts of its text computed again, one character at a time. It counts words only if all
// characters are ASCII.
func counted(b *Block, text []byte) Block {
	c := *b
	c.Chars, c.Upper, c.Digits = 0, 0, 0
	words, punct, ascii := int32(0), int32(0), true
	inWord := false
	for _, r := range string(text) {
		if unicode.IsSpace(r) {
			inWord = false
			continue
		}
		c.Chars++
		ascii = ascii && r < utf8.RuneSelf
		switch letter := r < utf8.RuneSelf && isAlnum(byte(r)); {
		case r >= 'A' && r <= 'Z':
			c.Upper++
		case r >= '0' && r <= '9':
			c.Digits++
		case strings.ContainsRune(".,;:!?", r):
			punct++
			continue
		case !letter:
			continue
		}
		if !inWord {
			inWord = true
			words++
		}
	}
	if ascii {
		c.Words, c.Punct = words, punct
	}
	return c
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("<x-a><template shadowrootmode=open><slot><p><a href=/x>a<p>b</a></slot></template>c<b slot=n>d</b>" +
		"</x-a>"))
	f.Add([]byte("<p>\\(x\\) $$a_1$$ <math><msup><mi>x</mi><mn>2</mn></msup></math><script type='math/tex'>x</script>" +
		"<img alt='x^2' class=tex>"))
	f.Add([]byte("<span class=MathJax>x</span><script type='math/tex'>y</script><i class=icon>a_b</i>" +
		"<table><tr><td><pre>1\n2<td><pre>a"))
	for _, src := range hostile(60) {
		f.Add([]byte(src))
	}
	for i, c := range treeCases(f) {
		if i%8 == 0 {
			f.Add([]byte(c.src))
		}
	}
	var r Parser
	f.Fuzz(func(t *testing.T, src []byte) {
		o := Options{URL: "https://example.org/", MaxNodes: 300, MaxDepth: 60, MaxAttributes: 5}
		p := r.Parse(src, o)
		checkPage(t, p)
		find(p)
		p.Items()
		p.Hyperlinks()
		p.Root()
		if again := Parse(bytes.Clone(src), o); !bytes.Equal(again.Text, p.Text) || len(again.Nodes) != len(p.Nodes) {
			t.Errorf("a parser that is used again finds %q and %d nodes, a new one %q and %d", p.Text, len(p.Nodes), again.Text,
				len(again.Nodes))
		}
		if len(src) < 200 && bytes.IndexByte(src, 0) < 0 && utf8.Valid(src) && len(p.Truncated) == 0 {
			if got, want := textOf(p), treeText(parseTree(t, src)); got != want {
				t.Logf("Parse(%q) has text %q, golang.org/x/net/html %q", src, got, want)
			}
		}
	})
}
