package enrich

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
	"github.com/gleaner-web/gleaner/transforms/thread"
)

// setByThread sets the author and date of a thread from its first post, if the page does not declare them.
func (w *work) setByThread() {
	const authors, published = "authors", "published"
	known := len(w.d.Authors) > 0 && w.d.MetaSources[authors] != "text"
	if known && w.d.Published != "" {
		return
	}
	posts, _ := w.posts()
	if len(posts) == 0 || !beginsThread(posts) {
		return
	}
	// Pages with more answers repeat the question.
	if posts[0].Kind != thread.KindQuestion && laterPage.MatchString(w.c.URL) {
		return
	}
	name := posts[0].Author
	names := pagemeta.Byline(name)
	isIn := func(author string) bool {
		return author == name || !slices.Contains(names, name) && strings.Contains(name, author)
	}
	differs := !known && !slices.ContainsFunc(w.d.Authors, isIn)
	// Articles and products have comments and questions, too.
	isAside := w.stated || posts[0].Kind == thread.KindComment // vBulletin calls all posts so
	if isAside && w.mainText().Type != maintext.Forum ||
		w.stated && (differs && len(w.d.Authors) > 0 || slices.ContainsFunc(w.jsonLD(), isProduct)) {
		return
	}
	if differs && names != nil {
		w.d.Authors = names
		w.setSource(authors, "posts")
		delete(w.d.MetaConfidence, authors)
	}
	if date := posts[0].Date; w.d.Published == "" && date != "" {
		w.d.Published = date
		w.setSource(published, "posts")
	}
}

func isProduct(n jsonld.Node) bool { return slices.Contains(n.Types(), "Product") }

// laterPage matches the URL of a thread's second page or a later one. "p" is often the number of a post.
var laterPage = regexp.MustCompile(
	`(?i)[?&;](?:page|pageno|start)=0*(?:[2-9]|[1-9]\d+)(?:[&;#]|$)|/page[-/]?0*(?:[2-9]|[1-9]\d+)/?(?:[?#]|$)`)

// beginsThread reports whether the first post may have begun a thread. In lists of threads and in guestbooks, it is
// newer than most others.
func beginsThread(posts []thread.Post) bool {
	const day = len("2006-01-02")
	first, dated, older := "", 0, 0
	for i := range posts {
		date := posts[i].Date
		if len(date) < day {
			continue
		}
		if dated++; dated == 1 {
			first = date[:day]
		} else if date[:day] < first {
			older++
		}
	}
	// Relative dates may follow the date of the first post, but do not come before it.
	isAlone := dated == 1 && posts[0].Date == ""
	return posts[0].Kind != thread.KindAnswer && !isAlone && (older == 0 || 2*older < dated-1)
}
