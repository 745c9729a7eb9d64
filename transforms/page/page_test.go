package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const sample = `<!doctype html><html lang=" de-AT"><head>
<title> A &amp;
 title </title><title>second</title>
<meta charset=utf-8><meta NAME="Description" content="d &quot;e&quot;"><meta property=og:title content=t>
<meta http-equiv=Refresh content="0;url=x"><meta itemprop=datePublished content=2020>
<link rel="Alternate  FEED" type="Application/RSS+XML; charset=x" href=feed.xml title=" my
 feed "><link rel=x href=" "><link rel=icon><link rel=y href="http://[bad">
<base href="/dir/"><base href="/other/">
<script type="application/ld+json" id=ld>{"a":"</b>"}</script><script>var a</script>
<script type="application/json"></script><script type="Application/Vnd.X+JSON;v=1">[]</script>
</head><body>
<a href="x y?ü=%zz#f" rel="NoFollow ugc"> <b>one</b><script>no</script>
two</a><map><area href="//other.example/"></map><a name=n>anchor</a><a href="javascript:x()">js</a>
<a href="mailto:a@b.c">mail</a><a href="tel:+43 1">call</a><a href="\\back\slash">b</a><a href="data:,x">d</a>
<svg><title>drawing</title><a href=svg>s</a></svg><template><a href=t>t</a></template>
</body>`

// findings are the data of a page other than its text.
type findings struct {
	Base, Lang, Title string
	Metas             []Meta
	Links             []Link
	Anchors           []Anchor
	Scripts           []Script
}

func find(p *Page) findings {
	return findings{p.Base(), p.Lang(), p.Title(), p.Metas(), p.Links(), p.Anchors(), p.Scripts()}
}

