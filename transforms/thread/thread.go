// Package thread divides the main text of forums, and of pages of questions and answers, into posts with their authors
// and dates. It reads the markup that readers see, and the page's JSON-LD. It does not decide what the main text is.
//
//	posts, left, stated := thread.Posts(result, p, nodes, 0)
//
// The names of classes differ from forum to forum, and from language to language. So the package looks for evidence of
// an author or date: microdata, links to profiles, <time>, short texts with a date. A post is the smallest element that
// has both text and such evidence, if others of the same class or id have them too.
package thread

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/infix"
	"github.com/gleaner-web/gleaner/transforms/jsonld"
	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// Version changes whenever the posts of the same page may change.
const Version = "5"

// Post is one contribution. Author and Date are "" if the page does not say them. Date is RFC 3339, or the day alone
// if the page gives no zone.
type Post struct {
	Kind         string // one of the kinds below
	Author, Date string
	Text         string // its part of the main text
}

// The kinds of posts, as types of schema.org or classes name them. KindPost is any other.
const (
	KindPost     = "post"
	KindQuestion = "question"
	KindAnswer   = "answer"
	KindComment  = "comment"
)

const (
	maxPosts = 10_000
	maxText  = 2 << 20 // bytes of all texts together
)

// Posts returns the posts of m, the main text of page p with JSON-LD ld, which lacks some objects. It is nil for pages
// that are not threads. left is the number of posts that a limit leaves out. If JSON-LD states them, its missing
// objects count too. stated reports whether the posts are only in JSON-LD.
func Posts(m *maintext.Result, p *page.Page, ld []jsonld.Node, lacks int) (posts []Post, left int, stated bool) {
	if posts, left = mailPosts(m, p); posts != nil {
		return posts, left, false
	}
	s := statedPosts(ld)
	s.left += lacks
	if m.Type != maintext.Forum && len(s.posts) == 0 && !hasThreadType(p) && !isOfForum(p) {
		return nil, 0, false
	}
	if m.Page == nil || len(m.Blocks) == 0 {
		return s.posts, s.left, true
	}
	f := finder{m: m, p: m.Page, dates: pagemeta.NewDates(p)}
	f.look()
	f.find()
	posts = f.posts()
	if len(posts) == 0 {
		return withText(s.posts), s.left, true
	}
	complete(posts, s.posts)
	nameQuestion(posts)
	return posts, f.left, false
}

// hasThreadType reports whether a page has microdata of a thread.
func hasThreadType(p *page.Page) bool {
	for _, item := range p.Items() {
		for _, t := range item.Type {
			if threadTypes[t[strings.LastIndexByte(t, '/')+1:]] {
				return true
			}
		}
	}
	return false
}

// isOfForum reports whether the markup of a page is that of well-known forum software. The model of page types has
// learnt from English pages.
func isOfForum(p *page.Page) bool {
	// The newer archives of Mailman name their software at the end.
	if namesHyperKitty(p.Source) {
		return true
	}
	found := 0
	for i := range p.Nodes {
		if p.Nodes[i].Own&page.LikePost == 0 {
			continue
		}
		for _, name := range [...]string{"id", "class"} {
			if v, ok := p.RawAttr(i, name); ok && softwareSigns.In(v) {
				if found++; found == leastSigns {
					return true
				}
			}
		}
	}
	return false
}

// maxFooterBytes is above the length of what HyperKitty writes after its name: the end of the footer, and scripts.
const maxFooterBytes = 16 << 10

func namesHyperKitty(source []byte) bool {
	return bytes.Contains(source[max(0, len(source)-maxFooterBytes):], []byte("HyperKitty"))
}

const leastSigns = 3 // elements with one of softwareSigns

// softwareSigns are classes and ids of posts in phpBB, vBulletin, Discuz, XenForo, MyBB, SMF, Discourse and WoltLab.
var softwareSigns = infix.New(
	"postprofile", "postbody", "post_message_", "postmessage_", "message--post", "post_body", "post_wrapper",
	"wbbpost", "postcontainer", "crawler-post",
)

// threadTypes are schema.org's types of threads.
var threadTypes = map[string]bool{"DiscussionForumPosting": true, "QAPage": true}

// nameQuestion corrects the kind of the first post if answers follow it.
func nameQuestion(posts []Post) {
	if posts[0].Kind != KindPost {
		return
	}
	for i := range posts {
		if posts[i].Kind == KindAnswer {
			posts[0].Kind = KindQuestion
			return
		}
	}
}
