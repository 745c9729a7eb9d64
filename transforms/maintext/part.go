package maintext

import (
	"bytes"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Part is one of several contributions of which a text consists: a forum post or a comment below an article. Author
// and date come from markup, not from the look of the text.
type Part struct {
	Kind       string // PartPost or PartComment
	Author     string // "" if the page does not say
	Date       string // as in the page, most often ISO 8601; "" if missing
	Start, End int    // byte offsets in Result.Text
}

const (
	PartPost    = "post"
	PartComment = "comment"
)

const maxParts = 10_000

// parts finds the contributions of which the kept blocks consist: the outermost elements called posts, messages,
// answers or comments that look alike (by Sig). A single one is the article. Except in forums only comments count,
// since whole articles are called posts. The starts are the offsets of the kept blocks in the text, which has size
// bytes.
func parts(p *page.Page, blocks, starts []int32, t PageType, size int) []Part {
	signs := page.LikeComment
	// In forums each contribution may be called a post or an <article>.
	if t == Forum {
		signs |= page.LikePost | page.InArticle
	}
	var found []Part
	alike := map[uint32]int{}
	// How often each look occurs on the page, kept or not.
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
		// Blocks before the element belong to no part.
		for k < len(blocks) && p.Blocks[blocks[k]].First < i {
			k++
		}
		first := k
		for k < len(blocks) && p.Blocks[blocks[k]].First < n.End {
			k++
		}
		if k == first {
			i++ // nothing of it is kept; elements in it may be
			continue
		}
		part := Part{Kind: PartPost, Start: int(starts[first]), End: size}
		// An element called only a comment is a comment, also in a forum.
		if n.Own&(page.LikePost|page.InArticle) == 0 {
			part.Kind = PartComment
		}
		// Without the separator before the next block.
		if k < len(starts) {
			part.End = int(starts[k]) - 1
		}
		part.Author, part.Date = byline(p, i)
		found = append(found, part)
		// Parts do not nest: go on after the element.
		i = n.End
	}
	return found
}

// byline returns the author and date that markup gives for element i. The first of each counts: later ones may belong
// to a quote.
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

// maxAuthor is the most bytes of a name; longer texts are sentences.
const maxAuthor = 80

// authorWords are words in the class of an author's name.
var authorWords = [...]string{"author", "username", "user-name", "poster", "nickname", "byline", "creator"}

func isAuthor(p *page.Page, n int32) bool {
	if v, ok := p.RawAttr(int(n), "itemprop"); ok && (string(v) == "author" || string(v) == "creator") {
		return true
	}
	if v, ok := p.RawAttr(int(n), "rel"); ok && string(v) == "author" {
		return true
	}
	class, _ := p.RawAttr(int(n), "class")
	for _, w := range authorWords {
		if bytes.Contains(class, []byte(w)) {
			return true
		}
	}
	return false
}

// dateOf returns the date in an attribute of <time> or of microdata. Text such as "3 days ago" is not a date.
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