func TestParse(t *testing.T) {
	p := Parse([]byte(sample), Options{URL: "https://example.org/p/q"})
	want := findings{
		Base: "https://example.org/dir/", Lang: "de-AT", Title: "A & title",
		Metas: []Meta{{"description", `d "e"`}, {"og:title", "t"}, {"refresh", "0;url=x"}, {"datepublished", "2020"}},
		Links: []Link{{
			Rel: []string{"alternate", "feed"}, Href: "https://example.org/dir/feed.xml",
			Type: "application/rss+xml", Title: "my feed",
		}},
		Anchors: []Anchor{
			{Href: "https://example.org/dir/x%20y?%C3%BC=%zz#f", Rel: "nofollow ugc", Text: "one two"},
			{Href: "https://other.example/"},
			{Href: "mailto:a@b.c", Text: "mail"},
			{Href: "tel:+43 1", Text: "call"},
			{Href: "https://back/slash", Text: "b"},
		},
		Scripts: []Script{{"application/ld+json", "ld", `{"a":"</b>"}`}, {"application/vnd.x+json", "", "[]"}},
	}
	if diff := cmp.Diff(want, find(p), cmpopts.IgnoreFields(Anchor{}, "Node"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
	if p.Root() == nil || p.Document().Find("svg title").Length() != 1 {
		t.Error("Root or Document do not show the page")
	}
}

func TestMetas_severalNames(t *testing.T) {
	for _, tt := range []struct {
		src  string
		want []Meta
	}{
		{`<meta name="image" property="og:image" content=a>`, []Meta{{"image", "a"}, {"og:image", "a"}}},
		{`<meta property=og:title content=a name=title>`, []Meta{{"title", "a"}, {"og:title", "a"}}},
		{`<meta name=Description itemprop=description content=a>`, []Meta{{"description", "a"}}},
		{`<meta name="" property="og:url" content=a>`, []Meta{{"", "a"}, {"og:url", "a"}}},
		{
			`<meta itemprop=datePublished property=article:published_time content=a><meta name=b content=c>`,
			[]Meta{{"article:published_time", "a"}, {"datepublished", "a"}, {"b", "c"}},
		},
		{
			`<meta http-equiv=content-language name=language property=og:locale itemprop=inLanguage content=de>`,
			[]Meta{{"language", "de"}, {"og:locale", "de"}, {"content-language", "de"}, {"inlanguage", "de"}},
		},
		{`<meta content=a>`, []Meta{}},
	} {
		if diff := cmp.Diff(tt.want, Parse([]byte(tt.src), Options{}).Metas()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.src, diff)
		}
	}
	many := Parse([]byte(strings.Repeat("<meta name=a property=b itemprop=c>", maxMetas)), Options{})
	if n := len(many.Metas()); n != maxMetas {
		t.Errorf("%d names, want %d", n, maxMetas)
	}
}

func TestParse_noMarkup(t *testing.T) {
	for _, src := range []string{"", "text", "\x00\xff", "<", "<!", "</", "<a", "<!--", "<title>", "<svg><title>"} {
		if p := Parse([]byte(src), Options{URL: "::no url"}); p.Root() == nil || p.Base() != "::no url" {
			t.Errorf("Parse(%q) = %+v", src, p)
		}
	}
}

func TestParse_separatesWords(t *testing.T) {
	tests := []struct{ src, want string }{
		{"<b>o</b>ne", "one"},
		{"one<br>two", "one two"},
		{"<div>one</div>two", "one two"},
		{"<div><i>one</i></div><div>two</div>", "one two"},
		{"one<!-- -->two", "onetwo"},
		{strings.Repeat("ä", 200), strings.Repeat("ä", 128)},
	}
	for _, tt := range tests {
		p := Parse([]byte("<a href=http://x.example/>"+tt.src+"</a>"), Options{})
		if len(p.Anchors()) != 1 || p.Anchors()[0].Text != tt.want {
			t.Errorf("Anchors of %q = %+v, want text %q", tt.src, p.Anchors(), tt.want)
		}
	}
}

// blockTexts returns the texts of a page's blocks.
func blockTexts(p *Page) []string {
	var texts []string
	for _, b := range p.Blocks {
		texts = append(texts, string(p.Text[b.Start:b.End]))
	}
	return texts
}

func TestParse_blocks(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"white space", " a \n\t b&nbsp;&#32;c&#x2003;d ", []string{"a b c d"}},
		{"paragraphs", "<p>a<p>b</p>c<div>d<span>e</span></div>f", []string{"a", "b", "c", "de", "f"}},
		{"line breaks", "a<br>b<br> <br>c<b>\n<br>d</b>", []string{"a\nb", "c\nd"}},
		{"preformatted", "<pre>\r\n a\r\n  b\rc &amp;<br>d\n</pre>", []string{" a\n  b\nc &\nd"}},
		{"deleted", "was <del>$20</del> <ins>$15</ins><p><DEL datetime=2020>old <b>text</b></DEL>new<div><del><p>a</p>" +
			"</del>b", []string{"was $15", "new", "b"}},
		{
			"hidden", "a<script>b</script><template>c</template><select><option>d</select><svg><text>e</text></svg>f",
			[]string{"a", "f"},
		},
		{"references", "&lt;&notit;&notin;&NotEqualTilde;&#x80;&#0;&#xD800;&amp", []string{"<¬it;∉≂̸€\uFFFD\uFFFD&"}},
		{"no references", "<xmp>&lt;<b></xmp><plaintext>&lt;<b>", []string{"&lt;<b>", "&lt;<b>"}},
		{"nothing to see", "a\u00ADb\uFEFFc\x00d\x01", []string{"abcd"}},
		{"not UTF-8", "a\xffb\xe4\xb8", []string{"a\uFFFDb\uFFFD\uFFFD"}},
		{"in front of a table", "<table>a<tr>b<td>c</td>d</table>e", []string{"abd", "c", "e"}},
		{"table in a cell", "<table><tr><td><table>a<tr><td>b</table>c</table>", []string{"a", "b", "c"}},
		{"declared sections", "<svg><foreignObject><![CDATA[x]]></foreignObject></svg><![CDATA[y]]>z", []string{"z"}},
		{"cut off", "a<p title='b>c", []string{"a"}},
		{"no markup", "1 < 2 <3 <- </ <", []string{"1 < 2 <3 <-"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Parse([]byte(tt.src), Options{})
			checkPage(t, p)
			if diff := cmp.Diff(tt.want, blockTexts(p)); diff != "" {
				t.Errorf("blocks of %q (-want +got):\n%s", tt.src, diff)
			}
		})
	}
}

func TestParse_counts(t *testing.T) {
	src := `<p>One 2, <a href=x>three <b>Four.</b></a> it's x-y <strong>5</strong> 中文字 ครับ Ünï;`
	want := Block{Chars: 34, LinkChars: 10, BoldChars: 6, Words: 10, Punct: 3, Digits: 2, Upper: 2}
	got := Parse([]byte(src), Options{}).Blocks[0]
	counts := Block{
		Chars: got.Chars, LinkChars: got.LinkChars, BoldChars: got.BoldChars, Words: got.Words,
		Punct: got.Punct, Digits: got.Digits, Upper: got.Upper,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts of %q (-want +got):\n%s", src, diff)
	}
}

