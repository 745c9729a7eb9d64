package publisher

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/schemas"
)

// A site is of a kind if its signals weigh at least enough, and margin more than those of any other kind.
const (
	enough = 3
	margin = 2
)

// signal is a row of the table: evidence for a kind, and its weight. A weight of 3 is enough alone.
type signal struct {
	kind   string
	weight int
	is     func(*Signals) bool
}

// table was made from the development half of the labelled pages; package test has both halves.
var table = []signal{
	{schemas.PublisherForum, 4, generator("phpbb", "vbulletin", "xenforo", "discourse", "mybb", "vanilla", "nodebb",
		"flarum", "smf", "invision", "fluxbb", "phorum", "yabb", "ubb.threads", "bbpress")},
	{schemas.PublisherForum, 3, typed("DiscussionForumPosting", "QAPage")},
	{schemas.PublisherForum, 3, label("forum", "forums", "community", "discuss", "board", "boards", "answers", "bbs")},
	{schemas.PublisherForum, 3, path("/showthread", "/viewtopic", "/threads/", "/forum/", "/forums/", "/thread/",
		"/discussion/", "/discussions/")},

	{schemas.PublisherWeblog, 4, domain("wordpress.com", "blogspot.com", "typepad.com", "livejournal.com", "substack.com",
		"tumblr.com", "medium.com", "dreamwidth.org", "hatenablog.com", "over-blog.com", "bearblog.dev", "ghost.io")},
	{schemas.PublisherWeblog, 2, typed("Blog")},
	{schemas.PublisherWeblog, 3, generator("blogger", "typepad", "movable type")},
	{schemas.PublisherWeblog, 2, generator("ghost", "hugo", "jekyll", "hexo", "pelican", "textpattern", "serendipity")},
	{schemas.PublisherWeblog, 2, label("blog", "weblog")},
	{schemas.PublisherWeblog, 1, typed("BlogPosting")},
	{schemas.PublisherWeblog, 1, generator("wordpress")},
	{schemas.PublisherWeblog, 1, path("/p/", "/weblog/")},

	{schemas.PublisherMainstreamNews, 4, typed("NewsMediaOrganization")},
	// of small sites, too
	{schemas.PublisherMainstreamNews, 2, typed("NewsArticle", "ReportageNewsArticle", "AnalysisNewsArticle")},
	{schemas.PublisherMainstreamNews, 1, path("/story/", "/article/", "/articles/", "/news/", "/politics/", "/opinion/",
		"/world/", "/entertainment/", "/sports/")},
	{schemas.PublisherMainstreamNews, 2, label("news")},

	{schemas.PublisherReview, 4, domain("yelp.com", "tripadvisor.com", "trustpilot.com", "g2.com", "capterra.com",
		"epinions.com", "rottentomatoes.com", "glassdoor.com", "sitejabber.com", "goodreads.com")},
	{schemas.PublisherReview, 3, typed("UserReview", "CriticReview")},
	{schemas.PublisherClassified, 5, domain("craigslist.org", "gumtree.com", "olx.com", "kijiji.ca", "leboncoin.fr",
		"backpage.com", "oodle.com", "kleinanzeigen.de")},
	{schemas.PublisherMemetracker, 5, domain("reddit.com", "digg.com", "techmeme.com", "news.google.com",
		"ycombinator.com", "slashdot.org", "lobste.rs", "memeorandum.com")},
	{schemas.PublisherMicroblog, 5, domain("twitter.com", "x.com", "identi.ca", "mastodon.social", "bsky.app",
		"threads.net", "weibo.com")},
	{schemas.PublisherMicroblog, 4, generator("mastodon", "pleroma", "misskey")},
	{schemas.PublisherSocialMedia, 5, domain("facebook.com", "instagram.com", "linkedin.com", "vk.com", "myspace.com",
		"pinterest.com", "tiktok.com", "snapchat.com", "ok.ru")},
	{schemas.PublisherVideo, 5, domain("youtube.com", "vimeo.com", "dailymotion.com", "twitch.tv", "rumble.com",
		"bilibili.com")},
	{schemas.PublisherPhoto, 5, domain("flickr.com", "500px.com", "smugmug.com", "imgur.com", "deviantart.com",
		"unsplash.com")},
}

// Type returns the kind of site that the signals show, or UNKNOWN if they are not enough.
func Type(s Signals) string {
	best, first, second := schemas.PublisherUnknown, 0, 0
	kind, weight := "", 0
	count := func() {
		if weight > first {
			best, first, second = kind, weight, first
		} else {
			second = max(second, weight)
		}
	}
	for i := range table {
		row := &table[i]
		// The rows of a kind are together.
		if row.kind != kind {
			count()
			kind, weight = row.kind, 0
		}
		if row.is(&s) {
			weight += row.weight
		}
	}
	count()
	if first < enough || first-second < margin {
		return schemas.PublisherUnknown
	}
	return best
}

// generator tests the program with which the site is made.
func generator(names ...string) func(*Signals) bool {
	return func(s *Signals) bool {
		return s.Generator != "" &&
			slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(s.Generator, name) })
	}
}

// typed tests the schema.org types.
func typed(names ...string) func(*Signals) bool {
	return func(s *Signals) bool {
		return len(s.Types) > 0 &&
			slices.ContainsFunc(names, func(name string) bool { return slices.Contains(s.Types, name) })
	}
}

// label tests the labels of the host's name before the domain.
func label(names ...string) func(*Signals) bool {
	return func(s *Signals) bool {
		above := strings.TrimSuffix(s.Host, s.Domain)
		if above == "" {
			return false // as for most sites
		}
		for part := range strings.SplitSeq(above, ".") {
			if slices.Contains(names, part) {
				return true
			}
		}
		return false
	}
}

// path tests the content of the URL's path.
func path(parts ...string) func(*Signals) bool {
	return func(s *Signals) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s.Path, part) })
	}
}

// domain tests whether the host is one of these, or below one.
func domain(names ...string) func(*Signals) bool {
	return func(s *Signals) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			// No text is concatenated, since this is called for each page and each name.
			above, is := strings.CutSuffix(s.Host, name)
			return is && (above == "" || above[len(above)-1] == '.')
		})
	}
}
