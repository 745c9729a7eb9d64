package enrich

import (
	"slices"
	"strings"
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

// threadOf returns a forum's page of posts with a header each.
func threadOf(heads ...string) string {
	texts := []string{
		"The old bridge over the river is closed since Monday, and nobody knows for how long.",
		"They say that the stones of the middle arch are loose, so it will take all summer.",
		"Then we have to take the ferry again, as we did ten years ago, when it rained so much.",
	}
	var posts strings.Builder
	for i, head := range heads {
		posts.WriteString(`<div class="entry post_wrapper">` + head + `<p>` + texts[i] + `</p></div>`)
	}
	return posts.String()
}

// head returns the header of a post.
func head(author, date string) string {
	return `<b class="author">` + author + `</b> wrote on <span class="date">` + date + `</span>`
}

const bridgeNews = `<p>The old bridge over the river is closed since Monday, and nobody knows for how long it will stay,
said the mayor of the town on Tuesday in a long speech.</p><p>The ferry will run again as it did ten years ago.</p>`

func stated(object string) string {
	return `<script type="application/ld+json">` + object + `</script>`
}

const question = `{"@context":"https://schema.org","@type":"QAPage","mainEntity":{"@type":"Question",
	"name":"Does it fit?","text":"Does this pump fit in my bag?","author":{"@type":"Person","name":"Reader7"},
	"datePublished":"2022-02-02",
	"acceptedAnswer":{"@type":"Answer","text":"Yes, it fits all that we sell.","author":{"name":"Shop Helper"}}}}`

// TestEnrich_starter tests whose posts give a page its author and date.
func TestEnrich_starter(t *testing.T) {
	bob, cleo := head("bob", "May 5, 2024"), head("cleo", "May 6, 2024")
	three := threadOf(head("ann7", "May 4, 2024"), bob, cleo)
	byline := func(text string) string {
		return `<article><h1>Bridge</h1><span class="author">` + text + `</span>` + bridgeNews + `</article>` + three
	}
	tests := []struct {
		name, url, body string
		want            []string
		published       string
	}{
		{"a thread", "/t/1", three, []string{"ann7"}, "2024-05-04"},
		{
			"a member called like a role", "/t/1", threadOf(head("Administrator", "May 4, 2024"), bob, cleo),
			[]string{"Administrator"},
			"2024-05-04",
		},
		{"a role too", "/t/1", threadOf(head("ann7 (Moderator)", "May 4, 2024"), bob, cleo), []string{"ann7"}, "2024-05-04"},
		{"a by-line with a date", "/a", byline("Jane Doe, 1 May 2024"), []string{"Jane Doe"}, "2024-05-01"},
		{"a by-line with a role", "/a", byline("Jane Doe, Staff Writer"), []string{"Jane Doe"}, ""},
		{"a whole by-line", "/a", byline("Posted by Jane Doe on May 1, 2024"), []string{"Jane Doe"}, "2024-05-01"},
		{"a by-line of two", "/a", byline("Jane Doe and John Roe"), []string{"Jane Doe", "John Roe"}, ""},
		{"a Spanish by-line", "/a", byline("Escrito por Ana Ruiz"), []string{"Ana Ruiz"}, ""},
		{
			"a name of words and digits", "/t/1", threadOf(head("Ann Lee 77", "May 4, 2024"), bob, cleo),
			[]string{"Ann Lee 77"},
			"2024-05-04",
		},
		{
			"a name with a sign", "/t/1", threadOf(head("Mr Bean!", "May 4, 2024"), bob, cleo),
			[]string{"Mr Bean!"},
			"2024-05-04",
		},
		{"the second page", "/t/page-2", three, nil, ""},
		{
			"the second page with the starter", "/t/page-2",
			`<h1>Bridge</h1><p class="byline">By Ann Seven</p>` + threadOf(bob, cleo),
			[]string{"Ann Seven"},
			"",
		},
		{"page 2 of the query", "/t?id=3&page=2", three, nil, ""},
		{"from post 20", "/t?start=20", three, nil, ""},
		{"page 3 in a folder", "/t/page/3/", three, nil, ""},
		{"the first page", "/t/page-1?start=0&p=20&page=1", three, []string{"ann7"}, "2024-05-04"},
		{"the title of a page", "/t/front-page-2", three, []string{"ann7"}, "2024-05-04"},
		{"newest first", "/g", threadOf(cleo, bob, head("ann7", "May 4, 2024")), nil, ""},
		{
			"the date of a later post alone", "/g",
			threadOf(head("ann7", "today"), head("bob", "today"), head("cleo", "May 6, 2024")), nil, "",
		},
		{
			"a date, and relative ones", "/t/1",
			threadOf(head("ann7", "May 4, 2024"), head("bob", "Yesterday at 10:41"), head("cleo", "5 minutes ago")),
			[]string{"ann7"},
			"2024-05-04",
		},
		{
			"a question on an article", "/a", `<h1>Pump</h1><p class="byline">By Jane Doe</p>` + bridgeNews + stated(question),
			[]string{"Jane Doe"},
			"2022-02-02",
		}, // the date is from JSON-LD
		{"a question about a product", "/p", `<h1>Pump</h1>` + bridgeNews + stated(question) +
			stated(`{"@context":"https://schema.org","@type":"Product","name":"Pump"}`), nil, ""},
		{"a comment on an article", "/a", `<h1>Pump</h1><p class="byline">By Jane Doe</p>` + bridgeNews + stated(
			`{"@context":"https://schema.org","@type":"DiscussionForumPosting","text":"I do not believe a word of it.",
			"author":{"@type":"Person","name":"Troll99"},"datePublished":"2022-02-02"}`), []string{"Jane Doe"}, ""},
		{"an answer", "/a", `<h1>Pump</h1>` + bridgeNews + stated(`{"@context":"https://schema.org","@type":"QAPage",
			"mainEntity":{"@type":"Question","acceptedAnswer":{"@type":"Answer","text":"Yes, it fits all that we sell.",
			"author":{"@type":"Person","name":"Shop Helper"},"datePublished":"2021-01-01"}}}`), nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := `<!DOCTYPE html><html><head><title>Bridge - Town</title></head><body>` + tt.body + `</body></html>`
			c := capture(page, "text/html")
			c.URL = "http://example.org" + tt.url
			d := mustNew(t, Options{Extract: []string{"metadata"}}).Enrich(c, Extra{}).Document
			if !slices.Equal(d.Authors, tt.want) || d.Published != tt.published {
				t.Errorf("authors %q from %q, published %q from %q, want %q, %q", d.Authors, d.MetaSources["authors"],
					d.Published, d.MetaSources["published"], tt.want, tt.published)
			}
		})
	}
}
