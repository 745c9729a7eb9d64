package imageindex

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"github.com/gleaner-web/gleaner/transforms/picture"
)

// hashIn returns a perceptual hash as a number, or 0 if there is none.
func hashIn(s string) uint64 {
	h, _ := picture.ParseHash(s)
	return h
}

func parseSame(s string) uint64 {
	n, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		return 0
	}
	return n
}

// hits describes groups: their pages, and how many images are similar.
func (s *search) hits(list []*group) []Hit {
	hits := make([]Hit, len(list))
	pages := map[uint64][]ranked{}
	for _, g := range list {
		pages[g.best.surt] = nil
	}
	s.findPages(pages)
	similar := s.similar(list)
	for n, g := range list {
		h := Hit{
			Shard: s.x.shards[g.part].Name, Row: int64(g.best.row), Same: fmt.Sprintf("%016x", g.best.same), Captures: g.n,
			Similar: similar[n],
		}
		found := pages[g.best.surt]
		slices.SortStableFunc(found, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
		h.Shown = len(found)
		for _, r := range found[:min(maxPages, len(found))] {
			h.Pages = append(h.Pages, r.Page)
		}
		hits[n] = h
	}
	return hits
}

// ranked is a page with the score of its words.
type ranked struct {
	Page
	score uint8
}

// findPages fills in the pages that show images, by their SURTs.
func (s *search) findPages(pages map[uint64][]ranked) {
	if len(pages) == 0 {
		return
	}
	for n, p := range s.x.parts {
		for k := range p.uses {
			u := &p.uses[k]
			list, wanted := pages[u.surt]
			if !wanted || s.q.May != nil && !s.q.May(u.place) {
				continue
			}
			pages[u.surt] = append(list, ranked{Page{s.x.shards[n].Name, int64(u.row)}, s.score(p, u.words)})
		}
	}
}

// similar counts, for each group, the other images that look like it, whatever the query.
func (s *search) similar(list []*group) []int {
	counts := make([]int, len(list))
	seen := map[uint64]bool{}
	for _, p := range s.x.parts {
		for k := range p.images {
			i := &p.images[k]
			if i.hash == 0 || seen[i.same] || s.q.May != nil && !s.q.May(i.place) {
				continue
			}
			alike := false
			for n, g := range list {
				if g.best.hash != 0 && g.best.same != i.same &&
					bits.OnesCount64(g.best.hash^i.hash) <= picture.MaxDistance {
					counts[n]++
					alike = true
				}
			}
			seen[i.same] = alike
		}
	}
	return counts
}
