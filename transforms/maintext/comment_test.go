package maintext

import (
	"strings"
	"testing"
)

func TestDropComments(t *testing.T) {
	post := "<p>" + strings.Repeat("some words of a post ", 12) + "</p>"
	reply := "<div class=comment><p>thanks for this</div>"
	tests := []struct{ name, src, want string }{
		{"below a post", post + "<section id=comments><h3>Two replies</h3>" + reply + reply + "</section><p>after</p>", "after"},
		{"in another language", strings.ReplaceAll(post, "words", "слова") + "<ol class=commentlist><li>danke<li>merci</ol><p>after", "after"},
		{"no post above", "<h1>Thread</h1>" + reply + reply, "thanks for this"},
		{"a short post", "<p>see this</p>" + reply + reply, "thanks for this"},
		{"none", post + "<p>after", "after"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			kept := make([]bool, len(p.Blocks))
			for i := range kept {
				kept[i] = true
			}
			dropComments(p, kept)
			last := ""
			for i, b := range p.Blocks {
				if kept[i] {
					last = string(p.Text[b.Start:b.End])
				}
				if kept[i] && tt.want == "after" && strings.Contains(string(p.Text[b.Start:b.End]), "thanks") {
					t.Errorf("a comment is kept")
				}
			}
			if last != tt.want {
				t.Errorf("the last block is %q, want %q", last, tt.want)
			}
		})
	}
}

func TestDescribed(t *testing.T) {
	const lead = "The council has decided on Tuesday that the old bridge will be closed for repairs"
	tests := []struct {
		name, meta, src string
		want            int
	}{
		{"the first paragraph", `<meta name=description content="` + lead + ` until …">`, "<h1>Bridge</h1><p>Menu</p><p>" + lead + " until the end.</p>", 2},
		{"within a paragraph", `<meta property=og:description content="` + lead + `">`, "<p>RIVERTON (AP) – " + lead + ".</p>", 0},
		{"other quotes and case", `<meta name=description content="` + strings.ToUpper(lead) + `!!">`, "<p>x<p>“" + lead + "”</p>", 1},
		{"Cyrillic", `<meta name=description content="Городской совет решил закрыть старый мост на ремонт до конца года">`, "<p>Городской совет решил закрыть старый мост на ремонт до конца года, сообщили.</p>", 0},
		{"not there", `<meta name=description content="` + lead + `">`, "<p>Something else</p>", -1},
		{"a teaser's link", `<meta name=description content="` + lead + `">`, "<p><a href=/x>" + lead + "</a>", -1},
		{"too short", `<meta name=description content="News of the day">`, "<p>News of the day</p>", -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := described(parse(tt.meta + tt.src)); got != tt.want {
				t.Errorf("described = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestHasOneText(t *testing.T) {
	words := strings.Repeat("some words of a text ", 5)
	tests := []struct {
		name, src string
		want      bool
	}{
		{"paragraphs", "<div><p>" + words + "<p>" + words + "<p>" + words + "</div>", true},
		{"lines with breaks", "<div>" + words + "<br><br>" + words + "<br><br>" + words + "</div>", true},
		{"teasers", strings.Repeat("<li><h3>A</h3><p>"+words+"</li>", 6), false},
		{"links", "<div><p><a href=/a>" + words + "</a><p><a href=/b>" + words + "</a><p><a href=/c>" + words + "</a></div>", false},
		{"one paragraph", "<p>" + words, false},
		{"an article among teasers", "<div><p>" + words + "<p>" + words + "<p>" + words + "</div>" + strings.Repeat("<li><p>"+words+"</li>", 4), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			scores := make([]float32, len(p.Blocks))
			for i := range scores {
				scores[i] = .5
			}
			if got := hasOneText(p, scores); got != tt.want {
				t.Errorf("hasOneText = %v, want %v", got, tt.want)
			}
		})
	}
}
