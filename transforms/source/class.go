package source

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// The classes of feeds. Two fifths of announced feeds are not the site's main ones.
const (
	ClassMain     = "main"
	ClassComments = "comments" // of a site or of one page
	ClassCategory = "category" // of a category, tag, topic or section
	ClassAuthor   = "author"
	ClassPage     = "page"   // changes of one page, or a site's static pages
	ClassSearch   = "search" // results of a query
	ClassList     = "list"   // names of categories, tags or the like, not articles
)

var (
	// Words for comments in a path, query or title, in the most frequent languages of blog software.
	commentWords = pattern.Lazy(`(?i)\b(comments?|comentari[oe]s?|coment[áa]rios?|commentaires?|kommentare?|` +
		`commenti|reacties|komentarze|komentar|kommentarer|yorumlar|replies|discussion)\b|комментари|评论|評論|コメント|댓글`)
	categoryWords = pattern.Lazy(`^(category|categories|cat|categoria|categorias|categorie|kategorie|kategori|` +
		`tags?|tagged|topics?|labels?|sections?|rubrik|rubrique|subject|themes?|series|feeds-tags|feeds-categories|` +
		`channel|keywords?|etiqueta|etiquetas|-)$`)
	authorWords = pattern.Lazy(`^(authors?|users?|by|profile|people|contributors?|autor|auteur|writers?)$`)
	feedFile    = pattern.Lazy(`(?i)^(index|feed|feeds|rss2?|atom|rdf|all|main|blog|news|posts?|default|latest|` +
		`full|articles?|stories|everything|podcast|site)?` +
		`([._-](rss2?|atom|feed|full))?(\.(xml|rss|atom|rdf|json|php|aspx?))*$`)
	allFeed = pattern.Lazy(`(?i)^all([-_.][a-z]{2,3}([-_][a-z]{2})?)?\.(rss|atom)\.xml$`)
	// slugFeed is Pelican's name for feeds of categories, tags and authors.
	slugFeed = pattern.Lazy(`(?i)^(.+)\.(rss|atom)\.xml$`)
)

// Class returns the class of a feed by its URL, its title and the page that announces it. It relies on the naming
// schemes of site software, so it can be wrong on sites with their own names.
func Class(feed, title, page string) string {
	// ClassMain by default: an invalid URL says nothing.
	u, err := url.Parse(feed)
	if err != nil {
		return ClassMain
	}
	segments := segmentsOf(u.Path)
	query := u.Query()
	switch {
	// Comments come first: the comments of a category are comments.
	case isComments(segments, query, title), isOfPage(u, segments, page):
		return ClassComments
	case isSearch(segments, query):
		return ClassSearch
	case query.Get("action") == "history" || query.Get("title") != "" && query.Get("feed") != "":
		return ClassPage // a wiki page
	}
	// The path is more reliable than the title, which people write.
	class := classOfPath(segments, query)
	if class == ClassMain && len(segments) > 1 && sectionTitle().MatchString(title) {
		return ClassCategory
	}
	return class
}

// sectionTitle is Hugo's title for feeds of a site's sections: "Posts on Ann's site".
var sectionTitle = pattern.Lazy(`^\w+ on(\s|$)`)

// anySection is sectionTitle in every script: "文章 on Ann's site".
var anySection = pattern.Lazy(`^[\pL\pM\pN_-]+ on(\s|$)`)

// isOfSection reports whether a feed's title is that of a section, and not of the site: "Home on Ann's site".
func isOfSection(title string) bool {
	return anySection().MatchString(title) && !strings.HasPrefix(title, "Home on")
}

// segmentsOf are the unescaped parts of a path in lower case.
func segmentsOf(p string) []string {
	return strings.FieldsFunc(strings.ToLower(p), func(r rune) bool { return r == '/' })
}

func isComments(segments []string, query url.Values, title string) bool {
	if slices.ContainsFunc(segments, func(s string) bool {
		// An article about comments has its slug there: a name of many words is not a folder of comments.
		return strings.Count(s, "-") < 3 && hasCommentWord(s)
	}) {
		return true
	}
	for _, values := range query {
		if slices.ContainsFunc(values, hasCommentWord) {
			return true
		}
	}
	// The word first: it is the cheaper test.
	return hasCommentWord(title) && commentTitle().MatchString(title)
}

// commentWordParts are substrings, one of which is in every match of commentWords.
var commentWordParts = partsOf("comment", "coment", "komment", "koment", "reacties", "yorumlar", "replies",
	"discussion", "комментари", "评论", "評論", "コメント", "댓글")

// hasCommentWord tries the regular expression on few texts.
func hasCommentWord(text string) bool {
	return commentWordParts.in(strings.ToLower(text)) && commentWords().MatchString(text)
}

// commentTitle matches titles that software gives to feeds of comments. Names of articles and sites may contain the
// word, too.
var commentTitle = pattern.Lazy(`(?i)^(re: |comments? (on|for|to|feed|rss)|comments$|all comments|` +
	`recent comments|latest comments|comentari[oe]s? (de|en|a)|komentar di|bình luận (cho|về)|תגובות ל|komentari na|k` +
	`omentáře k|` +
	`coment[áa]rios? (sobre|para|em|de)|commentaires? (sur|pour|de)|kommentare? (zu|für|auf)|` +
	`commenti (a|su|per)|reacties op|komentarze do|комментари|评论|コメント)|` +
	`(comments?|comments? (feed|rss)|kommentar-feed|kommentare|flux des commentaires|fil de commentaires|` +
	`comentarios|comentários|commenti|reactiesfeed|yorum beslemesi|kommentarflöde|kommentarstrøm)\s*$`)

