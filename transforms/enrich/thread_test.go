package enrich

import (
	"slices"
	"testing"
)

// TestEnrich_authorOfThread tests that the author of a forum's page is who wrote the first post.
func TestEnrich_authorOfThread(t *testing.T) {
	post := func(name, day, text string) string {
		return `<div class="post"><a class="username" href="/user/` + name + `">` + name + `</a> <time datetime="2024-05-` +
			day + `T10:00:00Z">` + day + `</time><div class="content"><p>` + text + `</p></div></div>`
	}
	first := func(name string) string {
		return post(name, "01", "The old bridge over the river is closed since Monday, and nobody knows for how long.")
	}
	posts := first("ann7") +
		post("bob", "02", "They say that the stones of the middle arch are loose, so it will take all summer.") +
		post("cleo", "03", "Then we have to take the ferry again, as we did ten years ago, when it rained so much.")
	tests := []struct {
		name, head, body string
		want             []string
		source           string
	}{
		{"of posts", "", posts, []string{"ann7"}, "posts"},
		{"declared", `<meta name="author" content="Jane Doe">`, posts, []string{"Jane Doe"}, "meta"},
		{
			"instead of words around the title", "", `<div class="author_statistics">Threads: <br>Reputation</div>` + posts,
			[]string{"ann7"},
			"posts",
		},
		{
			"the same as around the title", "", `<p class="byline">By Ann Seven</p>` + first("Ann Seven") + posts,
			[]string{"Ann Seven"},
			"text",
		},
		{
			"no thread", "", `<p>The old bridge over the river is closed since Monday, and nobody knows for how long.</p>`,
			nil, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := `<!DOCTYPE html><html><head><title>Old bridge - Town Forum</title>` + tt.head +
				`</head><body class="forum"><h1>Old bridge</h1><div class="thread" itemscope ` +
				`itemtype="https://schema.org/DiscussionForumPosting">` + tt.body + `</div></body></html>`
			for _, extract := range [][]string{nil, {"metadata"}} {
				d := mustNew(t, Options{Extract: extract}).Enrich(capture(page, "text/html"), Extra{}).Document
				if tt.source != "" && d.Published != "2024-05-01T10:00:00Z" {
					t.Errorf("extract %v: published %q from %q", extract, d.Published, d.MetaSources["published"])
				}
				if !slices.Equal(d.Authors, tt.want) || d.MetaSources["authors"] != tt.source {
					t.Errorf("extract %v: authors %q from %q", extract, d.Authors, d.MetaSources["authors"])
				}
			}
		})
	}
}
