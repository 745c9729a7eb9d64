package maintext

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	menu   = `<nav class=menu><ul><li><a href=/>Home</a><li><a href=/p>Products</a><li><a href=/c>Contact us</a></ul></nav>`
	footer = `<footer class=footer><p>Copyright 2020 Example. All rights reserved.</p><a href=/i>Imprint</a></footer>`
)

// site is a page with a menu and a footer around content.
func site(title, content string) string {
	return "<html><head><title>" + title + "</title></head><body>" + menu + "<main>" + content + "</main>" + footer +
		"</body></html>"
}

const article = `<article class=post><h1>On bees</h1>
<p>Bees live in <em>colonies</em>, and a colony may have more than fifty thousand members in the summer months.</p>
<p>A queen lays up to two thousand eggs a day; workers <a href="/honey">make honey</a>, of which they keep most.</p>
<table><tr><th>Month</th><th>Bees in the hive</th></tr><tr><td>January</td><td>nine thousand bees</td></tr>
<tr><td>June</td><td>fifty thousand bees</td></tr></table>
<pre><code>for bee in hive:
    bee.dance()</code></pre>
<ul><li>They dance to tell each other where the flowers are, and how far away.</li>
<li>They see ultraviolet light, which we do not, and flowers show them the way in it.</li></ul>
<p>In winter they keep warm by moving their wings, and the queen is where it is warmest, in the midst of them all.</p>
</article>`

const forum = `<div class="thread"><h1>How do I keep bees warm?</h1>
<div class="post"><span class="author">Ann</span> <time datetime="2020-01-02">2 January</time><div class="post-body">
<p>My hive stands in the wind and I fear for my bees in winter. What do you do about it? I have tried straw.</p></div></div>
<div class="post"><span class="author">Bob</span> <time datetime="2020-01-03">3 January</time><div class="post-body">
<p>Straw is fine, as long as it is dry. I put a board in front of it, and leave a hole of a finger's width.</p></div></div>
<div class="post"><span class="author">Eve</span> <time datetime="2020-01-04">4 January</time><div class="post-body">
<p>Bees need no help from us, they have lived through winters for some millions of years before we came along.</p></div></div>
</div>`

func TestExtract(t *testing.T) {
	chinese := strings.Repeat("<p>蜜蜂是一种会飞行的群居昆虫，属膜翅目蜜蜂科。它们的身体上有很多绒毛，腿或腹部有用来采集花粉的器官。", 4)
	thai := strings.Repeat("<p>ผึ้งเป็นแมลงสังคมที่อาศัยอยู่รวมกันเป็นกลุ่มใหญ่ "+
		"และทำหน้าที่แตกต่างกันไปตามวรรณะของมันภายในรัง", 4)
	arabic := strings.Repeat("<p>النحل حشرات تعيش في مجموعات كبيرة، وتصنع العسل من رحيق الأزهار، ويعيش في الخلية "+
		"الواحدة آلاف منها.", 4)
	hebrew := strings.Repeat("<p>הדבורים הן חרקים החיים במושבות גדולות, ומייצרות דבש מן הצוף שהן אוספות מן הפרחים בכל "+
		"ימות הקיץ.", 4)
	tests := []struct {
		name, src string
		want      []string
	}{
		{"article", site("On bees", article), []string{
			"Bees live in colonies, and a colony may have more than fifty thousand members in the summer months.\n",
			"workers make honey, of which", "January\tnine thousand bees\nJune\tfifty", "bee in hive:\n    bee.dance()",
			"far away.\nThey see",
		}},
		{"forum", site("How do I keep bees warm?", forum), []string{"My hive stands", "Straw is fine", "Bees need no help"}},
		{"Chinese", site("蜜蜂", "<article><h1>蜜蜂</h1>"+chinese+"</article>"), []string{"属膜翅目蜜蜂科"}},
		{"Thai", site("ผึ้ง", "<article><h1>ผึ้ง</h1>"+thai+"</article>"), []string{"แมลงสังคม"}},
		{"Arabic", site("النحل", "<article><h1>النحل</h1>"+arabic+"</article>"), []string{"وتصنع العسل"}},
		{"Hebrew", site("דבורים", "<article><h1>דבורים</h1>"+hebrew+"</article>"), []string{"ומייצרות דבש"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Extract(parse(tt.src), Options{})
			if r.Source != SourceHTML {
				t.Errorf("source %q", r.Source)
			}
			for _, want := range tt.want {
				if !strings.Contains(r.Text, want) {
					t.Errorf("Text = %q, want it to contain %q", r.Text, want)
				}
			}
			for _, unwanted := range []string{"Products", "Contact us", "Imprint", "Copyright"} {
				if strings.Contains(r.Text, unwanted) {
					t.Errorf("Text = %q, want it without %q", r.Text, unwanted)
				}
			}
		})
	}
}