// isOfPage reports whether the feed is below the page that announces it, like WordPress's comments of a post.
func isOfPage(feed *url.URL, segments []string, page string) bool {
	u, err := url.Parse(page)
	if page == "" || err != nil || !strings.EqualFold(u.Host, feed.Host) {
		return false
	}
	of := segmentsOf(u.Path)
	// The front page and the main page of a section announce the feed of what they show. A folder of categories is
	// more specific than the page.
	if len(of) < 2 || slices.ContainsFunc(of[:len(of)-1], isTaxonomy) {
		return false
	}
	return len(segments) == len(of)+1 && slices.Equal(segments[:len(of)], of) && segments[len(of)] == "feed" &&
		feed.RawQuery == ""
}

func isTaxonomy(s string) bool { return categoryWords().MatchString(s) || authorWords().MatchString(s) }

func isSearch(segments []string, query url.Values) bool {
	for _, name := range []string{"s", "q", "query", "search", "keyword"} {
		if query.Get(name) != "" {
			return true
		}
	}
	return slices.Contains(segments, "search")
}

// classOfPath looks for a folder of categories or authors above the feed's own name.
func classOfPath(segments []string, query url.Values) string {
	// Parameters of software without permalinks, such as WordPress by default: /?cat=3&feed=rss2.
	for _, name := range []string{"cat", "category", "tag", "topic"} {
		if query.Get(name) != "" {
			return ClassCategory
		}
	}
	if query.Get("author") != "" {
		return ClassAuthor
	}
	above, file := segments, ""
	if n := len(above); n > 1 && above[n-2] == "feeds" && isSlugFeed(above[n-1]) {
		return ClassCategory // Pelican's: the site's own are all.atom.xml and all-en.atom.xml
	}
	// Several may follow each other: /tags/go/feed/atom/.
	for len(above) > 0 && feedFile().MatchString(above[len(above)-1]) && !isTaxonomy(above[len(above)-1]) {
		file = above[len(above)-1]
		above = above[:len(above)-1]
	}
	// From the host down: the first known folder decides.
	for i, s := range above {
		last := i == len(above)-1
		switch {
		case isTaxonomy(s) && last && file != "":
			return ClassList // …/tags/index.xml has the tags
		case categoryWords().MatchString(s) && !last:
			return ClassCategory
		case authorWords().MatchString(s) && !last:
			return ClassAuthor
		case s == "pages" && last:
			return ClassPage
		}
	}
	return classOfName(above, file)
}

func isSlugFeed(name string) bool {
	return slugFeed().MatchString(name) && !allFeed().MatchString(name)
}

// classOfName is for a feed whose own name may be that of a section: /feeds/python.atom.xml, /blog/index.xml.
func classOfName(above []string, file string) string {
	if len(above) == 0 {
		return ClassMain
	}
	name := above[len(above)-1]
	if ext := path.Ext(name); file == "" && len(above) > 1 && (ext == ".xml" || ext == ".rss") &&
		slices.Contains([]string{"feed", "feeds", "rss"}, above[len(above)-2]) && !allFeed().MatchString(name) {
		return ClassCategory
	}
	return ClassMain
}

// Classes of feeds that are not sources.
const (
	ClassPlaceholder = "placeholder"
	ClassSpam        = "spam"
)

// Class is the class of a source by its content, if that is not a publication. Otherwise the feed's name decides, and
// the names on pages that announce it.
func (s State) Class() string {
	_, reasons, _ := Judge(s)
	return s.classBy(reasons)
}

// classBy is the class for the reasons of Judge, of which the first decides.
func (s State) classBy(reasons []string) string {
	if len(reasons) > 0 {
		switch reasons[0] {
		case "comments":
			return ClassComments
		case "placeholder":
			return ClassPlaceholder
		case "spam":
			return ClassSpam
		case "pages":
			return ClassPage
		case "list", "catalogue":
			return ClassList
		case "empty":
			if s.urlClass() == ClassPage {
				return ClassList // a section of a site, without pieces
			}
		}
	}
	return s.urlClass()
}

// urlClass is the class by names alone. If the feed's own name says main, the majority class of announcing pages
// counts: they know below which page it is.
func (s State) urlClass() string {
	// The announcing pages follow below, each with the class from its own reading.
	class := Class(s.Info.URL, s.Info.Title, "")
	if class == ClassCategory && s.isOfAuthor() {
		return ClassAuthor
	}
	if u, err := url.Parse(s.Info.URL); class == ClassMain && err == nil && isOfSection(s.Info.Title) &&
		len(segmentsOf(u.Path)) > 1 {
		return ClassCategory
	}
	if class != ClassMain {
		// The feed's own name is more reliable than others' names for it.
		return class
	}
	count := map[string]int{}
	for _, a := range s.Announces {
		count[a.Class]++
	}
	for other, n := range count {
		// Only one class can have more than half of the pages.
		if other != "" && other != ClassMain && 2*n > len(s.Announces) {
			return other
		}
	}
	return ClassMain
}

// isOfAuthor reports whether the feed is named after an author of its pages: /feeds/ann-smith.atom.xml.
func (s State) isOfAuthor() bool {
	m := slugFeed().FindStringSubmatch(path.Base(s.Info.URL))
	if m == nil {
		return false
	}
	// Names are compared by their hashes, as states keep them.
	name := Hash(squeeze(m[1]))
	return slices.ContainsFunc(s.Pages, func(p Page) bool { return p.Author == name })
}
