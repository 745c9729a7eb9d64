package maintext

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// aPost has enough words for a post.
var aPost = "<div class=entry><p>" + strings.Repeat("Some words of a post. ", 12) + "</div>"

func TestCommentsOf(t *testing.T) {
	const wordpress = `<ol class=commentlist><li class="comment even depth-1" id=comment-1><div class=comment-body>
		<div class="comment-author vcard"><cite>Ada</cite> says:</div><div class=comment-meta><a href=#1>May 1,
			2020 at 9:12</a></div>
		<p>I like this.</p><p>Very much so.</p><div class=reply><a href=#r>Reply</a></div></div>
		<ul class=children><li class="comment odd depth-2"><div class=comment-body><div class="comment-author vcard"><cite>Bob</cite> says:</div>
		<p>So do I!</p><div class=reply><a href=#r>Reply</a></div></div></ul></li></ol>`
	tests := []struct {
		name, src, want string
		count           int
	}{
		{
			"WordPress, with answers", "<div id=comments><h3>2 comments</h3>" + wordpress + "</div>",
			"I like this.\nVery much so.\n\nSo do I!", 2,
		},
		{"Blogger", `<div class=comments><h4>2 comments:</h4><dl id=comments-block>
			<dt class=comment-author>Ada said...</dt>
			<dd class=comment-body><p>A fine post.</p></dd><dd class=comment-footer>May 1,
			2020</dd><dt class=comment-author>Bob said...</dt>
			<dd class=comment-body><p>It is.</p></dd><dd class=comment-footer>May 2,
			2020</dd></dl></div>`, "A fine post.\n\nIt is.", 2},
		{"German", `<section id=kommentare><h2>Kommentare</h2><div class=kommentar><p class=user>Eva</p>
			<p>Sehr schön.</p></div>
			<div class=kommentar><p class=user>Udo</p><p>Danke dafür!</p></div></section>`, "Sehr schön.\n\nDanke dafür!", 2},
		{
			"Spanish", `<ul class=lista-comentarios><li><time>1 de mayo</time><p>Muy bien escrito.</li><li>
			<p>Gracias a todos.</li></ul>`,
			"Muy bien escrito.\n\nGracias a todos.", 2,
		},
		{
			"Polish, one", `<div id=komentarze><div class=komentarz><p>Bardzo dobry tekst, dziękuję.</p></div></div>`,
			"Bardzo dobry tekst, dziękuję.", 1,
		},
		{
			"Turkish", `<div class=yorumlar><div class=yorum>Çok güzel bir yazı olmuş.</div>
			<div class=yorum>Teşekkür ederim size.</div></div>`,
			"Çok güzel bir yazı olmuş.\n\nTeşekkür ederim size.", 2,
		},
		{
			"Chinese", `<div id=pinglun><div class=pl><p>写得真好，支持一下。</p></div><div class=pl><p>我不同意你的看法。</p></div></div>`,
			"写得真好，支持一下。\n\n我不同意你的看法。", 2,
		},
		{
			"microdata", `<div itemprop=comment itemscope><p>First of them all.</div><div itemprop=comment itemscope>
			<p>And a second.</div>`,
			"First of them all.\n\nAnd a second.", 2,
		},
		{
			"schema.org's type", `<div itemscope itemtype=https://schema.org/Comment><p>A typed one.</div>`,
			"A typed one.", 1,
		},
		{"ARIA's role", `<article role=comment><p>By its role.</article>`, "By its role.", 1},
		{
			"without classes of their own", `<div id=comments><div><p>The first.</div><div><p>The second.</div></div>`,
			"The first.\n\nThe second.", 2,
		},
		{
			"labels", `<div id=comments>` + labelled("Something to say.") + labelled("And again!") + labelled("Why not?") +
				`</div>`,
			"Something to say.\n\nAnd again!\n\nWhy not?", 3,
		},
		{"none yet", `<div id=comments><h3>Comments</h3><p>No comments yet.</p><form>
			<p>Write a comment, it will be read before it is shown.</form></div>`, "", 0},
		{"rules", `<div class=comments><div class=comment-guidelines>Be kind to each other, and stay with the subject of the post.</div></div>`, "", 0},
		{"newest on other posts", `<aside><ul class=recent-comments>
			<li>Ada on another post: I think so too, of course.</ul></aside>`, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(aPost + tt.src + "<p>after</p>")
			var c Comments
			if found := remarks(p, halves(p), 0); len(found) > 0 {
				var whole bool
				if c, _, whole = commentsOf(p, found, 1<<20); !whole {
					t.Error("not whole")
				}
			}
			if c.Text != tt.want || c.Count != tt.count {
				t.Errorf("commentsOf(%s) = %d, %q, want %d, %q", tt.src, c.Count, c.Text, tt.count, tt.want)
			}
			if cut := min(10, len(c.Text)); cut > 0 {
				c, _, whole := commentsOf(p, remarks(p, halves(p), 0), cut)
				if len(c.Text) > cut || whole && c.Text != tt.want {
					t.Errorf("%d bytes of text, whole %t, at most %d were asked for", len(c.Text), whole, cut)
				}
			}
		})
	}
}

// labelled is a comment with the usual additions of programs.
func labelled(text string) string {
	return "<div class=comment><div>Like (3)</div><p>" + text + "</p><div>12.05.2020 10:11</div></div>"
}

