package thread

import (
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/maintext"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/pagemeta"
)

// finder finds the posts of one page.
type finder struct {
	m     *maintext.Result
	p     *page.Page
	dates pagemeta.Dates

	authors, times []evidence // ascending
	// sums of all before a node: words of the main text, authors, dates
	words, nAuthors, nTimes []int32
	posted                  []sum // by node
	holders                 []int32
	left                    int            // posts beyond maxPosts
	labels                  map[string]int // by letters: how many short lines with numbers
}

// sum holds the counts of an element, or the part of them that belongs to the posts in it.
type sum struct {
	words, authors, times int32
	posts                 int32
	last                  int32 // one of the posts
	is                    bool  // the element is a post itself
}

// shareOfLook is how many of the elements with text and one class must have evidence for them to be posts.
const shareOfLook = 0.6

// look collects the evidence, and sums up the main text.
func (f *finder) look() {
	n := len(f.p.Nodes)
	apart := make([]bool, n) // in a quote, a signature or the like
	for i := range n {
		node := &f.p.Nodes[i]
		if node.Tag == page.TagText {
			continue
		}
		if node.Parent >= 0 && apart[node.Parent] || node.Flags&(page.InQuote|page.InNav|page.InFooter|page.InSkipped) != 0 {
			apart[i] = true
			continue
		}
		if class, ok := f.p.RawAttr(i, "class"); ok && isAside(class) {
			apart[i] = true
			continue
		}
		f.lookForAuthor(int32(i))
		f.lookForDate(int32(i))
	}
	f.lookForWrittenDates(apart)
	slices.SortStableFunc(f.times, func(a, b evidence) int { return int(a.node - b.node) })
	f.sumUp()
}

// sumUp counts words and evidence. Lines with an author or date are not counted.
func (f *finder) sumUp() {
	n := len(f.p.Nodes)
	f.labels = map[string]int{}
	for _, i := range f.m.Blocks {
		if letters := f.lettersOf(i); letters != "" {
			f.labels[letters]++
		}
	}
	f.words, f.nAuthors, f.nTimes = make([]int32, n+1), make([]int32, n+1), make([]int32, n+1)
	for _, i := range f.m.Blocks {
		if b := &f.p.Blocks[i]; b.Flags&page.InHeading == 0 && !f.isByline(i) && !f.isLabel(i) {
			f.words[b.First+1] += b.Words
		}
	}
	for _, e := range f.authors {
		f.nAuthors[e.node+1]++
	}
	for _, e := range f.times {
		f.nTimes[e.node+1]++
	}
	for i := range n {
		f.words[i+1] += f.words[i]
		f.nAuthors[i+1] += f.nAuthors[i]
		f.nTimes[i+1] += f.nTimes[i]
	}
}

// within sums up element i.
func (f *finder) within(i int32) sum {
	end := f.p.Nodes[i].End
	return sum{
		words: f.words[end] - f.words[i], authors: f.nAuthors[end] - f.nAuthors[i], times: f.nTimes[end] - f.nTimes[i],
	}
}

// find finds the elements that are posts, from the innermost outwards.
func (f *finder) find() {
	alike := f.alike()
	f.posted = make([]sum, len(f.p.Nodes))
	for i := int32(len(f.p.Nodes) - 1); i > 0; i-- {
		n := &f.p.Nodes[i]
		if n.Tag == page.TagText {
			continue
		}
		s, all := &f.posted[i], f.within(i)
		own := sum{words: all.words - s.words, authors: all.authors - s.authors, times: all.times - s.times}
		if own.words > 0 && own.authors+own.times > 0 && alike[i] && (s.posts != 1 || f.isApart(i, own, s.last)) {
			all.posts, all.last, all.is = s.posts+1, i, true
			*s = all
		}
		f.posted[n.Parent].add(s)
	}
	for _, i := range f.m.Blocks {
		f.rest(i)
	}
	for i := range f.posted {
		switch {
		case !f.posted[i].is:
		case len(f.holders) == maxPosts:
			f.left++
		default:
			f.holders = append(f.holders, int32(i))
		}
	}
}