func TestExtract_profiles(t *testing.T) {
	p := parse(site("On bees", article+`<div class=comments><p>I like bees very much, thank you for this article.</div>`))
	var sizes []int
	for _, profile := range []Profile{Precision, Balanced, Recall} {
		sizes = append(sizes, len(Extract(p, Options{Profile: profile}).Text))
	}
	if !slices.IsSorted(sizes) || sizes[0] == 0 {
		t.Errorf("precision, balanced and recall give %v bytes, want ever more", sizes)
	}
}

// On this page the article is short, and the headline above it has a score like that of a teaser.
func TestExtract_headline(t *testing.T) {
	src, err := os.ReadFile("../../testdata/site/www.harbour-gazette.example/notices/06.html")
	if err != nil {
		t.Fatal(err)
	}
	r := Extract(page.Parse(src, page.Options{URL: "https://www.harbour-gazette.example/notices/06.html"}), Options{})
	if !strings.HasPrefix(r.Text, "Lost umbrellas\nForty-one umbrellas") {
		t.Errorf("%v: Text = %q, want the headline and the text", r.Type, r.Text)
	}
}

func TestExtract_hidden(t *testing.T) {
	const secret = "The drones, of which there are some hundreds in the hive, do no work, and are driven out in the " +
		"autumn."
	with := func(attributes string) string {
		return strings.Replace(article, "</article>", "<div "+attributes+"><p>"+secret+"</p></div></article>", 1)
	}
	tests := []struct {
		name, src string
		profile   Profile
		want      bool
	}{
		{"visible", with(""), Balanced, true},
		{"display", with("style='display: none'"), Balanced, false},
		{"visibility", with("style='visibility: hidden'"), Balanced, false},
		{"attribute", with("hidden"), Balanced, false},
		{"recall", with("hidden"), Recall, true},
		{"all of the text", "<div style='visibility: hidden'>" + with("") + "</div>", Balanced, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Extract(parse(site("On bees", tt.src)), Options{Profile: tt.profile})
			if got := strings.Contains(r.Text, secret); got != tt.want {
				t.Errorf("%v: Text = %q, has what is hidden: %v, want %v", r.Type, r.Text, got, tt.want)
			}
		})
	}
}

func TestExtract_boilerplate(t *testing.T) {
	p := parse(site("On bees", article))
	first := Extract(p, Options{})
	drop := make([]bool, len(p.Blocks))
	drop[first.Blocks[1]] = true
	second := Extract(p, Options{Boilerplate: drop})
	if slices.Contains(second.Blocks, first.Blocks[1]) || len(second.Blocks) < len(first.Blocks)/2 {
		t.Errorf("Extract without block %d = blocks %v", first.Blocks[1], second.Blocks)
	}
}

