package maintext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// Comments are readers' comments below a post.
type Comments struct {
	Text  string // a line for each paragraph, with an empty line between two comments
	Count int
}

// betweenComments is an empty line.
const betweenComments = "\n\n"

const (
	// longestByline is how many words of a name, a date and the like stand above or below a comment at most.
	longestByline = 12
	// fewAlike is how many blocks must be in the same place of their comments to be judged together.
	fewAlike = 3
	// shortAlike is how many words such blocks have on average where they are names, dates or links and not text,
	// unless half of them end like a sentence.
	shortAlike = 3
	// digitsAlike is the share of digits in such blocks from which on they are dates or numbers.
	digitsAlike = 0.25
	// longestLabel is how many words a text has at most that is in each comment and says nothing.
	longestLabel = 8
	// longestWord is how many words of a note with one of countWords there are at most, among comments.
	longestWord = 5
)

// notSaid are the flags of what readers did not write: headings, links to answer, hidden copies.
const notSaid = page.InButton | page.InNav | page.InHeading | page.InSkipped | unseen

// aroundSaid are the flags of what says who wrote a comment and when, and of links to share it.
const aroundSaid = page.LikeMeta | page.LikeFooter | page.LikeShare | page.LikeNav

// commentTexts puts comments together from their blocks. said are the blocks with the comment that each belongs to.
type commentTexts struct {
	p     *page.Page
	sigs  map[uint32]int // how many elements called comments look so
	looks map[uint64]*sameLook
	texts map[uint64]int // how many blocks have the same letters
}

// sameLook are blocks that are in the same place of their comments.
type sameLook struct{ blocks, words, digits, chars, ends int32 }

// commentsOf returns the text of readers' comments, at most limit bytes of it, their number, and the blocks of the
// text. Names, dates, headings and buttons are left out, as far as they can be told without knowing the language.
func commentsOf(p *page.Page, found []remark, limit int) (c Comments, all []int32) {
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
	for i := 0; i < len(said) && text.Len()+len(betweenComments) < limit; {
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
		s, _ := join(p, blocks, limit-text.Len())
		text.WriteString(s)
		all = append(all, blocks...)
	}
	c.Text = text.String()
	return c, all
}

// isByline reports whether what surrounds a short block says that it is about the comment.
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

// bylineWords are words in class and id of what is above a comment.
var bylineWords = [][]byte{
	[]byte("head"), []byte("info"), []byte("user"), []byte("name"), []byte("time"), []byte("intro"),
}

// countWords are what headings and notes around comments say in many languages, as parts of words: "3 comments", "no
// comments yet", "be the first".
var countWords = [][]byte{
	[]byte("comment"), []byte("komment"), []byte("koment"), []byte("coment"), []byte("reacti"), []byte("repl"),
	[]byte("respon"), []byte("yorum"), []byte("loading"), []byte("коммент"), []byte("комент"), []byte("评论"),
	[]byte("評論"), []byte("コメント"), []byte("댓글"), []byte("تعليق"), []byte("bình luận"),
}

// holder returns the element of the comment that a block belongs to: the innermost one that is called so and looks like
// others, else what stands next in the only one, which holds them all.
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

// look is where a block is in its comment: a hash (FNV-1a, by words) of the elements between them.
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

// isLabel reports whether a block is one of many in the same place that are all short or mostly digits, or has the
// same letters as others.
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
	return b.Chars == b.Digits || same.isLabel() || b.Words <= longest && hasWord(t.p.Text[b.Start:b.End], countWords)
}

// isLabel reports whether the blocks are names, dates or links.
func (s *sameLook) isLabel() bool {
	if s.blocks < fewAlike {
		return false
	}
	short := s.words < shortAlike*s.blocks && 2*s.ends < s.blocks
	return short || float32(s.digits) > digitsAlike*float32(s.chars)
}

// CommentMode says what becomes of readers' comments below a post.
type CommentMode uint8

// The modes.
const (
	SeparateComments CommentMode = iota // they are left out of the text, and returned beside it
	KeepComments                        // they are in the text
	DropComments                        // they are left out
)

// commentModes are the names of modes, as ParseCommentMode takes them.
var commentModes = [...]string{SeparateComments: "separate", KeepComments: "keep", DropComments: "drop"}

func (m CommentMode) String() string { return commentModes[m] }

// CommentModes returns the names of modes.
func CommentModes() []string { return slices.Clone(commentModes[:]) }

// ParseCommentMode returns the mode of a name; "" is SeparateComments.
func ParseCommentMode(name string) (CommentMode, error) {
	if i := slices.Index(commentModes[:], cmp.Or(name, commentModes[SeparateComments])); i >= 0 {
		return CommentMode(i), nil
	}
	return 0, fmt.Errorf("unknown mode of comments %q; there are %s", name, strings.Join(commentModes[:], ", "))
}

// setComments takes readers' comments out of a page's text: their scores become 0. It returns the blocks of comments
// that are to be in the text all the same.
func setComments(r *Result, forum float32, o Options) (kept []int32) {
	if r.Type == Product {
		return nil // reviews say what the product is
	}
	// Lists with votes look like anything else to the model.
	if forum >= mayBeForum && r.Type != Forum && isForum(r.Page, forum) {
		r.Type = Forum
		return nil
	}
	found := remarks(r.Page, r.Scores, forum)
	if len(found) == 0 {
		return nil
	}
	if o.Comments != DropComments {
		r.Comments, kept = commentsOf(r.Page, found, o.MaxBytes)
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
