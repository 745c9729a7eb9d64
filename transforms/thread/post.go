package thread

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/page"
)

// posts reads the posts that were found.
func (f *finder) posts() (all []Post) {
	tops := make([]int32, len(f.holders)) // the largest element around each that has no other post
	owner := make([]int32, len(f.p.Nodes))
	for i := range owner {
		owner[i] = -1
	}
	for k, h := range f.holders {
		tops[k] = f.top(h)
	}
	// An inner post comes after the outer one, and takes its nodes from it.
	for k, top := range tops {
		for i := top; i < f.p.Nodes[top].End; i++ {
			owner[i] = int32(k)
		}
	}
	f.leave(owner)
	blocks := make([][]int32, len(f.holders))
	for _, i := range f.m.Blocks {
		if k := owner[f.p.Blocks[i].First]; k >= 0 {
			blocks[k] = append(blocks[k], i)
		}
	}
	room := maxText
	authors, times := best(f.authors, owner, len(tops)), best(f.times, owner, len(tops))
	f.fromPlaces(authors, owner)
	for k := range f.holders {
		post := Post{Kind: f.kind(k), Author: authors[k], Date: times[k]}
		post.Text = f.m.TextOf(f.said(blocks[k], post.Author), room)
		if room -= len(post.Text); post.Text != "" {
			all = append(all, post)
		}
	}
	return all
}

// top returns the largest element around a post that has no other post.
func (f *finder) top(h int32) int32 {
	for up := f.p.Nodes[h].Parent; up > 0 && f.posted[up].posts == f.posted[h].posts; up = f.p.Nodes[up].Parent {
		switch f.p.Nodes[up].Tag {
		case page.TagBody, page.TagMain:
			return h
		}
		h = up
	}
	return h
}

// leave takes comments without text of their own, which the main text leaves out, from the post that they are in.
func (f *finder) leave(owner []int32) {
	for i := 1; i < len(f.p.Nodes); i++ {
		n := &f.p.Nodes[i]
		if n.Own&(page.LikeComment|page.LikeRemark) == 0 || owner[i] < 0 || f.within(int32(i)).words > 0 ||
			!f.isComment(int32(i)) {
			continue
		}
		for k := i; k < int(n.End); k++ {
			owner[k] = -1
		}
	}
}

// isComment reports whether an element is a comment and not a part of one, such as its header.
func (f *finder) isComment(i int32) bool {
	class, _ := f.p.RawAttr(int(i), "class")
	return f.kindOfType(i) == KindComment || slices.Contains(strings.Fields(string(class)), "comment")
}

// best returns the surest value of each post, the first of equals.
func best(all []evidence, owner []int32, posts int) []string {
	values, weights := make([]string, posts), make([]int, posts)
	for _, e := range all {
		if k := owner[e.node]; k >= 0 && e.weight > weights[k] {
			values[k], weights[k] = e.value, e.weight
		}
	}
	return values
}

// author returns the surest author in element i, outside the element except.
func (f *finder) author(i, except int32) (name string) {
	weight := 0
	from, _ := slices.BinarySearchFunc(f.authors, i, byNode)
	for _, e := range f.authors[from:] {
		if e.node >= f.p.Nodes[i].End {
			break
		}
		isIn := except >= 0 && e.node >= except && e.node < f.p.Nodes[except].End
		if !isIn && e.weight > weight {
			name, weight = e.value, e.weight
		}
	}
	return name
}

// isByline reports whether a block of the main text only names an author or a date.
func (f *finder) isByline(i int32) bool {
	b := &f.p.Blocks[i]
	if b.Words > longestLabel || b.EndsPunct && bytes.IndexByte([]byte(".!?"), f.p.Text[b.End-1]) >= 0 {
		return false
	}
	for _, list := range [...][]evidence{f.times, f.authors} {
		for n := b.Node; n < b.Last; n++ {
			if _, ok := slices.BinarySearchFunc(list, n, byNode); ok {
				return true
			}
		}
	}
	return false
}

// isLabel reports whether a block is a line of numbers with labels, as on other posts: "Posts: 12".
func (f *finder) isLabel(i int32) bool { return f.labels[f.lettersOf(i)] > 1 }

// lettersOf returns the letters of a short block with numbers, or "".
func (f *finder) lettersOf(i int32) string {
	b := &f.p.Blocks[i]
	if b.Words > longestLabel || b.Digits == 0 || b.EndsPunct {
		return ""
	}
	return strings.Map(onlyLetters, string(f.p.Text[b.Start:b.End]))
}

func byNode(e evidence, n int32) int { return int(e.node - n) }

// said leaves out the blocks that only name the author or the date. An author's block may have a rank and a number of
// posts, too. Notes of edits are left out as well.
func (f *finder) said(blocks []int32, author string) []int32 {
	return slices.DeleteFunc(blocks, func(i int32) bool {
		b := &f.p.Blocks[i]
		text := f.p.Text[b.Start:b.End]
		line, _, _ := bytes.Cut(text, []byte("\n"))
		isNote := b.Words <= longestLabel && b.Digits >= 3 && !b.EndsPunct && isJoined(string(text))
		return f.isByline(i) || isNote || f.isLabel(i) || author != "" && b.Words <= longestLabel &&
			cleanName(string(line)) == author
	})
}

// kind returns what the elements are called of which post k is the first.
func (f *finder) kind(k int) string {
	h, before := f.holders[k], int32(-1)
	if k > 0 {
		before = f.holders[k-1]
	}
	for i := h; i > before && i > 0; i = f.p.Nodes[i].Parent {
		if kind := f.kindOfType(i); kind != "" && kind != KindPost {
			return kind
		}
		class, _ := f.p.RawAttr(int(i), "class")
		for word := range strings.FieldsSeq(string(class)) {
			switch word = strings.TrimPrefix(strings.ToLower(word), "js-"); word {
			case KindQuestion, KindAnswer, KindComment:
				return word
			}
		}
	}
	return KindPost
}

// kindOfType returns the kind of an element by its type of schema.org, or "".
func (f *finder) kindOfType(i int32) string {
	if f.p.Nodes[i].Own&page.HasItemType == 0 {
		return ""
	}
	v, _ := f.p.RawAttr(int(i), "itemtype")
	return kinds[string(v[bytes.LastIndexByte(v, '/')+1:])]
}
