package enrich

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// TestDocument_comments: comments below a post are stored separately from the text, which may contain them. Posts of
// forums are always in the text.
func TestDocument_comments(t *testing.T) {
	post := "<h1>The bridge is open again</h1><p>" +
		strings.Repeat("The town has opened the old bridge again after years. ", 12) + "</p>"
	body := func(name string) string {
		return "<div class=" + name + "><p>I have crossed it on my way to work, it is lovely.</p></div>" +
			"<div class=" + name + "><p>So have I, and my dog liked it too, thank you all.</p></div>"
	}
	const said = "I have crossed it on my way to work, it is lovely.\n\n" +
		"So have I, and my dog liked it too, thank you all."
	blog := "<html><title>The bridge is open again</title><body><article>" + post + "</article><section id=comments>" +
		body("comment") + "</section>"
	tests := []struct {
		name, src string
		mode      maintext.CommentMode
		count     int
		text      string
		inText    string // yes or no; empty if the model decides
	}{
		{"separate", blog, maintext.SeparateComments, 2, said, "no"},
		{"keep", blog, maintext.KeepComments, 0, "", "yes"},
		{"drop", blog, maintext.DropComments, 0, "", "no"},
		{"in German", strings.ReplaceAll(blog, "comment", "kommentar"), maintext.SeparateComments, 2, said, "no"},
		{
			"a forum", `<script type=application/ld+json>{"@type":"DiscussionForumPosting"}</script>` + blog,
			maintext.SeparateComments, 0, "", "",
		},
		{
			"posts of a forum", strings.ReplaceAll(blog, "comment", "message"),
			maintext.SeparateComments, 0, "", "",
		},
		{
			"no post", "<title>Thread</title><div id=comments>" + body("comment") + "</div>",
			maintext.SeparateComments, 0, "", "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := New(Options{Extract: []string{"text"}, Comments: tt.mode})
			if err != nil {
				t.Fatal(err)
			}
			d := e.Document(&schemas.Capture{
				URL: "https://example.org/bridge", RecordType: schemas.TypeResponse, Status: 200,
				MIMEDeclared: "text/html; charset=utf-8", Body: []byte(tt.src),
			})
			c := schemas.Comments{}
			if d.Comments != nil {
				c = *d.Comments
			}
			if c.Count != tt.count || c.Text != tt.text {
				t.Errorf("comments are %+v, want %d, %q", c, tt.count, tt.text)
			}
			if in := strings.Contains(d.Text, "my dog"); in && tt.inText == "no" || !in && tt.inText == "yes" {
				t.Errorf("the text is %q; are comments in it? want %s", d.Text, tt.inText)
			}
		})
	}
}

// TestDocument_posts: the posts of a thread are a column beside the text.
func TestDocument_posts(t *testing.T) {
	post := func(author, day, text string) string {
		return `<article class="message message--post" data-author=` + author + `><header><time datetime=` + day + `>then</time>` +
			`</header><div class=message-body><p>` + text + `</p></div></article>`
	}
	src := `<title>How do you keep bees warm?</title><script type=application/ld+json>{"@type":"DiscussionForumPosting"}</script>` +
		`<h1>How do you keep bees warm?</h1><div class=thread>` +
		post("Ann", "2020-01-02T10:00:00+0100", strings.Repeat("I would like to know how you keep them warm. ", 9)) +
		post("Bob", "2020-01-03", strings.Repeat("You do not keep them warm, they do that by themselves. ", 9)) + `</div>`
	e, err := New(Options{Extract: []string{"text"}})
	if err != nil {
		t.Fatal(err)
	}
	d := e.Document(&schemas.Capture{
		URL: "https://example.org/t/1", RecordType: schemas.TypeResponse, Status: 200,
		MIMEDeclared: "text/html; charset=utf-8", Body: []byte(src),
	})
	if len(d.Posts) != 2 {
		t.Fatalf("posts are %+v, want 2", d.Posts)
	}
	for i, want := range []schemas.Post{
		{Kind: "post", Author: "Ann", Date: "2020-01-02T10:00:00+01:00"}, {Kind: "post", Author: "Bob", Date: "2020-01-03"},
	} {
		got := d.Posts[i]
		if text := got.Text; text == "" || !strings.Contains(d.Text, text) {
			t.Errorf("post %d: text %q is not part of %q", i, text, d.Text)
		}
		if got.Text = ""; got != want {
			t.Errorf("post %d is %+v, want %+v", i, got, want)
		}
	}
}
