package thread

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/transforms/maintext"
)

// TestPosts_left: posts beyond a limit are counted.
func TestPosts_left(t *testing.T) {
	many := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	const (
		post   = "<div class=post id=p%d><i class=author>Ann</i> <time datetime=2020-01-02>x</time><p>" + one + "</div>"
		letter = "<pre>From: Ann Lee <a@x>\nDate: Thu, 2 Jan 2020 10:00:00 +0100\nMessage-ID: %d@x.org\n\n" + one + "</pre>"
		answer = `,{"@type":"Answer","text":"An answer with the number %d"}`
	)
	ld := func(answers string) string {
		return `<script type=application/ld+json>{"@type":"QAPage","mainEntity":{"@type":"Question","text":"How?",` +
			`"suggestedAnswer":[` + strings.TrimPrefix(answers, ",") + `]}}</script><p>Another text`
	}
	nested := strings.Repeat(`,{"@type":"Answer","text":"a","comment":[`, 40)
	long := strings.Replace(answer, "An answer", strings.Repeat("word ", 40_000), 1)
	for _, tt := range []struct {
		name, src  string
		kind       maintext.PageType
		posts, cut int
	}{
		{"a forum", many(post, 10_000), maintext.Forum, 10_000, 0},
		{"a long forum", many(post, 10_007), maintext.Forum, 10_000, 7},
		{"messages", many(letter, 1000), maintext.Article, 1000, 0},
		{"many messages", many(letter, 1003), maintext.Article, 1000, 3},
		{"answers in JSON-LD", ld(many(answer, 9998)), maintext.Article, 9999, 0},
		{"many answers in JSON-LD", ld(many(answer, 10_003)), maintext.Article, 9999, 5},
		{"deep comments in JSON-LD", ld(nested + strings.Repeat("]}", 40)), maintext.Article, 30, 2},
		{"long answers in JSON-LD", ld(many(long, 4)) + ld(many(long, 4)) + ld(many(long, 4)), maintext.Article, 13, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			posts, left := readAll(tt.src, tt.kind)
			if len(posts) != tt.posts || left != tt.cut {
				t.Errorf("%d posts, %d left out; want %d and %d", len(posts), left, tt.posts, tt.cut)
			}
			all := 0
			for _, p := range posts {
				all += len(p.Text)
			}
			if all > maxText {
				t.Errorf("texts of %d bytes", all)
			}
			if n := len(posts); n > 1 && tt.kind == maintext.Article && len(posts[n-1].Text) > 2*len(posts[n-2].Text) {
				t.Errorf("the last post has the text of those left out: %d bytes", len(posts[n-1].Text))
			}
		})
	}
}
