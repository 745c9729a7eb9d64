package maintext

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

func TestResult_path(t *testing.T) {
	prose := strings.Repeat("<p>The river rose in the night, and by morning the bridge at the mill was closed to all "+
		"traffic.</p>", 6)
	menu := "<nav><ul><li><a href=/a>Home</a><li><a href=/b>Politics</a><li><a href=/c>Sport</a></ul></nav>"
	for name, tt := range map[string]struct{ html, want string }{
		"article": {
			"<body class=x>" + menu + "<main id=m><article class='post entry-content post-1234'>" + prose +
				"</article><aside><a href=/d>More</a></aside></main>",
			"html>body.x>main>article.post.entry-content",
		},
		"built names": {"<body>" + menu + "<div class='css-1x2y story'>" + prose + "</div>", "html>body>div.story"},
		"odd names":   {"<body>" + menu + "<x:y class='a:b -c _d'>" + prose + "</x:y>", "html>body>*"},
		"no text":     {"<body><script>x</script>", ""},
		"deep":        {"<body>" + menu + strings.Repeat("<div class=a>", 9) + prose, "div.a>div.a>div.a>div.a>div.a>div.a"},
		"long classes": {
			"<body>" + menu + strings.Repeat("<div class="+strings.Repeat("q", 39)+">", 9) + prose,
			strings.Repeat("div."+strings.Repeat("q", 39)+">", 3) + "div." + strings.Repeat("q", 39),
		},
	} {
		p := page.Parse([]byte(tt.html), page.Options{URL: "https://a.example/1"})
		var x Extractor
		if got := x.Extract(p, Options{}).Path(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func BenchmarkResult_Path(b *testing.B) {
	_, pages, size := wcxb(b, 15)
	results := make([]Result, len(pages))
	for i, src := range pages {
		// Each result has its own extractor and parser, since results share memory with the last page.
		results[i] = new(Extractor).Extract(page.Parse(src, page.Options{}), Options{})
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for i := range results {
			results[i].Path()
		}
	}
}
