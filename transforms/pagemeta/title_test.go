package pagemeta

import "testing"

// TestExtract_headingOfAnother: the heading of a box beside the article, or of the site, is not the page's title, though
// it is the first or the largest.
func TestExtract_headingOfAnother(t *testing.T) {
	const about = "<h1>About the Internet Archive</h1><p>We keep pages.</p>"
	const saved = "How the old bridge was saved"
	const bridge = "<title>" + saved + "</title>"
	for _, tt := range []struct{ name, html, want string }{
		{"box in an aside", bridge + "<aside>" + about + "</aside><p>Old.</p>", saved},
		{"box before the text", bridge + `<div class="sidebar">` + about + "</div><div><p>It was old.</p></div>", saved},
		{"box behind the text", bridge + `<div><p>It was old.</p></div><div id="footer-about">` + about + "</div>", saved},
		{"box, and the title as a lesser heading", bridge + "<div>" + about + "</div><h2>" + saved + "</h2>", saved},
		{
			"site's name in title and in an h1 that links to the root",
			`<title>River Notes</title><h1 class="logo"><a href="/">River Notes</a></h1><article><h2 class="post-title">` +
				`How the old bridge was saved</h2><p>It was old.</p></article>`, saved,
		},
		{
			"likewise, by the whole address",
			`<title>River Notes</title><div><h1><a href="https://example.com">River Notes</a></h1></div><article><header>` +
				`<h2 class="entry-title"><a href="/a/b">How the old bridge was saved</a></h2></header></article>`, saved,
		},
		{
			"likewise, with sections",
			`<title>River Notes</title><h1><a href="/">River Notes</a></h1><article><h2 class="post-title">` +
				`How the old bridge was saved</h2><h2>Wood</h2><p>It was old.</p><h2>Nails</h2></article>`, saved,
		},
		{
			"a list of posts has none of their titles",
			`<title>River Notes</title><h1><a href="/">River Notes</a></h1><article><h2 class="post-title">Wood</h2></article>` +
				`<article><h2 class="post-title">Nails</h2></article>`, "River Notes",
		},
		{
			"likewise, behind a picture",
			`<title>River Notes</title><h1><a href="/"><img src="a.png" alt="">River Notes</a></h1><article class="post">` +
				`<h2>How the old bridge was saved</h2><p>It was old.</p></article>`, saved,
		},
		{
			"site's name behind the title without a separator, and alone in a hidden h1",
			"<title>" + saved + " River Notes</title><h1>River Notes</h1><h2>" + saved + "</h2><p>It was old.</p>", saved,
		},
		{
			"likewise, in Chinese",
			"<title>土豆不“土” 土豆无“土” 松花江网</title><h1>松花江网</h1><h2>土豆不“土” 土豆无“土”</h2><p>宁夏。</p>",
			"土豆不“土” 土豆无“土”",
		},
		{
			"a section's heading and the title's beginning do not make the ending the site's name",
			"<title>" + saved + "</title><h1>was saved</h1><h2>The old</h2><p>It was old.</p>", "was saved",
		},
	} {
		if m := extract(tt.html); m.Title != tt.want {
			t.Errorf("%s: title %q of %s, want %q", tt.name, m.Title, m.Sources["title"], tt.want)
		}
	}
}

// TestExtract_siteBeyondSeparator: what the page shows is the title, and the rest of <title> what the site is called.
func TestExtract_siteBeyondSeparator(t *testing.T) {
	const text = "<p>The council has decided on Tuesday that the old bridge will be closed.</p>"
	tests := []struct{ name, title, shown, want string }{
		{"an h2", "Why bridges fail - Daily Planet", "<h2>Why bridges fail</h2>", "Why bridges fail"},
		{"an h3", "Why bridges fail | News | Daily Planet", "<h3>Why bridges fail</h3>", "Why bridges fail"},
		{"a div", "Why bridges fail – Daily Planet", "<div class=headline>Why bridges fail</div>", "Why bridges fail"},
		{"the site first", "Daily Planet: news » Why bridges fail", "<h2>Why bridges fail</h2>", "Why bridges fail"},
		{"German", "Warum Brücken brechen · Tagblatt Online", "<h2>Warum Brücken brechen</h2>", "Warum Brücken brechen"},
		{"Russian", "Почему падают мосты — Вестник дня", "<div><span>Почему падают мосты</span></div>", "Почему падают мосты"},
		{"a part of the title is a separator's", "Bridges - and why they fail | Daily Planet", "<h2>Bridges - and why they fail</h2>", "Bridges - and why they fail"},
		{"all of it is shown", "Why bridges fail - a history", "<h2>Why bridges fail - a history</h2><h2>Why bridges fail</h2>", "Why bridges fail - a history"},
		{"a section's word", "News - why bridges fail", "<h2>News</h2>", "News - why bridges fail"},
		{"not shown", "Why bridges fail - Daily Planet", "<h2>Bridges</h2>", "Why bridges fail - Daily Planet"},
		{"the book's name is shown, too", "What bridges are - The Bridge Book", "<h2>The Bridge Book</h2><h2>What bridges are</h2>", "What bridges are"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := extract("<title>" + tt.title + "</title>" + tt.shown + text).Title; got != tt.want {
				t.Errorf("title %q, want %q", got, tt.want)
			}
		})
	}
}