// Text after the end tag of a link, or of bold text, is not part of it, with elements nested correctly or not.
func TestParse_flagsEndWithTheirTags(t *testing.T) {
	tests := []struct{ src, link, bold string }{
		{"<a href=x>1<b>2</b>3</a>4", "123", "2"},
		{"<a href=x>1<div>2</a>3</div>4", "12", ""},
		{"<a href=x>1<div>2<a href=y>3</a>4</div>5", "123", ""},
		{"<a href=x>1<b>2</a>3</b>4", "12", "23"},
		{"<b>1<i>2</b>3</i>4", "", "12"},
		{"<b>1<p>2</b>3</p>4", "", "12"},
		{"<b>1<table><td>2</b>3</table>4</b>5", "", "1234"},
		{"<table><a href=x>1<tr><td>2</table>3", "1", ""},
		{"<div><a href=x>1</div>2", "1", ""},
		{"<b>1<i>2<u>3</b>4</i>5</u>6", "", "123"},
	}
	for _, tt := range tests {
		p := Parse([]byte(tt.src), Options{})
		checkPage(t, p)
		var link, bold string
		for i, n := range p.Nodes {
			if n.Tag == TagText && n.Flags&InLink != 0 {
				link += p.Content(i)
			}
			if n.Tag == TagText && n.Flags&InBold != 0 {
				bold += p.Content(i)
			}
		}
		if link != tt.link || bold != tt.bold {
			t.Errorf("Parse(%q): in links %q, bold %q, want %q and %q", tt.src, link, bold, tt.link, tt.bold)
		}
	}
}

func TestParse_flags(t *testing.T) {
	tests := []struct {
		src  string
		want Flags // of the text
	}{
		{"<nav>x", InNav},
		{"<div role=main>x", InMain},
		{"<div role=nonsense>x", 0},
		{"<div hidden>x", InHidden},
		{"<div aria-hidden=true>x", InHidden},
		{"<amp-lightbox layout=nodisplay>x", InHidden},
		{"<amp-sidebar LAYOUT='NoDisplay' side=left>x", InHidden},
		{"<amp-user-notification layout=\"nodisplay\">x", InHidden},
		{"<amp-list layout=responsive>x", 0},
		{"<table layout=fixed><tr><td>x", InTable | InCell},
		{"<div style='color: red; display : none'>x", InHidden},
		{"<div style='visibility:HIDDEN !important'>x", InInvisible},
		{"<div style='display:block'>x", 0},
		{"<div style='visibility:hidden; display:none'>x", InHidden | InInvisible},
		{"<div style='visibility:visible; overflow:hidden'>x", 0},
		{"<div style='backface-visibility:hidden'>x", 0},
		{"<div style='display; :none; visibility'>x", 0},
		{"<p CLASS='Post-Share x'>x", LikePost | LikeShare},
		{"<p id=sidebar>x", LikeSide},
		{"<p id=Kommentare>x", LikeRemark},
		{"<p class=comentarios>x", LikeRemark},
		{"<p class=moment>x", 0},
		{"<p role=comment>x", LikeRemark},
		{"<p itemprop=comment>x", LikeRemark},
		{"<p itemprop=commentCount>x", 0},
		{"<p itemtype=http://schema.org/UserComments>x", LikeRemark | HasItemType},
		{"<p class='readmore'>x", LikeRelated},
		{"<p class='xread-morex'>x", LikeRelated | LikeAd},
		{"<p class='na v'>x", 0},
		{"<p class='" + strings.Repeat("x", 196) + "navy'>x", LikeNav},
		{"<p class='" + strings.Repeat("x", 198) + "nav'>x", 0},
		{"<body class=home-page>x", 0},
		{"<blockquote><ul><li><b>x", InQuote | InItem | InBold},
	}
	for _, tt := range tests {
		p := Parse([]byte(tt.src), Options{})
		if got := p.Nodes[len(p.Nodes)-1].Flags; got != tt.want {
			t.Errorf("Parse(%q): flags %b, want %b", tt.src, got, tt.want)
		}
	}
}

// Elements with the same name and classes have the same Sig, and blocks that differ only in numbers have the same
// Hash.
func TestParse_hashes(t *testing.T) {
	p := Parse([]byte(`<p class="a b">On 12 May<p class="a b">on  34 may.<p class="a c">ON 56 MAY<p>x`), Options{})
	var sigs []uint32
	for _, n := range p.Nodes {
		if n.Tag == TagP {
			sigs = append(sigs, n.Sig)
		}
	}
	if len(sigs) != 4 || sigs[0] != sigs[1] || sigs[0] == sigs[2] || sigs[0] == sigs[3] {
		t.Errorf("Sig = %v, want the first two alike", sigs)
	}
	if b := p.Blocks; b[0].Hash != b[2].Hash || b[0].Hash == b[1].Hash || b[0].Hash == b[3].Hash {
		t.Errorf("Hash = %x, %x, %x, %x, want the first and third alike", b[0].Hash, b[1].Hash, b[2].Hash, b[3].Hash)
	}
}

