package mcp_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gleaner-web/gleaner/pipelines/server/mcp"
)

// TestTasks: an assistant does the three tasks of the prompts, over both transports, and can cite each finding.
func TestTasks(t *testing.T) {
	v := viewsOf(t, deposit(t, "out", harbour))
	s := mcp.New(v, mcp.Options{Version: "test"})
	for name, c := range map[string]*client{"pipes": overPipes(t, s), "http": overHTTP(t, v, s)} {
		t.Run(name, func(t *testing.T) {
			c.TB = t
			c.prompts()
			c.said()
			c.changed()
			c.linked()
		})
	}
}

// prompts: each task has a prompt, which names the tools that it needs.
func (c *client) prompts() {
	tools := map[string]bool{}
	for tool, err := range c.session.Tools(context.Background(), nil) {
		if err != nil {
			c.Fatal(err)
		}
		tools[tool.Name] = true
	}
	for name, args := range map[string]map[string]string{
		"what_was_said":  {"subject": "masks", "from": "2020-03", "to": "2020-06"},
		"how_it_changed": {"url": "http://board.example/ferry"},
		"who_links":      {"what": "http://board.example/ferry"},
	} {
		p, err := c.session.GetPrompt(context.Background(), &sdk.GetPromptParams{Name: name, Arguments: args})
		if err != nil {
			c.Fatal(err)
		}
		text := p.Messages[0].Content.(*sdk.TextContent).Text
		for _, value := range args {
			if !strings.Contains(text, value) {
				c.Errorf("%s does not have %q: %s", name, value, text)
			}
		}
		words := strings.Fields(text)
		for i, w := range words {
			if w == "tool" && i+1 < len(words) && !tools[strings.Trim(words[i+1], ".,;:")] {
				c.Errorf("%s names the tool %s, which is not there", name, words[i+1])
			}
		}
	}
}

// said answers: what did pages say about masks in spring 2020?
func (c *client) said() {
	var found mcp.SearchOut
	text, failed := c.call("search", map[string]any{"query": "masks", "from": "2020-03", "to": "2020-06"}, &found)
	if failed || len(found.Hits) != 3 {
		c.Fatalf("%d hits: %s", len(found.Hits), text)
	}
	for _, h := range found.Hits {
		if h.Captured < "2020-03" || h.Captured > "2020-07" {
			c.Errorf("%s is not of the period", h.Captured)
		}
		c.cites(text, h.Citation, string(h.Archived.URL))
		var page mcp.PageOut
		text, failed := c.call("page", map[string]any{"url": h.Archived.URL, "at": "2020-06"}, &page)
		if failed || !strings.Contains(strings.ToLower(string(page.Archived.Text)), "mask") {
			c.Errorf("%s: %s", h.Archived.URL, text)
		}
		c.cites(text, page.Citation, string(h.Archived.URL))
		read, err := c.session.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: h.Resource})
		if err != nil || !strings.Contains(read.Contents[0].Text, string(page.Archived.Text)) {
			c.Errorf("%s: %v", h.Resource, err)
		}
	}
	var over mcp.TrendsOut
	if text, failed := c.call("trends", map[string]any{"terms": "masks", "unit": "year"}, &over); failed ||
		len(over.Lines) != 1 || !slices.Equal(over.Lines[0].Counts, []int64{3, 1, 1}) {
		c.Errorf("trends %+v: %s", over, text)
	}
}

// cites: an answer has the source of what it quotes.
func (c *client) cites(text string, cite mcp.Citation, url string) {
	c.Helper()
	digits := strings.NewReplacer("-", "", ":", "", "T", "", "Z", "").Replace(cite.Captured)
	if cite.Replay != "https://replay.example/"+digits+"/"+url || cite.Archive != "out.warc" || cite.Length == 0 {
		c.Errorf("%+v is not the source of %s", cite, url)
	}
	for _, part := range []string{url, cite.Captured, cite.Archive, cite.Replay, cite.Resource} {
		if part == "" || !strings.Contains(text, part) {
			c.Errorf("%q is not in the text: %s", part, text)
		}
	}
}

// changed answers: how did the timetable change?
func (c *client) changed() {
	args := map[string]any{"url": "http://board.example/ferry"}
	var list mcp.VersionsOut
	text, failed := c.call("versions", args, &list)
	if failed || len(list.Versions) != 3 || list.Captures != 3 {
		c.Fatalf("%+v: %s", list, text)
	}
	var all []string
	for i := 1; i < len(list.Versions); i++ {
		args := map[string]any{
			"url": "http://board.example/ferry", "from": list.Versions[i-1].At, "to": list.Versions[i].At,
		}
		var diff mcp.CompareOut
		text, failed := c.call("compare", args, &diff)
		if failed || diff.Newer.Captured != list.Versions[i].Captured || diff.Older.Offset != list.Versions[i-1].Offset {
			c.Errorf("%+v: %s", diff, text)
		}
		for _, change := range diff.Changes {
			all = append(all, string(change.Archived))
		}
	}
	joined := strings.Join(all, "\n")
	for _, want := range []string{"seven", "Masks are needed on board", "three", "Dogs travel free"} {
		if !strings.Contains(joined, want) {
			c.Errorf("%q is not among the changes:\n%s", want, joined)
		}
	}
	if strings.Contains(joined, "Tickets cost two crowns.\n") {
		c.Errorf("a paragraph that stayed is among the changes:\n%s", joined)
	}
}

// linked answers: which pages link to the timetable?
func (c *client) linked() {
	var list mcp.LinksOut
	text, failed := c.call("links", map[string]any{"url": "http://board.example/ferry"}, &list)
	if failed || list.Pages != 2 || len(list.Links) != 2 || !strings.Contains(text, "http://clinic.example/news/masks") {
		c.Errorf("%+v: %s", list, text)
	}
	var groups mcp.FacetsOut
	if text, failed := c.call("facets", map[string]any{"query": "masks", "by": "host"}, &groups); failed ||
		groups.Captures != 5 || groups.Groups[0].Count != 2 {
		c.Errorf("%+v: %s", groups, text)
	}
}