func TestExtract_source(t *testing.T) {
	body := strings.TrimSpace(strings.Repeat("A sentence of the article. ", 20))
	inner := strings.Repeat("<div class=post><p>A post of somebody who has something to say about bees and other "+
		"things.</div>", 9)
	tests := []struct{ name, src, source, text string }{
		{"nothing", "<html><body> <script>x</script>", "", ""},
		{
			"JSON-LD", `<script type="application/ld+json">{"articleBody":"` + body + `"}</script><p>Turn scripts on.`,
			SourceJSONLD, body,
		},
		{
			"JSON-LD with a line feed", `<script type="application/ld+json">{"@type":"NewsArticle","articleBody":"First one.` +
				"\n" + body + `"}</script>`, SourceJSONLD, "First one.\n" + body,
		},
		{
			"JSON-LD in a section", `<script type="application/ld+json">//<![CDATA[` + "\n" + `{"articleBody":"` + body +
				`"}` + "\n//]]></script>", SourceJSONLD, body,
		},
		{
			"JSON-LD in a comment, with two commas", `<script type="application/ld+json"><!-- {"a":1,,"articleBody":"` + body +
				`",} --></script>`, SourceJSONLD, body,
		},
		{
			"JSON-LD in a graph, with a value", `<script type="application/ld+json">{"@graph":[{"@type":"Thing"},
			{"mainEntity":{"articleBody":{"@value":"` + body + `","@language":"en"}}}]}</script>`, SourceJSONLD, body,
		},
		{
			"the longest in JSON-LD", `<script type="application/ld+json">[{"articleBody":"Short."},{"articleBody":"` + body +
				`"},{"articleBody":"Short, too."}]</script>`, SourceJSONLD, body,
		},
		{
			"references in JSON-LD", `<script type="application/ld+json">{"articleBody":"Caf&eacute; &#8220;Central&#8221; ` +
				body + `"}</script>`, SourceJSONLD, "Café “Central” " + body,
		},
		{
			"escaped HTML in JSON-LD", `<script type="application/ld+json">{"articleBody":"&lt;p&gt;Caf&amp;eacute;&lt;/p&gt;` +
				`&lt;p&gt;` + body + `&lt;/p&gt;"}</script>`, SourceJSONLD, "Café\n" + body,
		},
		{
			"text about HTML in JSON-LD", `<script type="application/ld+json">{"articleBody":"Use &lt;br&gt; and &lt;i&gt;. ` +
				body + `"}</script>`, SourceJSONLD, "Use <br> and <i>. " + body,
		},
		{"state", `<div id=app></div><script type="application/json">{"text":"` + body + `"}</script>`, SourceJSON, body},
		{"noscript", "<p>Loading<noscript>" + inner + "</noscript>", SourceNoscript, "A post"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			r := Extract(p, Options{})
			if r.Source != tt.source || !strings.HasPrefix(r.Text, tt.text) {
				t.Errorf("Extract = %q, %q, want %q, %q", r.Source, r.Text, tt.source, tt.text)
			}
			if (r.Page == nil) != (len(r.Blocks) == 0) || r.Source == SourceNoscript && r.Page == p {
				t.Errorf("Extract has %d blocks of page %p", len(r.Blocks), r.Page)
			}
		})
	}
}

// checkResult checks properties that every result must have.
func checkResult(t testing.TB, src []byte, o Options) {
	t.Helper()
	var x Extractor
	p := page.Parse(src, page.Options{URL: "https://example.org/a"})
	r := x.Extract(p, o)
	first := slices.Clone(r.Scores)
	if again := x.Extract(p, o); again.Text != r.Text || again.Source != r.Source || !slices.Equal(again.Scores, first) {
		t.Error("a second run gives another result")
	}
	if (r.Text == "") != (r.Source == "") || len(r.Text) > o.withDefaults().MaxBytes {
		t.Errorf("source %q of %d bytes", r.Source, len(r.Text))
	}
	last := int32(0)
	for _, g := range r.Ranges {
		if g.Start < last || g.End <= g.Start || int(g.End) > len(r.Page.Nodes) {
			t.Errorf("range %v behind %d of %d nodes", g, last, len(r.Page.Nodes))
		}
		last = g.End
	}
	Markdown(r, 1<<20)
}

func TestExtract_hostile(t *testing.T) {
	words := strings.Repeat("some words here ", 60)
	for name, src := range map[string]string{
		"line breaks":   strings.Repeat("<br>", 250_000),
		"nested tables": strings.Repeat("<table><tr><td>x", 60_000),
		"nested lists":  strings.Repeat("<ul><li>x", 90_000),
		"deep and long": strings.Repeat("<div>"+words, 5_000),
		"many cells":    "<table><tr>" + strings.Repeat("<td>x", 150_000),
		"many posts":    strings.Repeat("<div class=post><p>x</div>", 60_000),
		"open quotes":   strings.Repeat("<blockquote><p>x", 60_000),
	} {
		t.Run(name, func(t *testing.T) { checkResult(t, []byte(src), Options{}) })
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte(site("On bees", article)))
	f.Add([]byte(site("Bees", forum)))
	f.Add([]byte(`<script type="application/ld+json">{"articleBody":"<p>a</p>"}</script><table>a<td>b<ul><li><pre>c`))
	f.Add([]byte("<noscript><p>a<table><tr><td>b</noscript><blockquote><q><code>x</code><details><summary>y"))
	f.Fuzz(func(t *testing.T, src []byte) { checkResult(t, src, Options{MaxBytes: 1000}) })
}