func TestPage_Content(t *testing.T) {
	tests := []struct{ src, want string }{
		{"<p>a&amp;b\r\nc\rd\x00e", "a&b\nc\nde"},
		{"<script>a&amp;b\x00", "a&amp;b\uFFFD"},
		{"<title>a&amp;b</b>\x00", "a&b</b>\uFFFD"},
		{"<textarea>\n\na", "\na"},
		{"<svg>a&amp;\x00", "a&\uFFFD"},
		{"<svg><![CDATA[a&amp;\x00]]>", "a&amp;\uFFFD"},
	}
	for _, tt := range tests {
		p := Parse([]byte(tt.src), Options{})
		if got := p.Content(len(p.Nodes) - 1); got != tt.want {
			t.Errorf("Content of %q = %q, want %q", tt.src, got, tt.want)
		}
	}
}

func TestPage_Attr(t *testing.T) {
	p := Parse([]byte("<p a A=2 =b=c d='&amp;&ampe&amp=\x00' e=f/g/ H\n=\n\"i\"j>"), Options{})
	tests := []struct {
		name, want string
		ok         bool
	}{
		{"a", "", true},
		{"=b", "c", true},
		{"d", "&&ampe&amp=\uFFFD", true},
		{"e", "f/g/", true},
		{"h", "i", true},
		{"j", "", true},
		{"k", "", false},
	}
	for _, tt := range tests {
		if got, ok := p.Attr(len(p.Nodes)-1, tt.name); got != tt.want || ok != tt.ok {
			t.Errorf("Attr(%q) = %q, %v, want %q, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

// The view is a tree for goquery, with the elements that the source leaves out.
func TestPage_Document(t *testing.T) {
	p := Parse([]byte("<table><td class=x>a<td>b</table><svg viewBox=y><a/><title>t</svg><img/>"), Options{})
	tests := []struct {
		css  string
		want int
	}{
		{"html > head", 1},
		{"body > table > tbody > tr > td", 2},
		{"td.x:contains(a) + td", 1},
		{"svg > title", 1},
		{"body > img", 1},
		{"svg[viewbox=y] > a:empty", 1},
		{"td td", 0},
	}
	for _, tt := range tests {
		if got := p.Document().Find(tt.css).Length(); got != tt.want {
			t.Errorf("Find(%q) has %d elements, want %d", tt.css, got, tt.want)
		}
	}
	if a := p.Document().Find("svg").Nodes[0]; a.Namespace != "svg" {
		t.Errorf("<svg> has namespace %q", a.Namespace)
	}
}

func TestParse_items(t *testing.T) {
	noNodes := cmp.Options{cmpopts.IgnoreFields(Item{}, "Node"), cmpopts.IgnoreFields(Prop{}, "Node")}
	tests := []struct {
		name, src string
		want      []*Item
	}{
		{
			"values by element", `<div itemscope itemtype="http://schema.org/Article http://x.example/y" itemid=id>
			<h1 itemprop="name headline"> A <b>b</b> </h1><a itemprop=url href=u>x</a><img itemprop=image src=/i>
			<time itemprop=date datetime=2020-01-01>then</time><span itemprop=c content=given>shown</span>
			<meta itemprop=m content=v><data itemprop=d value=7>seven</data><i itemprop="">none</i></div>`,
			[]*Item{{
				Type: []string{"http://schema.org/Article", "http://x.example/y"}, ID: "https://example.org/id",
				Props: []Prop{
					{Name: "name", Value: "A b"},
					{Name: "headline", Value: "A b"},
					{Name: "url", Value: "https://example.org/u"},
					{Name: "image", Value: "https://example.org/i"},
					{Name: "date", Value: "2020-01-01"},
					{Name: "c", Value: "given"},
					{Name: "m", Value: "v"},
					{Name: "d", Value: "7"},
				},
			}},
		},
		{
			"nested", `<p itemscope><b itemprop=author itemscope><i itemprop=name>N</i></b><u itemprop=x>y</u>`,
			[]*Item{{Props: []Prop{{Name: "author", Item: &Item{Props: []Prop{{Name: "name", Value: "N"}}}}, {Name: "x", Value: "y"}}}},
		},
		{
			"reference", `<p itemscope itemref="r gone"></p><p id=r itemprop=x>y</p><p id=r itemprop=x>z</p>`,
			[]*Item{{Props: []Prop{{Name: "x", Value: "y"}}}},
		},
		{
			"name in capitals", `<p ItemScope itemtype=t><b itemprop=x>1</b></p>`,
			[]*Item{{Type: []string{"t"}, Props: []Prop{{Name: "x", Value: "1"}}}},
		},
		{
			"two items", `<p itemscope><b itemprop=x>1</b></p><p itemscope></p>`,
			[]*Item{{Props: []Prop{{Name: "x", Value: "1"}}}, {}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := Parse([]byte(tt.src), Options{URL: "https://example.org/"})
			if diff := cmp.Diff(tt.want, p.Items(), cmpopts.EquateEmpty(), noNodes); diff != "" {
				t.Errorf("Items (-want +got):\n%s", diff)
			}
		})
	}
}

// An item that refers to itself, directly or through another, must end.
func TestParse_itemsInCircles(t *testing.T) {
	src := `<p itemscope itemref=a></p><p id=a itemprop=x itemscope itemref=b></p><p id=b itemprop=y itemscope itemref=a></p>`
	depth := 0
	for it := Parse([]byte(src), Options{}).Items()[0]; it != nil && len(it.Props) > 0; it = it.Props[0].Item {
		depth++
	}
	if depth < 2 || depth > maxItemDepth {
		t.Errorf("items are nested %d deep, want 2 to %d", depth, maxItemDepth)
	}
}

func TestSelect(t *testing.T) {
	src := `<meta name=m content=c><p class=a> x <b>y</b></p><p class=a></p><img class=a src=s><p class=a>z</p>`
	tests := []struct {
		css  string
		max  int
		want []string
	}{
		{"p.a", 9, []string{"x y", "z"}},
		{".a", 2, []string{"x y", "s"}},
		{"meta[name=m], p b", 9, []string{"c", "y"}},
		{"h1", 9, nil},
	}
	p := Parse([]byte(src), Options{})
	for _, tt := range tests {
		m, err := CompileSelector(tt.css)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, p.Select(m, tt.max)); diff != "" {
			t.Errorf("Select(%q, %d) (-want +got):\n%s", tt.css, tt.max, diff)
		}
	}
}

func TestCompileSelector_namesTheSelector(t *testing.T) {
	_, err := CompileSelector("p[")
	if err == nil || !strings.Contains(err.Error(), `"p["`) {
		t.Errorf("CompileSelector(%q) error = %v, want one that holds the selector", "p[", err)
	}
}

func TestParse_noScripting(t *testing.T) {
	src := []byte("<body><noscript><p>a</p></noscript>b")
	for _, test := range []struct {
		noScripting bool
		want        string
	}{{false, "html head body noscript  "}, {true, "html head body noscript p  "}} {
		p := Parse(src, Options{NoScripting: test.noScripting})
		var got []string
		for i := range p.Nodes {
			got = append(got, p.Nodes[i].Tag.Name())
		}
		if names := strings.Join(got, " "); names != test.want {
			t.Errorf("NoScripting %v: %s, want %s", test.noScripting, names, test.want)
		}
	}
}

// TestIsCell compares with a search among the words of a class.
func TestIsCell(t *testing.T) {
	cells := []string{
		"td", "th", "divTableCell", "divTableHead", "table-cell", "tableCell", "tablecell", "table_cell", "table__cell",
		"tbl-cell", "rt-td", "rt-th",
	}
	classes := []string{
		"", " ", "a", "tds", "a td", "td a", "a\ttd\nb", "a\vtd", "a\x01td", "a\x1ctd", "td\x00", "\u00A0td", "a\u0085th b",
		"ü td", "td ü", "tü", "\xff td", "TD", strings.Repeat("x ", 99) + "td", strings.Repeat("x ", 100) + "td",
	}
	hits := 0
	for _, class := range append(classes, cells...) {
		want := len(class) <= maxKeywordBytes &&
			slices.ContainsFunc(strings.Fields(class), func(w string) bool { return slices.Contains(cells, w) })
		if got := isCell([]byte(class)); got != want {
			t.Errorf("isCell(%q) = %v, want %v", class, got, want)
		}
		if want {
			hits++
		}
	}
	if hits < 20 {
		t.Errorf("only %d of the classes are of cells", hits)
	}
}
