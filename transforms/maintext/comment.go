package maintext

import (
	"bytes"

	"github.com/gleaner-web/gleaner/transforms/infix"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	// leastPost is how many words of a post must precede comments for these to be told apart from it.
	leastPost = 50
	// leastPostScore is the score from which a block counts as part of the post.
	leastPostScore = 0.3
	// mayBeForum is the probability of a forum from which the source is searched for forumWords.
	mayBeForum = 0.1
	// isSurelyForum is the probability of a forum that needs no further signs. Blogs of dragnet reach .9 at most.
	isSurelyForum = 0.95
	// leastForumWords is how often a forum's source holds forumWords. Forums of WCXB have 26 or more; dragnet's blogs
	// have 10 or fewer, except one.
	leastForumWords = 20
)

// forumWords are frequent in URLs, classes and scripts of forums and of lists with votes.
var forumWords = [][]byte{[]byte("forum"), []byte("upvot"), []byte("unvot"), []byte("votearrow")}

// forumTypes are schema.org's types of forums and of pages of questions and answers.
var forumTypes = [][]byte{[]byte("DiscussionForumPosting"), []byte("QAPage")}

// beside are the flags of blocks beside a post, such as the newest comments on other posts.
const beside = page.InAside | page.InNav | page.InFooter | page.LikeSide | page.LikeRelated

// aboutComments are words in class and id of elements that are among comments but are not comments.
var aboutComments = infix.New(
	"guideline", "rules", "policy", "respond", "-form", "form-",
	"_form", "commentform", "closed", "no-comment", "nocomment",
	"login", "notice", "disclaimer", "subscri",
	"msocomment", // notes in Word documents
)

// isComment are the flags of elements that are called comments.
const isComment = page.LikeComment | page.LikeRemark

// remark is a block of a reader's comment.
type remark struct {
	block int32
	inner int32 // the innermost element around it that is called a comment
	outer int32 // the outermost, below the post
}

// remarks returns the blocks of readers' comments below a post. A page without a post above has none. Nor has a forum:
// there, the elements called comments are the main text.
func remarks(p *page.Page, scores []float32, forum float32) (found []remark) {
	words, post, shared := 0, int32(-1), ^page.Flags(0)
	var looks []uint32 // looks of elements around the post that are called comments
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Flags&isComment != 0 && words >= leastPost {
			// An element that also holds the post is not a comment.
			if r := remarkOf(p, int32(i), post); r.outer >= 0 {
				if p.Nodes[p.Nodes[r.outer].Parent].Flags&^shared&beside == 0 {
					found = append(found, r)
				}
				continue
			}
		}
		if words < leastPost && b.Flags&(page.InHeading|page.InNav|page.InFooter|page.InAside|unseen) == 0 &&
			scores[i] >= leastPostScore {
			words += int(b.Words)
			post = b.Node
			shared &= b.Flags
			looks = appendLooks(looks, p, b)
		}
	}
	if len(found) == 0 || isThread(p, found, looks) || isForum(p, forum) {
		return nil
	}
	return found
}

// remarkOf returns block i with the outermost and innermost element called a comment that begin after node post.
func remarkOf(p *page.Page, i, post int32) remark {
	r := remark{i, -1, -1}
	for n := p.Blocks[i].Node; n > post; n = p.Nodes[n].Parent {
		if p.Nodes[n].Own&isComment == 0 {
			continue
		}
		if r.outer = n; r.inner < 0 {
			r.inner = n
		}
	}
	return r
}

// appendLooks adds the looks of the elements around a block that are called comments.
func appendLooks(looks []uint32, p *page.Page, b *page.Block) []uint32 {
	if b.Flags&isComment == 0 {
		return looks
	}
	for n := b.Node; n > 0; n = p.Nodes[n].Parent {
		if p.Nodes[n].Own&isComment != 0 {
			looks = append(looks, p.Nodes[n].Sig)
		}
	}
	return looks
}

// isThread reports whether the post looks like the comments, as in forums that call each post a comment.
func isThread(p *page.Page, found []remark, looks []uint32) bool {
	for _, look := range looks {
		for _, r := range found {
			if p.Nodes[r.outer].Sig == look || p.Nodes[r.inner].Sig == look {
				return true
			}
		}
	}
	return false
}

// isForum reports whether a page is a forum: by its schema.org type, or by forumWords if the model finds a forum
// possible.
func isForum(p *page.Page, forum float32) bool {
	if forum >= isSurelyForum {
		return true
	}
	for _, t := range forumTypes {
		if bytes.Contains(p.Source, t) {
			return true
		}
	}
	if forum < mayBeForum {
		return false
	}
	n := 0
	for _, w := range forumWords {
		n += bytes.Count(p.Source, w)
	}
	return n >= leastForumWords
}

// isAbout reports whether a block among comments is a form, a rule of the house or the like.
func isAbout(p *page.Page, r remark) bool {
	for n := p.Blocks[r.block].Node; n >= r.outer; n = p.Nodes[n].Parent {
		if p.Nodes[n].Tag == page.TagForm || p.Nodes[n].Tag == page.TagTextarea {
			return true
		}
		if isNamed(p, n, aboutComments) {
			return true
		}
	}
	return false
}

// isNamed reports whether the class or id of an element contains one of words.
func isNamed(p *page.Page, n int32, words *infix.Set) bool {
	for _, name := range [...]string{"class", "id"} {
		if v, ok := p.RawAttr(int(n), name); ok && words.In(v) {
			return true
		}
	}
	return false
}
