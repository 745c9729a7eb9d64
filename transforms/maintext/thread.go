package maintext

import (
	"github.com/gleaner-web/gleaner/transforms/infix"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	// fewestPosts is how many blocks must be in elements that look like the body of a post.
	fewestPosts = 3
	// longPost is the minimum of the mean number of words in these blocks. Names, dates and buttons have fewer.
	longPost = 12
)

// body sums up elements that look the same: the bodies of a forum's posts.
type body struct {
	blocks, words int32
	kept          bool
}

// completeThread keeps each forum post whole if one block that looks like the body of a post is kept. The rest is text
// too, even if it is short and the model doubts it. Quotes of other posts keep their own scores. Signatures, which
// repeat below each post, are dropped.
func completeThread(p *page.Page, scores []float32, kept []bool) {
	bodies := map[uint64]*body{}
	looks := make([]uint64, len(p.Blocks))
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if isSignature(p, b.Node) {
			kept[i] = false
			continue
		}
		if scores[i] == 0 || b.Flags&(notSaid|page.InQuote|page.InAside|page.InFooter) != 0 || b.LinkChars*2 > b.Chars {
			continue
		}
		look := bodyOf(p, b.Node)
		looks[i] = look
		if bodies[look] == nil {
			bodies[look] = &body{}
		}
		same := bodies[look]
		same.blocks++
		same.words += b.Words
		same.kept = same.kept || kept[i]
	}
	for i, look := range looks {
		same := bodies[look]
		if look != 0 && same.kept && same.blocks >= fewestPosts && same.words >= longPost*same.blocks {
			kept[i] = true
		}
	}
}

// bodyOf returns the look of the nearest element around n that may be a post's body, with that of its parent.
func bodyOf(p *page.Page, n int32) uint64 {
	for n > 0 {
		switch p.Nodes[n].Tag {
		case page.TagDiv, page.TagArticle, page.TagSection, page.TagTd, page.TagDd, page.TagMain, page.TagBody:
			up := p.Nodes[n].Parent
			return uint64(p.Nodes[n].Sig)<<32 | uint64(p.Nodes[max(0, up)].Sig)
		}
		n = p.Nodes[n].Parent
	}
	return 0
}

var signatures = infix.New("signature")

// isSignature reports whether an element is in, or is, what forums call a signature.
func isSignature(p *page.Page, n int32) bool {
	for range maxWholeDepth {
		if n <= 0 {
			return false
		}
		if class, ok := p.RawAttr(int(n), "class"); ok && signatures.In(class) {
			return true
		}
		n = p.Nodes[n].Parent
	}
	return false
}
