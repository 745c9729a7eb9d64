package thread

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/transforms/page"
)

const (
	longestPlaced = 40   // bytes of a name without marks
	shareOfPlace  = 0.6  // of the posts must have a name in its place
	shareOfNames  = 0.15 // of these names must differ; few members write most posts of a thread
)

// place is the look of an element and of the two around it.
type place struct{ own, parent, grand uint32 }

// placed are the short texts in one place of many posts.
type placed struct {
	names map[int32]string // the first by post
	texts map[string]bool  // their letters
	first int              // the sum of their positions in the posts
	node  int              // the first of them
}

// fromPlaces gives posts an author if fewer than half have one. The author is the first short text in the same
// place of most posts that differs from post to post. This needs neither marks nor a language.
func (f *finder) fromPlaces(authors []string, owner []int32) {
	missing := 0
	for _, a := range authors {
		if a == "" {
			missing++
		}
	}
	if 2*missing <= len(authors) || len(authors) < 2 {
		return
	}
	var best *placed
	for _, p := range f.places(owner) {
		posts := float64(len(p.names))
		if posts < shareOfPlace*float64(len(authors)) || float64(len(p.texts)) < max(2, shareOfNames*posts) {
			continue
		}
		if best == nil || p.before(best) {
			best = p
		}
	}
	if best == nil {
		return
	}
	for k, name := range best.names {
		if authors[k] == "" {
			authors[k] = name
		}
	}
}

// before reports whether texts are nearer to the beginning of their posts than others. If equal, the first on the page
// counts.
func (p *placed) before(o *placed) bool {
	return cmp.Or(cmp.Compare(p.first*len(o.names), o.first*len(p.names)), cmp.Compare(p.node, o.node)) < 0
}

// places returns the short texts of posts by their places.
func (f *finder) places(owner []int32) map[place]*placed {
	all := map[place]*placed{}
	position, last := 0, int32(-1)
	for i := 1; i < len(f.p.Nodes); i++ {
		k, n := owner[i], &f.p.Nodes[i]
		if k != last {
			position, last = 0, k
		}
		position++
		if k < 0 || n.Tag == page.TagText || n.Flags&(page.InButton|page.InQuote|page.InHidden) != 0 || !f.isLeaf(int32(i)) {
			continue
		}
		text := f.p.NodeText(i)
		if len(text) == 0 || len(text) > longestPlaced {
			continue
		}
		name := cleanName(string(text))
		letters := strings.Map(onlyLetters, name)
		if len(letters)*2 < len(name) && !isUserName(name) || isJoined(name) || isRole(name) {
			continue
		}
		up := f.p.Nodes[n.Parent]
		at := place{n.Sig, up.Sig, f.p.Nodes[max(0, up.Parent)].Sig}
		if all[at] == nil {
			all[at] = &placed{names: map[int32]string{}, texts: map[string]bool{}, node: i}
		}
		if p := all[at]; p.names[k] == "" {
			p.names[k], p.texts[letters] = name, true
			p.first += position
		}
	}
	return all
}

// isLeaf reports whether an element holds only text.
func (f *finder) isLeaf(i int32) bool {
	for c := i + 1; c < f.p.Nodes[i].End; c++ {
		if f.p.Nodes[c].Tag != page.TagText {
			return false
		}
	}
	return true
}

// isUserName reports whether a text of letters and many digits may be a member's name, such as ann1987.
func isUserName(s string) bool {
	first, second := []rune(s + "  ")[0], []rune(s + "  ")[1]
	return isLetter(first) && isLetter(second) && !strings.ContainsAny(s, " \u00A0.,:/")
}

func onlyLetters(r rune) rune {
	if unicode.IsLetter(r) {
		return r
	}
	return -1
}