func TestRemarks(t *testing.T) {
	const replies = `<div class=comment><p>thanks for this</div><div class=comment><p>and from me</div>`
	tests := []struct {
		name, src string
		forum     float32
		want      int
	}{
		{"below a post", aPost + replies, 0, 2},
		{"no post above", "<h1>Thread</h1>" + replies, 0, 0},
		{"a short post", "<p>see this</p>" + replies, 0, 0},
		{"a post after them", replies + aPost, 0, 0},
		{"a post like a forum's", aPost + replies, .9, 2},
		{"surely a forum", aPost + replies, .97, 0},
		{"a forum", aPost + replies + strings.Repeat("<a href=/forum/1></a>", 20), .9, 0},
		{"a post about forums", aPost + replies + strings.Repeat("<a href=/forum/1></a>", 5), .9, 2},
		{"a list with votes", aPost + replies + strings.Repeat("<a class=upvoter></a>", 20), .9, 0},
		{
			"JSON-LD of a forum",
			`<script type=application/ld+json>{"@type":"DiscussionForumPosting"}</script>` + aPost + replies, 0, 0,
		},
		{"questions", `<main itemscope itemtype="https://schema.org/QAPage">` + aPost + replies, 0, 0},
		{"posts that are all called comments", `<div class="box comment">` + aPost + `</div>
			<div class="box comment"><p>thanks</div>`, 0, 0},
		{"a post in an element for both", `<div class="post comments-open">` + aPost + replies + "</div>", 0, 2},
		{"notes in Word", aPost + "<p class=MsoCommentText>The notes of a document</p>", 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(tt.src)
			if got := remarks(p, halves(p), tt.forum); len(got) != tt.want {
				t.Errorf("remarks(%s) = %v, want %d", tt.src, got, tt.want)
			}
		})
	}
}

// halves are scores of blocks that may be main text.
func halves(p *page.Page) []float32 {
	scores := make([]float32, len(p.Blocks))
	for i := range scores {
		scores[i] = .5
	}
	return scores
}

func TestSetComments(t *testing.T) {
	const replies = `<div class=comment><p>thanks for this</div><div class=comment><p>and from me</div>`
	tests := []struct {
		name     string
		mode     CommentMode
		kind     PageType
		src      string
		want     int
		wantType PageType
		zero     bool
	}{
		{"separate", SeparateComments, Article, replies, 2, Article, true},
		{"drop", DropComments, Article, replies, 0, Article, true},
		{"keep", KeepComments, Article, replies, 0, Article, true},
		{"like a forum", SeparateComments, Forum, replies, 2, Article, true},
		{"kept, like a forum", KeepComments, Forum, replies, 0, Article, true},
		{"reviews", SeparateComments, Product, replies, 0, Product, false},
		{
			"a forum that looks like an article", SeparateComments, Article,
			replies + strings.Repeat("<a href=/forum/1></a>", 20), 0, Forum, false,
		},
		{
			"a form", SeparateComments, Article, "<form class=comment-form><p>Your comment, please.</form>", 0,
			Article, false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(aPost + tt.src)
			r := Result{Page: p, Scores: halves(p), Type: tt.kind}
			kept := setComments(&r, .2, Options{Comments: tt.mode}.withDefaults())
			if (len(kept) > 0) != (tt.mode == KeepComments) {
				t.Errorf("blocks %v are kept", kept)
			}
			last := r.Scores[len(r.Scores)-1]
			if r.Comments.Count != tt.want || r.Type != tt.wantType || (last == 0) != tt.zero {
				t.Errorf("setComments: %d comments, %v, score %v, want %d, %v, zero %v", r.Comments.Count, r.Type,
					last, tt.want, tt.wantType, tt.zero)
			}
		})
	}
}

func TestParseCommentMode(t *testing.T) {
	for name, want := range map[string]CommentMode{
		"": SeparateComments, "separate": SeparateComments,
		"keep": KeepComments, "drop": DropComments,
	} {
		if got, err := ParseCommentMode(name); err != nil || got != want {
			t.Errorf("ParseCommentMode(%q) = %v, %v, want %v", name, got, err, want)
		}
	}
	if _, err := ParseCommentMode("hide"); err == nil {
		t.Error("ParseCommentMode takes any name")
	}
}

func TestDescribed(t *testing.T) {
	const lead = "The council has decided on Tuesday that the old bridge will be closed for repairs"
	tests := []struct {
		name, meta, src string
		want            int
	}{
		{
			"the first paragraph", `<meta name=description content="` + lead + ` until …">`,
			"<h1>Bridge</h1><p>Menu</p><p>" + lead + " until the end.</p>", 2,
		},
		{
			"within a paragraph", `<meta property=og:description content="` + lead + `">`,
			"<p>RIVERTON (AP) – " + lead + ".</p>", 0,
		},
		{
			"other quotes and case", `<meta name=description content="` + strings.ToUpper(lead) + `!!">`,
			"<p>x<p>“" + lead + "”</p>", 1,
		},
		{
			"Cyrillic", `<meta name=description content="Городской совет решил закрыть старый мост на ремонт до конца года">`,
			"<p>Городской совет решил закрыть старый мост на ремонт до конца года, сообщили.</p>", 0,
		},
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
		{
			"links", "<div><p><a href=/a>" + words + "</a><p><a href=/b>" + words + "</a><p><a href=/c>" + words + "</a></div>",
			false,
		},
		{"one paragraph", "<p>" + words, false},
		{
			"an article among teasers",
			"<div><p>" + words + "<p>" + words + "<p>" + words + "</div>" + strings.Repeat("<li><p>"+words+"</li>",
				4), true,
		},
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
