package maintext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/infix"
	"github.com/gleaner-web/gleaner/transforms/page"
)

// Comments are readers' comments below a post.
type Comments struct {
	Text  string // a line per paragraph, an empty line between comments
	Count int
}

const betweenComments = "\n\n"

const (
	// longestByline is the most words of a name, date or the like above or below a comment.
	longestByline = 12
	// fewAlike is how many blocks must fill the same place of their comments to be judged together.
	fewAlike = 3
	// shortAlike is the mean number of words below which such blocks are names, dates or links, unless half of them
	// end like a sentence.
	shortAlike = 3
	// digitsAlike is the share of digits above which such blocks are dates or numbers.
	digitsAlike = 0.25
	// longestLabel is the most words of a text that is repeated in comments and says nothing.
	longestLabel = 8
	// longestWord is the most words, among comments, of a note with one of countWords.
	longestWord = 5
)

// notSaid are the flags of what readers did not write: headings, links to answer, hidden copies.
const notSaid = page.InButton | page.InNav | page.InHeading | page.InSkipped | unseen

// aroundSaid are the flags of a comment's author and date, and of links to share it.
const aroundSaid = page.LikeMeta | page.LikeFooter | page.LikeShare | page.LikeNav

// commentTexts puts comments together from their blocks.
type commentTexts struct {
	p     *page.Page
	sigs  map[uint32]int // by look: how many elements called comments
	looks map[uint64]*sameLook
	texts map[uint64]int // by hash of letters: how many blocks
}

// sameLook sums up blocks that fill the same place of their comments.
type sameLook struct{ blocks, words, digits, chars, ends int32 }

// commentsOf returns the text of readers' comments, limited to about limit bytes, their number, and the blocks of the
// text. It leaves out names, dates, headings and buttons as far as signs that hold in any language show them.
func commentsOf(p *page.Page, found []remark, limit int) (c Comments, all []int32, whole bool) {
	t := commentTexts{p, map[uint32]int{}, map[uint64]*sameLook{}, map[uint64]int{}}
	for i := found[0].outer; int(i) < len(p.Nodes); i++ {
		if p.Nodes[i].Own&isComment != 0 {
			t.sigs[p.Nodes[i].Sig]++
		}
	}
	var said []remark // outer is the comment
	for _, r := range found {
		b := &p.Blocks[r.block]
		if b.Flags&notSaid != 0 || b.LinkChars*2 > b.Chars || isAbout(p, r) || t.isByline(r) {
			continue
		}
		r.outer = t.holder(r)
		said = append(said, r)
		t.count(r)
	}
	var text strings.Builder
	whole = true
	for i := 0; i < len(said); {
		if text.Len()+len(betweenComments) >= limit {
			whole = false
			break
		}
		var blocks []int32
		holder := said[i].outer
		for ; i < len(said) && said[i].outer == holder; i++ {
			if !t.isLabel(said[i]) {
				blocks = append(blocks, said[i].block)
			}
		}
		if len(blocks) == 0 {
			continue
		}
		if c.Count++; text.Len() > 0 {
			text.WriteString(betweenComments)
		}
		comment, fits := join(p, blocks, limit-text.Len())
		text.WriteString(comment)
		whole = whole && fits
		all = append(all, blocks...)
	}
	c.Text = text.String()
	return c, all, whole
}

// isByline reports whether the elements around a short block say that it is about the comment.
func (t *commentTexts) isByline(r remark) bool {
	b := &t.p.Blocks[r.block]
	if b.Words > longestByline {
		return false
	}
	for n := t.p.Nodes[b.First].Parent; n >= r.inner; n = t.p.Nodes[n].Parent {
		if t.p.Nodes[n].End < b.Last {
			continue // a part of the block
		}
		if t.p.Nodes[n].Own&aroundSaid != 0 || t.p.Nodes[n].Tag == page.TagTime || t.p.Nodes[n].Tag == page.TagDt ||
			isNamed(t.p, n, bylineWords) {
			return true
		}
	}
	return false
}

// bylineWords are words in class and id of elements above a comment.
var bylineWords = infix.New(
	"head", "info", "user", "name", "time", "intro",
)

// countWords are parts of words in headings and notes around comments: "3 comments", "no comments yet", "be the
// first".
var countWords = infix.New(
	"comment", "komment", "koment", "coment", "reacti", "repl",
	"respon", "yorum", "loading", "коммент", "комент", "评论",
	"評論", "コメント", "댓글", "تعليق", "bình luận",
)

