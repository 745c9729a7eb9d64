package pagemeta

import "testing"

// TestExtract_headingOfAnother: the heading of a box beside the article, or of the site, is not the page's title. It
// may be the first or the largest heading.
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

// TestExtract_siteBeyondSeparator: the shown text is the title, and the rest of <title> is the site's name.
func TestExtract_siteBeyondSeparator(t *testing.T) {
	const text = "<p>The council has decided on Tuesday that the old bridge will be closed.</p>"
	tests := []struct{ name, title, shown, want string }{
		{"an h2", "Why bridges fail - Daily Planet", "<h2>Why bridges fail</h2>", "Why bridges fail"},
		{"an h3", "Why bridges fail | News | Daily Planet", "<h3>Why bridges fail</h3>", "Why bridges fail"},
		{"a div", "Why bridges fail – Daily Planet", "<div class=headline>Why bridges fail</div>", "Why bridges fail"},
		{"the site first", "Daily Planet: news » Why bridges fail", "<h2>Why bridges fail</h2>", "Why bridges fail"},
		{"German", "Warum Brücken brechen · Tagblatt Online", "<h2>Warum Brücken brechen</h2>", "Warum Brücken brechen"},
		{
			"Russian", "Почему падают мосты — Вестник дня", "<div><span>Почему падают мосты</span></div>",
			"Почему падают мосты",
		},
		{
			"a part of the title is a separator's", "Bridges - and why they fail | Daily Planet",
			"<h2>Bridges - and why they fail</h2>", "Bridges - and why they fail",
		},
		{"all of it is shown", "Why bridges fail - a history", "<h2>Why bridges fail - a history</h2><h2>Why bridges " +
			"fail</h2>", "Why bridges fail - a history"},
		{"a section's word", "News - why bridges fail", "<h2>News</h2>", "News - why bridges fail"},
		{"not shown", "Why bridges fail - Daily Planet", "<h2>Bridges</h2>", "Why bridges fail - Daily Planet"},
		{
			"the book's name is shown, too", "What bridges are - The Bridge Book",
			"<h2>The Bridge Book</h2><h2>What bridges are</h2>", "What bridges are",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := extract("<title>" + tt.title + "</title>" + tt.shown + text).Title; got != tt.want {
				t.Errorf("title %q, want %q", got, tt.want)
			}
		})
	}
}

// TestExtract_elected: if the sources disagree, the title is the candidate with most signs.
func TestExtract_elected(t *testing.T) {
	const slogan = "<title>Forum - The heart of the village</title>"
	tests := []struct{ name, url, html, want string }{
		{
			"<title> is the site's slogan, and the URL says what the <h1> says",
			"https://forum.example/t/1/best-bread-for-small-ovens/",
			slogan + "<h1>Best bread for small ovens?</h1><p>Tell me.</p>", "Best bread for small ovens?",
		},
		{
			"German", "https://forum.example/t/welches-brot-fuer-kleine-oefen",
			slogan + "<h1>Welches Brot für kleine Öfen</h1><p>Bitte.</p>", "Welches Brot für kleine Öfen",
		},
		{
			"French, with underscores", "https://forum.example/r/pain/quel_pain_pour_les_petits_fours",
			slogan + "<h1>Quel pain pour les petits fours ?</h1><p>Merci.</p>", "Quel pain pour les petits fours ?",
		},
		{
			"a label before what two sources say", "https://forum.example/viewtopic.php?t=1",
			`<title>How do you keep bread for a week? - Bakers</title><meta property="og:title" content="How do you keep bread for a week?">` +
				"<h1>Thread: How do you keep bread for a week?</h1><p>Tell me.</p>", "How do you keep bread for a week?",
		},
		{
			"likewise, Spanish", "https://forum.example/viewtopic.php?t=2",
			`<title>Cómo guardar el pan una semana - Panaderos</title><meta property="og:title" content="Cómo guardar el pan una semana">` +
				"<h1>Tema: Cómo guardar el pan una semana</h1><p>Decidme.</p>", "Cómo guardar el pan una semana",
		},
		{
			"a box of the magazine is more like what is declared than the story",
			"https://mag.example/food/best-bread-shops-of-the-town",
			`<title>Where to find bread in town | Mag</title><meta property="og:title" content="Our favourite bakers">` +
				"<article><h1>The best shops for bread in town</h1><p>Long.</p></article><h1>Next in your guide to bread in " +
				"town</h1>",
			"The best shops for bread in town",
		},
		{
			"nothing speaks for another heading", "https://forum.example/a/7",
			slogan + "<h1>Sign up</h1><p>Tell me.</p>", "The heart of the village",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if m := extractAt(tt.url, tt.html); m.Title != tt.want {
				t.Errorf("title %q of %s, want %q", m.Title, m.Sources["title"], tt.want)
			}
		})
	}
}