func (s *sum) add(of *sum) {
	s.words += of.words
	s.authors += of.authors
	s.times += of.times
	s.posts += of.posts
	if of.posts > 0 {
		s.last = of.last
	}
}

// isApart reports whether an element around a single post is another one, and not only more of the same.
func (f *finder) isApart(i int32, own sum, inner int32) bool {
	const fewWords = 3
	if f.p.Nodes[i].Sig == f.p.Nodes[inner].Sig {
		return true
	}
	return own.words >= fewWords && own.authors > 0 && f.author(i, inner) != f.author(inner, -1)
}

// alike reports, by node, whether an element looks like a post. Others with text share a class or id with it, and most
// of these have evidence. An element with a type of schema.org needs no others.
func (f *finder) alike() []bool {
	type count struct{ text, evidence int }
	counts := map[string]*count{}
	var some []int32
	for i := range f.p.Nodes {
		all := f.within(int32(i))
		if f.p.Nodes[i].Tag == page.TagText || all.words == 0 {
			continue
		}
		if all.authors+all.times > 0 {
			some = append(some, int32(i))
		}
		for _, name := range f.names(int32(i)) {
			c := counts[name]
			if c == nil {
				c = &count{}
				counts[name] = c
			}
			c.text++
			if all.authors+all.times > 0 {
				c.evidence++
			}
		}
	}
	alike := make([]bool, len(f.p.Nodes))
	for _, i := range some {
		all := f.within(i)
		alike[i] = f.kindOfType(i) != "" || all.authors > 0 && all.times > 0 && f.isCalledPost(i)
		for _, name := range f.names(i) {
			c := counts[name]
			alike[i] = alike[i] || c.evidence > 1 && float64(c.evidence) >= shareOfLook*float64(c.text)
		}
	}
	return alike
}

// isCalledPost reports whether the element itself is called a post.
func (f *finder) isCalledPost(i int32) bool {
	return f.p.Nodes[i].Own&(page.LikePost|page.LikeComment|page.LikeRemark|page.InArticle) != 0
}

// names returns the classes and the id of an element, with 0 for all digits. An element without any has the name of its
// place.
func (f *finder) names(i int32) []string {
	class, _ := f.p.RawAttr(int(i), "class")
	id, _ := f.p.RawAttr(int(i), "id")
	names := strings.Fields(string(class))
	if len(id) > 0 {
		names = append(names, "#"+string(id))
	}
	for k := range names {
		names[k] = strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' {
				return '0'
			}
			return r
		}, names[k])
		for strings.Contains(names[k], "00") {
			names[k] = strings.ReplaceAll(names[k], "00", "0")
		}
	}
	n := &f.p.Nodes[i]
	if len(names) == 0 && n.Parent >= 0 {
		names = []string{n.Tag.Name() + " of " + string(rune(f.p.Nodes[n.Parent].Sig&0xFFFF))}
	}
	return names
}

// rest makes a post of text outside all posts, such as a question above answers. The post is the largest element around
// the text without another post, if it has evidence.
func (f *finder) rest(block int32) {
	b := &f.p.Blocks[block]
	if b.Flags&page.InHeading != 0 || f.isByline(block) || f.isLabel(block) {
		return
	}
	outer := int32(-1)
	for n := b.Node; n > 0; n = f.p.Nodes[n].Parent {
		if f.posted[n].is {
			return
		}
		if f.posted[n].posts > 0 {
			break
		}
		outer = n
	}
	if outer < 0 || f.posted[f.p.Nodes[outer].Parent].posts == 0 {
		return
	}
	all := f.within(outer)
	if all.authors+all.times == 0 {
		return
	}
	all.posts, all.last, all.is = 1, outer, true
	f.posted[outer] = all
	for n := f.p.Nodes[outer].Parent; n >= 0; n = f.p.Nodes[n].Parent {
		f.posted[n].posts++
	}
}