// holder returns the element of the comment that a block belongs to: the innermost that is called a comment and looks
// like others. If a single element is called so, it holds all comments, and holder returns its child.
func (t *commentTexts) holder(r remark) int32 {
	p := t.p
	if tag := p.Nodes[r.inner].Tag; t.sigs[p.Nodes[r.inner].Sig] > 1 && tag != page.TagUl && tag != page.TagOl {
		return r.inner
	}
	n := p.Blocks[r.block].Node
	for n > r.inner && p.Nodes[n].Parent > r.inner {
		n = p.Nodes[n].Parent
	}
	switch p.Nodes[n].Tag {
	case page.TagLi, page.TagDd, page.TagDiv, page.TagArticle, page.TagSection, page.TagTr, page.TagTable:
		return n
	}
	return r.inner
}

// look hashes (FNV-1a, by words) the elements between a block and its comment.
func (t *commentTexts) look(r remark) uint64 {
	look := uint64(14695981039346656037)
	for n := t.p.Blocks[r.block].Node; n > r.outer; n = t.p.Nodes[n].Parent {
		look = (look ^ uint64(t.p.Nodes[n].Sig)) * 1099511628211
	}
	return look
}

func (t *commentTexts) count(r remark) {
	look, b := t.look(r), &t.p.Blocks[r.block]
	same := t.looks[look]
	if same == nil {
		same = &sameLook{}
		t.looks[look] = same
	}
	same.blocks++
	same.words += b.Words
	same.digits += b.Digits
	same.chars += b.Chars
	if b.EndsPunct {
		same.ends++
	}
	if b.Words <= longestLabel {
		t.texts[t.letters(b)]++
	}
}

// letters is a hash (FNV-1a) of a block's text without its digits and spaces: "3 likes" is like "12 likes".
func (t *commentTexts) letters(b *page.Block) uint64 {
	hash := uint64(14695981039346656037)
	for _, c := range t.p.Text[b.Start:b.End] {
		if c > '9' {
			hash = (hash ^ uint64(c)) * 1099511628211
		}
	}
	return hash
}

// isLabel reports whether a block is a label: others have the same letters, or the blocks in its place are short or
// mostly digits.
func (t *commentTexts) isLabel(r remark) bool {
	b := &t.p.Blocks[r.block]
	if b.Words <= longestLabel && t.texts[t.letters(b)] >= fewAlike {
		return true
	}
	same := t.looks[t.look(r)]
	longest := int32(longestWord)
	if same.blocks < fewAlike { // nothing else is in its place
		longest = longestByline
	}
	return b.Chars == b.Digits || same.isLabel() || b.Words <= longest && countWords.In(t.p.Text[b.Start:b.End])
}

func (s *sameLook) isLabel() bool {
	if s.blocks < fewAlike {
		return false
	}
	short := s.words < shortAlike*s.blocks && 2*s.ends < s.blocks
	return short || float32(s.digits) > digitsAlike*float32(s.chars)
}

// CommentMode says what becomes of readers' comments below a post.
type CommentMode uint8

const (
	SeparateComments CommentMode = iota // left out of the text, returned in Result.Comments
	KeepComments                        // part of the text
	DropComments                        // left out
)

var commentModes = [...]string{SeparateComments: "separate", KeepComments: "keep", DropComments: "drop"}

func (m CommentMode) String() string { return commentModes[m] }

func CommentModes() []string { return slices.Clone(commentModes[:]) }

// ParseCommentMode returns the mode of a name; "" is SeparateComments.
func ParseCommentMode(name string) (CommentMode, error) {
	if i := slices.Index(commentModes[:], cmp.Or(name, commentModes[SeparateComments])); i >= 0 {
		return CommentMode(i), nil
	}
	return 0, fmt.Errorf("unknown mode of comments %q; there are %s", name, strings.Join(commentModes[:], ", "))
}

// setComments takes readers' comments out of a page's text by setting their scores to 0. It returns the blocks of
// comments that are in the text all the same.
func setComments(r *Result, forum float32, o Options) (kept []int32) {
	if r.Type == Product {
		return nil // reviews describe the product
	}
	// The model takes lists with votes for other types.
	if forum >= mayBeForum && r.Type != Forum && isForum(r.Page, forum) {
		r.Type = Forum
		return nil
	}
	found := remarks(r.Page, r.Scores, forum)
	if len(found) == 0 {
		return nil
	}
	if o.Comments != DropComments {
		var whole bool
		r.Comments, kept, whole = commentsOf(r.Page, found, o.MaxBytes)
		r.Cut = r.Cut || !whole
	}
	for _, c := range found {
		if !isAbout(r.Page, c) {
			r.Scores[c.block] = 0
		}
	}
	// Without its comments it is not a forum.
	if r.Type == Forum {
		r.Type = Article
	}
	if o.Comments == SeparateComments {
		return nil
	}
	r.Comments = Comments{}
	return kept
}
