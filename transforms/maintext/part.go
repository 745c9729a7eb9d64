package maintext

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Part is one of several contributions of which a text consists: a post of a forum, a comment below an article.
// Author and date are what markup says, not what text looks like.
type Part struct {
	Kind       string // PartPost or PartComment
	Author     string // "" where the page does not say
	Date       string // as the page has it, most often ISO 8601; "" where it does not say
	Start, End int    // bytes of Result.Text
}

// The values of Part.Kind.
const (
	PartPost    = "post"
	PartComment = "comment"
)

// maxParts bounds the parts of one text.
const maxParts = 10_000

// parts finds the contributions of which the kept blocks consist: elements called posts, messages, answers or comments
// that look alike, the outermost of them. Except in forums only comments count, since whole articles are called posts.
// starts is where each of the kept blocks begins in the text, of size bytes. Alike means the same Sig (name and
// class): a single element that is called a post is the article.
func parts(p *page.Page, blocks, starts []int32, t PageType, size int) []Part {
	signs := page.LikeComment
	// In forums each contribution may be called a post or an <article>.
	if t == Forum {
		signs |= page.LikePost | page.InArticle
	}
	var found []Part
	alike := map[uint32]int{}
	// How often each form occurs on the page, kept or not.
	for i := range p.Nodes {
		if p.Nodes[i].Own&signs != 0 {
			alike[p.Nodes[i].Sig]++
		}
	}
	// blocks and nodes are both in document order, so k never goes back.
	k := 0
	for i := int32(0); int(i) < len(p.Nodes) && len(found) < maxParts; {
		n := &p.Nodes[i]
		if n.Own&signs == 0 || alike[n.Sig] < 2 {
			i++
			continue
		}
		// Blocks before the element belong to nobody.
		for k < len(blocks) && p.Blocks[blocks[k]].First < i {
			k++
		}
		first := k
		for k < len(blocks) && p.Blocks[blocks[k]].First < n.End {
			k++
		}
		if k == first {
			i++ // nothing of it is kept; what is inside may be
			continue
		}
		part := Part{Kind: PartPost, Start: int(starts[first]), End: size}
		// What has only the word "comment" is one, also in a forum.
		if n.Own&(page.LikePost|page.InArticle) == 0 {
			part.Kind = PartComment
		}
		// Without the separator in front of the next block.
		if k < len(starts) {
			part.End = int(starts[k]) - 1
		}
		part.Author, part.Date = byline(p, i)
		found = append(found, part)
		// Parts do not nest: the search goes on after the element.
		i = n.End
	}
	return found
}

// byline returns who wrote what is in element i, and when, as far as its markup says so. The first of each
// counts, which is that of the contribution itself and not of a quote in it.
func byline(p *page.Page, i int32) (author, date string) {
	for n := i + 1; n < p.Nodes[i].End && (author == "" || date == ""); n++ {
		if p.Nodes[n].Tag == page.TagText {
			continue
		}
		if author == "" && isAuthor(p, n) {
			// A longer text, or one of several lines, is not a name.
			if text := p.NodeText(int(n)); len(text) <= maxAuthor && !bytes.ContainsRune(text, '\n') {
				author = string(text)
			}
		}
		if date == "" {
			date = dateOf(p, n)
		}
	}
	return author, date
}

// maxAuthor is how many bytes a name may have. Longer ones are sentences.
const maxAuthor = 80

// authorWords are the words in class that name who wrote something.
var authorWords = [...]string{"author", "username", "user-name", "poster", "nickname", "byline", "creator"}

// isAuthor reports whether an element's markup says that it names an author.
func isAuthor(p *page.Page, n int32) bool {
	if v, ok := p.RawAttr(int(n), "itemprop"); ok && (string(v) == "author" || string(v) == "creator") {
		return true
	}
	if v, ok := p.RawAttr(int(n), "rel"); ok && string(v) == "author" {
		return true
	}
	// Words are looked for anywhere in the class: "post-author", "username".
	class, _ := p.RawAttr(int(n), "class")
	for _, w := range authorWords {
		if bytes.Contains(class, []byte(w)) {
			return true
		}
	}
	return false
}

// dateOf returns the date that an element gives in an attribute: <time>, or microdata. Text such as "3 days ago" is
// not a date.
func dateOf(p *page.Page, n int32) string {
	prop, _ := p.Attr(int(n), "itemprop")
	if p.Nodes[n].Tag != page.TagTime && !strings.HasPrefix(prop, "date") {
		return ""
	}
	for _, name := range [...]string{"datetime", "content"} {
		if v, ok := p.Attr(int(n), name); ok && v != "" && len(v) <= maxAuthor {
			return v
		}
	}
	return ""
}
